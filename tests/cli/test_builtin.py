from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from builtin_servers.catalog import CATALOG
from desktop.cli.main import run_command

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal


def test_the_built_in_servers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["builtin"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["NAME", *CATALOG]
    assert run_command(["builtin", "--json"]) == 0
    servers = json.loads(capsys.readouterr().out)["servers"]
    assert [server["name"] for server in servers] == list(CATALOG)


def test_an_unknown_one_is_2_and_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["builtin", "nonsense", "--json"]) == 2
    assert "calculator, time" in json.loads(capsys.readouterr().out)["error"]["message"]


@pytest.mark.parametrize(
    "args", [["builtin", "calculator"], ["--verbose", "builtin", "calculator"]]
)
def test_a_named_one_is_served_until_its_input_ends(args: list[str], terminal: Terminal) -> None:
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = terminal.run(*args, stdin=json.dumps(request) + "\n")
    assert done.code == 0
    assert done.document["result"]["serverInfo"]["name"]
