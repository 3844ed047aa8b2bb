from __future__ import annotations

import pytest

from desktop.gui.results.feed import BlockPart, Part, TextPart, ValuePart, feed_of
from desktop.gui.results.structured import MAX_READ_AT_ONCE, Structured
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult, ValidationIssue

ISSUE = ValidationIssue((), "rule", "structuredContent is missing")
PICTURE = Content("image", data=b"x", mime="image/png")


def of_text(*texts: str) -> ToolResult:
    content = tuple(Content("text", text) for text in texts)
    return ToolResult(success=True, output="\n".join(texts), content=content)


def values(parts: list[Part]) -> list[object]:
    return [part.source.value for part in parts if isinstance(part, ValuePart)]


def shapes(parts: list[Part]) -> list[str]:
    return [type(part).__name__ for part in parts]


def test_blocks_keep_their_order_and_neighbouring_texts_are_one_part() -> None:
    content = (Content("text", "a"), Content("text", "b"), PICTURE, Content("text", "c"))
    parts = feed_of(ToolResult(success=True, output="a b c", content=content))
    assert parts == [TextPart(("a", "b")), BlockPart(PICTURE), TextPart(("c",))]


def test_the_output_alone_is_a_text() -> None:
    assert feed_of(ToolResult(success=True, output="x")) == [TextPart(("x",))]
    assert feed_of(ToolResult(success=True)) == []


def test_a_text_that_is_json_is_a_value_with_its_text() -> None:
    parts = feed_of(of_text("first", ' {"a": [1]}\n', "[2]"))
    assert shapes(parts) == ["TextPart", "ValuePart", "ValuePart"]
    assert values(parts) == [{"a": [1]}, [2]]
    assert isinstance(parts[1], ValuePart)
    assert parts[1].text == ' {"a": [1]}\n'


@pytest.mark.parametrize("text", ["hello", "{not json}", "12", "[" * 50_000 + "]"])
def test_other_text_is_no_value(text: str) -> None:
    assert feed_of(of_text(text)) == [TextPart((text,))]


def test_a_resource_of_json_is_a_value_with_its_address() -> None:
    content = (Content("resource", "[2]", uri="demo://r"), Content("resource", "x", uri="demo://s"))
    parts = feed_of(ToolResult(success=True, content=content))
    assert parts[0] == ValuePart(Structured(True, [2], origin="demo://r"), "[2]")
    assert parts[1] == BlockPart(content[1])


def test_structured_content_comes_first_where_a_schema_promised_it() -> None:
    content = (Content("text", "note"), Content("text", '{"a": 1}'), PICTURE)
    result = ToolResult(True, "…", structured={"a": 1}, content=content)
    assert shapes(feed_of(result)) == ["TextPart", "ValuePart", "BlockPart"]
    promised = ToolResult(True, "…", structured={"a": 1}, content=content, output_issues=())
    assert shapes(feed_of(promised)) == ["ValuePart", "TextPart", "BlockPart"]


@pytest.mark.parametrize(
    ("structured", "text"),
    [({"a": [1, None]}, '{"a":[1,null]}'), ({"result": [1]}, "[1]"), ([1], "[1]")],
)
def test_a_text_that_only_repeats_the_structured_content_is_left_out(
    structured: object, text: str
) -> None:
    result = ToolResult(True, text, structured=structured, content=(Content("text", text),))
    assert feed_of(result) == [ValuePart(Structured(True, structured))]


def test_a_text_that_says_something_else_stays() -> None:
    result = ToolResult(True, "[2]", structured=[1], content=(Content("text", "[2]"),))
    assert values(feed_of(result)) == [[2], [1]]


def test_a_text_is_easier_to_read_than_the_object_that_wraps_it() -> None:
    content = (Content("text", "two\nlines"),)
    wrapped = {"result": "two\nlines"}
    result = ToolResult(True, "two\nlines", structured=wrapped, content=content, output_issues=())
    assert shapes(feed_of(result)) == ["TextPart", "ValuePart"]


def test_that_a_promised_value_did_not_come_is_a_part_of_its_own() -> None:
    assert shapes(feed_of(ToolResult(True, "x", output_issues=(ISSUE,)))) == [
        "ValuePart",
        "TextPart",
    ]
    assert shapes(feed_of(ToolResult(True, "x", output_issues=()))) == ["TextPart"]


def test_what_the_error_says_is_not_said_twice() -> None:
    error = ToolError("ToolError", "It failed.", ErrorCode.TOOL_ERROR)
    said = (Content("text", "It failed."), PICTURE)
    assert feed_of(ToolResult(False, "It failed.", error=error, content=said)) == [
        BlockPart(PICTURE)
    ]


def test_many_texts_are_not_all_read_unasked() -> None:
    text = "[" + "1," * (MAX_READ_AT_ONCE // 4) + "1]"
    parts = [part for part in feed_of(of_text(*[text] * 3)) if isinstance(part, ValuePart)]
    assert [part.source.found for part in parts] == [True, False, False]
    assert parts[1].source.waiting == text
    assert parts[1].text == text
