"""`--client`: a real server is asked as that client, and what comes is what its model gets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.cli.commands import COMMANDS
from desktop.features.client_profiles.profiles import FOLDER
from tests.cli.terminal import Terminal, command_of, daemon, entry
from tests.servers.for_clients import LONG

if TYPE_CHECKING:
    from pathlib import Path

SERVER = ("--server", f"notes={command_of('for_clients')}")
MODERN = ("--server", f"notes={command_of('for_clients', '--modern', 'yes')}")


def test_the_server_is_told_the_name_capabilities_and_protocol_of_the_client(
    terminal: Terminal,
) -> None:
    done = terminal.run("call", "notes:who", *SERVER, "--client", "cursor", "--json")
    assert done.code == 0, done
    told = done.document["data"]["structuredContent"]
    assert told["clientInfo"] == {"name": "cursor-vscode", "version": "1.0.0"}
    assert told["protocolVersion"] == "2025-11-25"
    assert told["capabilities"]["elicitation"] == {"form": {}}
    assert "sampling" not in told["capabilities"]
    assert "tasks" not in told["capabilities"]


def test_without_the_flag_it_is_told_who_this_is(terminal: Terminal) -> None:
    told = terminal.run("call", "notes:who", *SERVER, "--json").document["data"]
    assert told["structuredContent"]["clientInfo"]["name"] == "mcp-desktop"


def test_a_client_of_an_older_protocol_asks_in_it(terminal: Terminal) -> None:
    for client, version in (("slack", "2025-06-18"), ("cursor", "2025-11-25")):
        done = terminal.run("call", "notes:who", *MODERN, "--client", client, "--json")
        assert done.document["data"]["structuredContent"]["protocolVersion"] == version
    done = terminal.run("call", "notes:who", *SERVER, "--client", "goose", "--json")
    assert done.document["data"]["structuredContent"] is None  # its model gets the text alone


def test_each_request_of_the_newer_protocol_says_it_too(terminal: Terminal) -> None:
    done = terminal.run("call", "notes:who", *MODERN, "--client", "chatgpt", "--json")
    told = done.document["data"]["structuredContent"]
    assert told["clientInfo"] == {"name": "openai-mcp", "version": "1.0.0"}
    assert told["capabilities"]["experimental"] == {"openai/visibility": {"enabled": True}}


@pytest.mark.parametrize(
    ("client", "answer"), [("perplexity", "not supported"), ("vscode", "roots")]
)
def test_what_the_client_does_not_offer_is_not_done_for_the_server(
    terminal: Terminal, client: str, answer: str
) -> None:
    done = terminal.run("call", "notes:asks", *SERVER, "--client", client)
    assert (done.code, answer in done.out) == (0, True), done


def test_a_result_is_what_the_model_gets_and_what_is_lost_is_said(terminal: Terminal) -> None:
    done = terminal.run("call", "notes:who", *SERVER, "--client", "gemini-cli")
    assert done.out == "said in the structured half\n"
    assert "Gemini CLI: the model does not get structuredContent" in done.err
    done = terminal.run("call", "notes:picture", *SERVER, "--client", "slack", "--json")
    assert [each["type"] for each in done.document["data"]["content"]] == ["text"]
    assert "does not get the picture" in done.err


def test_tools_are_listed_as_the_model_gets_them(terminal: Terminal) -> None:
    done = terminal.run("tools", *SERVER, "--client", "cursor")
    assert LONG not in done.out
    assert f"notes:{LONG} is not given to the model of Cursor" in done.err
    done = terminal.run("tools", *SERVER, "--client", "claude-code", "--json")
    tools = {tool["name"]: tool for tool in done.document["tools"]}
    assert len(tools["wordy"]["description"]) == 2048
    assert tools["wordy"]["nameForModel"] == "mcp__notes__wordy"
    done = terminal.run("tools", *SERVER, "--client", "codex", "--json")
    (bounded,) = (tool for tool in done.document["tools"] if tool["name"] == "bounded")
    assert bounded["inputSchema"]["properties"]["count"] == {"type": "integer"}


def test_a_call_of_a_tool_that_the_client_leaves_out_is_made_and_said(terminal: Terminal) -> None:
    done = terminal.run("call", f"notes:{LONG}", *SERVER, "--client", "cursor")
    assert (done.code, done.out) == (0, "found\n"), done
    assert "is not given to the model of Cursor" in done.err


@pytest.mark.skipif("test" not in COMMANDS, reason="there are no saved calls")
def test_saved_calls_are_held_against_what_the_model_gets(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.configure(notes=entry("for_clients"))
    file = tmp_path / "calls.json"
    call = {"name": "who", "tool": "notes:who", "expect": {"matches": {"required": ["clientInfo"]}}}
    file.write_text(json.dumps(call), "utf-8")
    assert terminal.run("test", str(file), "--client", "cursor").code == 0
    done = terminal.run("test", str(file), "--client", "gemini-cli")
    assert done.code == 1, done


def test_a_profile_in_a_file_is_a_client_and_what_is_unknown_cannot_be_acted(
    terminal: Terminal, tmp_path: Path
) -> None:
    mine = json.loads((FOLDER / "cursor.json").read_text("utf-8"))
    mine["client_info_name"]["value"] = "mine"
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(mine), "utf-8")
    done = terminal.run("call", "notes:who", *SERVER, "--client", str(file), "--json")
    assert done.document["data"]["structuredContent"]["clientInfo"]["name"] == "mine"
    done = terminal.run("call", "notes:who", *SERVER, "--client", "claude-desktop-local")
    assert (done.code, "Nobody knows what" in done.err) == (2, True), done


@pytest.mark.skipif("daemon" not in COMMANDS, reason="nothing keeps servers running")
def test_a_run_that_has_the_servers_is_not_asked_as_it_is_itself(terminal: Terminal) -> None:
    terminal.configure(notes=entry("for_clients"))
    with daemon(terminal):
        own = terminal.run("call", "notes:who", "--json", own_interpreter=True)
        theirs = terminal.run(
            "call", "notes:who", "--client=cursor", "--json", own_interpreter=True
        )
    told = [done.document["data"]["structuredContent"] for done in (own, theirs)]
    assert [each["clientInfo"]["name"] for each in told] == ["mcp-desktop", "cursor-vscode"]
