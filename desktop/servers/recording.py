"""Recordings: what went between the app and its servers, as lines of JSON that a person can read.

The first line says what it is, each further one is a message as `message_log` exports it, without
its secrets, and the last one counts and seals them. `Recorder` writes while it happens; a
`Recording` is read back whole or refused with a sentence, whatever became of the file.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any, Final, cast

from msgspec import Struct, field

from desktop import __version__
from desktop.base.errors import UsageError
from desktop.base.private_files import opener
from desktop.servers.message_log import document
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.servers.message_log import MessageLog

FORMAT: Final = "mcp-desktop recording"
VERSION: Final = 1
MAX_BODY: Final = 16 * 1024 * 1024
"""Bytes of one message that are recorded; a longer one is recorded in part, and not replayed."""
MAX_FILE: Final = 512 * 1024 * 1024
MAX_MESSAGES: Final = 1_000_000
_PAUSE: Final = 0.05
"""Seconds in which messages are gathered before they are written."""


class Recorder:
    """Writes each message of a log to a file, from its making until `close`."""

    def __init__(self, traffic: MessageLog, path: Path, *, with_kept: bool = False) -> None:
        """Begin the file, in place of one that is there.

        Args:
            traffic: has the messages.
            path: of the file.
            with_kept: record the messages that are kept already, too: servers that are connected
                have said before what they offer.

        Raises:
            UsageError: it cannot be written.
        """
        self._traffic = traffic
        self._path = path
        self._last = traffic.first - 1 if with_kept else traffic.last
        self.count = self._lost = 0
        self._seal = hashlib.sha256()
        self._timer: asyncio.TimerHandle | None = None
        self.problem = ""
        """Why nothing is written any more; empty while all is well."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # What servers answer is in it, in the clear.
            self._file: IO[str] = open(  # noqa: SIM115 - closed by `close`
                path, "w", encoding="utf-8", newline="\n", errors="replace", opener=opener
            )
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from None
        traffic.body_limit = MAX_BODY
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._write({FORMAT: VERSION, "app": __version__, "at": now})
        self._end = traffic.grew.connect(self._wake)
        self._wake()

    def close(self) -> None:
        """Write what is left, and the seal."""
        self._end()
        if self._timer is not None:
            self._timer.cancel()
        while self._write_some():
            pass
        seal = self._seal.hexdigest()
        self._write({"end": self.count, "lost": self._lost, "sha256": seal})
        self._file.close()

    def _wake(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_PAUSE, self._flush)

    def _flush(self) -> None:
        self._timer = None
        if self._write_some():  # the rest in another turn of the loop
            self._timer = asyncio.get_running_loop().call_later(0, self._flush)

    def _write_some(self) -> bool:
        """Write the next messages, not all that may be kept; whether there were any."""
        messages = self._traffic.after(self._last)
        if messages:
            self._lost += messages[0].number - self._last - 1
            self._last = messages[-1].number
        for message in messages:
            self.count += 1
            self._write(document(message))
        return bool(messages)

    def _write(self, line: dict[str, Any]) -> None:
        if self.problem:
            return
        text = json.dumps(line, ensure_ascii=False) + "\n"
        data = text.encode("utf-8", "replace")
        self._seal.update(data)
        try:
            self._file.write(data.decode())
            self._file.flush()
        except OSError as error:
            self.problem = f"{self._path} could not be written to its end: {error.strerror}."


class Exchange(Struct):
    """A request and what came of it: a `result` or an `error`, both None where it was cut."""

    params: dict[str, Any]
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    seconds: float = 0.0


class RecordedServer(Struct):
    """What one server answered, by the method, in the order of the requests."""

    name: str
    exchanges: dict[str, list[Exchange]] = field(default_factory=dict[str, list[Exchange]])

    def of(self, method: str) -> list[Exchange]:
        return self.exchanges.get(method, [])

    @property
    def introduction(self) -> dict[str, Any]:
        """What it said of itself, of whichever era; empty where it was not asked."""
        for method in ("initialize", "server/discover"):
            for exchange in self.of(method):
                if exchange.result is not None:
                    return exchange.result
        return {}

    def entries(self, method: str, key: str) -> list[dict[str, Any]]:
        """The last list of a kind with all of its pages."""
        found: list[dict[str, Any]] = []
        for exchange in self.of(method):
            if "cursor" not in exchange.params:  # the first page of a list
                found = []
            items: object = (exchange.result or {}).get(key)
            if isinstance(items, list):
                found += [
                    cast("dict[str, Any]", item)
                    for item in cast("list[object]", items)
                    if isinstance(item, dict)
                ]
        return found


class Recording(Struct):
    """One file; `notes` says what is wrong with it that did not stop the reading."""

    path: Path
    servers: dict[str, RecordedServer]
    notes: list[str]


def read_recording(path: Path) -> Recording:
    """Read a file back.

    Raises:
        UsageError: it cannot be read, is no recording, is one of another version, or too large.
    """
    try:
        if path.stat().st_size > MAX_FILE:
            raise UsageError(f"{path} is larger than {MAX_FILE // 1024 // 1024} MB.")
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    _check_header(path, lines[0])
    return _Reading(path).read(lines)


def is_recording(path: Path) -> bool:
    """Whether a file begins as a recording does, of whatever version."""
    try:
        with path.open("rb") as file:
            return FORMAT in object_of(_load(file.readline(1000)))
    except OSError:
        return False


def _check_header(path: Path, line: bytes) -> None:
    version = object_of(_load(line)).get(FORMAT)
    if version is None:
        raise UsageError(
            f"{path} is no recording of mcp-desktop.",
            remedy="serve, call and test make one with --record FILE.",
        )
    if version != VERSION:
        raise UsageError(
            f"{path} is a recording of format {str(version)[:20]}; this version reads {VERSION}.",
            remedy="Record it again, or use the version that made it.",
        )


class _Reading:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._servers: dict[str, RecordedServer] = {}
        self._asked: dict[int, Exchange] = {}
        self._notes: list[str] = []
        self._count = 0

    def read(self, lines: list[bytes]) -> Recording:
        end = self._find_end(lines)
        for number, line in enumerate(lines[1:end], 2):
            if not line.strip():
                continue
            message = _load(line)
            if not isinstance(message, dict) or self._count >= MAX_MESSAGES:
                raise UsageError(
                    f"{self._path}: line {number} is no message; the file was cut or edited there.",
                    remedy="Take the line out, or record it again.",
                )
            self._count += 1
            self._take(cast("dict[str, Any]", message))
        return Recording(self._path, self._servers, self._notes)

    def _find_end(self, lines: list[bytes]) -> int:
        """The place of the last line; notes where the file is not as it was written."""
        while lines and not lines[-1].strip():
            lines.pop()
        last = object_of(_load(lines[-1]))
        if "end" not in last or len(lines) < 2:
            whole = len(lines) if last else len(lines) - 1
            self._notes.append(
                f"{self._path} was cut off: it has {max(whole - 1, 0)} whole messages and no end"
            )
            return whole
        seal = hashlib.sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()
        if seal != last.get("sha256"):
            self._notes.append(f"{self._path} was edited after it was recorded")
        if last.get("lost"):
            self._notes.append(f"{self._path} lacks {last['lost']} messages that came too fast")
        return len(lines) - 1

    def _take(self, line: dict[str, Any]) -> None:
        number, request, method = line.get("number"), line.get("request"), line.get("method")
        message, name = object_of(line.get("message")), line.get("server")
        if not isinstance(name, str) or not isinstance(method, str):
            return
        if line.get("direction") == "sent" and line.get("kind") == "request":
            exchange = Exchange(_without_meta(object_of(message.get("params"))))
            server = self._servers.setdefault(name, RecordedServer(name))
            server.exchanges.setdefault(method, []).append(exchange)
            if isinstance(number, int):
                self._asked[number] = exchange
        elif isinstance(request, int) and (asked := self._asked.pop(request, None)) is not None:
            result, error = message.get("result"), message.get("error")
            asked.result = cast("dict[str, Any]", result) if isinstance(result, dict) else None
            asked.error = cast("dict[str, Any]", error) if isinstance(error, dict) else None
            seconds = line.get("duration")
            asked.seconds = float(seconds) if isinstance(seconds, int | float) else 0.0


def _without_meta(params: Any) -> dict[str, Any]:
    return {key: value for key, value in params.items() if key != "_meta"}


def _load(line: bytes) -> object:
    """The JSON of a line; None where it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
