from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import UsageError
from desktop.cli.arguments import (
    allowed_types,
    coerce,
    item_schema,
    property_schema,
    read_arguments,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("5", {"type": "integer"}, 5),
        ("5.0", {"type": "integer"}, 5),
        ("5.5", {"type": "integer"}, 5.5),
        ("5", {"type": "number"}, 5),
        ("-1e3", {"type": "number"}, -1000.0),
        ("123456789012345678901234567890", {"type": "integer"}, 123456789012345678901234567890),
        ("true", {"type": "boolean"}, True),
        ("null", {"type": "null"}, None),
        ("null", {"type": ["integer", "null"]}, None),
        ('{"a": 1}', {"type": "object"}, {"a": 1}),
        ("[1, 2]", {"type": "array"}, [1, 2]),
        ("7", {"type": "array", "items": {"type": "integer"}}, [7]),
        ("x", {"type": "array", "items": {"type": "string"}}, ["x"]),
        ("[x", {"type": "array", "items": {"type": "string"}}, ["[x"]),
        ("2", {"enum": [1, 2, 3]}, 2),
        ("2", {"const": 2}, 2),
        ("5", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, 5),
        ("5", {"$ref": "#/$defs/n"}, 5),
        ("5", {"allOf": [{"$ref": "#/$defs/n"}]}, 5),
    ],
)
def test_a_word_becomes_what_the_schema_asks_for(
    text: str, schema: dict[str, Any], value: object
) -> None:
    root = {"$defs": {"n": {"type": "number"}}}
    result = coerce(text, schema, root)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize("text", ["5", "true", "null", "[1]", '{"a": 1}', "", " x "])
@pytest.mark.parametrize("schema", [{"type": "string"}, {"type": ["string", "null"]}, {}, None])
def test_text_stays_text_where_text_is_allowed_or_nothing_is_said(
    text: str, schema: object
) -> None:
    assert coerce(text, schema, {}) == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("five", "integer"),
        ("0x10", "integer"),
        ("1_000", "number"),
        ("NaN", "number"),
        ("1e999", "number"),
        ('{"a": NaN}', "object"),
        ("True", "boolean"),
        ("{", "object"),
        ("[" * 100_000, "object"),
        ("9" * 5000, "integer"),
        ("", "number"),
    ],
)
def test_what_does_not_fit_is_left_for_the_validation_to_refuse(text: str, kind: str) -> None:
    assert coerce(text, {"type": kind}, {}) == text


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"anyOf": [{"type": "integer"}, {"const": "auto"}]}, "3", 3),
        ({"anyOf": [{"type": "integer"}, {"const": "auto"}]}, "auto", "auto"),
        ({"enum": [1.5, "auto"]}, "1.5", 1.5),
        ({"type": ["boolean", "string"], "enum": [True, "maybe"]}, "true", True),
        ({"oneOf": [{"enum": ["none"]}, {"type": "array"}]}, "[1]", [1]),
        ({"enum": ["1", "2"]}, "3", "3"),
        ({"type": ["integer", "string"]}, "3", "3"),
        ({"type": "integer", "nullable": True}, "null", None),
    ],
)
def test_a_word_is_text_only_where_this_very_text_may_be_the_value(
    schema: dict[str, Any], text: str, value: object
) -> None:
    result = coerce(text, schema, {})
    assert (result, type(result)) == (value, type(value))


def test_a_schema_that_refers_to_itself_or_away_is_no_trouble() -> None:
    root = {"$defs": {"loop": {"anyOf": [{"$ref": "#/$defs/loop"}] * 20}}}
    assert allowed_types({"$ref": "#/$defs/loop"}, root) == set()
    assert allowed_types({"$ref": "https://example.com/schema"}, root) == set()
    assert allowed_types({"$ref": "#/nowhere/at/all"}, root) == set()
    assert allowed_types("no schema", root) == set()


def test_properties_and_items_are_found_through_references() -> None:
    root = {"$defs": {"o": {"type": "object", "properties": {"a": {"type": "integer"}}}}}
    assert property_schema({"$ref": "#/$defs/o"}, root, "a") == {"type": "integer"}
    assert property_schema({"$ref": "#/$defs/o"}, root, "b") is None
    assert item_schema({"anyOf": [{"type": "null"}, {"items": {"type": "string"}}]}, root) == {
        "type": "string"
    }


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "name": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "numbers": {"type": "array", "items": {"type": "integer"}},
        "options": {
            "type": "object",
            "properties": {"depth": {"type": "integer"}, "inner": {"type": "object"}},
        },
        "a.b": {"type": "integer"},
        "a": {"type": "object"},
    },
}


def arguments(*words: str, whole: str | None = None) -> dict[str, Any]:
    return read_arguments(words, whole).arguments(SCHEMA)


def test_values_follow_the_schema() -> None:
    assert arguments("count=3", "name=7", "other=x") == {"count": 3, "name": "7", "other": "x"}


def test_a_value_may_hold_what_the_syntax_uses() -> None:
    assert arguments("name=a=b:=c") == {"name": "a=b:=c"}
    assert arguments("name=") == {"name": ""}


def test_json_is_taken_as_it_is() -> None:
    assert arguments("name:=7", 'count:={"x": [1, null]}') == {"name": 7, "count": {"x": [1, None]}}


def test_a_repeated_key_builds_a_list() -> None:
    assert arguments("numbers=1", "numbers=2", "tags=x") == {"numbers": [1, 2], "tags": ["x"]}
    assert arguments("numbers=[1, 2]") == {"numbers": [1, 2]}


def test_a_dot_reaches_into_an_object_unless_a_property_has_that_name() -> None:
    given = arguments("options.depth=2", "options.inner.x=y", "a.b=1", "name.first=z")
    assert given == {
        "options": {"depth": 2, "inner": {"x": "y"}},
        "a.b": 1,
        "name.first": "z",
    }


def test_pairs_win_over_the_whole_object_and_leave_the_rest_of_it() -> None:
    whole = '{"count": 1, "options": {"depth": 1, "keep": true}}'
    given = arguments("count=2", "options.depth=5", whole=whole)
    assert given == {"count": 2, "options": {"depth": 5, "keep": True}}


def test_the_whole_object_comes_from_a_file_or_the_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "args.json"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):  # the last two as Windows writes files
        content = '{"name": "服务"}'.encode(encoding)
        file.write_bytes(content)
        assert arguments(whole=f"@{file}") == {"name": "服务"}
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content), "cp1252"))
        assert arguments(whole="-") == {"name": "服务"}


@pytest.mark.parametrize(
    ("words", "whole", "said"),
    [
        (["name"], None, "'name' is not an argument"),
        (["=x"], None, "is not an argument"),
        ([":=1"], None, "is not an argument"),
        (["count:=1,"], None, "'count' is not JSON"),
        (["count:=NaN"], None, "NaN is not JSON"),
        (["count:=" + "[" * 100_000], None, "cannot be read as JSON"),
        ([], "[1]", "must be a JSON object"),
        ([], '{"a": 1,}', "line 1, column"),
        ([], "@/nowhere/at/all.json", "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_told_before_anything_starts(
    words: list[str], whole: str | None, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        read_arguments(words, whole)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b'{"name": "\xe9"}'])
def test_a_file_that_is_no_text_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(UsageError, match="not UTF-8"):
        read_arguments([], f"@{tmp_path / 'x'}")


def test_a_key_given_twice_needs_a_list() -> None:
    with pytest.raises(UsageError, match="'name' is given 2 times"):
        arguments("name=a", "name=b")


@pytest.mark.parametrize(
    ("word", "sent"),
    [
        ("count＝２", {"count": 2}),
        ("count=１２", {"count": 12}),
        ("text＝２", {"text": "２"}),
        ("text=：＝，", {"text": "：＝，"}),
        ("count：＝3", {"count": 3}),
    ],
)
def test_full_width_signs_of_an_input_method_are_taken(word: str, sent: dict[str, Any]) -> None:
    kinds = {"count": {"type": "integer"}, "text": {"type": "string"}}
    assert read_arguments([word], None).arguments({"properties": kinds}) == sent


@pytest.mark.parametrize(
    "text", ["{“文本”：“你好，世界”}", '{"文本"："你好，世界"}', "｛“文本”：“你好，世界”｝"]
)
def test_full_width_marks_are_replaced_where_that_is_asked_for(text: str) -> None:
    assert read_arguments([], text, half_width=True).whole == {"文本": "你好，世界"}
    with pytest.raises(UsageError, match="give --half-width"):
        read_arguments([], text)


@pytest.mark.parametrize("text", ["{“a”: 1}", '{"a"：1}', '{"a": 1，"b": 2}'])
def test_a_full_width_mark_in_json_is_named(text: str) -> None:
    with pytest.raises(UsageError, match="is a full-width character"):
        read_arguments([], text)
