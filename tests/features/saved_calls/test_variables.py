"""Placeholders in saved calls: read, filled with their types, escaped, and refused with words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.saved_calls.value_paths import find
from desktop.features.saved_calls.variables import (
    VariableError,
    escape,
    fill,
    find_references,
    written,
)

if TYPE_CHECKING:
    from desktop.features.saved_calls.variables import Reference

RESULT = {"create": {"id": 7, "a.b": [{"x": True}], "text": "milk"}, "six. times": {"n": 1.5}}


def read(reference: Reference) -> Any:
    return find(RESULT[reference.name], reference.path)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("${{ create.id }}", 7),
        ("${{create.id}}", 7),
        ("note ${{ create.id }}!", "note 7!"),
        ("${{ create.id }}${{ create.text }}", "7milk"),
        ('${{ create["a.b"][0].x }}', True),
        ('is ${{ create["a.b"] }}', 'is [{"x": true}]'),
        ('${{ "six. times".n }}', 1.5),
        ("${{ create }}", RESULT["create"]),
        ("$${{ create.id }}", "${{ create.id }}"),
        ("$$${{ x", "$${{ x"),
        (
            "${create.id} and {{ create.id }} and $HOME",
            "${create.id} and {{ create.id }} and $HOME",
        ),
    ],
)
def test_a_placeholder_alone_keeps_the_type_and_becomes_text_inside_a_text(
    text: str, filled: Any
) -> None:
    assert fill({"a": [text]}, read) == {"a": [filled]}


@pytest.mark.parametrize(
    "text", ["${{ create.id", "${{ }}", "${{ .id }}", "${{ create..id }}", '${{ "create }}', "${{"]
)
def test_what_cannot_be_read_is_said_with_how_to_write_it(text: str) -> None:
    with pytest.raises(VariableError, match=r"\$\{\{|\}\}"):
        find_references({"a": text})


@pytest.mark.parametrize("text", ["${{ create.id }}", "$${{", "a ${{ b $${{ c $$$${{", "${x}"])
def test_what_is_escaped_is_filled_to_what_it_was(text: str) -> None:
    assert fill(escape({"a": [text, 1]}), read) == {"a": [text, 1]}


@pytest.mark.parametrize(
    "name", ["create", "adds two numbers", "v1.2 create", 'a "q"', "a}", "[x]"]
)
def test_a_written_placeholder_means_that_call_and_that_value(name: str) -> None:
    path = ("a.b", 0, "x")
    found = find_references(written(name, path))
    assert [(each.name, each.path) for each in found] == [(name, path)]


def test_a_long_text_takes_linear_time() -> None:
    assert find_references("$ {{" * 200_000) == []
    with pytest.raises(VariableError):
        find_references('${{ "' + '\\"' * 200_000)


def test_a_placeholder_knows_where_it_stands() -> None:
    found = find_references({"token": "${{ a.b }}", "list": [1, "${{ c }}"]})
    assert [each.place for each in found] == [("token",), ("list", 1)]
