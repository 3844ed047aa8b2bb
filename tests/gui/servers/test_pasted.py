from __future__ import annotations

import json

import pytest

from desktop.config.models import AppSettings, ServerConfig
from desktop.errors import ConfigError
from desktop.gui.servers.pasted import entry_json, read_pasted, written_json

NPX = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"mcpServers": {"memory": NPX}}),
        json.dumps({"servers": {"memory": NPX}}),
        json.dumps({"mcp": {"servers": {"memory": NPX}}}),
        json.dumps({"memory": NPX}),
        f'"memory": {json.dumps(NPX)},',
        f"```json\n{json.dumps({'mcpServers': {'memory': NPX}})}\n```",
        json.dumps(NPX),
        '{"mcpServers": {"memory": {"command": "npx", // ours\n "args": ["-y", '
        '"@modelcontextprotocol/server-memory",],},}}',
    ],
)
def test_every_way_a_readme_writes_a_server_is_understood(text: str) -> None:
    servers, problems = read_pasted(text, AppSettings())
    assert not problems
    assert servers["memory"].command == "npx"
    assert servers["memory"].args == ("-y", "@modelcontextprotocol/server-memory")


def test_a_bad_entry_is_told_apart_from_the_good_ones() -> None:
    text = json.dumps({"mcpServers": {"memory": NPX, "bad": {"args": []}}})
    servers, problems = read_pasted(text, AppSettings())
    assert list(servers) == ["memory"]
    assert "bad" in str(problems["bad"])


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"mcpServers": {}}', "npx -y x"])
def test_what_holds_no_server_is_refused_in_words(text: str) -> None:
    with pytest.raises(ConfigError):
        read_pasted(text, AppSettings())


def test_a_mistake_is_told_with_its_line_and_without_the_text() -> None:
    with pytest.raises(ConfigError) as caught:
        read_pasted('{\n "mcpServers": {"a": sk-secret}\n}', AppSettings())
    assert caught.value.line == 2
    assert "sk-secret" not in str(caught.value)


def test_the_json_of_an_edit_keeps_what_the_form_does_not_know() -> None:
    old = ServerConfig(name="a", transport="stdio", command="x")
    new = old.changed(command="y", name="b")
    text = written_json(new, AppSettings(), old, {"command": "x", "theirs": 1})
    assert json.loads(text) == {"mcpServers": {"b": {"command": "y", "theirs": 1}}}
    assert json.loads(entry_json("a", {"args": 3})) == {"mcpServers": {"a": {"args": 3}}}
