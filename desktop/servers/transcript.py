"""Messages as a person may see them and a file may hold them: read now, their secrets left out.

The only way from a body to a text. Never raises for what a server wrote; bounded by what was kept.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.servers.traffic import RecordedMessage


def pretty(message: RecordedMessage) -> str:
    """The body, indented where it is whole JSON, else as much of its text as was kept."""
    shown = _redacted(message)
    if isinstance(shown, str):
        return shown
    return json.dumps(shown, indent=2, ensure_ascii=False)


def document(message: RecordedMessage) -> dict[str, Any]:
    """What a line of an export says of one message; `at` in ISO 8601, `duration` in seconds.

    `message` is the JSON value; where that is not there, `text` is the beginning of what was.
    """
    body = _redacted(message)
    facts = {
        "number": message.number,
        "at": datetime.fromtimestamp(message.at, UTC).isoformat(timespec="microseconds"),
        "server": message.server,
        "connection": message.connection,
        "direction": message.direction,
        "kind": message.kind,
        "method": message.redaction.text(message.method) or None,
        "id": message.id,
        "size": message.size,
        "duration": message.duration if message.duration is None else round(message.duration, 6),
        "request": message.request,
    }
    told = {name: value for name, value in facts.items() if value is not None}
    return told | ({"text": body} if isinstance(body, str) else {"message": body})


def json_lines(messages: Iterable[RecordedMessage], *, ascii_only: bool = False) -> Iterator[str]:
    """One line a message, each with its newline; `ascii_only` for a terminal, which obeys text."""
    for message in messages:
        yield json.dumps(document(message), ensure_ascii=ascii_only) + "\n"


def _redacted(message: RecordedMessage) -> Any:
    """The JSON value, or a text; a cut one says so at its end."""
    if not message.is_cut and message.kind != "unreadable":
        try:
            # Not a text alone: that would be taken for a body that could not be read.
            if isinstance(value := json.loads(message.body), dict | list):
                return message.redaction.value(value)
        except (ValueError, RecursionError):
            pass
    text = message.body.decode("utf-8", "replace")
    if not message.is_cut:
        return message.redaction.text(text)
    left = message.size - len(message.body)
    return f"{message.redaction.cut_text(text)}… [{left} more bytes were not kept]"
