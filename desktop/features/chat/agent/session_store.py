"""The stored sessions of one data folder: list, read, rename, delete, and as documents.

Each file is in the list; where it cannot be opened, the list says why. An export is Markdown to
read or JSON for programs; tool output stands in a fence that it cannot close, and images in it are
defused, because a viewer would fetch them. Every method that touches the disk does so in a thread.
Must not open a session or call a tool.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.atomic_file import write_file
from desktop.base.errors import DesktopError, UsageError
from desktop.base.file_lock import FileLock
from desktop.base.later_patterns import compile_later
from desktop.base.private_files import make_private_folder, opener
from desktop.base.translatable import translatable
from desktop.features.chat.agent.session_file import describe, encode, seal
from desktop.features.chat.agent.session_info import SessionInfo, make_title
from desktop.features.chat.agent.session_reader import (
    BLOCK,
    LoadedSession,
    SessionError,
    blank_description,
    check_size,
    find_description,
    read_session,
    unreadable,
)
from desktop.features.models.messages import AssistantMessage, ToolMessage, UserMessage
from desktop.values.json_schema import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop.base.paths import Paths
    from desktop.features.models.messages import Image, Message, ToolAnswer, ToolRequest
    from desktop.values.tool_types import Content

_TICKS = compile_later(r"`{3,}")


def to_json(opened: LoadedSession) -> dict[str, Any]:
    """The whole session as one JSON object; the messages as in its file."""
    return {
        "version": 1,
        "session": opened.about.to_json(),
        "damage": opened.words,
        "messages": list(map(_json, opened.messages)),
    }


def to_markdown(opened: LoadedSession) -> str:
    """The whole session to read; media as notes."""
    about = opened.about
    facts = [("Date", f"{about.created:%Y-%m-%d %H:%M} UTC"), ("Provider", about.provider)]
    facts += [("Model", about.model), ("Built-in servers", ", ".join(map(str, about.builtins)))]
    parts = [f"# {_line(about.title or about.id)}"]
    parts.append("\n".join(f"- {name}: {_line(value)}" for name, value in facts if value))
    if opened.words:
        parts.append(f"**{opened.words}**")
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
    sent: list[str] = []
    if answer.corrected is not None:
        written = json.dumps(answer.corrected, indent=2, ensure_ascii=False)
        sent = ["The person changed the arguments. It was sent with:", _fenced(written, "json")]
    head = f"### {what} of `{_line(answer.wire_name)}`"
    return [head, *sent, _fenced(text or "(nothing)"), *media]


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


SEARCH_SECONDS = 8.0
_SPOKEN = (b'{"type": "user"', b'{"type": "assistant"', b'{"type": "tools"')


class SessionMatches(NamedTuple):
    """The ids of the sessions that have something in them, and whether all were looked through."""

    sessions: frozenset[str] = frozenset()
    is_whole: bool = True


def _said(line: bytes) -> str:
    """The text of a line, or of its results, in small letters; empty where it cannot be read."""
    try:
        value = json.loads(line)
        answers = value.get("answers", ())
        texts = [each["output"] or each["structured"] or each["error"] for each in answers]
        return "\n".join(map(str, texts or [value["text"]])).casefold()
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return ""


_ID = compile_later(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}\Z")
_DEEP = 4 * BLOCK
"""Bytes from the end of a file behind which it is kept where a description was found."""
_PLACES = "descriptions.json"
_MAX_PLACES_BYTES = 4_000_000
_Places: TypeAlias = "dict[str, tuple[int, int]]"


class SessionSummary(Struct, frozen=True):
    """A session in the list; `used` is when it was last written, in UTC, `size` in bytes.

    `problem` is why it cannot be opened, or empty. Then `about` may have no more than the id.
    """

    about: SessionInfo
    used: datetime
    size: int
    problem: str = ""


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
        self._places: _Places | None = None

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

    def size_file(self, session: str) -> Path:
        """Says how large its file was when it was written last: the file of its lock."""
        return self.lock(session).path

    async def list(self) -> list[SessionSummary]:
        """All sessions, the one used last first. Raises `SessionError` where none can be seen."""
        return await asyncio.to_thread(self._list)

    async def search(self, words: str) -> SessionMatches:
        """The sessions in which a person, a model or a tool said this: the newest, in some seconds.

        Of a result that was too large for the model, its beginning is looked at.
        """
        return await asyncio.to_thread(self._search, words)

    async def read(self, session: str) -> LoadedSession:
        """One session whole. Raises `SessionError`."""
        return await asyncio.to_thread(self._read, session)

    def about(self, session: str) -> SessionInfo:
        """What a session is. Blocks: for a thread, or where no loop runs. Raises `SessionError`."""
        return find_description(self.file(session)).about

    async def add(self, about: SessionInfo, messages: Sequence[Message]) -> None:
        """Store a conversation that was had elsewhere; one that is there stays as it is.

        Raises `ConfigError` where it cannot be written.
        """
        await asyncio.to_thread(self._add, about, messages)

    async def rename(self, session: str, title: str) -> None:
        """Give a session that is not open another title. Raises `SessionError`."""
        if not (title := make_title(title)):
            raise UsageError(translatable("A title must not be empty."))
        await asyncio.to_thread(self._rename, session, title)

    async def delete(self, session: str) -> None:
        """Remove a session that is not open, with its results. Raises `SessionError`.

        It need not be readable.
        """
        await asyncio.to_thread(self._delete, session)

    def _check(self, session: str) -> None:
        if _ID.match(session) is None:
            raise SessionError(
                translatable("{session!r} is no session.", session=session[:60]),
                remedy=translatable("Look at the list."),
            )

    def _search(self, words: str) -> SessionMatches:
        wanted, deadline = words.casefold(), time.monotonic() + SEARCH_SECONDS
        found: set[str] = set()
        for path in sorted(self.folder.glob("*.jsonl"), reverse=True):  # the newest first
            with suppress(OSError), open(path, "rb", opener=opener) as file:
                for line in file:
                    if time.monotonic() > deadline:
                        return SessionMatches(frozenset(found), is_whole=False)
                    if line.startswith(_SPOKEN) and wanted in _said(line):
                        found.add(path.stem)
                        break
        return SessionMatches(frozenset(found))

    def _list(self) -> list[SessionSummary]:
        try:
            names = [name for name in os.listdir(self.folder) if name.endswith(".jsonl")]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise unreadable(self.folder, error) from error
        known, places = self._known_places(), dict[str, tuple[int, int]]()
        paths = [self.folder / name for name in names if _ID.match(name.removesuffix(".jsonl"))]
        found = [self._summary(path, known, places) for path in paths]
        if places != known:
            self._keep_places(places)
        summaries = [summary for summary in found if summary is not None]
        return sorted(summaries, key=lambda summary: summary.used, reverse=True)

    def _summary(self, path: Path, known: _Places, places: _Places) -> SessionSummary | None:
        """None where it is not there any more."""
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            now = datetime.now(UTC)
            problem = str(unreadable(path, error))
            return SessionSummary(blank_description(path.stem, now), now, 0, problem)
        used, size = datetime.fromtimestamp(status.st_mtime, UTC), status.st_size
        if path.stem in known:
            places[path.stem] = known[path.stem]
        about = None
        try:
            about = self._about(path, status.st_mtime_ns, size, places)
            check_size(path, size)
        except SessionError as error:
            about = about or blank_description(path.stem, used)
            return SessionSummary(about, used, size, str(error))
        return SessionSummary(about, used, size)

    def _about(self, path: Path, time: int, size: int, places: _Places) -> SessionInfo:
        """Looks into a file again only where it has changed: it may be large."""
        known = self._known.get(path)
        if known is None or known[:2] != (time, size):
            found = find_description(path, places.get(path.stem))
            places.pop(path.stem, None)
            if size - found.at > _DEEP:
                places[path.stem] = size, found.at
            known = (time, size, found.about)
            self._known[path] = known
        return known[2]

    def _known_places(self) -> _Places:
        """By session: how large its file was, and where its description was. May be wrong."""
        if self._places is None:
            self._places = {}
            with suppress(AttributeError, OSError, RecursionError, TypeError, ValueError):
                with open(self.folder / _PLACES, "rb", opener=opener) as file:
                    read: dict[str, Any] = json.loads(file.read(_MAX_PLACES_BYTES))
                self._places = {str(key): (int(size), int(at)) for key, (size, at) in read.items()}
        return self._places

    def _keep_places(self, places: _Places) -> None:
        self._places = places
        with suppress(DesktopError):  # without it, the next list takes longer
            write_file(self.folder / _PLACES, json.dumps(places).encode())

    def _read(self, session: str) -> LoadedSession:
        return read_session(self.file(session), self._known_size(session))

    def _known_size(self, session: str) -> int:
        try:
            with open(self.size_file(session), "rb", opener=opener) as file:
                return int(file.read(32) or b"0")
        except (OSError, ValueError):
            return 0

    def _add(self, about: SessionInfo, messages: Sequence[Message]) -> None:
        if (path := self.file(about.id)).exists():
            return
        lines = [describe(about), *map(_json, messages)]
        text = "".join(f"{seal(dump_json(line, default=str))}\n" for line in lines)
        make_private_folder(self.folder)
        write_file(path, text.encode("utf-8", "replace"))

    def _rename(self, session: str, title: str) -> None:
        path = self.file(session)
        lock = self._taken(session)
        try:
            about = replace(find_description(path).about, title=title)
            line = seal(json.dumps(describe(about)))
            with open(path, "ab+", opener=opener) as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
                start = "" if file.read(1) in {b"\n", b""} else "\n"
                file.write(f"{start}{line}\n".encode())
        except OSError as error:
            words = translatable(
                "{file} cannot be written: {reason}.", file=path, reason=error.strerror or error
            )
            raise SessionError(words) from error
        finally:
            lock.release()

    def _delete(self, session: str) -> None:
        path = self.file(session)
        lock = self._taken(session)
        try:
            path.unlink(missing_ok=True)
            for kept in self.folder.glob(f"{path.name}.*"):  # what was found in its place
                kept.unlink(missing_ok=True)
            shutil.rmtree(self.results(session), ignore_errors=True)
            with suppress(OSError):
                os.truncate(lock.path, 0)
        except OSError as error:
            words = translatable(
                "{file} cannot be removed: {reason}.", file=path, reason=error.strerror or error
            )
            raise SessionError(words) from error
        finally:
            lock.release()

    def _taken(self, session: str) -> FileLock:
        lock = self.lock(session)
        try:
            is_taken = lock.take()
        except OSError as error:
            words = translatable(
                "{file} cannot be written: {reason}.",
                file=lock.path,
                reason=error.strerror or error,
            )
            raise SessionError(words) from error
        if not is_taken:
            raise SessionError(
                translatable("The session is open."), remedy=translatable("Close it first.")
            )
        return lock
