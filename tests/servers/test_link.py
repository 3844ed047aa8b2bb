"""Both kinds of link keep the same promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.config.models import ServerConfig
from desktop.processes.process import Launch
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.output import ServerOutput
from desktop.servers.remote import RemoteLink
from desktop.servers.stdio import StdioLink
from desktop.servers.traffic import Traffic

if TYPE_CHECKING:
    from desktop.servers.link import Link


def ignore(_: object = None) -> None:
    """Nobody asks."""


def links() -> list[Link]:
    config = ServerConfig(name="web", transport="http", url="http://127.0.0.1:1/mcp")
    parts = ("a", Launch("true"), McpProcessTracker(), ServerOutput(), Traffic().tap("a"))
    return [
        StdioLink(*parts, closed=ignore, started=ignore),
        RemoteLink(config, ignore, Traffic().tap("a")),
    ]


@pytest.mark.parametrize("number", [0, 1], ids=["stdio", "remote"])
async def test_a_link_that_was_not_entered_has_nothing_to_tell(number: int) -> None:
    link = links()[number]
    assert (link.pid, link.exit_code) == (None, None)
    assert (link.is_closed, link.lost, link.refusal) == (False, "", "")
    assert hasattr(link.transport, "__aenter__")
