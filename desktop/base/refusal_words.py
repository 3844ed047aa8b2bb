"""What a stranger's server says when it refuses, wherever it puts its words.

Pure. The words are data: bound, shortened and redacted by who shows them.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

_WORDS: Final = (
    "error_description", "errors", "message", "detail", "details", "error_message", "error_msg",
    "msg", "status_msg", "base_resp", "error", "title", "reason", "response",
)  # fmt: skip
"""Where the words may be, the likeliest first: as text, `error` is often the name of a kind."""
_MAX_DEPTH: Final = 5
_MAX_ITEMS: Final = 5
_TITLE: Final = re.compile(r"<(title|h1)[^>]*>([^<]{1,500})</", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^>]{0,200}>")


def find_words(body: object, depth: int = _MAX_DEPTH) -> str:
    """What a body of any form says: JSON, text or a page; empty where it is nothing.

    A proxy has the words of the server behind it in `metadata.raw`, as JSON or text.
    """
    if isinstance(body, str):
        page = _TITLE.search(body) if "<" in body else None
        return page[2].strip() if page else _TAG.sub(" ", body).strip()
    if depth == 0:
        return ""
    inner = cast("list[Any]", body) if isinstance(body, list) else []
    if isinstance(body, dict):
        found = cast("dict[str, Any]", body)
        metadata: object = found.get("metadata")
        raw = cast("dict[str, Any]", metadata).get("raw") if isinstance(metadata, dict) else None
        if raw and (behind := find_words(parsed(raw), depth - 1)):
            own = find_words(found.get("message"), depth - 1)
            return f"{own}: {behind}" if own else behind
        keys = _WORDS if isinstance(found.get("error"), str) else ("error", *_WORDS)
        inner = [found[key] for key in keys if key in found]
    said = (find_words(each, depth - 1) for each in inner[:_MAX_ITEMS])
    return next(filter(None, said), "")


def parsed(value: object) -> object:
    """A text that is JSON as its value; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
