"""One ask without servers: turns, usage, what a service may do wrong, and how each end reads.

Whatever is left of a conversation, a provider takes it.

Requests become calls of one executor, and whatever happens becomes an answer.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.base.tasks import spawn
from desktop.config.models import ServerConfig
from desktop.features.chat.agent.events import CallAnswered, CallStarted
from desktop.features.chat.agent.large_results import LargeResultStore
from desktop.features.chat.agent.limits import PausableTimeout, SessionLimits
from desktop.features.chat.agent.loop import (
    NOT_KEPT,
    AgentLoop,
    Conversation,
    ModelRef,
    ToolCallBatch,
    cancelled_answer,
    repair_messages,
)
from desktop.features.chat.agent.secrets import SessionSecrets
from desktop.features.chat.agent.session_tools import SessionTools
from desktop.features.chat.llm.completion import TextDelta, ThinkingDelta
from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import (
    AssistantMessage,
    Message,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    Usage,
    UserMessage,
)
from desktop.tools.loader import DirectConnections
from desktop.values.tool_types import ErrorCode, ToolResult
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.features.chat.agent.test_session_tools import Yes
from tests.tools.one_tool import OneTool

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    from desktop.features.chat.agent.events import AgentEvent, TurnOutcome
    from desktop.features.chat.agent.session_context import SessionContext
    from desktop.features.chat.llm.completion import (
        CompletionEvent,
        CompletionRequest,
        CompletionService,
    )
    from desktop.values.tool_types import Approver, JsonObject, Progress
    from tests.conftest import ExpectedLogs

ONE, TWO = ToolRequest("1", "a__b"), ToolRequest("2", "a__c")
ASKED = UserMessage("go")
CALLS = AssistantMessage("", (ONE, TWO), stop="tools")
ANSWER = ToolAnswer("1", "a__b", ToolResult(True, "fine"))


def test_each_message_is_announced_as_it_is_added() -> None:
    conversation = Conversation()
    told: list[Message] = []
    conversation.added.connect(told.append)
    conversation.add(ASKED)
    conversation.add(AssistantMessage("done"))
    assert told == list(conversation.messages)


def test_what_is_whole_stays_as_it_is() -> None:
    answers = ToolMessage((ANSWER, cancelled_answer(TWO, "no")))
    whole: list[Message] = [ASKED, CALLS, answers, AssistantMessage("done"), UserMessage("more")]
    assert repair_messages(whole) == whole


def test_a_request_without_an_answer_gets_one_that_says_so() -> None:
    missing = cancelled_answer(TWO, NOT_KEPT)
    for left in ([ASKED, CALLS], [ASKED, CALLS, UserMessage("hello?")]):
        found = repair_messages(left)
        message = found[2]
        assert isinstance(message, ToolMessage)
        assert [answer.call_id for answer in message.answers] == ["1", "2"]
        assert message.answers[1].result.error == missing.result.error
        assert found[3:] == left[2:]
    found = repair_messages([ASKED, CALLS, ToolMessage((ANSWER,))])
    message = found[2]
    assert isinstance(message, ToolMessage)
    assert message.answers[0] == ANSWER
    assert len(message.answers) == 2


def test_answers_that_nobody_asked_for_and_a_beginning_without_a_person_go() -> None:
    answers = ToolMessage((ANSWER,))
    assert repair_messages([CALLS, answers, ASKED, answers]) == [ASKED]
    assert repair_messages([answers]) == []


ids = st.sampled_from("abc")
messages = st.one_of(
    st.just(UserMessage("x")),
    st.lists(ids, unique=True).map(
        lambda found: AssistantMessage("", tuple(ToolRequest(one, one) for one in found))
    ),
    st.lists(ids).map(
        lambda found: ToolMessage(tuple(ToolAnswer(one, one, ToolResult(True)) for one in found))
    ),
)


@given(st.lists(messages, max_size=12))
def test_whatever_lines_are_lost_every_request_has_its_answer_and_nothing_else_has(
    left: list[Message],
) -> None:
    found = repair_messages(left)
    assert not found or isinstance(found[0], UserMessage)
    waiting: list[str] = []
    for message in [*found, UserMessage("end")]:
        answers = message.answers if isinstance(message, ToolMessage) else ()
        assert [answer.call_id for answer in answers] == waiting
        requests = message.requests if isinstance(message, AssistantMessage) else ()
        waiting = [request.call_id for request in requests]
    assert repair_messages(found) == found


class Long(OneTool):
    """Answers with a thousand characters."""

    async def execute(
        self,
        arguments: JsonObject,
        *,
        call_id: str = "",
        timeout: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ToolResult:
        return ToolResult(True, "x" * 1000)


def tools_in(shared: SessionContext, folder: Path, *tools: OneTool) -> SessionTools:
    approver: Approver = Yes()
    own = ServerConfig.checked(name="one", transport="stdio", command="never started")
    connections = DirectConnections((own,), shared.surroundings)
    kept = LargeResultStore(folder, max_result=100, max_stored=10_000)
    made = SessionTools(shared.service, connections, kept, approver, shared.rules, lambda _: None)
    made.registry.set_server("one", tools)
    return made


async def answering(
    tools: SessionTools, *requests: ToolRequest, told: list[AgentEvent] | None = None
) -> ToolCallBatch:
    heard: list[AgentEvent] = told if told is not None else []
    table = await tools.load(ApiFormat.OPENAI)
    return ToolCallBatch(requests, table, tools, SessionSecrets(tools.registry), heard.append)


async def test_each_request_is_told_begun_and_answered_under_its_id(
    shared: SessionContext, tmp_path: Path
) -> None:
    tool = OneTool("one", "a")
    tools = tools_in(shared, tmp_path, tool)
    told: list[AgentEvent] = []
    known, unknown = ToolRequest("1", "one__a", "{}"), ToolRequest("2", "nothing")
    work = await answering(tools, known, unknown, told=told)
    await work.run(8)
    answers = work.answers("")
    assert [answer.call_id for answer in answers] == ["1", "2"]
    assert answers[0].result.output == "one:a"
    assert tool.calls[0][1] == "1"
    begun = [one for one in told if isinstance(one, CallStarted)]
    assert [(one.call_id, one.key) for one in begun] == [("1", "one:a"), ("2", "")]
    ended = [one.answer for one in told if isinstance(one, CallAnswered)]
    assert sorted(one.call_id for one in ended) == ["1", "2"]
    await tools.close()


async def test_a_name_that_only_looks_like_a_tool_runs_nothing(
    shared: SessionContext, tmp_path: Path
) -> None:
    """A bare name is enough on the terminal; a model has to use the name that it was given."""
    tool = OneTool("one", "a")
    tools = tools_in(shared, tmp_path, tool)
    work = await answering(
        tools, *(ToolRequest(name, name) for name in ("a", "one:a", "mcp__one__a"))
    )
    await work.run(8)
    found = [answer.result.error and answer.result.error.code for answer in work.answers("")]
    assert found == [ErrorCode.NOT_FOUND] * 3
    assert tool.calls == []
    await tools.close()


async def test_a_stop_while_a_large_result_is_kept_keeps_its_beginning(
    shared: SessionContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = asyncio.Event()
    tools = tools_in(shared, tmp_path, Long("one", "a"))
    work = await answering(tools, ToolRequest("1", "one__a"))

    async def hang(result: ToolResult, cover: object) -> ToolResult:
        reached.set()
        await asyncio.Event().wait()
        return result

    monkeypatch.setattr(tools.large_results, "fit", hang)
    running = spawn(work.run(8), "run")
    await reached.wait()
    running.cancel()
    await asyncio.wait({running})
    (answer,) = work.answers("cancelled")
    assert answer.result.success
    assert answer.result.output.startswith("xxx")
    assert "it was stopped" in answer.result.output
    await tools.close()


async def test_a_fault_while_a_result_is_kept_is_an_answer_too(
    shared: SessionContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("was not taken over")

    async def fault(result: ToolResult, cover: object) -> ToolResult:
        raise RuntimeError("a bug")

    tools = tools_in(shared, tmp_path, OneTool("one", "a"))
    monkeypatch.setattr(tools.large_results, "fit", fault)
    work = await answering(tools, ToolRequest("1", "one__a"))
    await work.run(8)
    (answer,) = work.answers("")
    assert answer.result.error is not None
    assert answer.result.error.code == ErrorCode.INTERNAL
    await tools.close()


class Quiet(Scripted):
    """Says a part, and ends without a whole answer."""

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        yield ThinkingDelta("hm")
        yield TextDelta("half")


class Toolless(Scripted):
    """Asks for no tools and tells of none, as `Completed` allows."""

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        from desktop.features.chat.llm.completion import Completed

        message = self.steps.pop(0)
        assert isinstance(message, AssistantMessage)
        yield Completed(message)


async def ask(
    shared: SessionContext, folder: Path, service: CompletionService, conversation: Conversation
) -> TurnOutcome:
    connections = DirectConnections((), shared.surroundings)
    kept = LargeResultStore(folder, max_result=100, max_stored=100)
    tools = SessionTools(shared.service, connections, kept, Yes(), shared.rules, lambda _: None)
    secrets = SessionSecrets(tools.registry)
    model = ModelRef(service, "m", "Be brief.")
    run = AgentLoop(conversation, model, tools, secrets, SessionLimits(), lambda _: None)
    try:
        return run.finish(await run.run(PausableTimeout(20)))
    finally:
        await tools.close()


def begun() -> Conversation:
    return Conversation([UserMessage("go")])


async def test_usage_is_that_of_all_turns_and_the_text_that_of_the_last(
    shared: SessionContext, tmp_path: Path
) -> None:
    service = Scripted([calls(("nothing", "{}"), text="I try."), says("No.")])
    outcome = await ask(shared, tmp_path, service, begun())
    assert (outcome.text, outcome.turns, outcome.usage) == ("No.", 2, Usage(20, 4))
    assert [request.system for request in service.requests] == ["Be brief.", "Be brief."]


@pytest.mark.parametrize("stop", ["end", "length", "refused", "filtered"])
async def test_why_the_model_stopped_is_told(
    shared: SessionContext, tmp_path: Path, stop: str
) -> None:
    outcome = await ask(shared, tmp_path, Scripted([says("x", stop=stop)]), begun())
    assert (outcome.end, outcome.stop) == ("done", stop)


@pytest.mark.parametrize(("text", "stop"), [("", "end"), (" \n", "other"), ("", "tools")])
async def test_a_turn_of_nothing_is_said_to_be_one(
    shared: SessionContext, tmp_path: Path, text: str, stop: str
) -> None:
    outcome = await ask(shared, tmp_path, Scripted([says(text, stop=stop)]), begun())
    assert (outcome.end, outcome.kind) == ("failed", "empty")
    assert outcome.error.startswith("The model answered nothing.\nAsk in other words")


@pytest.mark.parametrize("stop", ["length", "refused", "filtered"])
async def test_a_turn_of_nothing_with_a_reason_has_the_words_of_that(
    shared: SessionContext, tmp_path: Path, stop: str
) -> None:
    outcome = await ask(shared, tmp_path, Scripted([says("", stop=stop)]), begun())
    assert (outcome.end, outcome.stop) == ("done", stop)


async def test_an_answer_that_never_becomes_whole_is_a_failure_that_keeps_its_text(
    shared: SessionContext, tmp_path: Path
) -> None:
    conversation = begun()
    outcome = await ask(shared, tmp_path, Quiet([]), conversation)
    assert (outcome.end, outcome.kind, outcome.text) == ("failed", "provider", "half")
    last = conversation.messages[-1]
    assert last == AssistantMessage("half", thinking="hm", stop="other", model="m")


async def test_a_service_that_tells_of_no_tools_is_answered_by_the_sessions_own_table(
    shared: SessionContext, tmp_path: Path
) -> None:
    service = Toolless([calls(("nothing", "{}")), says("I see.")], api_format=ApiFormat.GEMINI)
    conversation = begun()
    outcome = await ask(shared, tmp_path, service, conversation)
    assert outcome.text == "I see."
    assert "Unknown tool 'nothing'" in str(conversation.messages[2])
