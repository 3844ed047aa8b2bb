"""A stranger's list is read as far as it can be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop.features.catalogue.entry import MAX_ENTRIES, read_page
from tests.features.catalogue.registry_stub import RECORDED


def page_of(*servers: object, **metadata: object) -> bytes:
    return json.dumps({"servers": servers, "metadata": metadata}).encode()


GOOD = {"server": {"name": "com.example/good", "version": "1"}}


def test_the_recorded_answer_is_read_whole() -> None:
    page = read_page(RECORDED.read_bytes())
    assert page.skipped == 0
    assert [entry.label for entry in page.entries] == [
        *("Filesystem", "Time", "Weather of Example", "editor", "minimal")
    ]
    editor = page.entries[3]
    assert (editor.status, editor.status_message) == ("deprecated", "Use io.github.someone/writer")
    assert page.entries[0].published == "2025-09-18"


@pytest.mark.parametrize(
    "odd",
    [
        7,
        None,
        [],
        {},
        {"server": "x"},
        {"server": {"name": "no namespace", "version": "1"}},
        {"server": {"name": "com.example/x\u202e", "version": "1"}},
        {"server": {"name": "com.example/" + "x" * 500, "version": "1"}},
        {"server": {"name": "com.example/x"}},
        {"server": {"name": "com.example/x", "version": {"a": 1}}},
    ],
)
def test_an_odd_entry_costs_that_entry_alone(odd: object) -> None:
    page = read_page(page_of(odd, GOOD))
    assert [entry.name for entry in page.entries] == ["com.example/good"]
    assert page.skipped == 1


def test_wrong_types_inside_an_entry_cost_what_they_stand_for() -> None:
    server: dict[str, Any] = {
        "name": "com.example/x",
        "version": "1",
        "title": 5,
        "description": ["a"],
        "icons": {"src": 1},
        "repository": "x",
        "packages": {"a": 1},
        "remotes": [3, None],
    }
    (entry,) = read_page(page_of({"server": server, "_meta": [1]})).entries
    assert (entry.label, entry.description, entry.icons, entry.ways) == ("x", "", (), ())
    assert (entry.status, entry.repository) == ("active", "")


def test_a_registry_that_does_not_wrap_its_servers_is_read_too() -> None:
    (entry,) = read_page(page_of({"name": "com.example/x", "version": "1"})).entries
    assert entry.name == "com.example/x"


def test_long_texts_and_long_lists_are_cut() -> None:
    many = [{"server": {"name": f"com.example/{n}", "version": "1"}} for n in range(500)]
    page = read_page(page_of(*many))
    assert (len(page.entries), page.skipped) == (MAX_ENTRIES, 400)
    long = {"server": {"name": "com.example/x", "version": "1", "title": "a\n" * 10_000}}
    assert len(read_page(page_of(long)).entries[0].title) <= 200


@pytest.mark.parametrize("cursor", [None, 5, {"a": 1}, "x" * 5_000])
def test_a_cursor_that_cannot_be_used_ends_the_pages(cursor: object) -> None:
    assert read_page(page_of(GOOD, nextCursor=cursor)).cursor == ""
