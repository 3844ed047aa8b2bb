"""Requests become calls of one executor, and whatever happens becomes an answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.agent.answering import ToolCallBatch
from desktop.agent.events import CallAnswered, CallStarted
from desktop.agent.kept_results import LargeResultStore
from desktop.agent.secrets import SessionSecrets
from desktop.agent.session_tools import SessionTools
from desktop.llm.formats import ApiFormat
from desktop.llm.messages import ToolRequest
from desktop.tasks import spawn
from desktop.tool_types import ErrorCode, ToolResult
from desktop.tools.loader import DirectConnections
from tests.agent.test_session_tools import Yes
from tests.tools.one_tool import OneTool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from desktop.agent.events import AgentEvent
    from desktop.agent.sessions import SessionContext
    from desktop.tool_types import Approver, JsonObject, Progress
    from tests.conftest import ExpectedLogs


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
    connections = DirectConnections((), shared.surroundings)
    kept = LargeResultStore(folder, most=100, together=10_000)
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
    known, unknown = ToolRequest("1", "mcp__one__a", "{}"), ToolRequest("2", "nothing")
    work = await answering(tools, known, unknown, told=told)
    await work.run(8)
    answers = work.answers("")
    assert [one.call_id for one in answers] == ["1", "2"]
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
    work = await answering(tools, *(ToolRequest(name, name) for name in ("a", "one:a", "one__a")))
    await work.run(8)
    found = [one.result.error and one.result.error.code for one in work.answers("")]
    assert found == [ErrorCode.NOT_FOUND] * 3
    assert tool.calls == []
    await tools.close()


async def test_a_stop_while_a_large_result_is_kept_keeps_its_beginning(
    shared: SessionContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached = asyncio.Event()
    tools = tools_in(shared, tmp_path, Long("one", "a"))
    work = await answering(tools, ToolRequest("1", "mcp__one__a"))

    async def hang(result: ToolResult, cover: object) -> ToolResult:
        reached.set()
        await asyncio.Event().wait()
        return result

    monkeypatch.setattr(tools.kept, "fit", hang)
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
    monkeypatch.setattr(tools.kept, "fit", fault)
    work = await answering(tools, ToolRequest("1", "mcp__one__a"))
    await work.run(8)
    (answer,) = work.answers("")
    assert answer.result.error is not None
    assert answer.result.error.code == ErrorCode.INTERNAL
    await tools.close()
