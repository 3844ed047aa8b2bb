"""When the daemon ends by itself or is not there; all else about it is in `test_attach`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.cli.main import run_command
from desktop.features.attach import protocol
from desktop.features.attach.cli.daemon import IdleClock
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal

SHORT = 0.01


async def after(seconds: float) -> None:
    passed = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, passed.set)
    await passed.wait()


async def test_it_ends_only_once_no_command_runs() -> None:
    ended = asyncio.Event()
    clock = IdleClock(SHORT)
    clock.start(ended.set)
    clock.count(1)
    await after(10 * SHORT)
    assert not ended.is_set()
    clock.count(0)
    await asyncio.wait_for(ended.wait(), LIMIT)
    clock.stop()


async def test_without_a_limit_it_never_ends() -> None:
    ended = asyncio.Event()
    clock = IdleClock(0)
    clock.start(ended.set)
    await after(10 * SHORT)
    assert not ended.is_set()


@pytest.mark.parametrize("limit", ["-1", "nan", "inf"])
def test_a_limit_that_is_none_is_refused(limit: str, terminal: Terminal) -> None:
    done = terminal.run("daemon", f"--idle={limit}")
    assert done.code == 2
    assert "--idle" in done.err


def test_there_is_no_daemon_where_no_command_could_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(protocol, "IS_SUPPORTED", False)
    paths = ("--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path))
    assert run_command(["daemon", *paths]) == 2
    assert "no daemon on Windows: each command starts its servers" in capsys.readouterr().err
