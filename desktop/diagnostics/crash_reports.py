"""Keeps a report of what nobody caught, on this machine alone, for the next start to offer.

A report has the versions, the traceback and the last lines of the log, all without what looks like
a secret. Its writer is as careful as it can be: it runs when something is already wrong. Must not
end or mend the run, and sends nothing anywhere.
"""

from __future__ import annotations

import errno
import faulthandler
import logging
import os
import platform
import sys
import threading
import time
import traceback
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from desktop import __version__
from desktop.base.private_files import make_private_folder, open_private, opener
from desktop.diagnostics.logs import FILE
from desktop.redaction.policy import redact_text

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType

MAX_REPORTS = 10
"""Reports in the folder; the oldest go."""
MAX_REPORTS_PER_RUN = 3
"""What fails once a second would otherwise drive out all others."""
LOG_LINES = 100
_LOG_BYTES = 64_000
_NEW, _NATIVE, _REPORT = ".new.txt", ".native", ".txt"

logger = logging.getLogger(__name__)


class CrashReports:
    """The folder of the reports, and what this run adds to it."""

    def __init__(self, folder: Path, logs: Path) -> None:
        """Args: logs: the folder of the log, whose last lines belong to a report.

        `hide` takes secrets out of a text; whoever knows those of the config gives a better one.
        """
        self._folder = folder
        self._log = logs / FILE
        self.hide: Callable[[str], str] = redact_text
        self._written = 0
        self._native: IO[str] | None = None

    def watch(self) -> None:
        """From now on keep what no thread catches, and where a native fault happened."""
        self._gather_native()
        self._watch_native()
        before, before_thread = sys.excepthook, threading.excepthook

        def in_main(
            kind: type[BaseException], error: BaseException, at: TracebackType | None
        ) -> None:
            if issubclass(kind, Exception):
                self.write(error, "nobody caught it")
            before(kind, error, at)

        def in_thread(args: threading.ExceptHookArgs) -> None:
            if isinstance(args.exc_value, Exception):
                self.write(args.exc_value, f"in the thread {args.thread and args.thread.name}")
            before_thread(args)

        sys.excepthook, threading.excepthook = in_main, in_thread

    def watch_loop(self, loop: asyncio.AbstractEventLoop) -> None:
        """Keep what a callback of the loop raises; the loop logs it as it does anyway."""

        def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            error = context.get("exception")
            is_full = isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
            if isinstance(error, Exception) and not is_full:  # which is no fault of the code
                self.write(error, f"in the loop: {context.get('message', '')}")
            loop.default_exception_handler(context)

        loop.set_exception_handler(handle)

    def close(self) -> None:
        """This run ended as it should."""
        if self._native is not None:
            faulthandler.disable()
            self._native.close()
            self._native = None
            with suppress(OSError):
                self._native_file().unlink()

    def write(self, error: BaseException, where: str) -> None:
        """Keep a report of `error`. Never raises; a run keeps `MAX_REPORTS_PER_RUN`."""
        if self._written < MAX_REPORTS_PER_RUN:
            self._written += 1
            lines = traceback.format_exception(error)
            self._keep(f"{type(error).__name__}: {where}", "".join(lines))

    def new(self) -> list[Path]:
        """The reports that nobody was offered yet, the latest first."""
        return sorted(self._files(_NEW), reverse=True)

    def offered(self, reports: Iterable[Path]) -> list[Path]:
        """They stay in the folder, and are not offered again; returns where they are now."""
        kept: list[Path] = []
        for report in reports:
            with suppress(OSError):
                name = report.name.removesuffix(_NEW) + _REPORT
                kept.append(report.rename(report.with_name(name)))
        return kept

    def delete(self, reports: Iterable[Path]) -> None:
        for report in reports:
            with suppress(OSError):
                report.unlink(missing_ok=True)

    def _keep(self, what: str, details: str) -> None:
        text = _without_home(self.hide(_compose(what, details, self._last_lines())))
        moment = f"{time.strftime('%Y-%m-%dT%H-%M-%S')}-{time.time_ns() % 10**9:09}"
        name = f"{moment}-{os.getpid()}{_NEW}"
        try:
            make_private_folder(self._folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            descriptor = open_private(self._folder / name, flags)
            with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError as failure:
            logger.warning("no crash report in %s: %s", self._folder, failure)
        self.delete(sorted(self._files(_REPORT))[:-MAX_REPORTS])

    def _last_lines(self) -> str:
        try:
            with open(self._log, "rb", opener=opener) as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - _LOG_BYTES))
                lines = file.read().decode(errors="replace").splitlines()
        except OSError:
            return "(no log)"
        return "\n".join(lines[-LOG_LINES:])

    def _gather_native(self) -> None:
        """Make reports of what runs left that the system ended in the middle."""
        for file in self._files(_NATIVE):
            if _runs(file):
                continue
            with suppress(OSError):
                with open(file, encoding="utf-8", errors="replace", opener=opener) as native:
                    trace = native.read(_LOG_BYTES)
                if trace.strip():
                    self._written += 1
                    self._keep("a fault in native code", trace)
                file.unlink()
        self._written = 0

    def _watch_native(self) -> None:
        try:
            make_private_folder(self._folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            descriptor = open_private(self._native_file(), flags)
            self._native = os.fdopen(descriptor, "w", encoding="utf-8")
        except OSError as failure:
            logger.warning("native faults leave no report: %s", failure)
            return
        faulthandler.enable(self._native)

    def _native_file(self) -> Path:
        return self._folder / f"{os.getpid()}{_NATIVE}"

    def _files(self, suffix: str) -> list[Path]:
        try:
            return [file for file in self._folder.iterdir() if file.name.endswith(suffix)]
        except OSError:
            return []


def _compose(what: str, details: str, log: str) -> str:
    frozen = " (bundle)" if getattr(sys, "frozen", False) else ""
    python = f"Python {platform.python_version()}, Qt {_qt_version()}, {platform.platform()}"
    versions = f"mcp-desktop {__version__}{frozen}, {python}"
    return f"{what}\n\n{versions}\n\n{details}\nThe last lines of the log:\n{log}\n"


def _qt_version() -> str:
    core = sys.modules.get("PySide6.QtCore")  # never imported for a report
    return str(core.qVersion()) if core is not None else "not loaded"


def _without_home(text: str) -> str:
    home = os.path.expanduser("~")
    return text.replace(home, "~") if len(home) > 1 else text


def _runs(file: Path) -> bool:
    """Whether the run whose file this is goes on."""
    import psutil  # only after a crash: it takes longer to import than all of this to run

    pid = file.name.removesuffix(_NATIVE)
    return pid.isdigit() and int(pid) != os.getpid() and psutil.pid_exists(int(pid))
