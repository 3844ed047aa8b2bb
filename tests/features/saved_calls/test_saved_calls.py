"""The saved calls of a folder, with somebody else at the files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import CallFileError, SavedEntry
from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.values.tool_types import ToolResult
from tests.history.calls import store_at

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs

ONE, TWO = SavedCall(name="one", tool="s:t"), SavedCall(name="two", tool="s:t")


def names(calls: SavedCalls) -> list[str]:
    return [entry.call.name for entry in calls.entries]


async def test_calls_are_added_changed_and_removed_as_files(tmp_path: Path) -> None:
    calls = SavedCalls(tmp_path / "calls")
    told: list[int] = []
    judged: list[SavedEntry] = []
    calls.changed.connect(lambda: told.append(1))
    calls.judged.connect(judged.append)
    await calls.load()
    assert names(calls) == []
    await calls.add(TWO)
    path = await calls.add(ONE)
    assert (names(calls), path.name) == (["one", "two"], "one.json")
    await calls.replace(calls.entries[0], SavedCall(name="first", tool="s:t"))
    assert names(calls) == ["first", "two"]
    await calls.tell(calls.entries[0], SavedCallOutcome(ONE, ToolResult(True), ()))
    assert calls.entries[0].place in calls.verdicts
    assert judged == [calls.entries[0]]
    await calls.remove(calls.entries[0])
    assert names(calls) == ["two"]
    assert calls.verdicts == {}
    assert len(told) == 5


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
