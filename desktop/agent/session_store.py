"""The stored sessions of one data folder: list, read, rename, delete, export.

A line that cannot be read is dropped and counted, and the person is told. An export is Markdown to
read or JSON for programs; tool output stands in a fence that it cannot close, and images in it are
defused, because a viewer would fetch them. Every method that touches the disk does so in a thread.
Must not open a session or call a tool.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, cast

from desktop.agent.loop import repair_messages
from desktop.agent.message_tree import MessageTree
from desktop.agent.session_file import SENDING, decode, encode
from desktop.agent.session_info import SessionInfo, make_title
from desktop.errors import DesktopError, UsageError
from desktop.file_lock import FileLock
from desktop.llm.messages import AssistantMessage, ToolMessage, UserMessage
from desktop.private_files import opener

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path
    from typing import BinaryIO

    from desktop.llm.messages import Image, Message, ToolAnswer, ToolRequest
    from desktop.paths import Paths
    from desktop.tool_types import Content

_TICKS = re.compile(r"`{3,}")


def to_json(opened: LoadedSession) -> dict[str, Any]:
    """The whole session as one JSON object; the messages as in its file."""
    return {
        "version": 1,
        "session": opened.about.to_json(),
        "messages": list(map(_json, opened.messages)),
    }


def to_markdown(opened: LoadedSession) -> str:
    """The whole session to read; media as notes."""
    about = opened.about
    facts = [("Date", f"{about.created:%Y-%m-%d %H:%M} UTC"), ("Provider", about.provider)]
    facts += [("Model", about.model), ("Built-in servers", ", ".join(map(str, about.builtins)))]
    parts = [f"# {_line(about.title or about.id)}"]
    parts.append("\n".join(f"- {name}: {_line(value)}" for name, value in facts if value))
    if about.system:
        parts += ["## System prompt", _prose(about.system)]
    for message in opened.messages:
        match message:
            case UserMessage():
                parts += ["## Person", _prose(message.text), *map(_image, message.images)]
            case AssistantMessage():
                parts += _turn(message)
            case ToolMessage():
                for answer in message.answers:
                    parts += _answer(answer)
    return "\n\n".join(part for part in parts if part) + "\n"


def _json(message: Any) -> dict[str, Any]:
    requests: tuple[ToolRequest, ...] = getattr(message, "requests", ())
    arguments = {
        request.call_id: request.arguments
        if isinstance(request.arguments, str)
        else dict(request.arguments)
        for request in requests
    }
    return encode(message, arguments, keeps_replay=False)


def _turn(message: AssistantMessage) -> list[str]:
    parts = [f"## Model{f' ({_line(message.model)})' if message.model else ''}"]
    parts.append(_prose(message.text))
    for request in message.requests:
        arguments = request.arguments
        text = (
            arguments
            if isinstance(arguments, str)
            else json.dumps(arguments, indent=2, ensure_ascii=False)
        )
        parts += [f"### Call of `{_line(request.wire_name)}`", _fenced(text, "json")]
    return parts


def _answer(answer: ToolAnswer) -> list[str]:
    result = answer.result
    text = result.error.message if result.error is not None else result.output
    if not text and result.structured is not None:
        text = json.dumps(result.structured, indent=2, ensure_ascii=False)
    what = "Error" if result.is_error else "Result"
    media = [_medium(block) for block in result.content if block.data]
    return [f"### {what} of `{_line(answer.wire_name)}`", _fenced(text or "(nothing)"), *media]


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _prose(text: str) -> str:
    """As it was written, but a picture stays its address: no reader fetches it."""
    return text.replace("![", "!\\[").replace("<img", "&lt;img")


def _line(text: str) -> str:
    return " ".join(text.replace("`", "'").split())


def _image(image: Image) -> str:
    return f"[Image: {_line(image.mime)}, {len(image.data):,} bytes]"


def _medium(block: Content) -> str:
    return f"[{block.kind.title()}: {_line(block.mime)}, {len(block.data):,} bytes]"


MAX_FILE_BYTES = 512 * 1024 * 1024
"""Bytes of a file that is still read."""
_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}\Z")
_ABOUT = b'{"type": "session"'
_BROKEN = (AttributeError, DesktopError, LookupError, RecursionError, TypeError, ValueError)


class SessionError(DesktopError):
    """A stored session is not there or cannot be used; the message says which and why."""


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in the list; `used` is when it was last written, in UTC."""

    about: SessionInfo
    used: datetime
    size: int


@dataclass(frozen=True, slots=True)
class LoadedSession:
    """A session as its file has it; `dropped` lines could not be read, `words` says so.

    `messages` are those of the branch that is gone on with, without the gaps that a kill left;
    `tree` has all branches.
    """

    about: SessionInfo
    messages: tuple[Message, ...]
    dropped: int = 0
    tree: MessageTree = field(default_factory=MessageTree)

    @property
    def words(self) -> str:
        if not self.dropped:
            return ""
        lines = "The last line" if self.dropped == 1 else f"{self.dropped} lines"
        return f"{lines} of the conversation could not be read (cut off when the app ended?)."


def open_session_store(paths: Paths) -> SessionStore:
    """The stored sessions of an installation.

    Here and not in `desktop.bootstrap`: `sessions` needs no config, and does not import it.
    """
    return SessionStore(paths.sessions)


class SessionStore:
    """The folder `sessions`: a file a session, beside it a folder with its large results."""

    def __init__(self, folder: Path) -> None:
        """Touches nothing; the folder need not be there."""
        self.folder = folder
        self._known: dict[Path, tuple[int, int, SessionInfo]] = {}

    def new_id(self) -> str:
        """Sorts by time, and is a file name everywhere."""
        return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"

    def file(self, session: str) -> Path:
        """The file of a session. Raises `SessionError` where it is no id."""
        self._check(session)
        return self.folder / f"{session}.jsonl"

    def results(self, session: str) -> Path:
        """The folder of its large results."""
        self._check(session)
        return self.folder / session

    def lock(self, session: str) -> FileLock:
        """Held by whoever has the session open."""
        self._check(session)
        return FileLock(self.folder / "locks" / session)

    async def list(self) -> list[SessionSummary]:
        """All sessions that can be read, the one used last first."""
        return await asyncio.to_thread(self._list)

    async def read(self, session: str) -> LoadedSession:
        """One session whole. Raises `SessionError`."""
        return await asyncio.to_thread(self._read, self.file(session))

    def about(self, session: str) -> SessionInfo:
        """What a session is. Blocks: for a thread, or where no loop runs. Raises `SessionError`."""
        return _about(self.file(session))

    async def rename(self, session: str, title: str) -> None:
        """Give a session that is not open another title. Raises `SessionError`."""
        if not (title := make_title(title)):
            raise UsageError("A title must not be empty.")
        await asyncio.to_thread(self._rename, session, title)

    async def export(self, session: str, form: Literal["markdown", "json"]) -> str:
        """One session as a document. Raises `SessionError`."""
        return await asyncio.to_thread(self._export, self.file(session), form)

    async def delete(self, session: str) -> None:
        """Remove a session that is not open, with its results. Raises `SessionError`."""
        await asyncio.to_thread(self._delete, session)

    def _check(self, session: str) -> None:
        if _ID.match(session) is None:
            raise SessionError(f"{session[:60]!r} is no session.", remedy="Look at the list.")

    def _list(self) -> list[SessionSummary]:
        summaries: list[SessionSummary] = []
        for path in self.folder.glob("*.jsonl"):
            if _ID.match(path.stem) is None:
                continue
            try:
                status = path.stat()
                used = datetime.fromtimestamp(status.st_mtime, UTC)
                about = self._about(path, status.st_mtime_ns, status.st_size)
            except (OSError, SessionError):
                continue
            summaries.append(SessionSummary(about, used, status.st_size))
        return sorted(summaries, key=lambda summary: summary.used, reverse=True)

    def _about(self, path: Path, time: int, size: int) -> SessionInfo:
        """Reads a file again only where it has changed: it may be large."""
        known = self._known.get(path)
        if known is None or known[:2] != (time, size):
            known = (time, size, _about(path))
            self._known[path] = known
        return known[2]

    def _read(self, path: Path) -> LoadedSession:
        about, tree, dropped = None, MessageTree(), 0
        requested, sending = set[str](), set[str]()
        for line in _lines(path):
            try:
                value = _object(line)
                if value["type"] == "session":
                    about = SessionInfo.from_json(value)
                elif value["type"] == SENDING:
                    sending.add(str(value["call"]))
                else:
                    message = _add_line(tree, value)
                    if isinstance(message, AssistantMessage) and value.get("notes_sending"):
                        requested.update(request.call_id for request in message.requests)
            except _BROKEN:
                dropped += 1
        if about is None:
            raise SessionError(f"{path} holds no session.", remedy="Delete it from the list.")
        tree.never_sent = frozenset(requested - sending)
        messages = repair_messages((node.message for node in tree.path()), tree.never_sent)
        return LoadedSession(replace(about, id=path.stem), tuple(messages), dropped, tree)

    def _export(self, path: Path, form: Literal["markdown", "json"]) -> str:

        opened = self._read(path)
        if form == "markdown":
            return to_markdown(opened)
        return json.dumps(to_json(opened), indent=2, ensure_ascii=False)

    def _rename(self, session: str, title: str) -> None:
        path = self.file(session)
        lock = self._taken(session)
        try:
            about = replace(_about(path), title=title)
            line = json.dumps({"type": "session", "version": 1, **about.to_json()})
            with open(path, "ab+", opener=opener) as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
                start = "" if file.read(1) in {b"\n", b""} else "\n"
                file.write(f"{start}{line}\n".encode())
        finally:
            lock.release()

    def _delete(self, session: str) -> None:
        path = self.file(session)
        lock = self._taken(session)
        try:
            path.unlink(missing_ok=True)
            shutil.rmtree(self.results(session), ignore_errors=True)
        except OSError as error:
            raise SessionError(f"{path} cannot be removed: {error.strerror}.") from error
        finally:
            lock.release()

    def _taken(self, session: str) -> FileLock:
        lock = self.lock(session)
        if not lock.take():
            raise SessionError("The session is open.", remedy="Close it first.")
        return lock


def _about(path: Path) -> SessionInfo:
    """The last description in the file: later ones have the later title and model."""
    about: SessionInfo | None = None
    with _opened(path) as file:
        for line in file:
            if line.startswith(_ABOUT):
                with suppress(*_BROKEN):
                    about = replace(SessionInfo.from_json(_object(line)), id=path.stem)
    if about is None:
        raise SessionError(f"{path} holds no session.")
    return about


def _add_line(tree: MessageTree, value: dict[str, Any]) -> Message | None:
    """A message goes where its line says; in files without branches it just follows."""
    if value["type"] == "head":
        tree.go_to(value["at"])
        return None
    message = decode(value)
    if isinstance(number := value.get("n"), int) and isinstance(after := value.get("after"), int):
        tree.put(number, after, message)
    else:
        tree.add(message)
    return message


def _lines(path: Path) -> list[bytes]:
    with _opened(path) as file:
        return [line for line in file if line.strip()]


@contextmanager
def _opened(path: Path) -> Generator[BinaryIO]:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise SessionError(f"{path} is larger than {MAX_FILE_BYTES // 1024 // 1024} MB.")
        with open(path, "rb", opener=opener) as file:
            yield file
    except FileNotFoundError:
        words = f"There is no session {path.stem}."
        raise SessionError(words, remedy="Look at the list.") from None
    except OSError as error:
        raise SessionError(f"{path} cannot be read: {error.strerror}.") from error


def _object(line: bytes) -> dict[str, Any]:
    value: object = json.loads(line)
    if not isinstance(value, dict):
        raise TypeError("no object")
    return cast("dict[str, Any]", value)
