"""The same saved calls on two real servers, and on a recording: what differs and what does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.features.saved_calls.recorded_runner import NOT_RECORDED, RecordedRunner
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import CallFile, list_entries
from desktop.features.saved_calls.saved_call_plan import plan_calls
from desktop.features.saved_calls.saved_call_runner import SavedCallRun, SavedCallRunner
from desktop.features.saved_calls.side_by_side import find_differing, group_calls, run_side
from desktop.servers.recording import Recorder, read_recording
from tests.live_servers import stdio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from desktop.core import Core
    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.side_by_side import Side
    from desktop.history.records import SavedCallPlace

CREATE: dict[str, Any] = {"name": "create", "tool": "notes:create", "arguments": {"text": "milk"}}
READ: dict[str, Any] = {
    "name": "read",
    "tool": "notes:read",
    "arguments": {"id": "${{ create.id }}"},
}
REFUSED: dict[str, Any] = {"name": "refused", "tool": "notes:read", "arguments": {"id": "none"}}
NO_TOOL: dict[str, Any] = {
    "name": "no tool",
    "tool": "notes:nothing",
    "arguments": {},
    "validate": False,
}


def entries(*calls: dict[str, Any]) -> list[SavedEntry]:
    saved = tuple(SavedCall.model_validate(call) for call in calls)
    return list_entries(CallFile(Path("a.json"), saved))


def by_name(found: dict[SavedCallPlace, Any]) -> dict[str, Any]:
    return {name: value for (_, name), value in found.items()}


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    """`notes`, `twin` of the same version, and the `later` one."""
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.add_server(stdio("notes"))
    made.store.add_server(stdio("notes", name="twin"))
    made.store.add_server(stdio("notes", "--version", 2, name="later"))
    await made.settle()
    yield made
    await made.close()


async def side_of(core: Core, server: str, saved: list[SavedEntry]) -> Side:
    runner = SavedCallRunner(core.service, core.executor)
    return await run_side(
        SavedCallRun(runner, plan_calls(saved), "person", servers={"notes": server})
    )


async def test_only_what_a_server_answers_otherwise_differs(core: Core) -> None:
    saved = entries(CREATE, READ, REFUSED, NO_TOOL)
    first, twin, later = [await side_of(core, name, saved) for name in ("notes", "twin", "later")]
    assert find_differing(first, twin, only_passed=False) == {}
    found = by_name(find_differing(first, later, only_passed=False))
    assert list(found) == ["read"]
    lines = [(line.kind, line.text.strip()) for line in found["read"].lines]
    assert ("removed", '"text": "milk"') in lines
    assert ("added", '"text": "MILK"') in lines


async def test_what_failed_an_expectation_is_compared_only_where_that_is_wanted(core: Core) -> None:
    saved = entries(CREATE, READ | {"expect": {"equals": {"text": "milk"}}})
    first, later = [await side_of(core, name, saved) for name in ("notes", "later")]
    assert by_name(dict(later.outcomes))["read"].outcome == "failed"
    assert find_differing(first, later) == {}
    assert list(by_name(find_differing(first, later, only_passed=False))) == ["read"]


async def test_a_call_that_is_cut_off_at_its_server_is_not_compared(core: Core) -> None:
    saved = entries(CREATE)
    first, gone = await side_of(core, "notes", saved), await side_of(core, "nowhere", saved)
    assert by_name(dict(gone.outcomes))["create"].outcome == "unreachable"
    assert find_differing(first, gone, only_passed=False) == {}


async def test_a_recording_answers_as_its_server_did_with_its_own_ids(
    core: Core, tmp_path: Path
) -> None:
    saved = entries(CREATE, READ, REFUSED, NO_TOOL)
    path = tmp_path / "session.jsonl"
    recorder = Recorder(core.traffic, path, with_kept=True)
    live = await side_of(core, "notes", saved)
    recorder.close()
    servers = read_recording(path).servers

    async def recorded(*calls: dict[str, Any]) -> Side:
        return await run_side(
            SavedCallRun(RecordedRunner(servers), plan_calls(entries(*calls)), "person")
        )

    again = await recorded(CREATE, READ, REFUSED, NO_TOOL)
    outcomes = [each.outcome for each in again.outcomes.values()]
    assert outcomes == [each.outcome for each in live.outcomes.values()]
    assert find_differing(live, again, only_passed=False) == {}
    later = await side_of(core, "later", saved)
    assert list(by_name(find_differing(again, later, only_passed=False))) == ["read"]
    other = await recorded(CREATE | {"arguments": {"text": "eggs"}}, READ)
    missing, skipped = other.outcomes.values()
    assert missing.result.error is not None
    assert missing.result.error.type == NOT_RECORDED
    assert "create with these arguments" in missing.messages[0]
    assert skipped.outcome == "skipped"


def test_calls_are_grouped_by_the_server_that_they_name() -> None:
    other = CREATE | {"name": "theirs", "tool": "later:create"}
    saved = entries(CREATE, other, READ)
    assert group_calls(saved) == {"notes": [saved[0], saved[2]], "later": [saved[1]]}
