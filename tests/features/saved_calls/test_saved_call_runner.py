"""Saved calls on real servers: passed, failed, too slow, not there, skipped; values and secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import CallFile, list_entries
from desktop.features.saved_calls.saved_call_plan import plan_calls
from desktop.features.saved_calls.saved_call_runner import (
    SavedCallOutcome,
    SavedCallRun,
    SavedCallRunner,
)
from desktop.servers.service import McpService
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from tests.live_servers import ending, stdio, surroundings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.values.tool_types import ToolCall


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
        return (await self.run_all(CallFile(Path("a.json"), (call,)), timeout=limit))["n"]

    async def run_all(self, file: CallFile, **options: Any) -> dict[str, SavedCallOutcome]:
        """All calls of a file, by their names in the order they were made."""
        run = SavedCallRun(self.runner, plan_calls(list_entries(file)), "terminal", **options)
        return {each.entry.call.name: outcome async for each, outcome in run.outcomes()}


@pytest.fixture
async def bench() -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service:
        service.add_server(stdio("plain"))
        service.add_server(stdio("exits_at_start"))
        service.add_server(stdio("notes"))
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


ID = "${{ create.id }}"
CREATE: dict[str, Any] = {"name": "create", "tool": "notes:create", "arguments": {"text": "milk"}}


def notes(*calls: dict[str, Any], file: str = "notes.json") -> CallFile:
    return CallFile(Path(file), tuple(SavedCall.model_validate(call) for call in calls))


def using(tool: str, **fields: Any) -> dict[str, Any]:
    return {"name": tool, "tool": f"notes:{tool}", "arguments": {"id": ID}} | fields


async def test_what_one_call_creates_another_uses_and_a_third_deletes(bench: Bench) -> None:
    read = using("read", expect={"equals": {"text": "milk", "id": ID}})
    delete = using("delete", after=["read"], expect={"equals": {"left": 0}, "contains": "done"})
    outcomes = await bench.run_all(notes(delete, read, CREATE))
    assert [*outcomes] == ["create", "read", "delete"]
    assert {each.outcome for each in outcomes.values()} == {"passed"}
    made = outcomes["create"].result.structured["id"]
    assert [call.arguments.get("id") for call in bench.calls] == [None, made, made]


async def test_a_call_whose_source_failed_is_skipped_and_so_are_those_behind_it(
    bench: Bench,
) -> None:
    wrong = CREATE | {"expect": {"equals": {"number": 7}}}
    behind = {"name": "behind", "tool": "notes:read", "arguments": {"id": "${{ read.id }}"}}
    outcomes = await bench.run_all(
        notes(wrong, using("read"), behind, using("count", arguments={}))
    )
    assert [each.outcome for each in outcomes.values()] == [
        "failed",
        "skipped",
        "skipped",
        "passed",
    ]
    assert outcomes["read"].messages == ["it needs the result of 'create', which failed"]
    assert outcomes["behind"].messages == ["it needs the result of 'read', which was skipped"]
    assert outcomes["behind"].to_json()["result"] is None
    assert len(bench.calls) == 2


async def test_a_value_that_is_not_there_fails_before_anything_is_sent(bench: Bench) -> None:
    read = using("read", arguments={"id": "${{ create.ids[0] }}"})
    text = using("count", name="text", arguments={})
    of_text = using("read", name="of text", arguments={"id": "${{ text.id.more }}"})
    outcomes = await bench.run_all(notes(CREATE, read, text, of_text))
    assert "it has id, number, token, tags" in outcomes["read"].messages[0]
    assert (outcomes["read"].outcome, outcomes["read"].differences[0].kind) == (
        "failed",
        "variable",
    )
    assert "there is no such value in the result of 'text'" in outcomes["of text"].messages[0]
    assert len(bench.calls) == 2


async def test_a_secret_that_one_call_brings_is_printed_of_none(bench: Bench) -> None:
    sign_in = {
        "name": "sign in",
        "tool": "notes:sign_in",
        "arguments": {"token": "${{ create.token }}"},
        "expect": {"contains": "something else"},
    }
    outcomes = await bench.run_all(notes(CREATE, sign_in))
    assert str(bench.calls[1].arguments["token"]).startswith("tok_note-")
    shown = json.dumps([each.to_json() for each in outcomes.values()], ensure_ascii=False)
    assert "tok_" not in shown
    assert "signed in with ‹redacted›" in outcomes["sign in"].messages[0]


async def test_a_result_of_ten_megabytes_gives_a_value_but_cannot_be_multiplied(
    bench: Bench,
) -> None:
    big = {"name": "big", "tool": "notes:dump", "arguments": {"thousands": 10_000}}
    small = {"name": "small", "tool": "notes:dump", "arguments": {"id": "${{ big.id }}"}}
    twice = {"name": "twice", "tool": "notes:dump", "arguments": {"id": "${{ big }} ${{ big }}"}}
    outcomes = await bench.run_all(notes(big, small, twice))
    assert outcomes["small"].outcome == "passed"
    assert bench.calls[1].arguments == {"id": "big"}
    assert outcomes["twice"].messages == ["${{ big }} makes the arguments too large"]


async def test_another_server_can_be_called_in_place_of_the_one_that_is_named(bench: Bench) -> None:
    call = {"name": "n", "tool": "elsewhere:create", "arguments": {"text": "x"}}
    outcomes = await bench.run_all(notes(call), servers={"elsewhere": "notes"})
    assert outcomes["n"].outcome == "passed"
    assert bench.calls[0].key == "notes:create"


async def test_a_snapshot_is_only_written_where_that_was_asked_for(
    bench: Bench, tmp_path: Path
) -> None:
    shot = CREATE | {"expect": {"snapshot": {"ignore": ["id", "number"]}}}
    file = notes(shot, file=str(tmp_path / "notes.json"))
    stored = tmp_path / "notes.snapshots" / "create.json"
    outcome = (await bench.run_all(file))["create"]
    assert (outcome.outcome, stored.exists()) == ("failed", False)
    assert "--update-snapshots" in outcome.messages[0]
    outcome = (await bench.run_all(file, writes_snapshots=True))["create"]
    assert (outcome.outcome, outcome.is_written) == ("passed", True)
    assert "tok_" not in stored.read_text("utf-8")
    assert (await bench.run_all(file))["create"].outcome == "passed"


async def test_a_result_that_is_wrong_otherwise_does_not_become_the_snapshot(
    bench: Bench, tmp_path: Path
) -> None:
    shot = CREATE | {"expect": {"snapshot": True, "equals": {"number": 70}}}
    file = notes(shot, file=str(tmp_path / "notes.json"))
    outcome = (await bench.run_all(file, writes_snapshots=True))["create"]
    assert outcome.outcome == "failed"
    assert not (tmp_path / "notes.snapshots").exists()
