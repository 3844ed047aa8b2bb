"""Several object schemas of which one must fit, made one."""

from __future__ import annotations

from typing import Any

from desktop.llm.formats.alternatives import disjoin, in_words, one_of

CLOSED: Any = {"additionalProperties": False}
FILE: Any = {
    "properties": {"kind": {"const": "file"}, "path": {"type": "string"}},
    "required": ["kind", "path"],
}
URL: Any = {
    "properties": {"kind": {"const": "url"}, "url": {"type": "string"}},
    "required": ["kind", "url"],
}


def test_closed_branches_keep_their_types_and_their_end() -> None:
    assert disjoin([FILE | CLOSED, URL | CLOSED], ()) == {
        "properties": {
            "kind": {"enum": ["file", "url"]},
            "path": {"type": "string"},
            "url": {"type": "string"},
        },
        "required": ["kind"],
        "additionalProperties": False,
    }


def test_an_open_branch_takes_anything_under_a_name_it_does_not_know() -> None:
    out = disjoin([FILE, URL], ())
    assert out["properties"]["path"] == {"anyOf": [{"type": "string"}, {}]}
    assert "additionalProperties" not in out


def test_what_is_declared_beside_the_branches_is_left_to_that() -> None:
    assert "path" not in disjoin([FILE, URL], {"path"})["properties"]


def test_one_of_says_it_as_plainly_as_it_can() -> None:
    assert one_of([{"type": "null"}, {"type": "null"}]) == {"type": "null"}
    assert one_of(
        [
            {"type": "string", "const": "a"},
            {"type": "string", "enum": ["b", "a"], "description": "d"},
        ]
    ) == {
        "type": "string",
        "enum": ["a", "b"],
        "description": "d",
    }


def test_the_sets_are_said_in_words_where_there_is_something_to_choose() -> None:
    words = 'Give the parameters of one of these sets: (kind="file", path) or (kind="url", url).'
    assert in_words([FILE, URL]) == words
    assert in_words([FILE]) == in_words([FILE, {}]) == in_words([FILE, FILE]) == ""
    many = [{"required": [f"parameter_{i}"]} for i in range(20)]
    assert in_words(many).endswith("(parameter_11) or others.")
