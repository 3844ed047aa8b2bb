from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.cli.self_checks.check import (
    MAX_KEPT_BYTES,
    CheckFailedError,
    CheckSkippedError,
    OutputRecorder,
    run_check,
)
from tests.patience import LIMIT

if TYPE_CHECKING:
    from desktop.cli.self_checks.check import Check


async def test_who_waits_for_a_text_wakes_when_it_was_said() -> None:
    output = OutputRecorder()
    waiting = spawn(output.wait_for(b"ready"), "waiting")
    await asyncio.sleep(0)
    output.stdout_received(b"not rea")
    await asyncio.sleep(0)
    assert not waiting.done()
    output.stdout_received(b"dy\n")
    await asyncio.wait_for(waiting, LIMIT)


async def test_who_waits_in_vain_is_told_what_stderr_said() -> None:
    output = OutputRecorder()
    output.stderr_received(b"x" * MAX_KEPT_BYTES + b"\nno such library\n")
    output.stdout_closed()
    with pytest.raises(EOFError, match="no such library"):
        await output.wait_for(b"ready")
    output.process_exited(1)


async def finds() -> str:
    return "seen"


async def fails() -> str:
    raise CheckFailedError("not seen")


async def skips() -> str:
    raise CheckSkippedError("not here")


async def breaks() -> str:
    raise ValueError("a fault of the check itself")


async def hangs() -> str:
    await asyncio.Event().wait()
    return ""


@pytest.mark.parametrize(
    ("check", "outcome", "words"),
    [
        (finds, "ok", "seen"),
        (fails, "failed", "not seen"),
        (skips, "skipped", "not here"),
        (breaks, "failed", "ValueError: a fault of the check itself"),
        (hangs, "failed", "no answer within 0.01 s"),
    ],
)
async def test_whatever_a_check_does_it_is_a_finding(
    check: Check, outcome: str, words: str
) -> None:
    finding = await run_check("one", check, limit=0.01)
    assert (finding.name, finding.outcome, finding.words) == ("one", outcome, words)
    assert set(finding.to_json()) == {"name", "outcome", "milliseconds", "words"}
