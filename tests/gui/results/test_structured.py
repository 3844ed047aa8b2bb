from __future__ import annotations

from typing import Any

import pytest

from desktop.gui.results.structured import (
    MAX_WRITTEN_CHARACTERS,
    MAX_WRITTEN_VALUES,
    ContentView,
    content_text,
    content_view,
    is_short_json,
    pretty_json,
    read_json,
)
from desktop.values.tool_types import Content


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (Content("text", "x"), "text"),
        (Content("image", data=b"x", mime="image/png"), "image"),
        (Content("image", data=b"<svg/>", mime="image/svg+xml; charset=utf-8"), "other"),
        (Content("audio", data=b"x"), "audio"),
        (Content("resource", data=b"x", mime="Image/PNG"), "image"),
        (Content("resource", data=b"x", mime="audio/wav"), "audio"),
        (Content("resource", text="x", mime="image/png"), "other"),
        (Content("resource", data=b"x"), "other"),
        (Content("link", uri="x:y", mime="image/png"), "other"),
    ],
)
def test_each_block_has_its_place(content: Content, place: ContentView) -> None:
    assert content_view(content) == place


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (Content("resource", text="x"), "x"),
        (Content("resource", data="ü".encode(), mime="text/plain"), "ü"),
        (Content("resource", data=b"{}", mime="application/ld+json"), "{}"),
        (Content("image", data=b"<svg/>", mime="image/svg+xml"), "<svg/>"),
        (Content("resource", data=b"\xff", mime="text/plain"), ""),
        (Content("resource", data=b"x", mime="application/zip"), ""),
    ],
)
def test_a_text_sent_as_bytes_is_a_text(content: Content, text: str) -> None:
    assert content_text(content) == text


LONG_OBJECT: dict[str, Any] = {str(n): {} for n in range(MAX_WRITTEN_VALUES + 1)}
VALUES: list[tuple[Any, bool]] = [
    ({"a": [1, {"b": "c"}]}, True),
    (list(range(MAX_WRITTEN_VALUES + 1)), False),
    (LONG_OBJECT, False),
    ({"a": ["x" * MAX_WRITTEN_CHARACTERS, "y"]}, False),
    ({"x" * (MAX_WRITTEN_CHARACTERS + 1): 1}, False),
]


@pytest.mark.parametrize(("value", "is_short"), VALUES)
def test_only_a_short_value_is_written_out_as_a_whole(value: Any, is_short: bool) -> None:
    assert is_short_json(value) is is_short


def test_a_text_is_json_or_not() -> None:
    assert read_json('{"a": [1]}').value == {"a": [1]}
    assert not read_json("{not json}").found
    assert not read_json("[" * 50_000 + "]").found


def test_a_value_is_written_readably() -> None:
    assert pretty_json({"ü": 1}) == '{\n  "ü": 1\n}'
