"""A form that a server sends is flat; its secrets and its defaults are found."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.servers.elicited_form import (
    MAX_FIELDS,
    choices_of,
    default_content,
    find_problems,
    secret_fields,
    shown_schema,
)


def form(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


ALLOWED = form(
    text={"type": "string", "minLength": 1, "format": "email"},
    number={"type": "number", "maximum": 3},
    whole={"type": "integer"},
    tick={"type": "boolean", "default": True},
    choice={"type": "string", "enum": ["a", "b"]},
    titled={"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
    untyped={"enum": ["a"]},
    several={"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
    several_titled={"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}},
)


def test_a_form_of_all_that_the_specification_allows_has_no_problem() -> None:
    assert find_problems(ALLOWED) == []
    assert find_problems({"type": "object", "properties": {}}) == []


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (form(a={"type": "object", "properties": {}}), 'the field "a" is an object'),
        (form(a={"properties": {"b": {"type": "string"}}}), "is an object"),
        (form(a={"type": "array", "items": {"type": "object"}}), "is a list, but not of choices"),
        (form(a={"type": "array"}), "is a list, but not of choices"),
        (form(a={"$ref": "#/$defs/a"}), "is not text, a number, a choice or yes/no"),
        (
            form(a={"anyOf": [{"type": "string"}, {"type": "null"}]}),
            "is not text, a number, a choice or yes/no",
        ),
        (form(a=7), "is not text, a number, a choice or yes/no"),
        (form(a={"enum": [1, 2]}), "is not text, a number, a choice or yes/no"),
        (form(a={"type": "array", "items": {"oneOf": [{"const": {}}]}}), "but not of choices"),
        ({"type": "array"}, "it is not an object schema"),
        ({"properties": []}, "it is not an object schema"),
        (form(**{str(at): {"type": "string"} for at in range(MAX_FIELDS + 1)}), "101 fields"),
    ],
)
def test_a_form_that_is_not_flat_says_which_field_is_wrong(
    schema: dict[str, Any], words: str
) -> None:
    (problem,) = find_problems(schema)
    assert words in problem


def test_a_thousand_wrong_fields_are_not_told_one_by_one() -> None:
    assert len(find_problems(form(**{str(at): {} for at in range(MAX_FIELDS)}))) == 5


def test_fields_that_ask_for_a_secret_are_named() -> None:
    schema = form(
        password={"type": "string"},
        a={"type": "string", "title": "Your API key"},
        b={"type": "string", "format": "password"},
        pin_confirmed={"type": "boolean"},
        has_password={"type": "boolean"},
        name={"type": "string"},
        issue_key={"type": "string"},
    )
    assert secret_fields(schema) == ("password", "a", "b")


def test_a_form_begins_with_the_defaults_that_are_of_their_fields_type() -> None:
    schema = form(
        text={"type": "string", "default": "x"},
        number={"type": "number", "default": 1.5},
        whole={"type": "integer", "default": 3},
        tick={"type": "boolean", "default": False},
        several={"type": "array", "items": {"enum": ["a"]}, "default": ["a"]},
        none={"type": "string"},
        wrong={"type": "integer", "default": True},
        odd={"type": "boolean", "default": "yes"},
    )
    assert default_content(schema) == {
        "text": "x",
        "number": 1.5,
        "whole": 3,
        "tick": False,
        "several": ["a"],
    }


@pytest.mark.parametrize(
    ("field", "choices"),
    [
        ({"type": "string", "enum": ["a", "b"]}, {"a": "a", "b": "b"}),
        ({"type": "string", "enum": ["a"], "enumNames": ["A"]}, {"a": "A"}),
        ({"type": "string", "enum": ["a"], "enumNames": []}, {"a": "a"}),
        ({"type": "string", "oneOf": [{"const": "a", "title": "A"}]}, {"a": "A"}),
        ({"type": "array", "items": {"anyOf": [{"const": "a"}]}}, {"a": "a"}),
        ({"type": "string"}, {}),
    ],
)
def test_the_choices_of_a_field_have_their_names(
    field: dict[str, Any], choices: dict[str, str]
) -> None:
    assert choices_of(field) == choices


TEXT: Any = {"type": "string"}
NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ({"anyOf": [TEXT, NULL], "default": None, "title": "T"}, TEXT | {"title": "T"}),
        ({"oneOf": [NULL, {"type": "integer", "minimum": 1}]}, {"type": "integer", "minimum": 1}),
        ({"type": ["boolean", "null"], "default": True}, {"type": "boolean", "default": True}),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, {"enum": ["a", "b"]}),
        (TEXT | {"default": None}, TEXT | {"default": None}),
    ],
)
def test_an_optional_field_as_pydantic_writes_it_is_a_plain_one(field: Any, shown: Any) -> None:
    made = shown_schema({**form(name=TEXT, nick=field), "required": ["name"]})
    assert made["properties"] == {"name": TEXT, "nick": shown}
    assert find_problems(made) == []


def test_an_optional_field_that_cannot_be_shown_is_left_out_beside_others() -> None:
    odd: Any = {"type": "object", "properties": {}}
    assert list(shown_schema(form(name=TEXT, odd=odd))["properties"]) == ["name"]
    for kept in (form(odd=odd), {**form(name=TEXT, odd=odd), "required": ["odd"]}):
        assert find_problems(shown_schema(kept))
