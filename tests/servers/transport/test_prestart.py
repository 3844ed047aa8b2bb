from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.bootstrap import build_bootstrap
from desktop.config.models import ServerConfig
from desktop.core import build_core_on
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.bootstrap import Bootstrap
    from desktop.core import Core


@pytest.fixture
async def ground(tmp_path: Path) -> AsyncIterator[Bootstrap]:
    ground = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path), own_path_first=True)
    yield ground
    await ground.tracker.close_all()


@pytest.fixture
async def core(ground: Bootstrap) -> AsyncIterator[Core]:
    core = build_core_on(ground)
    yield core
    await core.close()


def server(name: str, *args: object) -> ServerConfig:
    program, arguments = command(name, *args)
    return ServerConfig.checked(name=name, transport="stdio", command=program, args=arguments)


async def test_a_connection_takes_over_the_process_that_was_started_early(
    ground: Bootstrap, core: Core
) -> None:
    await ground.early.start(server("plain"))
    (tracked,) = ground.tracker.tracked
    connection = core.service.add_server(server("plain"))
    await connection.connect()
    assert connection.pid == tracked.process.pid
    assert (await connection.call_tool("echo", {"message": "hi"})).output == "hi"
    assert len(ground.tracker.tracked) == 1


async def test_what_the_server_said_before_is_heard_in_its_order(
    ground: Bootstrap, core: Core
) -> None:
    config = server("exits_at_start")
    await ground.early.start(config)
    (tracked,) = ground.tracker.tracked
    await tracked.process.exited.wait()
    connection = core.service.add_server(config.changed(era="legacy"))
    assert ground.early.take(connection.config) is None
    connection = core.service.connections[config.name]
    connection.reconfigure(config)
    await connection.connect()
    assert connection.state.phase == "failed"
    assert "exited with code 3" in connection.state.error
    assert "API_KEY is not set" in connection.state.error


async def test_a_process_is_taken_once_and_only_for_the_same_config(ground: Bootstrap) -> None:
    config = server("plain")
    await ground.early.start(config)
    await ground.early.start(config)
    assert len(ground.tracker.tracked) == 1
    assert ground.early.take(config.changed(env={"A": "b"})) is None
    expanded = ground.early.expanded(config)
    assert ground.early.take(expanded) is not None
    assert ground.early.take(expanded) is None


@pytest.mark.parametrize(
    "values",
    [
        {"transport": "stdio", "command": "no-such-program"},
        {"transport": "stdio", "command": "${NOT_SET_ANYWHERE}"},
        {"transport": "stdio", "command": "python3", "cwd": "/nowhere/at/all"},
        {"transport": "http", "url": "http://127.0.0.1:9/mcp"},
    ],
)
async def test_what_cannot_be_started_early_is_left_to_the_connection(
    values: dict[str, object], ground: Bootstrap
) -> None:
    config = ServerConfig.checked(name="s", **values)
    await ground.early.start(config)
    assert ground.tracker.tracked == ()
    assert ground.early.take(config) is None


async def test_nothing_is_started_early_where_the_login_shell_has_to_be_asked(
    tmp_path: Path,
) -> None:
    ground = build_bootstrap(Paths(tmp_path / "mcp.json", tmp_path), os.environ)
    await ground.early.start(server("plain"))
    assert ground.tracker.tracked == ()


async def test_a_process_that_nobody_took_over_is_ended_with_the_rest(ground: Bootstrap) -> None:
    await ground.early.start(server("plain"))
    receipt = await ground.tracker.close_all()
    assert receipt.closed == ("plain",)
