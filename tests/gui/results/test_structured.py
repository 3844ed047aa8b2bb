from __future__ import annotations

import pytest

from desktop.gui.results.structured import (
    MAX_READ_AT_ONCE,
    ContentView,
    Structured,
    content_text,
    content_view,
    pretty_json,
    read_json,
    sources_of,
)
from desktop.tool_types import Content, ToolResult


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


def of_text(*texts: str) -> ToolResult:
    return ToolResult(success=True, content=tuple(Content("text", text) for text in texts))


def test_structured_content_comes_before_text() -> None:
    result = ToolResult(success=True, structured={"a": 1}, content=(Content("text", "[2]"),))
    assert [source.value for source in sources_of(result)] == [{"a": 1}]


def test_a_text_that_is_json_is_read() -> None:
    assert [source.value for source in sources_of(of_text(' {"a": [1]}\n'))] == [{"a": [1]}]
    assert sources_of(ToolResult(success=True, output="[1]"))[0].value == [1]


@pytest.mark.parametrize("text", ["", "hello", "{not json}", "12", "[" * 50_000 + "]"])
def test_other_text_is_no_structure(text: str) -> None:
    assert not sources_of(of_text(text))


def test_each_text_that_is_json_is_a_source() -> None:
    assert [source.value for source in sources_of(of_text("[1]", "no", "[2]"))] == [[1], [2]]


def test_a_resource_of_json_is_a_source_with_its_address() -> None:
    content = (Content("text", "[1]"), Content("resource", "[2]", uri="demo://r"))
    sources = sources_of(ToolResult(success=True, structured={"a": 1}, content=content))
    assert sources == [
        Structured(found=True, value={"a": 1}),
        Structured(found=True, value=[2], origin="demo://r"),
    ]


def test_many_texts_are_not_all_read_unasked() -> None:
    text = "[" + "1," * (MAX_READ_AT_ONCE // 4) + "1]"
    sources = sources_of(of_text(*[text] * 30))
    assert [source.found for source in sources] == [True] + [False] * 19


def test_a_long_text_waits_to_be_asked_for() -> None:
    text = "[" + "1," * MAX_READ_AT_ONCE + "1]"
    [structured] = sources_of(of_text(text))
    assert not structured.found
    assert structured.waiting == text
    assert len(read_json(text).value) == MAX_READ_AT_ONCE + 1


def test_a_value_is_written_readably() -> None:
    assert pretty_json({"ü": 1}) == '{\n  "ü": 1\n}'
