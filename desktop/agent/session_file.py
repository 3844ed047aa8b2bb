"""The file of one session: JSON Lines, one line per message, only ever appended to.

If the app is killed, at most the line that was being written is lost. Secrets are removed before
anything leaves the loop; encoding and writing happen in a thread. Media are base64 up to a limit, a
note beyond it. `SessionStore` reads the files.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast, get_args

from desktop.json_schema import dump_json
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
from desktop.private_files import make_private_folder, open_private
from desktop.redaction.arguments import redact_texts, replace_values
from desktop.signals import Signal
from desktop.tasks import spawn
from desktop.tool_types import Content, ErrorCode, ToolError, ToolResult, ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from desktop.agent.secrets import SessionSecrets
    from desktop.agent.session_info import SessionInfo
    from desktop.llm.messages import Message

MAX_MEDIA_BYTES = 8_000_000
"""Bytes of all media of one message that are kept."""
MAX_REPLAY_LENGTH = 4_000_000
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


_MEDIA = frozenset(("data",))
"""Members that hold base64."""
VERSION = 1
SENDING = "sending"
"""Type of the line that names a call right before it is sent. An assistant's line that has
`notes_sending` comes from a version that writes them."""
CLOSE_LIMIT = 3.0
"""Seconds that the end of a session, and a call that is to be sent, wait for the disk."""

logger = logging.getLogger(__name__)


class Transcript:
    """Writes from the first message on; a description alone makes no file."""

    def __init__(
        self, path: Path, about: SessionInfo, secrets: SessionSecrets, *, exists: bool
    ) -> None:
        """Args: exists: whether the file is there: then it is gone on with."""
        self._path, self._secrets = path, secrets
        self._about: SessionInfo | None = None if exists else about
        self._begun = exists
        self._waiting: list[Callable[[], str]] = []
        self._writing: asyncio.Task[None] | None = None
        self.problem = ""
        """Why the last write failed; empty where it did not."""
        self.failed: Signal[[str]] = Signal()

    def describe(self, about: SessionInfo) -> None:
        """Title, model or tools are others now."""
        self._about = about
        if self._begun:
            self._add_about()

    def add(self, message: Message, place: tuple[int, int] | None = None) -> None:
        """Write it soon; returns at once.

        Args: place: its number and its parent in the `MessageTree`; None where it just follows.
        """
        self._begun = True
        self._add_about()
        requests = message.requests if isinstance(message, AssistantMessage) else ()
        arguments = {request.call_id: self._secrets.arguments_of(request) for request in requests}
        is_open = not any(self._secrets.hides_in(request) for request in requests)
        values = self._secrets.values

        def line() -> str:
            written = _without_secrets(encode(message, arguments, is_open), values)
            if place is not None:
                written["n"], written["after"] = place
            return dump_json(written, default=str)

        self._put(line)

    def move(self, number: int) -> None:
        """The conversation goes on after another message."""
        if self._begun:
            self._put(lambda: dump_json({"type": "head", "at": number}))

    async def note_sending(self, call_id: str) -> None:
        """Write down that a call is about to be sent, before it is.

        So after a crash the calls without such a line are known never to have been sent.
        """
        self._put(lambda: dump_json({"type": SENDING, "call": call_id}))
        await self._wait_for_disk()

    async def flush(self) -> None:
        """Wait until all that was added is written, or could not be."""
        while self._writing is not None and not self._writing.done():
            await asyncio.wait({self._writing})

    async def close(self) -> None:
        """Wait for the disk, some seconds at most."""
        await self._wait_for_disk()

    async def _wait_for_disk(self) -> None:
        if self._writing is not None:
            await asyncio.wait({self._writing}, timeout=CLOSE_LIMIT)

    def _add_about(self) -> None:
        if (about := self._about) is not None:
            self._about = None
            values = self._secrets.values
            described = {"type": "session", "version": VERSION, **about.to_json()}
            self._put(lambda: dump_json(_without_secrets(described, values), default=str))

    def _put(self, line: Callable[[], str]) -> None:
        self._waiting.append(line)
        if self._writing is None:
            self._writing = spawn(self._write(), "transcript")

    async def _write(self) -> None:
        try:
            while self._waiting:
                lines, self._waiting = self._waiting, []
                try:
                    await asyncio.to_thread(_append, self._path, lines)
                    self.problem = ""
                except (OSError, RecursionError, TypeError, ValueError) as error:
                    self._fail(error)
        finally:
            # Here and not in a callback of the task: what is added in between would stay unwritten.
            self._writing = None

    def _fail(self, error: Exception) -> None:
        words = getattr(error, "strerror", None) or str(error)
        problem = f"This conversation is not saved: {self._path}: {words}"
        if problem != self.problem:
            self.problem = problem
            logger.warning("%s", problem)
            self.failed.send(problem)


def _without_secrets(value: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    own_form = value.get("replay")
    told = {name: member for name, member in value.items() if name != "replay"}
    written: dict[str, Any] = redact_texts(told, known, _MEDIA)
    if "replay" not in value:
        return written
    # A provider refuses its own form of a turn that was changed.
    return {**written, "replay": replace_values(own_form, known) if written == told else None}


def _append(path: Path, lines: list[Callable[[], str]]) -> None:
    make_private_folder(path.parent)
    file = open_private(path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        if _is_torn(file):
            os.write(file, b"\n")  # what a kill left in pieces stays a line of its own
        for line in lines:
            left = memoryview(f"{line()}\n".encode())
            while left:
                left = left[os.write(file, left) :]
    finally:
        os.close(file)


def _is_torn(file: int) -> bool:
    size = os.fstat(file).st_size
    if size == 0:
        return False
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) != b"\n"
