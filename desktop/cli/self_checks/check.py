"""Runs one check of the self-test, and records what a process that it started prints.

Knows no particular check. Whatever one check does, the others still run.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MAX_KEPT_BYTES = 64_000
"""Bytes kept of each stream, the last ones."""


class OutputRecorder:
    """A `ProcessOutput` that keeps."""

    def __init__(self) -> None:
        self._stdout = b""
        self._stderr = b""
        self._is_closed = False
        self._changed = asyncio.Event()

    @property
    def complaint(self) -> str:
        """The last lines on stderr."""
        return "\n".join(self._stderr.decode(errors="replace").strip().splitlines()[-8:])

    async def wait_for(self, text: bytes) -> None:
        """Return once `text` was said on stdout.

        Raises:
            EOFError: stdout ended without it; with what stderr said.
        """
        while text not in self._stdout:
            if self._is_closed:
                raise EOFError(self.complaint or "no output")
            self._changed.clear()
            await self._changed.wait()

    def stdout_received(self, data: bytes) -> None:
        self._stdout = (self._stdout + data)[-MAX_KEPT_BYTES:]
        self._changed.set()

    def stdout_closed(self) -> None:
        self._is_closed = True
        self._changed.set()

    def stderr_received(self, data: bytes) -> None:
        self._stderr = (self._stderr + data)[-MAX_KEPT_BYTES:]

    def process_exited(self, code: int) -> None:
        """Nothing: the process itself tells of it."""


LIMIT = 30.0
"""Seconds for one check; a machine that is very busy starts a window in ten."""

Outcome: TypeAlias = Literal["ok", "failed", "skipped"]
Check: TypeAlias = "Callable[[], Awaitable[str]]"
"""Answers in words what it saw; raises `CheckSkippedError` where it cannot be made here."""


class CheckFailedError(Exception):
    """What a check expected and did not see, in words."""


class CheckSkippedError(Exception):
    """Why a check cannot be made here, in words."""


class CheckResult(Struct, frozen=True):
    """What came of one check; `milliseconds` is how long it took."""

    name: str
    outcome: Outcome
    milliseconds: int
    words: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


async def run_check(name: str, check: Check, limit: float = LIMIT) -> CheckResult:
    """Run one check, `limit` seconds at most. Never raises, but when it is cancelled."""
    began = time.perf_counter()
    outcome, words = await _outcome(check, limit)
    return CheckResult(name, outcome, round((time.perf_counter() - began) * 1000), words)


async def _outcome(check: Check, limit: float) -> tuple[Outcome, str]:
    try:
        async with asyncio.timeout(limit):
            return "ok", await check()
    except CheckSkippedError as reason:
        return "skipped", str(reason)
    except CheckFailedError as reason:
        return "failed", str(reason)
    except TimeoutError:
        return "failed", f"no answer within {limit:g} s"
    except Exception as error:  # noqa: BLE001 - the boundary: a broken check leaves the others
        return "failed", f"{type(error).__name__}: {error}"
