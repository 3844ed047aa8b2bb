"""The profiles of clients: each cell says where it is from, and anyone can mend a file."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import UsageError
from desktop.features.client_profiles.profiles import (
    CELLS,
    FOLDER,
    FRESH_DAYS,
    Cell,
    all_profiles,
    find_profile,
    make_schema,
    read_profile,
)
from desktop.tools.validation import find_misfits

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = sorted(FOLDER.glob("*.json"))
SCHEMA = FOLDER.parent / "profile.schema.json"


def document(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text("utf-8"))


def cells(profile: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from ((name, profile[name]) for name in CELLS)
    yield from (("schema_rules", rule) for rule in profile["schema_rules"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_cell_has_a_source_and_a_date_or_is_unknown(file: Path) -> None:
    profile = document(file)
    assert find_misfits(document(SCHEMA), profile) == []
    assert profile["id"] == file.stem
    for name, cell in cells(profile):
        if cell == "unknown":
            continue
        assert cell["source"].startswith("https://"), name
        assert date.fromisoformat(cell["date"]) <= date(2027, 12, 31), name
        assert cell["seen"] in {"read", "secondhand"}, name


def test_the_schema_for_editors_is_that_of_the_reader() -> None:
    assert document(SCHEMA) == make_schema()


def test_all_clients_are_read_and_no_two_have_one_name() -> None:
    profiles = all_profiles()
    assert len(profiles) == len(FILES) >= 31
    assert len({profile.label for profile in profiles}) == len(profiles)


@pytest.mark.parametrize(("days", "is_old"), [(FRESH_DAYS, False), (FRESH_DAYS + 1, True)])
def test_what_is_older_than_half_a_year_is_old(days: int, is_old: bool) -> None:
    today = date(2026, 11, 27)
    cell = Cell[int](value=1, source="https://a.b", date=today - timedelta(days), seen="read")
    assert (cell.age(today) > FRESH_DAYS) is is_old


def test_a_client_is_found_by_its_name_and_a_slip_is_answered_with_those_near() -> None:
    assert find_profile("Claude-Code").label == "Claude Code"
    with pytest.raises(UsageError) as raised:
        find_profile("cursr")
    assert "cursor" in (raised.value.remedy or "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"max_tools": {"value": {"max": 1, "per": "server", "over": "refused"}}}, "source"),
        ({"max_tools": "many"}, "max_tools"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_cell_without_a_source_is_refused_by_its_name(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(document(FILES[0]) | change), "utf-8")
    with pytest.raises(UsageError, match=said):
        read_profile(file)


@pytest.mark.parametrize(
    ("text", "said"), [("{", "no JSON"), ("[]", "no profile"), (" " * 300_000, "larger")]
)
def test_a_file_that_is_no_profile_is_said_to_be_none(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.json"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=said):
        find_profile(str(file))
    with pytest.raises(UsageError, match="cannot be read"):
        find_profile(str(tmp_path / "none.json"))
