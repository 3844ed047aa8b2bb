"""All of it together without a screen: the config file says which servers run."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.paths import Paths
from desktop.config.store import ConfigStore
from desktop.core import Core, build_core
from desktop.processes.tracker import KILL_AFTER, McpProcessTracker
from desktop.servers.connection import CLOSE_LIMIT
from desktop.values.tool_types import ToolCall
from tests.live_servers import until
from tests.patience import LIMIT
from tests.server_commands import command
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setattr(McpProcessTracker, "_instance", McpProcessTracker())
    return Paths(tmp_path / "mcp.json", tmp_path / "data")


def entry(name: str, *args: object, **fields: Any) -> dict[str, Any]:
    program, arguments = command(name, *args)
    return {"command": program, "args": arguments, **fields}


def core_with(paths: Paths, **servers: dict[str, Any]) -> Core:
    paths.config.write_text(json.dumps({"mcpServers": servers}), "utf-8")
    return build_core(paths, {**os.environ, "SHELL": "/bin/sh"})


async def settled(core: Core) -> None:
    async with asyncio.timeout(LIMIT):
        await core.settle()


async def test_the_enabled_servers_of_the_file_run_and_their_tools_can_be_called(
    paths: Paths,
) -> None:
    core = core_with(paths, one=entry("plain"), off=entry("plain", disabled=True))
    core.follow_store()
    await settled(core)
    assert core.service.get_connected_servers() == ["one"]
    result = await core.executor.run(ToolCall("one:add", {"a": 1, "b": 2}))
    assert result.output == "3"
    receipt = await core.close()
    assert receipt.closed == ("one",)
    assert core.tracker.tracked == ()
    assert core.registry.all() == ()
    assert core.surroundings.timeouts.waiting == 0  # no timer of a call holds the loop


async def test_a_toggle_in_the_store_starts_and_stops_its_server_alone(paths: Paths) -> None:
    core = core_with(paths, one=entry("plain"), two=entry("plain"))
    core.follow_store()
    await settled(core)
    two = core.service.connection("two").pid
    core.store.set_enabled("one", False)
    one = core.service.connection("one")
    await until(one.state_changed, lambda: one.state.phase == "stopped" and one.pid is None)
    assert {tool.definition.server for tool in core.registry.all()} == {"two"}
    written = ConfigStore(paths.config)
    written.load()
    assert not written.servers["one"].enabled
    core.store.set_enabled("one", True)
    await settled(core)
    assert core.service.get_connected_servers() == ["one", "two"]
    assert core.service.connection("two").pid == two
    await core.close()


async def test_a_switched_off_tool_goes_without_a_restart(paths: Paths) -> None:
    core = core_with(paths, one=entry("plain"))
    core.follow_store()
    await settled(core)
    pid = core.service.connection("one").pid
    core.store.set_tool_enabled("one", "echo", False)
    assert core.registry.get("one:echo") is None
    core.store.set_tool_enabled("one", "echo", True)
    assert core.registry.get("one:echo") is not None
    assert core.service.connection("one").pid == pid
    await core.close()


async def test_a_server_that_is_taken_out_of_the_file_ends(paths: Paths) -> None:
    core = core_with(paths, one=entry("plain"), two=entry("plain"))
    core.follow_store()
    await settled(core)
    core.store.remove_server("one")
    assert core.service.get_connected_servers() == ["two"]
    await core.close()
    assert core.tracker.tracked == ()


async def test_what_was_allowed_to_a_server_is_forgotten_when_it_leaves_the_file(
    paths: Paths,
) -> None:
    core = core_with(paths, mine=entry("plain", disabled=True), other=entry("plain", disabled=True))
    core.follow_store()
    approvals = core.approvals
    for server in ("mine", "other"):
        await approvals.decide(tool(server=server), "always")
    paths.config.write_text("{", "utf-8")  # unreadable: nobody removed anything
    core.store.reload()
    paths.config.write_text(
        json.dumps({"mcpServers": {"mine": {"command": 1}, "other": entry("plain")}}), "utf-8"
    )
    core.store.reload()  # and one that has a problem is still there
    assert set(approvals.all()) == {"mine:read", "other:read"}
    paths.config.write_text(json.dumps({"mcpServers": {"other": entry("plain")}}), "utf-8")
    core.store.reload()
    await until(approvals.changed, lambda: "mine:read" not in approvals.all())
    await core.close()
    assert set(approvals.all()) == {"other:read"}


async def test_a_built_in_server_is_off_until_it_is_switched_on(paths: Paths) -> None:
    core = core_with(paths)
    core.follow_store()
    assert not core.service.connection("calculator").is_enabled
    core.store.set_enabled("calculator", True)
    await settled(core)
    assert core.service.get_connected_servers() == ["calculator"]
    await core.close()


async def test_quitting_while_servers_connect_keeps_its_limit_and_leaves_nothing(
    paths: Paths,
) -> None:
    names = ("silent", "stubborn", "plain", "slow_start", "ignores_eof", "ignores_sigterm")
    core = core_with(paths, **{name: entry(name) for name in names})
    core.follow_store()
    one = core.service.connection("silent")
    while one.pid is None:  # noqa: ASYNC110 - nothing tells of a start that has no answer
        await asyncio.sleep(0)
    async with asyncio.timeout(CLOSE_LIMIT + KILL_AFTER):
        await core.close()
    assert core.tracker.tracked == ()
    assert [c.state.phase for c in core.service.connections.values() if c.is_running] == []


async def test_quitting_at_once_leaves_nothing(paths: Paths) -> None:
    core = core_with(paths, one=entry("plain"))
    core.follow_store()
    await core.close()
    assert core.tracker.tracked == ()


async def test_quitting_while_the_login_shell_is_asked_leaves_nothing(
    paths: Paths, tmp_path: Path
) -> None:
    shell = tmp_path / "shell"
    shell.write_text("#!/bin/sh\nexec sleep 60\n", "utf-8")
    shell.chmod(0o755)
    paths.config.write_text(json.dumps({"mcpServers": {"one": entry("plain")}}), "utf-8")
    core = build_core(paths, {**os.environ, "SHELL": str(shell)})
    core.follow_store()
    for _ in range(20):
        await asyncio.sleep(0)
    await core.close()


async def test_quitting_in_a_call_ends_the_call_as_a_result(paths: Paths) -> None:
    core = core_with(paths, one=entry("plain"))
    core.follow_store()
    await settled(core)
    began = asyncio.Event()
    call = ToolCall("one:slow", {"seconds": 60, "steps": 600})
    async with asyncio.TaskGroup() as group:
        running = group.create_task(core.executor.run(call, lambda _: began.set()))
        await began.wait()
        await core.close()
    assert running.result().is_error


async def test_a_broken_file_starts_nothing_and_is_said(paths: Paths) -> None:
    paths.config.write_text("{", "utf-8")
    core = build_core(paths)
    core.follow_store()
    await settled(core)
    assert core.store.error is not None
    assert core.service.get_stats().enabled == 0
    await core.close()


async def test_closing_twice_is_closing_once(paths: Paths) -> None:
    core = core_with(paths, one=entry("plain"))
    core.follow_store()
    await settled(core)
    await core.close()
    receipt = await core.close()
    assert receipt.closed == ()


async def test_what_was_called_is_in_the_history_once_it_is_closed(paths: Paths) -> None:
    core = core_with(paths, one=entry("plain"))
    core.follow_store()
    await settled(core)
    await core.executor.run(ToolCall("one:add", {"a": 1, "b": 2}))
    await core.close()
    again = core_with(paths)
    page = await again.history.page()
    assert [call.key for call in page.calls] == ["one:add"]
    await again.close()


def test_the_core_is_there_before_what_checks_arguments() -> None:
    code = "import sys, desktop.core; print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
