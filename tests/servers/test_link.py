"""Both kinds of link keep the same promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.config.models import ServerConfig
from desktop.processes.process import LaunchSpec
from desktop.processes.tracker import McpProcessTracker
from desktop.servers.output import StderrLog
from desktop.servers.remote import HttpTransport
from desktop.servers.stdio import StdioTransport
from desktop.servers.traffic import MessageLog

if TYPE_CHECKING:
    from desktop.servers.link import ServerTransport


def ignore(_: object = None) -> None:
    """Nobody asks."""


def links() -> list[ServerTransport]:
    config = ServerConfig(name="web", transport="http", url="http://127.0.0.1:1/mcp")
    parts = ("a", LaunchSpec("true"), McpProcessTracker(), StderrLog(), MessageLog().tap("a"))
    return [
        StdioTransport(*parts, closed=ignore, started=ignore),
        HttpTransport(config, ignore, MessageLog().tap("a")),
    ]


@pytest.mark.parametrize("number", [0, 1], ids=["stdio", "remote"])
async def test_a_link_that_was_not_entered_has_nothing_to_tell(number: int) -> None:
    link = links()[number]
    assert (link.pid, link.exit_code) == (None, None)
    assert (link.is_closed, link.lost, link.refusal) == (False, "", "")
    assert hasattr(link.transport, "__aenter__")
