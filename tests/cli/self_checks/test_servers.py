from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.cli.self_checks.check import CheckFailedError
from desktop.cli.self_checks.servers import TrialCall, use
from desktop.core import Core, build_core
from desktop.paths import Paths
from tests.live_servers import stdio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    built = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    yield built
    await built.close()


async def test_a_server_that_answers_is_told_with_its_tools(core: Core) -> None:
    words = await use(core, stdio("plain"), TrialCall("add", {"a": 1, "b": 2}, "3"))
    assert words.endswith("tools, add answered")


async def test_each_way_to_fail_is_told(core: Core) -> None:
    with pytest.raises(CheckFailedError, match="exited with code"):
        await use(core, stdio("exits_at_start"), TrialCall("add", {}, ""))
    with pytest.raises(CheckFailedError, match="answered '3', not '4'"):
        await use(core, stdio("plain"), TrialCall("add", {"a": 1, "b": 2}, "4"))
    with pytest.raises(CheckFailedError, match="no_such"):
        await use(core, stdio("plain", name="again"), TrialCall("no_such", {}, ""))
