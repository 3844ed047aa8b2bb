"""Which snapshots are left over, and that nothing else is ever deleted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.features.saved_calls.leftover_snapshots import find_leftovers, remove_leftovers
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import CallFile, write_calls
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.features.saved_calls.snapshots import FORMAT, VERSION, snapshot_path

if TYPE_CHECKING:
    from pathlib import Path


def call(name: str, *, expects: bool = True) -> SavedCall:
    document: dict[str, object] = {"name": name, "tool": "a:b"}
    return SavedCall.model_validate(document | ({"expect": {"snapshot": True}} if expects else {}))


def keep(file: Path, name: str, version: int = VERSION) -> Path:
    """A snapshot of the call `name` of a file."""
    path = snapshot_path(file, name)
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps({FORMAT: version, "call": name, "result": {}}), "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Saved calls of which two expect a snapshot."""
    path = tmp_path / "calls" / "notes.json"
    calls = call("Read it!"), call("list"), call("no snapshot", expects=False)
    write_calls(CallFile(path, calls))
    return path


def test_a_snapshot_without_a_call_that_expects_it_is_left_over(file: Path) -> None:
    keep(file, "Read it!")
    keep(file, "list")
    gone, changed = keep(file, "deleted call"), keep(file, "no snapshot")
    orphan = keep(file.parent / "sub" / "deleted.json", "any")
    assert find_leftovers(file) == sorted([gone, changed])
    assert find_leftovers(file.parent) == sorted([gone, changed, orphan])


def test_only_what_was_seen_and_is_still_left_over_is_deleted(file: Path) -> None:
    used, gone, later = keep(file, "list"), keep(file, "gone"), keep(file, "came later")
    again = keep(file, "is back")
    seen = find_leftovers(file.parent)
    assert seen == sorted([gone, later, again])
    write_calls(CallFile(file, (call("list"), call("is back"))))
    removed = remove_leftovers(file.parent, {gone, again, used})
    assert removed == [gone]
    assert [path.exists() for path in (used, gone, later, again)] == [True, False, True, True]


def test_a_folder_with_nothing_left_goes_too(file: Path) -> None:
    gone = keep(file.with_name("old.json"), "any")
    assert remove_leftovers(file.parent, [gone]) == [gone]
    assert not gone.parent.exists()
    assert file.exists()


def test_what_may_be_somebody_elses_is_left_alone(file: Path, tmp_path: Path) -> None:
    folder = keep(file, "list").parent
    (folder / "mine.json").write_text('{"my": "data"}', "utf-8")
    (folder / "notes.txt").write_text("x", "utf-8")
    keep(file, "of a later version", VERSION + 1)
    target = tmp_path / "target.json"
    target.write_text(json.dumps({FORMAT: VERSION, "result": {}}), "utf-8")
    (folder / "link.json").symlink_to(target)
    outside = keep(tmp_path / "elsewhere" / "x.json", "any").parent
    (file.parent / "linked.snapshots").symlink_to(outside)
    hidden = keep(file.parent / ".git" / "x.json", "any")
    assert find_leftovers(file.parent) == []
    assert hidden.exists()


@pytest.mark.parametrize("text", ["{", '{"calls": [{"name": "x"}]}'])
def test_a_file_that_cannot_be_read_keeps_all_its_snapshots(file: Path, text: str) -> None:
    keep(file, "list")
    file.write_text(text, "utf-8")
    assert find_leftovers(file.parent) == []


def test_a_text_beside_the_calls_does_not_count(file: Path) -> None:
    gone = keep(file, "gone")
    file.with_name("notes.md").write_text("# Notes", "utf-8")
    assert find_leftovers(file.parent) == [gone]


def test_calls_in_a_file_of_another_suffix_use_their_snapshots(tmp_path: Path) -> None:
    path = tmp_path / "calls.txt"
    write_calls(CallFile(path, (call("list"),)))
    keep(path, "list")
    assert find_leftovers(path) == []
    assert find_leftovers(tmp_path) == []


async def test_the_saved_calls_of_a_folder_know_them(file: Path) -> None:
    gone = keep(file, "gone")
    calls = SavedCalls(file.parent)
    await calls.load()
    assert calls.leftovers == (gone,)
    await calls.remove_leftovers(calls.leftovers)
    assert (calls.leftovers, gone.exists()) == ((), False)
    assert len(calls.entries) == 3
