"""JSON with comments is parsed with places and written in the file's own style."""

from __future__ import annotations

import pytest

from desktop.base.errors import ConfigError
from desktop.config.document import Document, parse, render


def test_comments_and_trailing_commas_are_read() -> None:
    document = parse(b'// a\n{"a": [1, 2,], /* b */ "b": "// no",}\n', "it")
    assert document.data == {"a": [1, 2], "b": "// no"}
    assert document.has_comments


@pytest.mark.parametrize("text", ['{"a": "http://h // \\" /* x */"}', "{}"])
def test_comment_signs_inside_of_a_text_are_no_comment(text: str) -> None:
    assert not parse(text.encode(), "it").has_comments


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_of_json_are_read(encoding: str) -> None:
    assert parse('{"é": 1}'.encode(encoding), "it").data == {"é": 1}


@pytest.mark.parametrize(
    ("content", "words", "line"),
    [
        (b"", "line 1, column 1", 1),
        (b'{"a": 1,\n "b" 2}', "line 2, column 5", 2),
        (b'{\r\n\r\n"a": tru}', "line 3", 3),
        (b'{"a": "\xff"}', "line 1", 1),
        (b'{"a": NaN}', "NaN is not allowed", 1),
        (b'{"a": "\\ud800"}', "Surrogates", 1),
        (b"{'a': 1}", "Expecting key", 1),
        (b'{"a": 1 "b": 2}', "a comma is missing at line 1", 1),
        (b"{a: 1}", "keys must be quoted at line 1", 1),
        (b"[1]", "must be a JSON object", 1),
        (b"3", "must be a JSON object", 1),
        (b'{"a":' + b"[" * 100_000, "nested too deeply", None),
        (b'{"a":' + b"9" * 5000 + b"}", "too many digits", None),
        (b'{"a": 1e' + b"3" * 80 + b"}", "too many digits", None),
        (b"\0\0\0\0", "not valid JSON", 1),
    ],
)
def test_bad_content_is_told_with_its_place(content: bytes, words: str, line: int | None) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        parse(content, "it")
    assert caught.value.line == line
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_keys_that_stand_twice_are_found_with_their_lines() -> None:
    text = '{"m": {\n"a": {"x": 1},\n"\\u0061": {"x": 1}}, // "a":\n"l": [{"x": 1}, {"x": 1}]}'
    assert parse(text.encode(), "it").duplicates == {("m", "a"): (2, 3)}


@pytest.mark.parametrize("text", ['{"a": {"x": 1}, "b": {"x": 1}}', '{"a": [{"x": 1}, {"x": 1}]}'])
def test_a_key_in_two_objects_does_not_stand_twice(text: str) -> None:
    assert parse(text.encode(), "it").duplicates == {}


def test_a_key_is_found_by_its_line() -> None:
    document = parse(b'{"a": 1,\n"b": {\n"a": [\n{"c": 1}]}}', "it")
    assert document.line_of(("b", "a")) == 3
    assert document.line_of(("b", "a", 0, "c")) == 4
    assert document.line_of(("c",)) is None


@pytest.mark.parametrize("indent", ["  ", "    ", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_indentation_and_line_ends_stay(indent: str, end: str) -> None:
    text = end.join(["{", f'{indent}"a": [', f"{indent * 2}1.10", f"{indent}]", "}", ""])
    assert render(parse(text.encode(), "it").data, like=text) == text


def test_without_a_model_two_spaces_are_used() -> None:
    assert render({"é": {}}) == '{\n  "é": {}\n}\n'
    assert Document().data == {}


@pytest.mark.parametrize(
    ("text", "mark", "meant", "column"),
    [
        ("{“mcpServers”: {}}", "“", '"', 2),
        ('{"a"： 1}', "：", ":", 5),
        ('{"a": 1， "b": 2}', "，", ",", 8),
        ('{"“：，": 1，}', "，", ",", 10),
        ('\u3000{"a": 1', "\u3000", " ", 1),
        ('｛"a": 1}', "｛", "{", 1),
    ],
)
def test_a_full_width_mark_is_named_with_what_is_meant(
    text: str, mark: str, meant: str, column: int
) -> None:
    with pytest.raises(ConfigError) as raised:
        parse(text.encode(), "The text")
    assert f"{mark} at line 1, column {column} is a full-width" in raised.value.args[0]
    assert raised.value.remedy == f"Write {meant} in its place."


def test_full_width_marks_in_strings_are_what_they_are() -> None:
    assert parse('{"键": "“：，”"}'.encode(), "It").data == {"键": "“：，”"}
