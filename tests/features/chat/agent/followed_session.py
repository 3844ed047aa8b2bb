"""What a session told and was answered, as its tests compare it, and the servers it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.chat.agent.session_info import Builtin
from desktop.features.models.messages import AssistantMessage, ToolMessage, UserMessage

if TYPE_CHECKING:
    from desktop.features.chat.agent.events import AgentEvent
    from desktop.features.chat.agent.session import AgentSession
    from desktop.values.tool_types import ErrorCode, ToolResult


CALCULATOR = [Builtin("calculator")]
PLAIN = [Builtin("plain")]


def followed(session: AgentSession) -> list[AgentEvent]:
    told: list[AgentEvent] = []
    session.event_emitted.connect(told.append)
    return told


def results(session: AgentSession) -> list[ToolResult]:
    found = [message for message in session.messages if isinstance(message, ToolMessage)]
    return [answer.result for message in found for answer in message.answers]


def codes(session: AgentSession) -> list[ErrorCode | None]:
    return [result.error and result.error.code for result in results(session)]


def assert_valid(session: AgentSession) -> None:
    """What every provider asks of a conversation."""
    messages = list(session.messages)
    assert isinstance(messages[0], UserMessage)
    for before, after in zip(messages, [*messages[1:], None], strict=True):
        requested = (
            [r.call_id for r in before.requests] if isinstance(before, AssistantMessage) else []
        )
        answered = [a.call_id for a in after.answers] if isinstance(after, ToolMessage) else []
        assert requested == answered


def texts(session: AgentSession) -> list[str]:
    return [message.text for message in session.messages if not isinstance(message, ToolMessage)]


async def closed(session: AgentSession) -> str:
    await session.close()
    return session.id
