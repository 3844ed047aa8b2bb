from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, Kind, can_represent

CASES: list[tuple[Kind, list[Any], list[Any]]] = [
    ("string", ["", "a\nb"], [1, None, "a\r", "\ud800"]),
    ("integer", [1, 1.5, 2**80, "12a"], [True, "12", "", None]),
    ("boolean", [True, False], [1, 0, "true"]),
    ("array", [[], [1]], [{}, "[]"]),
    ("object", [{}, {"a": 1}], [[], None]),
    ("json", [None, 1, {}], []),
    ("union", [1, "a"], []),
]


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    CASES,
)
def test_a_field_fits_what_it_gives_back_unchanged(
    kind: Kind, yes: list[Any], no: list[Any]
) -> None:
    spec = FieldSpec(kind=kind)
    assert all(can_represent(spec, value) for value in [ABSENT, *yes])
    assert not any(can_represent(spec, value) for value in no)


def test_a_constant_fits_by_type_too_and_null_where_it_is_allowed() -> None:
    spec = FieldSpec(kind="const", schema={"const": {"a": 1}})
    assert can_represent(spec, {"a": 1})
    assert not can_represent(spec, {"a": True})
    assert can_represent(FieldSpec(kind="string", nullable=True), None)


def text(name: str, **schema: object) -> FieldSpec:
    return FieldSpec(name, "string", schema)


def test_secrets_are_known_by_name_and_by_schema() -> None:
    names = ("password", "apiKey", "GITHUB_TOKEN", "client-secret", "token", "accessToken")
    assert all(text(name).is_secret for name in names)
    assert text("x", writeOnly=True).is_secret
    assert not any(text(name).is_secret for name in ("max_tokens", "pageToken", "keyword"))


def test_long_text_is_known_by_name_size_and_default() -> None:
    assert text("content").is_long
    assert text("x", maxLength=4000).is_long
    assert text("x", default="a\nb").is_long
    assert not text("path", maxLength=80).is_long


@pytest.mark.parametrize("name", ["file_path", "filePath", "file-path", "FILEPath", "File Path 2"])
def test_a_name_means_the_same_however_its_words_are_joined(name: str) -> None:
    assert text(name).path_of == "file"
    assert text(name.replace("Path", "Dir").replace("path", "dir")).path_of == "folder"


@pytest.mark.parametrize("name", ["HTTPBody", "requestBody", "request.body", "body2", "X-Body"])
def test_an_acronym_and_a_number_do_not_hide_what_a_text_is(name: str) -> None:
    assert text(name).is_long


@pytest.mark.parametrize("name", ["nobody", "empathy", "HTTPKey", "bodyguard"])
def test_a_part_of_a_word_says_nothing(name: str) -> None:
    spec = text(name)
    assert (spec.path_of, spec.is_long, spec.is_secret) == ("", False, False)


def test_texts_of_the_wrong_kind_are_ignored() -> None:
    spec = text("a", title=5, description=["x"], examples="no", maxLength="big")
    assert (spec.title, spec.description, spec.example, spec.is_long) == ("a", "", ABSENT, False)
