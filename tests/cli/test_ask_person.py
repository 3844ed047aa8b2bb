"""Who is asked on the terminal, and what counts as an answer."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from desktop.agent.events import ApprovalQuestion, ApprovalResponse
from desktop.cli.ask_person import NOBODY, ApproveAll, DenyAll, TerminalPrompter, choose_asker
from desktop.cli.screen import Console
from desktop.tasks import spawn
from tests.agent.definitions import tool

if TYPE_CHECKING:
    from collections.abc import Generator

QUESTION = ApprovalQuestion("c", tool(), {"path": "a\x1b[2J.txt"})


@contextmanager
def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> Generator[int]:
    """A terminal as stdin, on which `text` was typed; gives its other end."""
    ours, theirs = pty.openpty()
    os.write(ours, text.encode())
    with os.fdopen(theirs, "r", encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield ours
    os.close(ours)


async def test_yes_allows_everything_and_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    asker = choose_asker(Console(), yes=True)
    assert isinstance(asker, ApproveAll)
    assert await asker.ask(QUESTION) == ApprovalResponse("once")
    assert capsys.readouterr().err == ""


async def test_without_a_terminal_it_is_no_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    asker = choose_asker(Console(), yes=False)
    assert isinstance(asker, DenyAll)
    assert await asker.ask(QUESTION) == ApprovalResponse("deny", reason=NOBODY)
    assert "files:read was not run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("y\n", "once"),
        ("YES\n", "once"),
        ("always\n", "always"),
        ("never\n", "never"),
        ("n\n", "deny"),
        ("\n", "deny"),
        ("what?\ny\n", "once"),
    ],
)
async def test_an_answer_is_one_of_the_words(
    monkeypatch: pytest.MonkeyPatch, text: str, choice: str
) -> None:
    with typed(monkeypatch, text):
        assert (await TerminalPrompter(Console()).ask(QUESTION)).choice == choice


async def test_the_exact_arguments_are_shown_and_no_terminal_obeys_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with typed(monkeypatch, "n\n"):
        await TerminalPrompter(Console()).ask(QUESTION)
    shown = capsys.readouterr().err
    assert "The model wants to call files:read with" in shown
    assert '"path": "a\\u001b[2J.txt"' in shown
    assert "\x1b[2J" not in shown


async def test_a_changed_tool_is_shown_with_the_difference(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = ApprovalQuestion("c", tool(), {}, difference="+description: More.")
    with typed(monkeypatch, "y\n"):
        await TerminalPrompter(Console()).ask(changed)
    shown = capsys.readouterr().err
    assert "it is another one now:\n+description: More." in shown


async def test_always_is_not_taken_where_it_cannot_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with typed(monkeypatch, "always\ny\n"):
        answer = await TerminalPrompter(Console()).ask(
            ApprovalQuestion("c", tool(), {}, can_always=False)
        )
    assert answer == ApprovalResponse("once")
    assert capsys.readouterr().err.count("(y, n, never)") == 2


async def test_the_end_of_the_input_is_no(monkeypatch: pytest.MonkeyPatch) -> None:
    with typed(monkeypatch, "\x04"):
        assert await TerminalPrompter(Console()).ask(QUESTION) == ApprovalResponse(
            "deny", reason=NOBODY
        )


async def test_questions_come_one_after_the_other_and_one_that_is_cancelled_lets_the_next_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Console()
    person = TerminalPrompter(screen)
    with typed(monkeypatch, "") as keyboard:
        first, second = spawn(person.ask(QUESTION), "1"), spawn(person.ask(QUESTION), "2")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert capsys.readouterr().err.count("wants to call") == 1
        second.cancel()
        await asyncio.wait({second})
        screen.note("meanwhile")
        assert capsys.readouterr().err.endswith("meanwhile\nRun it? (y, n, always, never) ")
        os.write(keyboard, b"y\n")
        assert await first == ApprovalResponse("once")
