"""`ask --preset` begins as the preset says; what is given beside it counts before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.paths import Paths
from desktop.cli.exit_codes import Exit
from desktop.features.chat.agent.session_info import Builtin, ChatSettings, SessionTerms
from desktop.features.presets.presets import Presets
from tests.features.chat.cli.test_ask import SUM, configure, loopback, play

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal
    from tests.features.models.loopback.server import Loopback

__all__ = ["loopback"]


@pytest.fixture
def preset(terminal: Terminal) -> ChatSettings:
    terms = SessionTerms(effort="low", approving="allow", turns=2)
    made = ChatSettings("mine", "model-z", (Builtin("calculator"),), system="Short!", terms=terms)
    Presets(Paths(terminal.config, terminal.folder / "data")).save("Work", made)
    return made


def told(body: dict[str, Any]) -> tuple[Any, ...]:
    return body["model"], body["messages"][0]["content"], body.get("reasoning_effort")


def test_it_brings_model_words_servers_approvals_and_effort(
    terminal: Terminal, loopback: Loopback, preset: ChatSettings
) -> None:
    configure(terminal, loopback)
    script = play(loopback, *SUM, *SUM)
    done = terminal.run("ask", "What is 6*7?", "--preset", "Work")
    assert (done.code, done.out) == (Exit.DONE, "Let me see.\nIt is 42.\n"), done.err
    assert told(script.requests[0].body) == ("model-z", "Short!", "low")
    other = terminal.run(
        *("ask", "What is 6*7?", "--preset", "Work", "--model", "m", "--effort", "high"),
        *("--system", "Long!", "--max-turns", "1"),
    )
    assert other.code == Exit.TOOL_ERROR
    assert told(script.requests[2].body) == ("m", "Long!", "high")
    assert "The limit of 1 turns is reached" in other.err


def test_a_name_that_is_not_there_is_wrong_usage(
    terminal: Terminal, loopback: Loopback, preset: ChatSettings
) -> None:
    configure(terminal, loopback)
    done = terminal.run("ask", "go", "--preset", "Play")
    assert done.code == Exit.USAGE
    assert "There are: Work." in done.err
