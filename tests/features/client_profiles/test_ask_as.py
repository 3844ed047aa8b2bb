"""`ask --client`: the model gets what that client would give it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop.features.models.formats import ApiFormat
from tests.cli.terminal import entry
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback
from tests.servers.for_clients import LONG

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal


def test_a_model_that_is_asked_is_given_the_tools_and_results_of_the_client(
    terminal: Terminal,
) -> None:
    with Loopback() as provider:
        mine = {"baseUrl": provider.base_url(ApiFormat.ANTHROPIC), "model": "m"}
        settings = {"providers": {"mine": mine | {"kind": "anthropic"}}}
        servers = {"notes": entry("for_clients")}
        terminal.config.write_text(json.dumps({"mcpServers": servers, "mcpDesktop": settings}))
        terminal.environment["MINE_API_KEY"] = "sk-secret-0123456789"
        script = Script([turn("Let me see.", [("notes__who", {})]), turn("Done.")])
        provider.play(script)
        done = terminal.run("ask", "Who are you?", "--client", "cline", "--yes")
        assert done.code == 0, done
        offered = {tool["name"] for tool in script.requests[0].body["tools"]}
        assert {"notes__who", "notes__wordy"} <= offered
        assert f"notes__{LONG}" not in offered  # 64 characters at most, with a hash
        assert "Cline" in json.dumps(script.requests[1].body)
