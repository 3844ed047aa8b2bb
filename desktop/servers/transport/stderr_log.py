"""What a server says beside the protocol: the last lines for the person, all of them in a file.

Untrusted text: secrets and control sequences are removed, long lines cut, the file bounded. Never
blocks a server: a line that cannot be written is dropped.
"""

from __future__ import annotations

import locale
import logging
import os
import time
from collections import deque
from contextlib import suppress
from itertools import zip_longest
from typing import TYPE_CHECKING

from desktop.base.later_patterns import compile_later
from desktop.base.private_files import make_private_folder, open_private
from desktop.base.signals import Signal
from desktop.redaction.policy import redact_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import TextIO

MAX_LINES = 1000
"""Lines kept in memory."""
NOISE_MARK = "[stdout, not a message] "
LINE_WIDTH = 4000
"""Characters of one line; what is longer is cut."""
MAX_LINE = 2 * LINE_WIDTH
"""Characters of one line that are searched for secrets: one may begin before the cut."""
MAX_FILE_LENGTH = 2_000_000
"""Characters of the log file; then it becomes `NAME.log.1` and a new one begins."""

logger = logging.getLogger(__name__)
_CONTROL = dict.fromkeys((*range(9), *range(11, 32), 127, *range(128, 160)))
_SEQUENCE = compile_later(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    "|(?:\x1b[]P^_X]|[\x9d\x90])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c|$)"  # OSC and other strings
    "|\x1b[ -/]*[0-~]"
)
"""A control sequence as ECMA-48 has it, with what is in it."""


def plain(text: str) -> str:
    """`text` without control sequences and characters (a terminal or a list would obey them)."""
    if "\x1b" in text or "\x9b" in text or "\x9d" in text or "\x90" in text:
        text = _SEQUENCE.sub("", text)
    return text.translate(_CONTROL)


_FRAME = compile_later(
    r"\s+at\s.+"  # JavaScript, Java, .NET
    r"|Node\.js v[\d.]+"
    r'|\s+File "[^"]*", line \d+.*'  # Python
    r"|[\s|+]*(?:Exception Group )?Traceback \(most recent call last\):"
    r"|(?:node:|file:)\S+:\d+|\S+\.[cm]?[jt]sx?:\d+(?::\d+)?"  # where it was thrown
    r"|\s+For further information visit https://errors\.pydantic\.dev/\S+"
    r"|npm notice\b.*"  # that there is a newer npm
    r"|[\s|+~^}\]),;-]*"  # carets below a source line, and what closes a dump of an object
)
"""A line that says where something happened, not what."""
_MAX_FRAME = 300
"""Characters of a line in which a frame or the name of an error is looked for."""
_CARETS = compile_later(r"\s*[~^]+\s*")
_REASON = compile_later(
    r"\s*×\s"  # uv
    r"|npm (?:error|ERR!) (?!(?:code|errno|syscall|path) |A complete log)\S"
    r"|\b(?:[A-Z]\w*(?:Error|Exception)|[Ee]rror|ERROR|[Ff]atal|FATAL|CRITICAL|panic)\b[^:]{0,40}:"
)


def names_an_error(line: str) -> bool:
    """Whether a line says that something went wrong, as far as its first words tell."""
    return _REASON.search(line, 0, _MAX_FRAME) is not None


_TRACEBACK = "Traceback (most recent call last):"
_RAISED = compile_later(
    r"[A-Za-z_][\w.]*(?:Error|Exception|Failure|Timeout|Refused|Denied)(?:: |$)"
)


def reasons(lines: Sequence[str], count: int) -> list[str]:
    """At most `count` of the lines: first the one that names an error, then what is around it.

    Of what follows that line the beginning and the end count most, then what came before it. Frames
    of stacks are left out, unless there is nothing else.
    """
    told = _without_frames(lines) or list(lines)
    first = next((n for n, line in enumerate(told) if names_an_error(line)), None)
    if any(_TRACEBACK in line[:_MAX_FRAME] for line in lines):
        # Of exceptions that led to each other Python writes the one that counts last.
        raised = [n for n, line in enumerate(told) if _RAISED.match(line[:_MAX_FRAME])]
        first = raised[-1] if raised else first
    if first is None:
        return told[-count:]
    before, headline, after = told[:first], told[first], told[first + 1 :]
    room = count - 1
    if len(after) > room:
        half = room // 2
        after = [*after[:half], *after[len(after) - (room - half) :]]
    spare = room - len(after)
    return [headline, *after, *(before[-spare:] if spare else [])]


def _without_frames(lines: Sequence[str]) -> list[str]:
    kept: list[str] = []
    is_source = False
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        is_frame = len(line) < _MAX_FRAME and _FRAME.fullmatch(line) is not None
        points_at_it = bool(line.strip()) and _CARETS.fullmatch(following) is not None
        if not (is_frame or points_at_it or (is_source and line.startswith("    "))):
            kept.append(line)
        is_source = is_frame and line.lstrip().startswith("File ")
    return kept


_DIVIDER = "─" * 8


def divider(at: float) -> str:
    """The line between what two runs of a server wrote; `at` in seconds since the epoch."""
    return f"{_DIVIDER} {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(at))} {_DIVIDER}"


def is_divider(line: str) -> bool:
    return line.startswith(f"{_DIVIDER} ") and line.endswith(f" {_DIVIDER}")


def log_file_name(server: str) -> str:
    """The name of a server's log file: a server's name may hold anything, a file name may not."""
    safe = "".join(char if char.isalnum() or char in "-_." else "_" for char in server)
    return f"{safe.strip('.') or 'server'}.log"


_REST_BYTES = 4 * LINE_WIDTH
_CONTINUED = bytes(range(0x80, 0xC0))
"""Bytes inside a character of UTF-8: a line that is cut must not begin with one."""


def decoded(line: bytes) -> str:
    """A line as UTF-8, else in the encoding of this system: `cmd` and others write no other."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        pass
    for encoding in _system_encodings():
        with suppress(UnicodeDecodeError, LookupError):
            return line.decode(encoding)
    return line.decode(errors="replace")


def _system_encodings() -> tuple[str, ...]:
    """That of consoles on Windows, that of the locale, and what is usual where it is Chinese."""
    own = locale.getpreferredencoding(do_setlocale=False)
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG", "LANGUAGE")]
    chinese = ("gb18030",) if any(name.lower().startswith("zh") for name in names) else ()
    console = ("oem",) if os.name == "nt" else ()
    known = own.lower().replace("-", "") in {"utf8", "ascii", "ansi_x3.41968"}
    return (*console, *(() if known else (own,)), *chinese)


class StderrLog:
    """The ring of a server's last stderr lines and its log file."""

    def __init__(
        self, file: Path | None = None, redact: Callable[[str], str] = redact_text
    ) -> None:
        """Args: file: where all lines go; None for nowhere. redact: takes secrets out of a text."""
        self._redact = redact
        self.lines: deque[str] = deque(maxlen=MAX_LINES)
        self.received: Signal[[tuple[str, ...]]] = Signal()
        self.file = file
        self._stream: TextIO | None = None
        self._written = 0
        self._fresh = 0
        self._divider = ""
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Take bytes of stderr; they may end anywhere."""
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest if len(rest) <= _REST_BYTES else rest[-_REST_BYTES:].lstrip(_CONTINUED)
        self.add(*map(decoded, lines))

    def add(self, *lines: str) -> None:
        """Take whole lines."""
        if not lines:
            return
        # Together, because a key may have several lines, and before they are cut.
        text = self._redact("\n".join(plain(line[:MAX_LINE]) for line in lines))
        shown = tuple(line[:LINE_WIDTH] for line in text.split("\n"))
        self._fresh += len(shown)
        if self._divider:
            shown, self._divider = (self._divider, *shown), ""
        self.lines.extend(shown)
        self._write(shown)
        self.received.send(shown)

    def add_noise(self, line: str) -> None:
        """What came on stdout and is no message."""
        self.add(NOISE_MARK + line)

    @property
    def noise(self) -> str:
        """What came last on stdout since the last start and is no message."""
        recent = reversed(self.recent())
        found = next((line for line in recent if line.startswith(NOISE_MARK)), "")
        return found.removeprefix(NOISE_MARK)

    def begin(self) -> None:
        """A new start of the server: `tail` speaks of this one alone.

        Its first line comes below a line with the time of this start.
        """
        self._end_line()
        self._fresh = 0
        self._divider = divider(time.time())

    def tail(self, count: int = 5) -> str:
        """What was said last since the last start, the reason first, for an error message."""
        return "\n".join(reasons(self.recent(), count))

    def headline(self) -> str:
        """The one line since the last start that says most: the first error, or the last line."""
        return next((" ".join(line.split()) for line in reasons(self.recent(), 1)), "")

    def recent(self) -> list[str]:
        """What was said since the last start."""
        recent = list(self.lines)[-self._fresh :] if self._fresh else []
        rest = self._rest[-LINE_WIDTH:].decode(errors="replace")
        return [line for line in (*recent, self._redact(plain(rest))) if line.strip()]

    def close(self) -> None:
        """Write what is left and close the file; a later line opens it again."""
        self._end_line()
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _end_line(self) -> None:
        if self._rest:
            rest, self._rest = self._rest, b""
            self.add(decoded(rest))

    def _write(self, lines: tuple[str, ...]) -> None:
        if self.file is None:
            return
        text = "".join(f"{line}\n" for line in lines)
        try:
            stream = self._open(self.file)
            stream.write(text)
            stream.flush()
        except OSError as error:
            logger.warning("no log file for this server (%s); its lines are only shown", error)
            self.file = None
            return
        self._written += len(text)

    def _open(self, file: Path) -> TextIO:
        if self._stream is not None and self._written > MAX_FILE_LENGTH:
            self._stream.close()
            self._stream = None
            file.replace(file.with_name(f"{file.name}.1"))
        if self._stream is None:
            make_private_folder(file.parent)
            descriptor = open_private(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            self._stream = os.fdopen(descriptor, "a", encoding="utf-8", errors="replace")
            self._written = self._stream.tell()
        return self._stream
