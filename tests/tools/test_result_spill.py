"""A large result is on disk before anybody has it; nobody who reads it sees a difference."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from desktop.gui.results.feed import TextPart, as_result, feed_of
from desktop.history.records import FinishedCall
from desktop.history.serialization import HistoryLimits
from desktop.history.store import HistoryStore, ReadRecorder
from desktop.redaction.redactor import MAX_TEXT_LENGTH, Redaction, redact_result
from desktop.servers.service import McpService
from desktop.tools import result_spill
from desktop.tools.call_log import CallLog
from desktop.tools.executor import ToolExecutor
from desktop.tools.registry import ToolRegistry
from desktop.tools.result_spill import ResultSpill
from desktop.values.resource_types import ReadResult
from desktop.values.spilled import SpilledText
from desktop.values.tool_types import (
    Content,
    ErrorCode,
    ToolCall,
    ToolDefinition,
    ToolError,
    ToolResult,
)
from tests.history.calls import record_of
from tests.live_servers import ending, stdio, surroundings
from tests.tools.one_tool import OneTool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs

LARGE = 100_000
TEXT = "ein Text\n" * 20_000


class Answering(OneTool):
    """Answers with one result."""

    def __init__(self, answer: ToolResult, schema: dict[str, Any] | None = None) -> None:
        super().__init__("a", "b")
        self.definition = ToolDefinition("a", "b", output_schema=schema)
        self._answer = answer

    async def execute(self, arguments: Any, **_: Any) -> ToolResult:
        return replace(self._answer)


def text_result(text: str = TEXT, structured: Any = None) -> ToolResult:
    content = (Content("text", text),)
    return ToolResult(success=True, output=text, content=content, structured=structured)


def finished(result: ToolResult) -> FinishedCall:
    return FinishedCall(ToolCall("a:b"), result, {})


def executor_of(answer: ToolResult, spill: ResultSpill | None, schema: Any = None) -> ToolExecutor:
    registry = ToolRegistry()
    registry.set_server("a", [Answering(answer, schema)])
    return ToolExecutor(registry, spill=spill)


def on_disk(result: ToolResult) -> bool:
    return not isinstance(result.readable_output, str)


async def everything_let_go() -> None:
    """The thread that made a result has it until it has had its turn."""
    await asyncio.get_running_loop().shutdown_default_executor()
    gc.collect()


@pytest.fixture
def spill(tmp_path: Path) -> ResultSpill:
    return ResultSpill(tmp_path, large=LARGE)


async def test_a_large_result_is_on_disk_and_equals_what_came(spill: ResultSpill) -> None:
    given = replace(
        text_result(structured={"rows": [{"id": n} for n in range(9_000)]}),
        content=(Content("text", TEXT), Content("image", data=b"1" * 70_000, mime="image/png")),
    )
    result = await executor_of(given, spill).run(ToolCall("a:b"))
    assert on_disk(result)
    assert result.spilled is not None
    assert not isinstance(result.content[1].readable_data, bytes)
    assert (result.output, result.content) == (given.output, given.content)
    assert result.structured == given.structured
    assert result.to_json()["data"] == given.to_json()["data"]
    assert result.execution_time > 0
    assert spill.on_disk > len(TEXT)  # once, though it is the output and a block
    assert spill.on_disk < 2 * len(TEXT) + 70_000


async def test_a_small_result_stays_in_memory(spill: ResultSpill) -> None:
    result = await executor_of(text_result("x" * LARGE), spill).run(ToolCall("a:b"))
    assert (on_disk(result), spill.on_disk) == (False, 0)


async def test_room_is_free_once_nobody_has_the_result(spill: ResultSpill) -> None:
    results = [await spill.spill(text_result())]
    assert spill.on_disk == len(TEXT)
    results.clear()
    await everything_let_go()
    assert spill.on_disk == 0


@pytest.mark.parametrize("reason", ["limit", "disk", "folder"])
async def test_without_room_it_stays_in_memory(
    tmp_path: Path,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("a large result stays in memory")
    if reason == "disk":
        monkeypatch.setattr(result_spill, "LEFT_FREE", 2**62)
    folder = tmp_path / "gone" if reason == "folder" else tmp_path
    most = 10_000 if reason == "limit" else 2**40
    spill = ResultSpill(folder, large=LARGE, max_on_disk=most)
    result = await executor_of(text_result(), spill).run(ToolCall("a:b"))
    assert (on_disk(result), result.output, spill.on_disk) == (False, TEXT, 0)


async def test_the_output_is_checked_before_it_goes_to_disk(spill: ResultSpill) -> None:
    given = text_result(structured={"result": TEXT})
    schema = {"type": "object", "properties": {"result": {"type": "integer"}}}
    result = await executor_of(given, spill, schema).run(ToolCall("a:b"))
    assert result.output_issues is not None
    assert [issue.code for issue in result.output_issues] == ["type"]
    assert result.spilled is not None
    assert result.spilled.is_said  # the text says the same


async def test_of_a_long_error_the_message_is_its_beginning(spill: ResultSpill) -> None:
    given = replace(
        text_result(), success=False, error=ToolError("ToolError", TEXT, ErrorCode.TOOL_ERROR)
    )
    result = await executor_of(given, spill).run(ToolCall("a:b"))
    assert result.error is not None
    assert result.error.message == TEXT[:100_000] + "…"
    assert result.output == TEXT


async def test_the_log_drops_the_oldest_of_those_on_disk(spill: ResultSpill) -> None:
    executor = executor_of(text_result(), spill)
    calls = CallLog(executor, kept_bytes=1_000, kept_on_disk=5 * len(TEXT))
    for _ in range(4):
        await executor.run(ToolCall("a:b"))
    # The output and its block count as two.
    assert [call.dropped for call in calls.calls.values()] == [True, True, False, False]
    await everything_let_go()
    assert spill.on_disk == 2 * len(TEXT)
    calls.clear()
    await everything_let_go()
    assert spill.on_disk == 0


async def test_the_log_keeps_many_small_ones_beside_a_large_one(spill: ResultSpill) -> None:
    executor = executor_of(text_result(), spill)
    small = executor_of(text_result("x" * 400), None)
    calls = CallLog(executor, kept_bytes=1_000)
    calls.follow(small)
    await small.run(ToolCall("a:b"))
    await executor.run(ToolCall("a:b"))
    assert [call.dropped for call in calls.calls.values()] == [False, False]


async def test_the_history_keeps_its_beginning_and_its_size(spill: ResultSpill) -> None:
    given = text_result(structured={"result": TEXT})
    limits = HistoryLimits(text=1_000)
    both = given, await spill.spill(given)
    one, two = (record_of(finished(each), 7, limits) for each in both)
    assert one.result.output == two.result.output
    assert one.cut["output"] == two.cut["output"] == len(TEXT)
    assert two.cut["structured"] > len(TEXT)


async def test_without_secrets_only_the_beginning_is_read(spill: ResultSpill) -> None:
    given = text_result(TEXT * 3)
    shown = redact_result(await spill.spill(given), Redaction(["ein"]))
    assert shown == redact_result(given, Redaction(["ein"]))
    assert len(shown.output) < MAX_TEXT_LENGTH * 2


class Noted(HistoryStore):
    """Keeps what is handed to it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.calls: list[FinishedCall] = []

    def add(self, finished: FinishedCall) -> None:
        self.calls.append(finished)


async def test_a_large_resource_of_a_server_is_on_disk_shown_and_recorded_from_there(
    spill: ResultSpill, tmp_path: Path
) -> None:
    size = LARGE + 100_000
    history = Noted(tmp_path / "history")
    async with ending(McpService(surroundings(spill=spill.spill_content))) as service:
        recorder = ReadRecorder(service, history, lambda _: Redaction())
        server = service.add_server(stdio("offers"))
        await server.connect()
        read = await server.resources.read(f"test://big/{size}")
        small = await server.resources.read("test://rich")
        recorder.close()
    (block,) = read.contents
    assert isinstance(block.readable_text, SpilledText)
    assert isinstance(small.contents[0].readable_text, str)
    shown = as_result(read)
    assert isinstance(shown.readable_output, SpilledText)
    assert shown.content[0].readable_text is block.readable_text
    assert spill.on_disk == size
    assert block.text == "x" * size
    recorded = history.calls[0].result
    assert recorded.output.startswith(f"[Resource: test://big/{size}]\nxxx")
    assert len(recorded.output) < LARGE // 2
    assert recorded.content[0].readable_text is block.readable_text


async def test_of_several_large_texts_of_a_resource_each_is_shown_whole(spill: ResultSpill) -> None:
    texts = ("a" * LARGE, "b" * LARGE)
    contents = tuple(Content("resource", text=text, uri="a://b") for text in texts)
    shown = as_result(ReadResult(await spill.spill_content(contents)))
    (part,) = feed_of(shown)
    assert isinstance(part, TextPart)
    assert part.whole[:] == "\n".join(texts)
