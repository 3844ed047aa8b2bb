"""The saved calls of a folder, with somebody else at the files.

The report that build servers read: the structure they expect, whatever a server said.

Saved calls on a real server: passed, failed, too slow, not there.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from desktop.history.expectations import Mismatch
from desktop.history.saved_call import SavedCall
from desktop.history.saved_call_files import CallFileError
from desktop.history.saved_calls import SavedCallOutcome, SavedCallRunner, SavedCalls, to_junit
from desktop.servers.service import McpService
from desktop.tool_types import ErrorCode, ToolError, ToolResult
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from tests.history.calls import store_at
from tests.live_servers import ending, stdio, surroundings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.tool_types import ToolCall
    from tests.conftest import ExpectedLogs

NUMBERS = {"tests", "failures", "errors"}


def verdict(name: str, *messages: str, code: ErrorCode | None = None) -> SavedCallOutcome:
    error = ToolError("E", "e", code) if code is not None else None
    result = ToolResult(error is None, error=error, execution_time=0.25)
    found = tuple(Mismatch("equals", message) for message in messages)
    return SavedCallOutcome(SavedCall(name=name, tool="s:t"), result, found)


def check_structure(root: ElementTree.Element) -> None:
    """As in `junit-10.xsd`: who may be in whom, which attributes there have to be."""
    assert root.tag == "testsuites"
    for suite in root:
        assert suite.tag == "testsuite"
        assert suite.attrib.keys() >= {"name", "time", *NUMBERS}
        cases = suite.findall("testcase")
        assert len(cases) == len(suite) == int(suite.attrib["tests"])
        for kind in ("failure", "error"):
            count = sum(case.find(kind) is not None for case in cases)
            assert count == int(suite.attrib[f"{kind}s"])
        for case in cases:
            assert case.attrib.keys() == {"name", "classname", "time"}
            assert float(case.attrib["time"]) >= 0
            assert {child.tag for child in case} <= {"failure", "error"}
    for number in NUMBERS:
        assert int(root.attrib[number]) == sum(int(suite.attrib[number]) for suite in root)


def test_each_file_is_a_suite_with_its_counts() -> None:
    verdicts = [
        verdict("well"),
        verdict("wrong", "n: expected 1, got 2", "and more"),
        verdict("away", "no server", code=ErrorCode.UNREACHABLE),
        verdict("late", "too slow", code=ErrorCode.TIMEOUT),
    ]
    root = ElementTree.fromstring(to_junit([("a.json", verdicts), ("b.json", [])]))
    check_structure(root)
    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["errors"]) == ("4", "1", "2")
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.attrib["message"] == "n: expected 1, got 2"
    assert failure.text == "n: expected 1, got 2\nand more"


@pytest.mark.parametrize("text", ["\x1b[31m red", "\0", "\ud800 half", "\ufffe", "</failure>&\"'<"])
def test_whatever_a_server_said_the_report_can_be_read(text: str) -> None:
    report = to_junit([(text, [verdict("named", text)])])
    report.encode()
    root = ElementTree.fromstring(report)
    check_structure(root)
    if text.startswith("\x1b"):
        assert "\\u001b[31m red" in report


class Bench:
    """A runner over one real server, and the calls it made."""

    def __init__(self, service: McpService) -> None:
        registry = ToolRegistry()
        executor = ToolExecutor(registry)
        self.loader = ToolsLoader(service, registry)
        self.runner = SavedCallRunner(service, executor)
        self.calls: list[ToolCall] = []
        executor.started.connect(self.calls.append)

    async def run(self, tool: str, limit: float | None = None, **fields: Any) -> SavedCallOutcome:
        call = SavedCall.model_validate({"name": "n", "tool": tool, **fields})
        return await self.runner.run(call, "terminal", limit)


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        service.add_server(stdio("exits_at_start"))
        await service.connect_all()
        yield Bench(service)


async def test_a_call_passes_or_fails_by_its_expectations(bench: Bench) -> None:
    arguments = {"a": 1, "b": 2}
    passed = await bench.run("plain:add", arguments=arguments, expect={"contains": "3"})
    failed = await bench.run("plain:add", arguments=arguments, expect={"contains": "4"})
    assert (passed.outcome, failed.outcome) == ("passed", "failed")
    assert failed.to_json()["differences"][0]["expected"] == "4"
    assert {call.origin for call in bench.calls} == {"terminal"}


async def test_the_limit_of_a_call_is_its_own_or_that_of_the_run(bench: Bench) -> None:
    slow = {"seconds": 20}
    assert (await bench.run("plain:slow", 0.2, arguments=slow)).outcome == "timeout"
    own = await bench.run("plain:slow", 90, arguments=slow, timeout=0.2)
    assert own.outcome == "timeout"
    expected = await bench.run("plain:slow", 0.2, arguments=slow, expect={"error": "timeout"})
    assert expected.outcome == "passed"


@pytest.mark.parametrize("server", ["exits_at_start", "nowhere"])
async def test_a_server_that_is_away_is_told_from_a_tool_that_is(bench: Bench, server: str) -> None:
    verdict = await bench.run(f"{server}:add")
    assert verdict.outcome == "unreachable"
    assert server in verdict.differences[0].message
    assert bench.calls == []
    assert (await bench.run("plain:nothing")).outcome == "failed"
    expected = await bench.run(f"{server}:add", expect={"error": "server_unreachable"})
    assert expected.outcome == "passed"


ONE, TWO = SavedCall(name="one", tool="s:t"), SavedCall(name="two", tool="s:t")


def names(calls: SavedCalls) -> list[str]:
    return [entry.call.name for entry in calls.entries]


async def test_calls_are_added_changed_and_removed_as_files(tmp_path: Path) -> None:
    calls = SavedCalls(tmp_path / "calls")
    told: list[int] = []
    calls.changed.connect(lambda: told.append(1))
    await calls.load()
    assert names(calls) == []
    await calls.add(TWO)
    path = await calls.add(ONE)
    assert (names(calls), path.name) == (["one", "two"], "one.json")
    await calls.replace(calls.entries[0], SavedCall(name="first", tool="s:t"))
    assert names(calls) == ["first", "two"]
    await calls.tell(calls.entries[0], SavedCallOutcome(ONE, ToolResult(True), ()))
    assert calls.entries[0].place in calls.verdicts
    await calls.remove(calls.entries[0])
    assert names(calls) == ["two"]
    assert calls.verdicts == {}
    assert len(told) == 6


async def test_a_file_that_is_wrong_leaves_the_others(tmp_path: Path) -> None:
    calls = SavedCalls(tmp_path)
    await calls.add(ONE)
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    await calls.load()
    assert names(calls) == ["one"]
    assert "broken.json" in calls.problems[0]


async def test_what_somebody_else_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    calls = SavedCalls(tmp_path)
    path = await calls.add(ONE)
    path.write_text(json.dumps([TWO.to_json(), ONE.to_json()]), encoding="utf-8")
    await calls.replace(calls.entries[0], SavedCall(name="first", tool="s:t"))
    assert names(calls) == ["two", "first"]
    path.write_text(json.dumps(TWO.to_json()), encoding="utf-8")
    with pytest.raises(CallFileError, match="changed meanwhile"):
        await calls.remove(calls.entries[1])
    assert json.loads(path.read_text(encoding="utf-8"))["name"] == "two"


async def test_another_folder_can_be_used(tmp_path: Path) -> None:
    calls = SavedCalls(tmp_path / "a")
    await calls.add(ONE)
    await calls.use(tmp_path / "b")
    assert names(calls) == []
    await calls.use(tmp_path / "a")
    assert names(calls) == ["one"]


async def test_how_a_call_went_last_is_known_after_a_restart(tmp_path: Path) -> None:
    async with store_at(tmp_path / "history.db") as store:
        before = SavedCalls(tmp_path / "calls", store)
        await before.add(ONE)
        await before.add(TWO)
        result = ToolResult(True, execution_time=0.5)
        await before.tell(before.entries[0], SavedCallOutcome(ONE, result, ()))
    async with store_at(tmp_path / "history.db") as store:
        after = SavedCalls(tmp_path / "calls", store)
        await after.load()
    one, two = after.entries

    assert after.last[one.place] == before.last[one.place]
    assert (after.last[one.place].outcome, after.last[one.place].seconds) == ("passed", 0.5)
    assert two.place not in after.last
    assert after.verdicts == {}


async def test_a_history_that_cannot_be_used_costs_only_what_was_known_before(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("is not known")
    expected_logs.expect("is not kept")
    async with store_at(tmp_path / "history.db") as store:
        pass  # closed at once
    calls = SavedCalls(tmp_path / "calls", store)
    await calls.add(ONE)

    await calls.tell(calls.entries[0], SavedCallOutcome(ONE, ToolResult(True), ()))

    assert calls.last[calls.entries[0].place].outcome == "passed"
