"""One run of the app on a config with misbehaving servers, seen from outside.

Knows processes and signals, and of the app's insides only what the guardian's command line says.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil

from tests.faults.population import end_all, survivors, wait_until
from tests.faults.rows import CRASHING, SILENT, document, marker
from tests.raw_client import population

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.faults.rows import Fault

ROOT = Path(__file__).parent.parent.parent
START_LIMIT = 30.0
END_LIMIT = 20.0
WINDOW = ("-m", "desktop")
TERMINAL = ("-m", "desktop", "servers")
DRIVER = ("-m", "tests.faults.driver")


class AppRun:
    """Leaving the context leaves no process, however the run went."""

    def __init__(
        self,
        folder: Path,
        rows: Mapping[str, Fault],
        program: tuple[str, ...] = WINDOW,
        *,
        data: Path | None = None,
        start_limit: float = START_LIMIT,
    ) -> None:
        """Args: start_limit: seconds in which every server has to run."""
        self.folder = folder
        self.data = data or folder / "data"
        self.rows = rows
        self.start_limit = start_limit
        self.name = f"run-{uuid4().hex}"
        self.markers = {row: marker(self.name, row) for row in rows}
        self.program = program
        self._answers = b""
        self.write_config()
        self.process = self._start()

    def __enter__(self) -> AppRun:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (self.process, *self.guardians()):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.communicate()
        end_all(self.markers.values())

    @property
    def log(self) -> str:
        """What the app wrote to its log and to its stderr."""
        texts = (self.data / "logs" / "app.log", self.folder / "stderr")
        return "\n".join(file.read_text("utf-8") for file in texts if file.exists())

    def write_config(self, *, enabled: bool = True) -> None:
        later = SILENT if self.program == DRIVER else ""
        config = document(self.rows, self.name, enabled=enabled, later=later)
        (self.folder / "mcp.json").write_text(json.dumps(config), encoding="utf-8")

    def start_again(self) -> None:
        """The next start, on the same data, with nothing to start."""
        self.process.communicate()
        self.write_config(enabled=False)
        self.process = self._start()

    def wait_populated(self) -> None:
        """Until each server runs with all its children."""
        assert wait_until(self._is_populated, self.start_limit), f"not started: {self.missing()}"

    def wait_begun(self) -> None:
        """Until the first server of all runs."""
        assert wait_until(lambda: any(self.alive().values()), START_LIMIT), self.log

    def crash(self) -> None:
        """Make the one that crashes crash, while its child holds its stdout."""
        assert sys.platform != "win32"
        if CRASHING in self.rows:
            servers = self.alive()[self.markers[CRASHING]]
            for server in servers:
                server.send_signal(signal.SIGUSR1)
            wait_until(lambda: not any(server.is_running() for server in servers), START_LIMIT)

    def alive(self) -> dict[str, set[psutil.Process]]:
        return population(self.markers.values())

    def missing(self) -> list[str]:
        there = self.alive()
        return [
            f"{row}: {len(there[self.markers[row]])} of {fault.processes}"
            for row, fault in self.rows.items()
            if len(there[self.markers[row]]) < fault.processes
        ]

    def tell(self, word: str) -> None:
        """Have the driver do `word`, and wait until it has."""
        self.say(word)
        self.hear(word)

    def say(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n".encode())
        self.process.stdin.flush()

    def hear(self, word: str) -> None:
        wanted = f"done {word}\n".encode()
        assert self.process.stdout is not None
        while wanted not in self._answers:
            ready, _, _ = select.select([self.process.stdout], [], [], START_LIMIT)
            data = os.read(self.process.stdout.fileno(), 1000) if ready else b""
            assert data, f"no answer to {word}:\n{self.log[-3000:]}"
            self._answers += data
        self._answers = self._answers.replace(wanted, b"", 1)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait_ended(self) -> int:
        """The exit code; a guardian that still clears up is not waited for."""
        return self.process.wait(END_LIMIT)

    def survivors(self) -> dict[str, list[str]]:
        """What is left of each row that left something, when all had time to go."""
        left = survivors(self.markers.values())
        return {row: left[one] for row, one in self.markers.items() if left[one]}

    def own(self) -> psutil.Process:
        return psutil.Process(self.process.pid)

    @staticmethod
    def kill_at_once(processes: list[psutil.Process]) -> None:
        """Stopped first, so that none sees another one die; one may have ended by itself."""
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.suspend()
        for process in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def guardian(self) -> psutil.Process | None:
        """The process that starts the servers for the app, if it has one."""
        try:
            children = psutil.Process(self.process.pid).children()
            return next((child for child in children if _is_guardian(child)), None)
        except psutil.Error:
            return None

    def guardians(self) -> list[psutil.Process]:
        """The guardian and its keeper."""
        guardian = self.guardian()
        if guardian is None:
            return []
        return [guardian, *(child for child in guardian.children() if _is_guardian(child))]

    def _start(self) -> subprocess.Popen[bytes]:
        flags = ["--config", str(self.folder / "mcp.json"), "--data-dir", str(self.data)]
        with (self.folder / "stderr").open("ab") as errors:
            return subprocess.Popen(
                [sys.executable, *self.program, *flags],
                cwd=ROOT,
                env={**os.environ, "PYTHONFAULTHANDLER": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )

    def _is_populated(self) -> bool:
        assert self.process.poll() is None, self.log
        return not self.missing()


def _is_guardian(process: psutil.Process) -> bool:
    try:
        return any("guardian" in argument for argument in process.cmdline())
    except psutil.Error:
        return False
