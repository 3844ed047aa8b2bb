"""Decisions survive, are shared between processes, and a broken file allows nothing."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError
from desktop.tools.approvals import Approvals, comparable_copy, fingerprint
from tests.cli.terminal import ROOT
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs


WRITER = """
import asyncio, pathlib, sys
from desktop.tools.approvals import Approvals
from tests.tools.definitions import tool

async def main():
    approvals = Approvals(pathlib.Path(sys.argv[1]))
    for n in range(10):
        await approvals.decide(tool(f"{sys.argv[2]}{n}"), "always")

asyncio.run(main())
"""
BROKEN = ["{", "[]", "\xff", '{"tools": 3}', '{"tools": {"files:read": 1}}']


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


def written(path: Path) -> bytes:
    return path.read_bytes()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "approvals.json"


async def test_a_decision_is_there_for_the_next_run_with_the_tool_it_was_made_for(
    path: Path,
) -> None:
    approvals = Approvals(path)
    assert approvals.problem == ""
    assert approvals.of("files:read") is None
    told: list[None] = []
    approvals.changed.connect(lambda: told.append(None))
    await approvals.decide(tool(), "always")
    later = Approvals(path).of("files:read")
    assert later is not None
    assert (later.rule, later.hash) == ("always", fingerprint(tool()))
    assert later.definition is not None
    assert later.definition["description"] == "Reads a file."
    assert len(told) == 1
    assert mode(path) == 0o600


async def test_what_is_written_is_the_format_that_every_version_reads(path: Path) -> None:
    approvals = Approvals(path)
    await approvals.decide(tool(), "always")
    await approvals.allow_read_only(True)
    content = json.loads(written(path))
    assert len(content.pop("check")) == 8
    assert content == {
        "version": 1,
        "tools": {
            "files:read": {
                "rule": "always",
                "hash": fingerprint(tool()),
                "definition": comparable_copy(tool()),
            }
        },
        "readOnly": "allow",
    }
    await approvals.allow_read_only(False)
    assert json.loads(written(path))["readOnly"] == "ask"


async def test_every_change_is_reported(path: Path) -> None:
    approvals = Approvals(path)
    changes: list[str] = []
    approvals.changed.connect(lambda: changes.append(str(approvals.all())))
    await approvals.set_rule("files:read", "ask")
    await approvals.allow_read_only(True)
    await approvals.forget("files:read")
    await approvals.forget_all()
    assert len(changes) == 4


async def test_a_decision_can_be_changed_and_taken_back(path: Path) -> None:
    approvals = Approvals(path)
    await approvals.decide(tool(), "always")
    await approvals.decide(tool(), "never")
    assert [approval.rule for approval in approvals.all().values()] == ["never"]
    await approvals.forget("files:read")
    await approvals.forget("files:read")
    assert approvals.all() == {}


async def test_read_only_tools_are_allowed_only_where_a_person_says_so(path: Path) -> None:
    approvals = Approvals(path)
    assert not approvals.allows_read_only
    await approvals.allow_read_only(True)
    assert Approvals(path).allows_read_only
    await approvals.allow_read_only(False)
    assert not approvals.allows_read_only


async def test_what_another_process_decides_counts_here_and_nothing_is_lost(path: Path) -> None:
    approvals = Approvals(path)
    await approvals.decide(tool("mine"), "never")
    writers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, path, name, cwd=ROOT)
        for name in ("a", "b")
    ]
    for n in range(10):
        await approvals.decide(tool(f"c{n}"), "always")
    assert [await writer.wait() for writer in writers] == [0, 0]
    expected = {f"files:{name}{n}" for name in "abc" for n in range(10)} | {"files:mine"}
    assert set(approvals.all()) == expected


@pytest.mark.parametrize("text", BROKEN)
async def test_a_broken_file_counts_as_no_decision_and_is_kept_aside(
    path: Path, text: str, expected_logs: ExpectedLogs
) -> None:
    if "read" not in text:
        expected_logs.expect(r"approvals\.json is damaged")
    write(path, text.encode("latin-1"))
    approvals = Approvals(path)
    assert approvals.of("files:read") is None
    is_broken = "read" not in text
    assert bool(approvals.problem) is is_broken
    await approvals.decide(tool(), "always")
    assert approvals.of("files:read") is not None
    assert approvals.problem == ""
    if is_broken:
        (kept,) = path.parent.glob("approvals.json.damaged-*")
        assert written(kept) == text.encode("latin-1")


async def test_a_rule_that_is_none_and_keys_of_a_later_version_are_left_alone(path: Path) -> None:
    rules = {"files:odd": 5, "files:read": {"rule": "sometimes"}, "files:write": {"rule": "never"}}
    later = {"version": 1, "tools": rules, "later": {"a": 1}}
    write(path, json.dumps(later).encode())
    approvals = Approvals(path)
    assert list(approvals.all()) == ["files:write"]
    await approvals.decide(tool("other"), "always")
    kept = json.loads(written(path))
    assert kept["later"] == {"a": 1}
    assert kept["tools"]["files:read"] == {"rule": "sometimes"}


async def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", "utf-8")
    approvals = Approvals(tmp_path / "data" / "approvals.json")
    with pytest.raises(ConfigError, match=r"approvals\.json cannot be written"):
        await approvals.decide(tool(), "always")


async def test_a_changed_rule_stays_bound_to_the_tool_it_was_made_for(path: Path) -> None:
    approvals = Approvals(path)
    await approvals.decide(tool(), "never")
    await approvals.set_rule("files:read", "always")
    decided = Approvals(path).of("files:read")
    assert decided is not None
    assert (decided.rule, decided.hash) == ("always", fingerprint(tool()))


async def test_a_rule_for_a_tool_that_was_forgotten_meanwhile_knows_no_definition(
    path: Path,
) -> None:
    approvals = Approvals(path)
    await approvals.set_rule("files:read", "never")
    decided = approvals.of("files:read")
    assert decided is not None
    assert (decided.rule, decided.hash) == ("never", "")


async def test_all_tools_can_be_forgotten_and_the_group_switch_stays(path: Path) -> None:
    approvals = Approvals(path)
    await approvals.allow_read_only(True)
    await approvals.decide(tool(), "always")
    await approvals.forget_all()
    assert approvals.all() == {}
    assert approvals.allows_read_only
