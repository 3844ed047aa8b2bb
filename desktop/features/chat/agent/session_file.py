"""The lines of a session's file: JSON, one for each message, and back.

Each ends with a sum of what is in it, by which damage is found. Media are base64 up to a limit, a
note beyond it. `transcript` writes the files, `session_reader` reads them.
"""

from __future__ import annotations

import base64
import json
import zlib
from datetime import datetime
from string import Formatter
from typing import TYPE_CHECKING, Any, cast, get_args

from msgspec.structs import asdict

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import TranslatableText
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    Replay,
    StopReason,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    Usage,
    UserMessage,
)
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult, ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.features.chat.agent.session_info import SessionInfo
    from desktop.features.models.messages import Message

MAX_MEDIA_BYTES = 8_000_000
"""Bytes of all media of one message that are kept."""
MAX_REPLAY_LENGTH = 4_000_000
"""Characters of a provider's own form of a turn that are kept; without it, the text is sent."""
_MAX_DEPTH = 4
MAX_FILE_BYTES = 512 * 1024 * 1024
"""Bytes of a file that is still read."""


def encode(
    message: Message, arguments: Mapping[str, str | dict[str, Any]], keeps_replay: bool = True
) -> dict[str, Any]:
    """The object of a message.

    Args:
        message: any.
        arguments: by call id, what is written as the arguments of each request.
        keeps_replay: whether the provider's own form of the turn may be written.
    """
    room = _Room()
    match message:
        case UserMessage():
            images = [{"mime": image.mime, **room.data(image.data)} for image in message.images]
            return {"type": "user", "text": message.text, "images": images}
        case AssistantMessage():
            return {
                "type": "assistant",
                "text": message.text,
                "thinking": message.thinking,
                "requests": [
                    {
                        "id": request.call_id,
                        "tool": request.wire_name,
                        "key": request.key,
                        "arguments": arguments[request.call_id],
                    }
                    for request in message.requests
                ],
                "stop": message.stop,
                "usage": asdict(message.usage),
                "model": message.model,
                "replay": _replay(message.replay) if keeps_replay else None,
                **({"note": _sentence(message.note)} if message.note else {}),
                "notes_sending": True,
            }
        case ToolMessage():
            return {
                "type": "tools",
                "answers": [_answer(answer, room) for answer in message.answers],
            }


def decode(value: Mapping[str, Any]) -> Message:
    """The message of an object.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    match value["type"]:
        case "user":
            images = [
                Image(base64.b64decode(image["data"], validate=True), _text(image["mime"]))
                for image in value["images"]
                if "data" in image
            ]
            return UserMessage(_text(value["text"]), tuple(images))
        case "assistant":
            requests = tuple(
                ToolRequest(
                    _text(request["id"]),
                    _text(request["tool"]),
                    _arguments(request["arguments"]),
                    _text(request.get("key", "")),
                )
                for request in value["requests"]
            )
            return AssistantMessage(
                _text(value["text"]),
                requests,
                _text(value["thinking"]),
                _stop(value["stop"]),
                Usage(**{name: int(count) for name, count in value["usage"].items()}),
                _text(value["model"]),
                _read_replay(value["replay"]),
                _read_sentence(value.get("note", "")),
            )
        case "tools":
            return ToolMessage(tuple(_read_answer(answer) for answer in value["answers"]))
        case other:
            raise ValueError(f"{other!r} is no message")


class _Room:
    """What is left for the media of one message."""

    def __init__(self) -> None:
        self._left = MAX_MEDIA_BYTES

    def data(self, data: bytes) -> dict[str, Any]:
        if not data:
            return {}
        if len(data) > self._left:
            return {"omitted": len(data)}
        self._left -= len(data)
        return {"data": base64.b64encode(data).decode("ascii")}


def _sentence(value: object) -> object:
    """How a sentence of ours was made, so that the window can say it in its language."""
    if not isinstance(value, TranslatableText):
        return value
    values = {name: _sentence(each) for name, each in value.values.items()}
    return {"pattern": value.pattern, "values": values}


def _read_sentence(value: Any, depth: int = 0) -> str:
    """Filled in only where each place is a bare name: others may have written the file."""
    if isinstance(value, str | int | float):
        return str(value)
    if depth > _MAX_DEPTH:
        raise ValueError("a sentence stands in too many others")
    pattern, found = _text(value["pattern"]), value["values"].items()
    values = {name: _read_sentence(each, depth + 1) for name, each in found}
    for _, name, spec, conversion in Formatter().parse(pattern):
        if name is not None and (name not in values or spec or conversion):
            raise ValueError(f"{pattern!r:.40} is no sentence of ours")
    return TranslatableText(pattern, values)


def _replay(replay: Replay | None) -> dict[str, Any] | None:
    if replay is None:
        return None
    items = [dict(item) for item in replay.items]
    try:
        is_small = len(json.dumps(items)) <= MAX_REPLAY_LENGTH
    except (RecursionError, TypeError, ValueError):
        return None
    return (
        {"provider": replay.provider, "model": replay.model, "items": items} if is_small else None
    )


def _answer(answer: ToolAnswer, room: _Room) -> dict[str, Any]:
    result, error = answer.result, answer.result.error
    return {
        "id": answer.call_id,
        "tool": answer.wire_name,
        "success": result.success,
        "output": result.output,
        "error": error and {"type": error.type, "message": error.message, "code": error.code},
        "content": [_block(block, room) for block in result.content],
        "structured": result.structured,
        "seconds": result.execution_time,
        "approval_wait": result.approval_wait,
        "issues": _issues(result),
        "at": result.timestamp.isoformat(),
        **({} if answer.corrected is None else {"corrected": dict(answer.corrected)}),
        **({"note": answer.note} if answer.note else {}),
    }


def _block(block: Content, room: _Room) -> dict[str, Any]:
    fields = {"text": block.text, "mime": block.mime, "uri": block.uri, "name": block.name}
    said = {name: value for name, value in fields.items() if value}
    return {"kind": block.kind, **said, **room.data(block.data)}


def _read_answer(value: Mapping[str, Any]) -> ToolAnswer:
    error = value["error"]
    result = ToolResult(
        success=bool(value["success"]),
        output=_text(value["output"]),
        error=error and ToolError(error["type"], error["message"], ErrorCode(error["code"])),
        content=tuple(_read_block(block) for block in value["content"]),
        structured=value["structured"],
        execution_time=float(value["seconds"]),
        approval_wait=float(value.get("approval_wait", 0.0)),  # not there in files of before
        timestamp=datetime.fromisoformat(value["at"]),
        output_issues=_read_issues(value["issues"]),
    )
    corrected = value.get("corrected")
    sent = None if corrected is None else dict(corrected)
    note = _text(value.get("note", ""))
    return ToolAnswer(_text(value["id"]), _text(value["tool"]), result, sent, note)


def _issues(result: ToolResult) -> list[list[Any]] | None:
    found = result.output_issues
    if found is None:
        return None
    return [[list(i.path), i.layer, i.message, i.severity, i.code] for i in found]


def _read_issues(value: list[list[Any]] | None) -> tuple[ValidationIssue, ...] | None:
    if value is None:
        return None
    return tuple(
        ValidationIssue(tuple(path), layer, _text(message), severity, _text(code))
        for path, layer, message, severity, code in value
    )


def _read_block(value: Mapping[str, Any]) -> Content:
    if "omitted" in value:
        note = f"[{value.get('mime') or value['kind']}, {value['omitted']} bytes, not kept]"
        return Content("text", text=note)
    return Content(
        value["kind"],
        value.get("text", ""),
        base64.b64decode(value.get("data", "")),
        value.get("mime", ""),
        value.get("uri", ""),
        value.get("name", ""),
    )


def _read_replay(value: Mapping[str, Any] | None) -> Replay | None:
    if value is None:
        return None
    items = tuple(dict(item) for item in value["items"])
    return Replay(_text(value["provider"]), items, _text(value["model"]))


def _arguments(value: object) -> str | dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else _text(value)


def _stop(value: Any) -> StopReason:
    if value not in get_args(StopReason):
        raise ValueError(f"{value!r:.40} is no reason to stop")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no text")
    return value


VERSION = 1
SENDING = "sending"
"""Type of the line that names a call right before it is sent. An assistant's line that has
`notes_sending` comes from a version that writes them."""
KEPT = "kept_tools"
"""Type of the line that has the tools that the model was told of; the last one counts."""
SHORTENED = "shortened"
"""Type of the line that says of which results the beginning alone is sent; the last one counts."""
_SUM = compile_later(rb', "sum": "([0-9a-f]{8})"\}\s*\Z')


def describe(about: SessionInfo) -> dict[str, Any]:
    """The object of the line that says what a session is; the last one counts."""
    return {"type": "session", "version": VERSION, **about.to_json()}


def seal(line: str) -> str:
    """The line of an object with the sum of it as its last member."""
    return f'{line[:-1]}, "sum": "{zlib.crc32(line.encode()):08x}"}}'


def is_intact(line: bytes) -> bool | None:
    """Whether a line is as it was written; None where it has no sum, as in files of before."""
    found = _SUM.search(line)
    if found is None:
        return None
    return zlib.crc32(b"}", zlib.crc32(line[: found.start()])) == int(found[1], 16)
