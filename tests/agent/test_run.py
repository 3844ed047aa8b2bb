"""One ask without servers: turns, usage, what a service may do wrong, and how each end reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.agent.clock import PausableTimeout
from desktop.agent.conversation import Conversation
from desktop.agent.kept_results import LargeResultStore
from desktop.agent.limits import SessionLimits
from desktop.agent.run import AgentLoop, ModelRef
from desktop.agent.secrets import SessionSecrets
from desktop.agent.session_tools import SessionTools
from desktop.llm.completion import TextDelta, ThinkingDelta
from desktop.llm.formats import ApiFormat
from desktop.llm.messages import AssistantMessage, Usage, UserMessage
from desktop.tools.loader import DirectConnections
from tests.agent.scripted import Scripted, calls, says
from tests.agent.test_session_tools import Yes

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.agent.events import TurnOutcome
    from desktop.agent.sessions import SessionContext
    from desktop.llm.completion import CompletionEvent, CompletionRequest, CompletionService


class Quiet(Scripted):
    """Says a part, and ends without a whole answer."""

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        yield ThinkingDelta("hm")
        yield TextDelta("half")


class Toolless(Scripted):
    """Asks for no tools and tells of none, as `Completed` allows."""

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        from desktop.llm.completion import Completed

        message = self.steps.pop(0)
        assert isinstance(message, AssistantMessage)
        yield Completed(message)


async def ask(
    shared: SessionContext, folder: Path, service: CompletionService, conversation: Conversation
) -> TurnOutcome:
    connections = DirectConnections((), shared.surroundings)
    kept = LargeResultStore(folder, most=100, together=100)
    tools = SessionTools(shared.service, connections, kept, Yes(), shared.rules, lambda _: None)
    secrets = SessionSecrets(tools.registry)
    model = ModelRef(service, "m", "Be brief.")
    run = AgentLoop(conversation, model, tools, secrets, SessionLimits(), lambda _: None)
    try:
        return run.end(await run.go(PausableTimeout(20)))
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
    assert [one.system for one in service.requests] == ["Be brief.", "Be brief."]


@pytest.mark.parametrize("stop", ["end", "length", "refused", "filtered"])
async def test_why_the_model_stopped_is_told(
    shared: SessionContext, tmp_path: Path, stop: str
) -> None:
    outcome = await ask(shared, tmp_path, Scripted([says("x", stop=stop)]), begun())
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
