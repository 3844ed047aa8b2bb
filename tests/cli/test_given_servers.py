"""`--server NAME=COMMAND`: servers that the command line alone knows, for each command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.cli.commands import find_command
from tests.cli.terminal import command_of, daemon, entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

PLAIN = f"plain={command_of('plain')}"
OFFERS = f"offers={command_of('offers')}"


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (["call", "plain:echo", "message=hello", "--server", PLAIN], "hello"),
        (["call", "echo", "message=hello", "--server", PLAIN], "hello"),
        (["tools", "--server", PLAIN], "plain:echo"),
        (["resources", "--server", OFFERS], "test://"),
        (["resources", "--server", PLAIN, "--server", OFFERS], "test://"),
        (["prompts", "--server", OFFERS], "offers:greet"),
        (["prompts", "offers:greet", "who=Ada", "--server", OFFERS], "Ada"),
        (["doctor", "--server", PLAIN], "given for this run"),
        (["doctor", "plain", "--server", PLAIN], "given for this run"),
        (["compare", "--server", PLAIN, "--server", OFFERS], "removed"),
    ],
)
def test_a_command_needs_no_config_and_writes_none(
    terminal: Terminal, args: list[str], shown: str
) -> None:
    done = terminal.run(*args)
    assert done.code == (1 if args[0] == "compare" else 0), done
    assert shown in done.out
    assert not terminal.config.exists()


def test_a_typed_server_takes_the_place_of_the_configured_one_and_is_asked_of_nobody(
    terminal: Terminal,
) -> None:
    terminal.configure(plain=entry("notes"))
    assert terminal.run("tools").code == 0  # from here on a change is a question of trust
    before = terminal.config.read_bytes()
    done = terminal.run("call", "plain:echo", "message=typed", "--server", PLAIN)
    assert (done.code, done.out) == (0, "typed\n"), done
    assert terminal.run("call", "plain:echo", "message=typed").code == 2
    other = terminal.run("tools", "--server", f"new={command_of('plain')}", "--json")
    assert {tool["server"] for tool in other.document["tools"]} == {"new"}
    assert terminal.config.read_bytes() == before


def test_only_the_servers_of_the_flag_are_started_and_a_bare_tool_is_looked_for_there(
    terminal: Terminal,
) -> None:
    terminal.configure(other=entry("plain"))
    done = terminal.run("call", "echo", "message=typed", "--server", PLAIN)
    assert (done.code, done.out) == (0, "typed\n"), done
    assert terminal.server_log("other") == ""


def test_an_open_run_is_not_asked_for_a_typed_server(terminal: Terminal) -> None:
    terminal.configure(plain=entry("notes"))
    with daemon(terminal):
        assert terminal.run("tools", "--server", "plain").out.count("notes") == 0
        for given in (["--server", PLAIN], [f"--server={PLAIN}"]):
            done = terminal.run("call", "plain:echo", "message=typed", *given)
            assert (done.code, done.out) == (0, "typed\n"), done


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["plain="], "is not NAME, NAME=COMMAND or NAME=URL"),
        (["=python x.py"], "is not NAME, NAME=COMMAND or NAME=URL"),
        (["plain='"], "--server plain"),
        (["a:b=python x.py"], "--server a:b"),
        ([PLAIN, PLAIN], "twice"),
        (["nobody"], "For a server that is in no config: --server 'NAME=COMMAND'"),
    ],
)
@pytest.mark.parametrize("command", ["tools", "resources", "prompts", "doctor", "call"])
def test_a_server_that_is_given_wrong_is_2_and_nothing_is_started(
    terminal: Terminal, command: str, given: list[str], said: str
) -> None:
    words = ["echo"] if command == "call" else []
    done = terminal.run(command, *words, *(f"--server={text}" for text in given), "--json")
    assert done.code == 2, done
    assert said in json.loads(done.out)["error"]["message"]


@pytest.mark.parametrize("sides", [[], ["plain"], ["plain", "offers", "third"]])
def test_a_comparison_is_of_two(terminal: Terminal, sides: list[str]) -> None:
    done = terminal.run("compare", *sides)
    assert (done.code, "Name two" in done.err) == (2, True), done


def test_the_flag_may_stand_before_the_command() -> None:
    assert find_command(["--server", "n=python s.py", "tools"])[0] == "tools"
