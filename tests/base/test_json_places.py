"""Each key, value, bracket and comma of a JSON text with its path, in the order of the text."""

from __future__ import annotations

from desktop.base.json_places import is_commented, walk

TEXT = """{ // "not": a key
  "a\\u0062": [1, {"x": -2.5e3}, ["//"]], /* "c": 1, */
  "b": {"y": null,},
}"""


def test_each_place_has_the_path_of_its_value() -> None:
    found = [(kind, token[0], tuple(path)) for kind, token, path in walk(TEXT)]
    assert found == [
        ("open", "{", ()),
        ("key", '"a\\u0062"', ("ab",)),
        ("open", "[", ("ab",)),
        ("value", "1", ("ab", 0)),
        ("comma", ",", ("ab", 0)),
        ("open", "{", ("ab", 1)),
        ("key", '"x"', ("ab", 1, "x")),
        ("value", "-2.5e3", ("ab", 1, "x")),
        ("close", "}", ("ab", 1)),
        ("comma", ",", ("ab", 1)),
        ("open", "[", ("ab", 2)),
        ("value", '"//"', ("ab", 2, 0)),
        ("close", "]", ("ab", 2)),
        ("close", "]", ("ab",)),
        ("comma", ",", ("ab",)),
        ("key", '"b"', ("b",)),
        ("open", "{", ("b",)),
        ("key", '"y"', ("b", "y")),
        ("value", "null", ("b", "y")),
        ("comma", ",", ("b", "y")),
        ("close", "}", ("b",)),
        ("comma", ",", ("b",)),
        ("close", "}", ()),
    ]


def test_a_value_alone_is_at_the_root() -> None:
    assert [(kind, tuple(path)) for kind, _, path in walk(' "a" ')] == [("value", ())]


def test_a_comment_is_told_from_a_text_that_looks_like_one() -> None:
    assert is_commented(TEXT)
    assert not is_commented('{"a": "// no /* comment */"}')
