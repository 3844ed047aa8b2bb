"""A message as a JSON object and back: what a line of a session's file holds.

Media are base64, bounded; what is beyond stays as a note. Pure. Must not know what is secret: it is
given what may be written.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast, get_args

from desktop.llm.messages import (
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
from desktop.tool_types import Content, ErrorCode, ToolError, ToolResult, ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.llm.messages import Message

MEDIA = 8_000_000
"""Bytes of all media of one message that are kept."""
REPLAY = 4_000_000
"""Characters of a provider's own form of a turn that are kept; without it, the text is sent."""


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
            images = [{"mime": one.mime, **room.data(one.data)} for one in message.images]
            return {"type": "user", "text": message.text, "images": images}
        case AssistantMessage():
            return {
                "type": "assistant",
                "text": message.text,
                "thinking": message.thinking,
                "requests": [
                    {"id": one.call_id, "tool": one.wire_name, "arguments": arguments[one.call_id]}
                    for one in message.requests
                ],
                "stop": message.stop,
                "usage": asdict(message.usage),
                "model": message.model,
                "replay": _replay(message.replay) if keeps_replay else None,
            }
        case ToolMessage():
            return {"type": "tools", "answers": [_answer(one, room) for one in message.answers]}


def decode(value: Mapping[str, Any]) -> Message:
    """The message of an object.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    match value["type"]:
        case "user":
            images = [
                Image(base64.b64decode(one["data"], validate=True), _text(one["mime"]))
                for one in value["images"]
                if "data" in one
            ]
            return UserMessage(_text(value["text"]), tuple(images))
        case "assistant":
            requests = tuple(
                ToolRequest(_text(one["id"]), _text(one["tool"]), _arguments(one["arguments"]))
                for one in value["requests"]
            )
            return AssistantMessage(
                _text(value["text"]),
                requests,
                _text(value["thinking"]),
                _stop(value["stop"]),
                Usage(**{name: int(count) for name, count in value["usage"].items()}),
                _text(value["model"]),
                _read_replay(value["replay"]),
            )
        case "tools":
            return ToolMessage(tuple(_read_answer(one) for one in value["answers"]))
        case other:
            raise ValueError(f"{other!r} is no message")


class _Room:
    """What is left for the media of one message."""

    def __init__(self) -> None:
        self._left = MEDIA

    def data(self, data: bytes) -> dict[str, Any]:
        if not data:
            return {}
        if len(data) > self._left:
            return {"omitted": len(data)}
        self._left -= len(data)
        return {"data": base64.b64encode(data).decode("ascii")}


def _replay(replay: Replay | None) -> dict[str, Any] | None:
    if replay is None:
        return None
    items = [dict(one) for one in replay.items]
    try:
        is_small = len(json.dumps(items)) <= REPLAY
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
        "content": [_block(one, room) for one in result.content],
        "structured": result.structured,
        "seconds": result.execution_time,
        "issues": _issues(result),
        "at": result.timestamp.isoformat(),
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
        content=tuple(_read_block(one) for one in value["content"]),
        structured=value["structured"],
        execution_time=float(value["seconds"]),
        timestamp=datetime.fromisoformat(value["at"]),
        output_issues=_read_issues(value["issues"]),
    )
    return ToolAnswer(_text(value["id"]), _text(value["tool"]), result)


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
    items = tuple(dict(one) for one in value["items"])
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
