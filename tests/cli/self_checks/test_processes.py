from __future__ import annotations

import sys

import pytest

from desktop.cli.self_checks import processes
from desktop.cli.self_checks.check import CheckFailedError
from desktop.processes import tracker as tracking
from desktop.processes.tracker import McpProcessTracker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


async def test_a_server_and_its_child_that_ignore_sigterm_are_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracking, "TERMINATE_AFTER", 0.1)
    monkeypatch.setattr(tracking, "KILL_AFTER", 0.2)
    words = await processes.kill_stubborn_server(McpProcessTracker())
    assert words.startswith("2 processes that ignore SIGTERM ended")


async def test_a_server_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "FLAG", "--no-such-flag")
    with pytest.raises(CheckFailedError, match="did not start"):
        await processes.kill_stubborn_server(McpProcessTracker())
