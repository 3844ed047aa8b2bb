from __future__ import annotations

import asyncio

import pytest

from desktop.cli.self_checks.output import KEPT, CapturedOutput
from desktop.tasks import spawn


async def test_who_waits_for_a_text_wakes_when_it_was_said() -> None:
    output = CapturedOutput()
    waiting = spawn(output.wait_for(b"ready"), "waiting")
    await asyncio.sleep(0)
    output.stdout_received(b"not rea")
    await asyncio.sleep(0)
    assert not waiting.done()
    output.stdout_received(b"dy\n")
    await asyncio.wait_for(waiting, 5)


async def test_who_waits_in_vain_is_told_what_stderr_said() -> None:
    output = CapturedOutput()
    output.stderr_received(b"x" * KEPT + b"\nno such library\n")
    output.stdout_closed()
    with pytest.raises(EOFError, match="no such library"):
        await output.wait_for(b"ready")
    output.process_exited(1)
