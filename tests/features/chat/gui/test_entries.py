from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.agent import events as on
from desktop.features.chat.agent.limits import LEFT
from desktop.features.chat.agent.message_tree import MessageTree
from desktop.features.chat.gui.entries import (
    EntryList,
    ModelEntry,
    NoticeEntry,
    ToolCallEntry,
    UserEntry,
)
from desktop.features.chat.llm.completion import Retrying, TextDelta, ThinkingDelta
from desktop.features.chat.llm.services.response import CUT
from desktop.features.models.messages import (
    AssistantMessage,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    Usage,
    UserMessage,
)
from desktop.gui.translations import spoken
from desktop.tools.approvals import ApprovalQuestion
from desktop.values.tool_types import (
    CallStep,
    ErrorCode,
    ToolCall,
    ToolDefinition,
    ToolResult,
    failed,
)

if TYPE_CHECKING:
    from desktop.features.chat.gui.entries import Entry


TOOL = ToolDefinition("s", "t")
REQUEST = ToolRequest("1", "s__t", '{"a": 1}')


def _only_call(entries: EntryList) -> ToolCallEntry:
    (call,) = [entry for entry in entries.entries if isinstance(entry, ToolCallEntry)]
    return call


def test_pieces_grow_one_entry_until_the_turn_is_whole() -> None:
    entries = EntryList()
    appended: list[Entry] = []
    entries.appended.connect(appended.append)
    entries.apply(ThinkingDelta("hm"))
    entries.apply(TextDelta("a"))
    entries.apply(TextDelta("b"))
    (said,) = appended
    assert isinstance(said, ModelEntry)
    assert (said.text.text, said.thinking.text, said.is_live) == ("ab", "hm", True)
    entries.apply(on.TurnFinished(1, AssistantMessage("ab", thinking="hm")))
    assert not said.is_live
    assert appended == [said]


def test_what_came_whole_counts_more_than_the_pieces() -> None:
    entries = EntryList()
    entries.apply(TextDelta("half"))
    entries.apply(on.TurnFinished(1, AssistantMessage("half of it")))
    entries.apply(on.TurnFinished(2, AssistantMessage("no pieces at all")))
    said = [entry.text.text for entry in entries.entries if isinstance(entry, ModelEntry)]
    assert said == ["half of it", "no pieces at all"]


@pytest.mark.usefixtures("chinese")
def test_what_the_app_adds_to_an_answer_is_in_the_language_of_the_window() -> None:
    entries = EntryList()
    cut = AssistantMessage(f"An answer\n\n[{CUT}]", note=CUT)
    entries.apply(TextDelta(cut.text))
    entries.apply(on.TurnFinished(1, cut))
    (said,) = [entry.text.text for entry in entries.entries if isinstance(entry, ModelEntry)]
    assert said == f"An answer\n\n[{spoken(CUT)}]"
    assert spoken(CUT) != CUT


def test_another_attempt_begins_anew_and_is_one_notice() -> None:
    entries = EntryList()
    entries.apply(TextDelta("half"))
    entries.apply(Retrying(1.0, "Busy.", 1))
    entries.apply(Retrying(2.0, "Busy.", 2))
    entries.apply(TextDelta("whole"))
    said, retry = entries.entries
    assert isinstance(said, ModelEntry)
    assert isinstance(retry, NoticeEntry)
    assert (said.text.text, retry.attempt, retry.is_over) == ("whole", 2, True)


def test_a_call_goes_through_its_states() -> None:
    entries = EntryList()
    entries.apply(on.CallStarted("1", REQUEST, "s:t"))
    call = _only_call(entries)
    states = [call.state]
    question = ApprovalQuestion("1", TOOL, {"a": 1})
    sent = ToolCall("s:t", {"a": 2}, "1", "agent")
    result = ToolResult(True, "fine", execution_time=0.5)
    for event in (
        on.ApprovalAsked(question),
        on.ApprovalGiven(question, None),
        on.CallStepped(CallStep(sent, "approved", 0.1)),
        on.CallStepped(CallStep(sent, "sent", 0.1)),
        on.CallStepped(CallStep(sent, "progress", 0.2, "1 of 2")),
        on.CallStepped(CallStep(sent, "finished", 0.9, result=result)),
        on.CallAnswered(ToolAnswer("1", "s__t", ToolResult(True, "cut"))),
    ):
        entries.apply(event)
        states.append(call.state)
    assert states == ["waiting", "asking", "waiting", "waiting", *["running"] * 2, *["done"] * 2]
    assert (call.arguments, call.result, call.elapsed) == ({"a": 2}, result, 0.5)


def test_the_open_questions_are_known() -> None:
    entries = EntryList()
    entries.apply(on.ApprovalAsked(ApprovalQuestion("1", TOOL, {})))
    entries.apply(on.ApprovalAsked(ApprovalQuestion("2", TOOL, {})))
    assert [call.call_id for call in entries.asking] == ["1", "2"]
    entries.apply(on.Ended(on.TurnOutcome("stopped")))
    assert entries.asking == []
    assert {entry.state for entry in entries.entries if isinstance(entry, ToolCallEntry)} == {
        "cancelled"
    }


def test_an_unknown_tool_and_a_denial_have_states_of_their_own() -> None:
    for code, state in (
        (ErrorCode.NOT_FOUND, "failed"),
        (ErrorCode.DENIED, "denied"),
        (ErrorCode.CANCELLED, "cancelled"),
    ):
        entries = EntryList()
        entries.apply(on.CallStarted("1", REQUEST))
        answer = ToolAnswer("1", "s__t", failed("X", "no", code))
        entries.apply(on.CallAnswered(answer))
        assert _only_call(entries).state == state


def test_arguments_that_are_no_json_are_kept_as_they_were_written() -> None:
    for written in ("{broken", "[1]", "[" * 100_000):
        entries = EntryList()
        entries.apply(on.CallStarted("1", ToolRequest("1", "x", written)))
        assert (_only_call(entries).arguments, _only_call(entries).text) == ({}, written)


def test_how_it_ended_is_said_where_it_is_worth_a_word() -> None:
    def notice(outcome: on.TurnOutcome) -> str:
        entries = EntryList()
        entries.apply(on.Ended(outcome))
        return next((entry.kind for entry in entries.entries if isinstance(entry, NoticeEntry)), "")

    assert notice(on.TurnOutcome("done")) == ""
    assert notice(on.TurnOutcome("stopped")) == "stopped"
    assert notice(on.TurnOutcome("failed", error="No.", kind="key")) == "failed"
    assert notice(on.TurnOutcome("limit", error="25 turns.")) == "limit"
    assert notice(on.TurnOutcome("done", stop="length")) == "length"
    assert notice(on.TurnOutcome("done", stop="refused")) == "refused"


def test_the_tokens_of_all_questions_are_added_up() -> None:
    entries = EntryList()
    entries.apply(on.Ended(on.TurnOutcome("done", usage=Usage(10, 2, 1))))
    entries.apply(on.Ended(on.TurnOutcome("done", usage=Usage(5, 3))))
    assert entries.usage == Usage(15, 5, 1)


def test_stored_messages_come_to_the_same_entries() -> None:
    entries = EntryList()
    entries.load(
        [
            UserMessage("hi"),
            AssistantMessage("let me see", (REQUEST,), usage=Usage(3, 1)),
            ToolMessage((ToolAnswer("1", "s__t", ToolResult(True, "42")),)),
            AssistantMessage("42", usage=Usage(4, 1)),
        ]
    )
    kinds = [type(entry) for entry in entries.entries]
    assert kinds == [UserEntry, ModelEntry, ToolCallEntry, ModelEntry]
    assert (_only_call(entries).state, entries.usage) == ("done", Usage(7, 2))


def test_calls_that_are_too_many_are_one_sentence_live_as_stored() -> None:
    requests = tuple(ToolRequest(str(n), "s__t", {}, "s:t") for n in range(20))
    refused = failed(LEFT, "Too many", ErrorCode.DENIED)
    results = [refused if n >= 16 else ToolResult(True, "") for n in range(20)]
    answers = [ToolAnswer(str(n), "s__t", result) for n, result in enumerate(results)]
    said, live, stored = AssistantMessage("", requests), EntryList(), EntryList()
    live.apply(on.TurnFinished(1, said))
    for n, (request, answer) in enumerate(zip(requests, answers, strict=True)):
        live.apply(on.CallStarted(str(n), request, "s:t", left=n >= 16))
        live.apply(on.CallAnswered(answer))
    stored.load([said, ToolMessage(tuple(answers))])
    for entries in (live, stored):
        *calls, last = entries.entries
        assert len(calls) == 16
        assert isinstance(last, NoticeEntry)
        assert spoken(last.sentence).endswith("not sent: 4.")


def test_news_of_built_in_servers_and_plain_sentences_are_notices() -> None:
    entries = EntryList()
    entries.apply(on.BuiltinLost("time", "it crashed", restarting=True))
    entries.apply(on.BuiltinReconnected("time"))
    entries.apply(on.NoticePosted("not saved"))
    kinds = [entry.kind for entry in entries.entries if isinstance(entry, NoticeEntry)]
    assert kinds == ["lost", "said"]


def test_entries_are_what_they_are_not_what_they_say() -> None:
    """The cards of two equal answers are two cards."""
    assert ModelEntry() != ModelEntry()
    assert len({ToolCallEntry("1", "a"), ToolCallEntry("1", "a")}) == 2


def test_a_stored_call_is_named_by_its_tool_also_where_an_earlier_version_kept_none() -> None:
    kept, bare = ToolRequest("1", "mcp__s__t", {}, "s:t"), ToolRequest("2", "mcp__s__u", {})
    entries = EntryList()
    entries.load(
        [UserMessage("hi"), AssistantMessage("", (kept, bare, bare))],
        find_key=lambda name: "s:u" if name == "mcp__s__u" else "",
    )
    calls = [entry for entry in entries.entries if isinstance(entry, ToolCallEntry)]
    assert [call.key for call in calls] == ["s:t", "s:u", "s:u"]


def test_what_is_loaded_takes_the_place_of_what_was_there() -> None:
    entries = EntryList()
    replaced: list[bool] = []
    entries.replaced.connect(lambda: replaced.append(True))
    tree = MessageTree([UserMessage("a"), AssistantMessage("b", usage=Usage(30, 4))])
    entries.load([node.message for node in tree.path()], tree)
    assert (replaced, entries.context, entries.usage) == ([], 34, Usage(30, 4))
    asked = entries.last_question
    assert asked is not None
    assert asked.number == 0
    entries.load([UserMessage("c")])
    assert (replaced, entries.context, len(entries.entries)) == ([True], 0, 1)


def test_only_the_broken_end_of_an_answer_goes() -> None:
    entries = EntryList()
    entries.say("go")
    entries.apply(on.TurnFinished(1, AssistantMessage("let me see", (REQUEST,))))
    entries.apply(on.CallStarted("1", REQUEST, "s:t"))
    entries.apply(TextDelta("half an"))
    entries.apply(on.Ended(on.TurnOutcome("failed", error="No.", kind="connection")))
    assert entries.is_broken_off
    entries.drop_broken_end()
    assert [type(entry) for entry in entries.entries] == [UserEntry, ModelEntry, ToolCallEntry]
    assert not entries.is_broken_off
