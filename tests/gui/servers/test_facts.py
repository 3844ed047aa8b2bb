from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.servers.facts import known_facts
from desktop.gui.servers.usage import ProcessUsage
from tests.gui.servers.conftest import entry

if TYPE_CHECKING:
    from tests.gui.servers.conftest import OpenPanel


async def test_only_what_is_known_is_among_the_facts(open_panel: OpenPanel) -> None:
    panel = open_panel(
        {
            "off": entry("plain", enabled=False, cwd="/tmp"),
            "remote": {"url": "https://example.com/mcp", "enabled": False},
            "on": entry("plain"),
        }
    )
    await panel.until_words("on", "Connected")
    connections = panel.core.service.connections
    long, short = known_facts(connections["off"], None)
    assert long["Folder"] == "/tmp"
    assert short == {"Transport": "stdio"}
    long, _ = known_facts(connections["remote"], None)
    assert long == {"Address": "https://example.com/mcp"}
    long, short = known_facts(connections["on"], ProcessUsage(3_000_000, 65))
    assert short["PID"] == str(connections["on"].pid)
    assert short["Memory"] == "3.0 MB"
    assert short["Running for"] == "1 min"
    assert "Ready in" in short
    assert long["Says it is"] == "plain 1.0"
    assert short["Protocol"]
