"""Cases over recordings: the model calls what was recorded, and no server is started."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.terminal import command_of
from tests.features.evals.cli.test_cases import configure, saved
from tests.features.models.loopback.script import turn

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal
    from tests.features.evals.played_model import Played, PlayedModel

CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "plain": ("add", {"a": 2, "b": 3}, "5"),
    "notes": ("count", {}, "0"),
    "offers": ("seen", {}, ""),
}
"""Of each server: a tool, its arguments and what the answer has."""


@pytest.fixture
def home(terminal: Terminal, model: PlayedModel) -> Terminal:
    configure(terminal, model)
    return terminal


def recorded(terminal: Terminal, server: str, tool: str, arguments: dict[str, Any]) -> Path:
    """A call of a real server, recorded as a person would."""
    file = terminal.folder / f"{server}.jsonl"
    words = [f"{name}:={value}" for name, value in arguments.items()]
    started = ("--server", f"{server}={command_of(server)}")
    done = terminal.run("call", f"{server}:{tool}", *words, *started, "--record", str(file))
    assert done.code == 0, done
    return file


def replayed(server: str, file: Path) -> tuple[str, str]:
    program = shlex.join((sys.executable, "-m", "desktop", "replay", str(file)))
    return "--server", f"{server}={program}"


def test_cases_over_three_recordings_pass_without_their_servers(
    home: Terminal, model: PlayedModel
) -> None:
    def by_the_question(question: str, results: list[str]) -> Played:
        tool, arguments, _ = CALLS[question]
        called = (f"mcp__{question}__{tool}", arguments)
        return turn(f"It says {results[0]}") if results else turn(calls=[called])

    cases: list[Any] = []
    servers: list[str] = []
    for server, (tool, arguments, answer) in CALLS.items():
        servers += replayed(server, recorded(home, server, tool, arguments))
        calls = [{"tool": f"{server}:{tool}", "arguments": arguments}]
        expect = {"calls": calls, "only": True, "errors": 0, "contains": f"It says {answer}"}
        cases.append({"name": server, "ask": server, "expect": expect})
    model.say = by_the_question
    done = home.run("eval", str(saved(home, *cases)), *servers)
    assert done.code == 0, done
    assert done.out.count("10 of 10") == len(CALLS)


def test_a_call_that_was_not_recorded_fails_the_case_and_says_what_differs(
    home: Terminal, model: PlayedModel
) -> None:
    model.say = lambda _, results: turn(
        *results[:1], calls=() if results else [("mcp__plain__add", {"a": 2, "b": 4})]
    )
    file = recorded(home, "plain", "add", {"a": 2, "b": 3})
    case = {"name": "adds", "ask": "?", "expect": {"first": "plain:add", "errors": 0}}
    done = home.run("eval", str(saved(home, case)), *replayed("plain", file))
    assert done.code == 1, done
    assert "no call with these arguments; it has 1 with others" in done.out
    assert "The nearest differs in b." in done.out
