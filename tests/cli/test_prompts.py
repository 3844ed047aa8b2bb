from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.cli.prompts import to_mcp
from desktop.values.prompt_types import Prompt, PromptArgument
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal


@pytest.fixture
def offers(terminal: Terminal) -> Terminal:
    terminal.configure(offers=entry("offers", era="legacy"))
    return terminal


def test_a_prompt_comes_out_as_the_protocol_writes_it() -> None:
    arguments = (PromptArgument("a", "A", "D", required=True), PromptArgument("b"))
    assert to_mcp(Prompt("s", "n", "T", "D", arguments, ({"src": "data:,"},), {"k": 1})) == {
        "name": "n",
        "title": "T",
        "description": "D",
        "arguments": [
            {"name": "a", "title": "A", "description": "D", "required": True},
            {"name": "b", "required": False},
        ],
        "icons": [{"src": "data:,"}],
        "_meta": {"k": 1},
    }
    assert to_mcp(Prompt("s", "n")) == {"name": "n"}


def test_the_table_says_which_arguments_may_be_left_out(terminal: Terminal) -> None:
    terminal.configure(offers=entry("offers", era="legacy"), dead=entry("exits_at_start"))
    done = terminal.run("prompts")
    assert done.code == 0
    header, line = done.out.splitlines()
    assert header.split() == ["PROMPT", "ARGUMENTS", "DESCRIPTION"]
    assert line.split("  ") == ["offers:greet", "who [tone]", "Says hello."]
    assert "exited with code 3" in done.err


@pytest.mark.parametrize("name", ["offers:greet", "greet"])
def test_the_messages_are_printed_with_who_says_them(offers: Terminal, name: str) -> None:
    done = offers.run("prompts", name, "who=Ada\x1b[2J")
    assert done.code == 0
    assert done.out.splitlines() == [
        "[user]",
        "Hello Ada[2J",
        "[assistant]",
        "[Resource: test://rich]",
        "inside",
    ]


def test_the_document_has_the_blocks(offers: Terminal) -> None:
    document = offers.run("prompts", "greet", "who=Ada", "--json").document
    assert (document["prompt"], document["success"]) == ("offers:greet", True)
    assert document["messages"] == [
        {"role": "user", "content": {"type": "text", "text": "Hello Ada"}},
        {
            "role": "assistant",
            "content": {"type": "resource", "text": "inside", "uri": "test://rich"},
        },
    ]
    listed = offers.run("prompts", "--json").document["prompts"]
    assert [(one["server"], one["key"]) for one in listed] == [("offers", "offers:greet")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["greet"], "offers:greet needs who."),
        (
            ["greet", "who=a", "loud=b"],
            "offers:greet has no argument 'loud'.\nAvailable: who, tone.",
        ),
        (["greet", "who=a", "who=b"], "'who' is given more than once."),
        (["offers:nothing"], "No prompt is named 'nothing'.\nAvailable: offers:greet."),
    ],
)
def test_what_does_not_fit_is_not_sent(offers: Terminal, words: list[str], said: str) -> None:
    done = offers.run("prompts", *words)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_server_that_is_not_there_ends_with_three(terminal: Terminal) -> None:
    terminal.configure(dead=entry("exits_at_start"))
    assert terminal.run("prompts").code == 3
    assert terminal.run("prompts", "dead:greet").code == 3
