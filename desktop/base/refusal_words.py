"""What a stranger's server says when it refuses, wherever it puts its words.

Pure. The words are data: bound, shortened and redacted by who shows them.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, cast

from desktop.base.later_patterns import compile_later

_WORDS: Final = (
    "error_description", "errors", "message", "detail", "details", "error_message", "error_msg",
    "msg", "status_msg", "base_resp", "error", "title", "reason", "response",
)  # fmt: skip
"""Where the words may be, the likeliest first: as text, `error` is often the name of a kind."""
_PLACES: Final = ("loc", "path", "instancePath", "pointer", "field", "property", "param")
"""Where an entry of a list of errors names the part that it is about."""
_BY_FIELD: Final = ("errors", "fieldErrors", "field_errors", "detail", "details")
"""What may be an object with the errors of each field under its name."""
_MAX_DEPTH: Final = 5
_MAX_ITEMS: Final = 5
_TITLE: Final = compile_later(r"<(title|h1)[^>]*>([^<]{1,500})</", re.IGNORECASE)
_TAG: Final = compile_later(r"<[^>]{0,200}>")


def find_words(body: object, depth: int = _MAX_DEPTH) -> str:
    """What a body of any form says: JSON, text or a page; empty where it is nothing.

    A proxy has the words of the server behind it in `metadata.raw`, as JSON or text.
    """
    if isinstance(body, str):
        page = _TITLE.search(body) if "<" in body else None
        return page[2].strip() if page else _TAG.sub(" ", body).strip()
    if depth == 0:
        return ""
    if isinstance(body, list):
        items = cast("list[Any]", body)[:_MAX_ITEMS]
        return "; ".join(dict.fromkeys(filter(None, (_entry(each, depth - 1) for each in items))))
    inner: list[Any] = []
    if isinstance(body, dict):
        found = cast("dict[str, Any]", body)
        metadata: object = found.get("metadata")
        raw = cast("dict[str, Any]", metadata).get("raw") if isinstance(metadata, dict) else None
        if raw and (behind := find_words(parsed(raw), depth - 1)):
            own = find_words(found.get("message"), depth - 1)
            return f"{own}: {behind}" if own else behind
        keys = _WORDS if isinstance(found.get("error"), str) else ("error", *_WORDS)
        if fields := _fields(found):
            said = (found.get("title"), find_words(fields, depth - 1))
            return " ".join(each for each in said if isinstance(each, str) and each)
        inner = [found[key] for key in keys if key in found]
    said = (find_words(each, depth - 1) for each in inner[:_MAX_ITEMS])
    return next(filter(None, said), "")


def _entry(item: object, depth: int) -> str:
    """One error of several, with the place that it names."""
    said = find_words(item, depth)
    if not said or not isinstance(item, dict):
        return said
    members = cast("dict[str, Any]", item)
    place = next(filter(None, (_place(members.get(key)) for key in _PLACES)), "")
    is_said = not place or re.search(rf"(?<!\w){re.escape(place)}(?!\w)", said) is not None
    return said if is_said else f"{place}: {said}"


def _place(value: object) -> str:
    if isinstance(value, str):
        return value.strip("/")
    if not isinstance(value, list):
        return ""
    parts = cast("list[Any]", value)[:_MAX_ITEMS]
    return ".".join(str(part) for part in parts if isinstance(part, str | int))


def _fields(found: dict[str, Any]) -> list[Any]:
    """Errors that stand under the names of their fields, as a list; empty where there are none."""
    for key in _BY_FIELD:
        value: object = found.get(key)
        members = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        is_list = all(isinstance(each, str | list) for each in members.values())
        if members and is_list and not any(name in _WORDS for name in members):
            return [{"field": name, "message": each} for name, each in members.items()]
    return []


def parsed(value: object) -> object:
    """A text that is JSON as its value; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
