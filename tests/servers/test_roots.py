"""A server that asks for its roots gets the folders of its config, and only folders."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from desktop.servers.client_features import read_roots
from desktop.servers.service import McpService
from tests.live_servers import connected, ending, reached, stdio, surroundings
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.servers.connection import ServerConnection


async def ask(connection: ServerConnection, tool: str) -> Any:
    result = await connection.call_tool(tool, {})
    assert result.success, result.error
    return json.loads(result.output)


async def test_a_server_is_told_of_the_folders_of_its_config(tmp_path: Path) -> None:
    for name in ("a folder", "home/notes", "here/ö", "there"):
        (tmp_path / name).mkdir(parents=True)
    config = stdio(
        "asks_roots",
        cwd=str(tmp_path / "here"),
        roots=(
            str(tmp_path / "a folder"),
            "~/notes",
            "ö",
            "../here",
            f"{(tmp_path / 'there').as_uri()}/",
            "${PLACE}",
        ),
    )
    environ = os.environ | {"HOME": str(tmp_path / "home"), "PLACE": str(tmp_path)}
    async with connected(config, surroundings(environ)) as connection:
        assert await ask(connection, "declared") is not None
        answer = await ask(connection, "roots")
    base = tmp_path.as_uri()
    assert answer["roots"] == [
        {"uri": f"{base}/a%20folder", "name": "a folder"},
        {"uri": f"{base}/home/notes", "name": "notes"},
        {"uri": f"{base}/here/%C3%B6", "name": "ö"},
        {"uri": f"{base}/here", "name": "here"},
        {"uri": f"{base}/there", "name": "there"},
        {"uri": base, "name": tmp_path.name},
    ]


async def test_a_server_without_roots_is_told_that_there_are_none() -> None:
    async with connected(stdio("asks_roots")) as connection:
        assert await ask(connection, "declared") is not None
        assert await ask(connection, "roots") == {"roots": []}


async def test_a_server_of_the_newest_era_asks_in_its_result(tmp_path: Path) -> None:
    config = stdio("asks_roots", "--era", "modern", era="2026-07-28", roots=(str(tmp_path),))
    async with connected(config) as connection:
        assert await ask(connection, "declared") is not None
        (root,) = (await ask(connection, "roots"))["roots"]
    assert root["uri"] == tmp_path.as_uri()


async def test_a_server_with_a_root_that_is_no_folder_says_so_and_is_not_started(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    config = stdio("asks_roots", cwd=str(tmp_path), roots=(str(tmp_path), "file"))
    async with connected(config) as connection:
        assert not connection.is_connected
        assert connection.pid is None
        words = connection.state.words
    assert 'asks_roots: "roots[1]" is not an existing folder' in words
    assert "correct its path" in words


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_changed_roots_are_taken_over_without_a_restart_and_told_where_one_is(
    tmp_path: Path, era: str
) -> None:
    mode = "legacy" if era == "legacy" else "modern"
    config = stdio("asks_roots", "--era", mode, era=era, roots=(str(tmp_path),))
    (tmp_path / "new").mkdir()
    async with ending(McpService(surroundings())) as service:
        service.add_server(config)
        await service.connect_all()
        connection = service.connection("asks_roots")
        pid = connection.pid
        service.apply([config.changed(roots=(str(tmp_path / "new"),))])
        await until_answered(connection, [(tmp_path / "new").as_uri()])
        assert connection.pid == pid
        assert await ask(connection, "changes") == (1 if era == "legacy" else 0)


async def test_changed_roots_that_are_no_folders_stop_the_server_as_at_a_start(
    tmp_path: Path,
) -> None:
    config = stdio("asks_roots", roots=(str(tmp_path),))
    async with ending(McpService(surroundings())) as service:
        service.add_server(config)
        await service.connect_all()
        service.apply([config.changed(roots=(str(tmp_path / "missing"),))])
        await reached(service.connection("asks_roots"), "failed")
        assert "is not an existing folder" in service.connection("asks_roots").state.words


async def until_answered(connection: ServerConnection, uris: list[str]) -> None:
    """Ask until the answer is these roots: a change is taken over a moment later."""
    async with asyncio.timeout(LIMIT):
        while [root["uri"] for root in (await ask(connection, "roots"))["roots"]] != uris:
            pass


@pytest.mark.parametrize("root", ["missing", "x" * 5000])
def test_what_cannot_be_a_folder_is_refused_by_its_place(tmp_path: Path, root: str) -> None:
    with pytest.raises(Exception, match=r'"roots\[0\]" is not an existing folder') as caught:
        read_roots(stdio("asks_roots", cwd=str(tmp_path), roots=(root,)))
    assert root not in str(caught.value)
