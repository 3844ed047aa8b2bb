"""Where log records go: a bounded file in the data folder, stderr, and a buffer for the window.

Callers log neither secrets nor, above DEBUG, what tools were sent or answered; that every record
passes the policy on secrets is the last line of defence, not the first. Must import nothing of the
project but that policy, `private_files` and `visible_text`: logging is configured before all else.
"""

from __future__ import annotations

import logging
import os
import sys
from collections import deque
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING, NamedTuple

from desktop.base.private_files import make_private_folder, open_private
from desktop.base.visible_text import mark_hidden_text
from desktop.redaction.policy import redact_text

if TYPE_CHECKING:
    from io import TextIOWrapper
    from pathlib import Path

FILE_BYTES = 1_000_000
MAX_FILES = 3
FILE = "app.log"
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_NAME = "mcp-desktop"
LEVELS = {
    "": logging.INFO,
    # HTTP libraries log each request at INFO; asyncio each pipe that a server closes.
    **dict.fromkeys(("httpx2", "httpcore2", "asyncio", "qasync"), logging.WARNING),
    # It warns of variables of the environment that are not used here.
    "google_genai": logging.ERROR,
    # The SDK logs what it could not parse with the payload in it; every failure reaches its caller.
    "mcp": logging.CRITICAL,
}
"""The least level of each logger that is set here, by its name."""


class RedactingFormatter(logging.Formatter):
    """Formats a record, tracebacks included: no secret, no letter that a reader would not see."""

    def format(self, record: logging.LogRecord) -> str:
        return mark_hidden_text(redact_text(super().format(record)))


class PrivateRotatingFile(RotatingFileHandler):
    """A bounded log, readable by its owner alone; what cannot be written is said once a run."""

    _is_told = False

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        return os.fdopen(open_private(self.baseFilename, flags), "a", encoding="utf-8")

    def shouldRollover(self, record: logging.LogRecord) -> bool:  # noqa: N802 - the name of logging
        """Whether the file is full, by its size alone.

        The standard one formats each record a second time and looks twice at what kind of file it
        is: 10 us more.
        """
        if self.stream is None:  # pyright: ignore[reportUnnecessaryComparison] # with `delay`
            self.stream = self._open()
        return os.fstat(self.stream.fileno()).st_size >= self.maxBytes

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name of logging
        """Say it on stderr: a traceback for each record would bury all else that is said there."""
        if not self._is_told and sys.stderr is not None:  # None: a window without a terminal
            self._is_told = True
            with suppress(OSError, ValueError):
                sys.stderr.write(f"the log cannot be written: {sys.exc_info()[1]}\n")


def configure(folder: Path, *, verbose: bool = False) -> None:
    """Send records to `folder/app.log` and warnings to stderr (with `verbose`, all but DEBUG).

    A folder that cannot be written costs the file, no more.
    """
    root = logging.getLogger()
    # A full disk or a closed terminal: a traceback for each record would bury all else.
    logging.raiseExceptions = False
    for name, level in LEVELS.items():
        logging.getLogger(name).setLevel(level)
    _remove_own(root)
    formatter = RedactingFormatter(_FORMAT)
    stderr = logging.StreamHandler(sys.stderr)
    stderr.setLevel(logging.INFO if verbose else logging.WARNING)
    stderr.setFormatter(formatter)
    stderr.set_name(f"{_NAME} stderr")
    root.addHandler(stderr)
    try:
        make_private_folder(folder)
        _shorten_found(folder)
        file = PrivateRotatingFile(
            folder / FILE,
            maxBytes=FILE_BYTES,
            backupCount=MAX_FILES,
            encoding="utf-8",
            delay=True,
        )
    except OSError as error:
        root.warning("no log file in %s: %s", folder, error)
        return
    file.setFormatter(formatter)
    file.set_name(f"{_NAME} file")
    root.addHandler(file)


def _shorten_found(folder: Path) -> None:
    """Leave the last `FILE_BYTES` of a log that is far too large; in place, as others write to it.

    A file of hundreds of MB, of an earlier version or of what others wrote there, would otherwise
    stay for `MAX_FILES` more turns.
    """
    for name in (FILE, *(f"{FILE}.{number}" for number in range(1, MAX_FILES + 1))):
        with suppress(OSError):
            size = os.stat(folder / name).st_size
            if size > 2 * FILE_BYTES:
                _shorten(folder / name, size)


def _shorten(path: Path, size: int) -> None:
    with os.fdopen(open_private(path, os.O_RDWR | os.O_APPEND), "r+b") as file:
        file.seek(size - FILE_BYTES)
        _, _, last = file.read(FILE_BYTES).partition(b"\n")
        file.truncate(0)
        file.write(b"(%d bytes of older lines were removed)\n" % (size - len(last)) + last)


def _remove_own(root: logging.Logger) -> None:
    for handler in list(root.handlers):
        if (handler.get_name() or "").startswith(_NAME):
            root.removeHandler(handler)
            handler.close()


MAX_RECORDS = 2_000
"""Records."""
MAX_RECORD_LENGTH = 8_000
"""Characters kept of one: a traceback with room to spare."""
_FORMATTER = RedactingFormatter("%(message)s")


class LogLine(NamedTuple):
    """One record as it is shown; `at` is in seconds since the epoch, `level` as in `logging`."""

    number: int
    at: float
    level: int
    name: str
    text: str


class LogBuffer(logging.Handler):
    """The last records that reached the root logger between `start` and `stop`.

    Records come from any thread, so there is no signal: `last` grows. The values that only a
    config knows are still in the text; who shows it hides them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last = 0
        self._lines: deque[LogLine] = deque(maxlen=MAX_RECORDS)

    def start(self) -> None:
        logging.getLogger().addHandler(self)

    def stop(self) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record; the lock of the handler is held meanwhile."""
        try:
            text = _FORMATTER.format(record)[:MAX_RECORD_LENGTH]
        except Exception:  # noqa: BLE001 - as every handler: a bad record must not stop its caller
            self.handleError(record)
            return
        self.last += 1
        self._lines.append(LogLine(self.last, record.created, record.levelno, record.name, text))

    def after(self, number: int) -> list[LogLine]:
        """The lines kept that came after the one of this number."""
        return [line for line in self._lines.copy() if line.number > number]

    def clear(self) -> None:
        """Forget all lines; those to come go on counting."""
        self._lines.clear()
