"""A session answers, calls tools, stops, and ends with everything it started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.agent.about import Builtin
from desktop.agent.events import Ended
from desktop.llm.messages import AssistantMessage, ToolMessage, UserMessage
from tests.agent.scripted import Person, Scripted, calls, says

if TYPE_CHECKING:
    from desktop.agent.events import AgentEvent
    from desktop.agent.sessions import AgentSessions


async def test_the_model_calls_a_built_in_and_goes_on_with_the_answer(
    sessions: AgentSessions,
) -> None:
    model = Scripted([calls(("calculator__evaluate", '{"expression": "6*7"}')), says("It is 42.")])
    session = await sessions.create(model, "m", Person(), builtins=[Builtin("calculator")])
    told: list[AgentEvent] = []
    session.happened.connect(told.append)
    outcome = await session.ask("What is 6*7?")
    assert (outcome.end, outcome.text, outcome.turns) == ("done", "It is 42.", 2)
    user, request, answers, last = session.messages
    assert user == UserMessage("What is 6*7?")
    assert isinstance(request, AssistantMessage)
    assert isinstance(answers, ToolMessage)
    assert answers.answers[0].result.output == "42"
    assert last == says("It is 42.")
    assert told[-1] == Ended(outcome)
