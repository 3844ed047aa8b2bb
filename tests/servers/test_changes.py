"""A change of the tools is noticed in both generations of the protocol, and none is missed."""

from __future__ import annotations

import asyncio

import pytest

from tests.live_servers import connected, names, stdio, until

ERAS = [
    pytest.param((), "legacy", id="legacy"),
    pytest.param(("--era", "modern"), "auto", id="modern"),
]


@pytest.mark.parametrize(("args", "era"), ERAS)
async def test_a_changed_list_is_read_again(args: tuple[str, ...], era: str) -> None:
    async with connected(stdio("list_changes", *args, era=era)) as connection:
        before = names(connection)
        await connection.call_tool("add_tool", {"name": "new"})
        await until(connection.tools_changed, lambda: names(connection) == [*before, "new"])
        await connection.call_tool("remove_tool", {"name": "echo"})
        await until(connection.tools_changed, lambda: "echo" not in names(connection))


@pytest.mark.parametrize(("args", "era"), ERAS)
async def test_many_changes_at_once_end_with_the_last_one(args: tuple[str, ...], era: str) -> None:
    async with connected(stdio("list_changes", *args, era=era)) as connection:
        calls = (connection.call_tool("add_tool", {"name": f"new_{n}"}) for n in range(20))
        await asyncio.gather(*calls)
        await until(connection.tools_changed, lambda: len(names(connection)) == 24)


async def test_a_server_that_does_not_acknowledge_who_listens_connects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.servers.changes.LISTEN_LIMIT", 0.05)
    config = stdio("list_changes", "--era", "modern", "--listen", "mute", era="auto")
    async with connected(config) as connection:
        assert names(connection)[0] == "echo"
