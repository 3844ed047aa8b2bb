"""A call that a person corrected is told as what ran: to the model, in the file, in the export.

The model's own call stays as it wrote it, since providers seal it; the first line of its result
says what was sent in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.chat.agent.events import CallAnswered
from desktop.features.chat.agent.session_store import to_json, to_markdown
from desktop.features.models.formats import ApiFormat
from desktop.features.models.formats.content_parts import CORRECTED, MAX_CORRECTED, convert_answer
from desktop.features.models.messages import ToolAnswer, ToolMessage
from desktop.tools.approvals import ApprovalResponse
from desktop.values.tool_types import ErrorCode, ToolResult, failed
from tests.features.chat.agent.followed_session import PLAIN, closed, followed, results
from tests.features.chat.agent.test_kept_tools import assert_prefixes
from tests.features.chat.llm.services.asking import service
from tests.features.models.loopback.script import Script, turn
from tests.features.models.loopback.server import Loopback
from tests.tools.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.features.chat.agent.sessions import AgentSessions

ADD = ("plain__add", {"a": 1, "b": 2})
SENT = CORRECTED.format(arguments='{"a": 20, "b": 22}')


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def corrects(**arguments: Any) -> Person:
    return Person(ApprovalResponse("once", arguments=arguments))


def result_of(script: Script, number: int, api_format: ApiFormat) -> str:
    """The result of the only call as a request has it."""
    body = script.requests[number].body
    match api_format:
        case ApiFormat.OPENAI:
            return next(m["content"] for m in body["messages"] if m["role"] == "tool")
        case ApiFormat.OPENAI_RESPONSES:
            outputs = (item for item in body["input"] if item["type"] == "function_call_output")
            return next(outputs)["output"]
        case ApiFormat.ANTHROPIC:
            (block,) = body["messages"][2]["content"]
            return "\n".join(part["text"] for part in block["content"])
        case ApiFormat.GEMINI:
            response = body["contents"][2]["parts"][0]["functionResponse"]["response"]
            return next(iter(response.values()))


@pytest.mark.parametrize("api_format", ApiFormat)
async def test_the_model_reads_what_was_sent_in_the_first_line_also_after_a_restart(
    api_format: ApiFormat, sessions: AgentSessions, loopback: Loopback
) -> None:
    script = Script([turn("", [ADD], thinking="Hm."), turn("42?"), turn("again")])
    loopback.play(script)
    async with service(api_format, loopback) as asked:
        session = await sessions.create(asked, "m", corrects(a=20, b=22), builtins=PLAIN)
        told = followed(session)
        await session.ask("go")
        answered = [event.answer for event in told if isinstance(event, CallAnswered)]
        assert answered[0].corrected == {"a": 20, "b": 22}
        assert results(session)[0].output == "42"
        reopened = await sessions.reopen(await closed(session), asked, Person())
        await reopened.ask("and now?")
    assert result_of(script, 1, api_format) == f"{SENT}\n42"
    assert_prefixes(script, api_format)


async def test_the_file_and_the_exports_have_what_was_sent(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    loopback.play(Script([turn("", [ADD]), turn("42?")]))
    async with service(ApiFormat.OPENAI, loopback) as asked:
        session = await sessions.create(asked, "m", corrects(a=20, b=22), builtins=PLAIN)
        await session.ask("go")
        loaded = await sessions.store.read(await closed(session))
    (message,) = [each for each in loaded.messages if isinstance(each, ToolMessage)]
    assert message.answers[0].corrected == {"a": 20, "b": 22}
    markdown = to_markdown(loaded)
    assert "The person changed the arguments. It was sent with:" in markdown
    assert '"a": 20' in markdown
    assert to_json(loaded)["messages"][2]["answers"][0]["corrected"] == {"a": 20, "b": 22}


async def test_what_was_not_changed_is_not_told_as_changed(
    sessions: AgentSessions, loopback: Loopback
) -> None:
    script = Script([turn("", [ADD]), turn("3")])
    loopback.play(script)
    async with service(ApiFormat.OPENAI, loopback) as asked:
        session = await sessions.create(asked, "m", corrects(a=1, b=2), builtins=PLAIN)
        await session.ask("go")
    assert result_of(script, 1, ApiFormat.OPENAI) == "3"


def test_an_error_comes_after_what_was_sent_and_large_arguments_are_cut() -> None:
    error = failed("ToolError", "No such file.", ErrorCode.TOOL_ERROR)
    parts = convert_answer(ToolAnswer("1", "t", error, {"path": "/b"}), "Error: ")
    assert [part.text for part in parts] == [
        CORRECTED.format(arguments='{"path": "/b"}'),
        "Error: No such file.",
    ]
    large = ToolAnswer("1", "t", ToolResult(success=True, output="x"), {"text": "y" * 100_000})
    assert len(convert_answer(large)[0].text) < MAX_CORRECTED + 200
