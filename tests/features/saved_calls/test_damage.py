"""Damage of the files with saved calls, and of the results that were accepted."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from desktop.base.errors import DesktopError
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.features.saved_calls.snapshots import check_snapshot, snapshot_path
from desktop.features.saved_calls.snapshots import write_snapshot as accept_snapshot
from desktop.values.tool_types import Content, ToolResult
from tests.attacks.test_damage import SEEDS, Persons, damage, is_kept, unsaid_damages

if TYPE_CHECKING:
    from pathlib import Path


def _saved(path: Path) -> object:
    calls = SavedCalls(path.parent)
    asyncio.run(calls.load())
    if calls.problems:
        raise DesktopError(calls.problems[0])
    return [entry.call.to_json() for entry in calls.entries]


def _add_call(path: Path) -> None:
    async def add() -> None:
        calls = SavedCalls(path.parent)
        await calls.add(SavedCall(name="one", tool="a:b"))
        for entry in calls.entries:
            await calls.replace(entry, entry.call.model_copy(update={"arguments": {"new": 1}}))

    asyncio.run(add())


CALLS = {"calls": [{"name": f"call {n}", "tool": "a:b", "arguments": {"n": n}} for n in range(5)]}


def test_damage_of_saved_calls_is_said_and_the_file_is_left_as_it_is(tmp_path: Path) -> None:
    assert unsaid_damages(Persons("calls.json", CALLS, _saved, _add_call), tmp_path) == []


def test_damage_of_an_accepted_result_is_said_and_its_bytes_are_kept(tmp_path: Path) -> None:
    call = SavedCall.model_validate({"name": "one", "tool": "a:b", "expect": {"snapshot": True}})
    result = ToolResult(
        True, "line one\nline two", content=(Content("text", "line one\nline two"),)
    )
    silent: list[int] = []
    for seed in range(SEEDS):
        file = tmp_path / str(seed) / "calls.json"
        file.parent.mkdir()
        accept_snapshot(check_snapshot(file, call, result))
        content = damage(seed, snapshot_path(file, "one"))
        size = snapshot_path(file, "one").stat().st_size
        finding = check_snapshot(file, call, result)
        if finding.status in ("same", "differs"):  # a difference is shown, line by line
            continue
        with suppress(DesktopError):
            accept_snapshot(finding)
        if not (finding.words and is_kept(file.parent, content, size)):
            silent.append(seed)
    assert silent == []
