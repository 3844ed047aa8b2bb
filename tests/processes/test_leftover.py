"""A ledger that is torn, edited or no ledger at all is read for what is surely in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.processes.identity import Identity, Place
from desktop.processes.leftover import app_of, read

if TYPE_CHECKING:
    from pathlib import Path

MARKER = "0123456789abcdef0123456789abcdef"
PLACE = {"place": {"host": "h", "boot": "b", "namespace": "n"}}


def added(**changes: Any) -> dict[str, Any]:
    entry = {"process": {"pid": 70, "start": "1"}, "owner": "one", "marker": MARKER, "group": 70}
    return {"added": {**entry, **changes}}


def written(path: Path, *lines: object) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def test_what_ended_is_not_among_what_is_left(tmp_path: Path) -> None:
    other = added(marker="f" * 32, owner="two")
    left = read(written(tmp_path / "f", PLACE, added(), other, {"removed": MARKER}))
    assert left.place == Place("h", "b", "n")
    assert [entry.owner for entry in left.entries] == ["two"]


def test_a_torn_last_line_costs_that_line(tmp_path: Path) -> None:
    left = read(written(tmp_path / "f", PLACE, added(), '{"added": {"process": {"pid": 7'))
    assert [entry.process for entry in left.entries] == [Identity(70, "1")]


@pytest.mark.parametrize(
    "line",
    [
        added(process={"pid": 1, "start": "1"}, group=1),
        added(process={"pid": -1, "start": "1"}, group=-1),
        added(process={"pid": "70", "start": "1"}),
        added(process={"pid": True, "start": "1"}),
        added(process={"pid": 70, "start": 1}),
        added(group=1),
        added(group=0.5),
        added(marker=""),
        added(marker="short"),
        added(owner=None),
        {"added": []},
        [],
        7,
        "[" * 100_000,
        "not json",
        "",
    ],
)
def test_a_line_that_makes_no_sense_is_left_out(tmp_path: Path, line: object) -> None:
    assert read(written(tmp_path / "f", PLACE, line)).entries == ()


@pytest.mark.parametrize("place", ["{", {"place": 1}, {"place": {"host": "h"}}])
def test_a_ledger_without_a_place_has_none(tmp_path: Path, place: object) -> None:
    assert read(written(tmp_path / "f", place, added())).place is None


def test_an_endless_name_is_cut(tmp_path: Path) -> None:
    (entry,) = read(written(tmp_path / "f", PLACE, added(owner="x" * 10_000))).entries
    assert len(entry.owner) == 100


@pytest.mark.parametrize(
    ("name", "app"),
    [
        ("12-345.jsonl", Identity(12, "345")),
        ("12-345.6.jsonl", Identity(12, "345.6")),
        ("12-345.new", Identity(12, "345")),
        ("12-345.txt", None),
        ("12.jsonl", None),
        ("x-1.jsonl", None),
        (".jsonl", None),
        ("99999999999999-1.jsonl", None),
    ],
)
def test_a_file_name_tells_whose_ledger_it_is(
    tmp_path: Path, name: str, app: Identity | None
) -> None:
    assert app_of(tmp_path / name) == app
