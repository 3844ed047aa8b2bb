"""Servers that ask during `ask`, or for a model: the configured one answers after a yes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from desktop.features.models.formats import ApiFormat
from tests.cli.terminal import entry
from tests.cli.test_request_terminal import ALL_FIELDS
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal


def test_an_agents_server_asks_in_the_same_way(terminal: Terminal) -> None:
    with Loopback() as loopback:
        arguments = {
            "method": "elicitation/create",
            "params": {"message": "Who are you?", "requestedSchema": ALL_FIELDS},
        }
        script = Script([turn("", [("mcp__asks__ask", arguments)]), turn("Thanks.")])
        loopback.play(script)
        configure(terminal, loopback)
        done = terminal.run("ask", "Ask me.", "--yes", "--elicit", '{"name": "Ada"}')
    assert (done.code, done.out) == (0, "Thanks.\n"), done.err
    assert "Ada" in json.dumps(script.requests[1].body)


def configure(terminal: Terminal, loopback: Loopback) -> None:
    """The loopback as the only provider, beside the server that asks."""
    url = loopback.base_url(ApiFormat.OPENAI)
    provider = {"baseUrl": url, "model": "model-x", "kind": "openai"}
    asks = entry("asks_client", era="legacy")
    document = {"mcpServers": {"asks": asks}, "mcpDesktop": {"providers": {"mine": provider}}}
    terminal.config.write_text(json.dumps(document), encoding="utf-8")
    terminal.environment["MINE_API_KEY"] = "sk-secret-0123456789"


def test_a_configured_model_answers_a_server_after_a_yes(terminal: Terminal) -> None:
    with Loopback() as loopback:
        loopback.play(Script([turn("Roses are red.")]))
        configure(terminal, loopback)
        text = {"type": "text", "text": "A poem!"}
        params = {"messages": [{"role": "user", "content": text}], "maxTokens": 50}
        arguments = ["method=sampling/createMessage", f"params:={json.dumps(params)}"]
        code, shown = terminal.type("y\ny\n", "call", "asks:ask", *arguments)
    assert code == 0, shown
    assert "[user] A poem!" in shown
    assert "y: ask model-x of mine" in shown
    assert '"text": "Roses are red."' in shown
