"""Who is asked on the terminal, and what counts as an answer.

What a person sees of an ask, line by line, and what a program is given in the end.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.cli.output import Console
from desktop.features.chat.agent.events import (
    AgentEvent,
    BuiltinLost,
    BuiltinReconnected,
    CallAnswered,
    CallStarted,
    CallStepped,
    Ended,
    NoticePosted,
    TurnFinished,
    TurnOutcome,
    TurnStarted,
)
from desktop.features.chat.cli.ask_terminal import (
    NOBODY,
    WIDTH,
    ApproveAll,
    DenyAll,
    SessionPrinter,
    TerminalPrompter,
    choose_prompter,
    outcome_label,
)
from desktop.features.chat.llm.completion import Retrying, TextDelta, ThinkingDelta
from desktop.features.models.messages import AssistantMessage, ToolAnswer, ToolRequest
from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse, FileChange
from desktop.values.tool_types import CallStep, ErrorCode, ToolCall, ToolResult, failed
from tests.cli.terminal import typed
from tests.patience import LIMIT
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from desktop.features.chat.agent.events import End
    from desktop.features.models.messages import StopReason

REQUEST = ToolRequest("1", "one__a", '{"x": 1}')
CALL = ToolCall("one:a", {"x": 1}, "1", "agent")
CALLED: list[AgentEvent] = [
    CallStarted("1", REQUEST, "one:a"),
    CallStepped(CallStep(CALL, "validated", 0.1)),
    CallAnswered(ToolAnswer("1", "one__a", ToolResult(True, "first\nsecond"))),
]


def told(*events: AgentEvent, as_json: bool = False) -> SessionPrinter:
    made = SessionPrinter(Console(as_json=as_json))
    for event in events:
        made.tell(event)
    return made


def test_the_answer_is_printed_as_it_comes_and_each_turn_ends_its_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told(
        TurnStarted(1),
        ThinkingDelta("hm"),
        TextDelta("Let me "),
        TextDelta("see."),
        TurnFinished(1, AssistantMessage("Let me see.")),
        *CALLED,
        TextDelta("Done.\n"),
        TurnFinished(2, AssistantMessage("Done.\n")),
        Ended(TurnOutcome("done")),
    )
    shown = capsys.readouterr()
    assert shown.out == "Let me see.\nDone.\n"
    assert shown.err == '> one:a {"x": 1}\n< one:a first second\n'


def test_what_went_wrong_in_a_call_is_said_and_long_lines_are_cut(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = failed("ToolError", "it broke", ErrorCode.TOOL_ERROR)
    told(
        CallStarted("1", ToolRequest("1", "nothing", {"x": "y" * 10_000})),
        CallAnswered(ToolAnswer("1", "nothing", error)),
        CallAnswered(ToolAnswer("2", "quiet", ToolResult(True))),
    )
    first, second, third = capsys.readouterr().err.splitlines()
    assert first.startswith('> nothing {"x": "yyy')
    assert len(first) < WIDTH
    assert second == "< nothing failed: it broke"
    assert third == "< quiet (nothing to read)"


def test_what_happens_beside_the_answer_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    told(
        TextDelta("half"),
        Retrying(2.4, "The provider is busy.", 1),
        BuiltinLost("time", "it crashed", restarting=True),
        BuiltinReconnected("time"),
        BuiltinLost("time", "again", restarting=False),
        NoticePosted("Not saved."),
    )
    shown = capsys.readouterr()
    assert shown.out == "half\n"
    assert shown.err.splitlines() == [
        "The provider is busy. Trying again in 2 s.",
        "The built-in server time stopped, it is restarting: it crashed",
        "The built-in server time is running again.",
        "The built-in server time stopped, the session continues without it: again",
        "Not saved.",
    ]


def test_the_document_has_the_answer_and_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = TurnOutcome("done", "Done.", 2)
    made = told(TextDelta("Done."), *CALLED, Ended(outcome), as_json=True)
    assert capsys.readouterr().out == ""
    document = made.document("id")
    assert document["success"] is True
    assert document["data"]["text"] == "Done."
    (call,) = document["data"]["calls"]
    assert (call["tool"], call["arguments"]) == ("one:a", {"x": 1})
    assert call["data"]["output"] == "first\nsecond"


@pytest.mark.parametrize(
    ("outcome", "code", "message"),
    [
        (TurnOutcome("failed", error="No key.", kind="key"), "key", "No key."),
        (TurnOutcome("stopped"), "stopped", "Stopped."),
        (TurnOutcome("limit", error="Enough.", kind="turns"), "turns", "Enough."),
        (TurnOutcome("done", stop="refused"), "refused", "The model declined to answer."),
    ],
)
def test_the_document_says_why_there_is_no_good_end(
    outcome: TurnOutcome, code: str, message: str
) -> None:
    document = told(Ended(outcome), as_json=True).document("id")
    assert document["success"] is False
    assert document["error"] == {"type": "Ended", "message": message, "code": code}


def test_before_the_end_there_is_no_answer() -> None:
    assert told(as_json=True).document("id")["success"] is False


@pytest.mark.parametrize(
    ("end", "stop", "words"),
    [
        ("done", "end", ""),
        ("done", "length", "The answer was cut off"),
        ("stopped", "end", "Stopped."),
    ],
)
def test_a_good_end_needs_no_words(end: End, stop: StopReason, words: str) -> None:
    assert outcome_label(TurnOutcome(end, stop=stop)).startswith(words)
    assert bool(outcome_label(TurnOutcome(end, stop=stop))) is bool(words)


QUESTION = ApprovalQuestion("c", tool(), {"path": "a\x1b[2J.txt"})


async def test_yes_allows_everything_and_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    prompter = choose_prompter(Console(), None, yes=True)
    assert isinstance(prompter, ApproveAll)
    assert await prompter.ask(QUESTION) == ApprovalResponse("once")
    assert capsys.readouterr().err == ""


async def test_without_a_terminal_it_is_no_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    prompter = choose_prompter(Console(), None, yes=False)
    assert isinstance(prompter, DenyAll)
    assert await prompter.ask(QUESTION) == ApprovalResponse("deny", reason=NOBODY)
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
    assert "changed since you allowed it:\n+description: More." in shown


async def test_what_a_file_becomes_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change = FileChange("/tmp/a.txt", "-old\n+new\n")
    with typed(monkeypatch, "n\n"):
        await TerminalPrompter(Console()).ask(ApprovalQuestion("c", tool(), {}, change=change))
    assert "It would change /tmp/a.txt\n-old\n+new" in capsys.readouterr().err


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


class Listening(Console):
    """Knows the notes of the terminal, and when one comes."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: asyncio.Queue[str] = asyncio.Queue()

    def note(self, text: str) -> None:
        self.notes.put_nowait(text)


async def test_a_model_that_says_nothing_is_waited_for_in_seconds() -> None:
    console = Listening()
    printer = SessionPrinter(console)
    printer.tell(TurnStarted(1))
    waiting = spawn(printer.tell_silence(0.01), "waiting")
    async with asyncio.timeout(LIMIT):
        assert await console.notes.get() == "Waiting for the model: 0 s"
        await console.notes.get()
    printer.tell(TextDelta("Here."))
    while not console.notes.empty():
        console.notes.get_nowait()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await console.notes.get()
    waiting.cancel()


def test_a_wait_is_a_sentence_and_never_of_no_seconds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told(Retrying(0.2, "provide the mmproj", 1))
    assert capsys.readouterr().err == "provide the mmproj. Trying again in 1 s.\n"
