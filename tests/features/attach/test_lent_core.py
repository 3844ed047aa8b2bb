"""Servers of a core that goes on, lent to one command at a time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.bootstrap import build_bootstrap
from desktop.cli.output import Console
from desktop.cli.runner import connect
from desktop.core import build_core_on
from desktop.features.attach.lent_core import CoreLender
from desktop.servers.requests import Accepted, Declined, ElicitationRequest
from desktop.values.tool_types import ToolCall, ToolResult
from tests.cli.terminal import entry
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core

FORM = ElicitationRequest("Who?", {"type": "object", "properties": {"name": {"type": "string"}}})


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    servers = {"one": entry("counts"), "off": entry("counts", enabled=False)}
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    made = build_core_on(build_bootstrap(Paths(config, tmp_path / "data"), own_path_first=True))
    made.follow_store()
    await made.settle()
    yield made
    await made.close()


async def test_a_command_has_the_tools_of_its_servers_alone_and_its_calls_are_recorded(
    core: Core,
) -> None:
    lender = CoreLender(core, keeps_started=True)
    chosen = [core.store.servers["off"]]
    with lender.lend(chosen) as lent:
        await connect(lent, chosen, Console())
        assert [tool.definition.key for tool in lent.registry.all()] == ["off:count"]
        result = await lent.executor.run(ToolCall("off:count", origin="terminal"))
    assert result.output == "1"
    await until(core.history.changed, lambda: not core.history.is_writing)
    page = await core.history.page()
    assert [call.key for call in page.calls] == ["off:count"]
    assert core.service.connections["off"].is_connected
    lender.close()


async def test_a_server_that_is_off_ends_with_the_last_command_that_uses_it(core: Core) -> None:
    lender = CoreLender(core, keeps_started=False)
    connection, chosen = core.service.connections["off"], [core.store.servers["off"]]
    with lender.lend(chosen) as first:
        await connect(first, chosen, Console())
        with lender.lend(chosen) as second:
            await connect(second, chosen, Console())
        assert connection.is_connected
    assert not connection.is_connected
    both = list(core.store.servers.values())[:1]
    with lender.lend(both) as lent:
        await connect(lent, both, Console())
    assert core.service.connections["one"].is_connected
    lender.close()


async def test_who_calls_a_server_is_asked_what_it_asks(core: Core) -> None:
    core.requests.answerer = lambda _: Declined("the window")
    lender = CoreLender(core, keeps_started=True)
    chosen = [core.store.servers["one"]]
    with lender.lend(chosen) as lent:
        await connect(lent, chosen, Console())
        lent.requests.answerer = lambda _: Accepted({"name": "the terminal"})
        assert await core.requests.ask("one", FORM) == Accepted({"name": "the terminal"})
        assert await core.requests.ask("off", FORM) == Declined("the window")
        call = ToolCall("one:count")
        core.executor.started.send(call)  # the window calls it, too: nobody knows who is meant
        assert await core.requests.ask("one", FORM) == Declined("the window")
        core.executor.finished.send(call, ToolResult(success=True))
        assert await core.requests.ask("one", FORM) == Accepted({"name": "the terminal"})
    assert await core.requests.ask("one", FORM) == Declined("the window")
    lender.close()
