"""The content of a result in parts for any provider."""

from __future__ import annotations

import pytest

from desktop.features.models.formats.content_parts import (
    MAX_MEDIA_BYTES,
    NOTHING,
    convert_result,
    join_text,
)
from desktop.values.tool_types import Content, ValidationIssue
from tests.features.models.answer_cases import PDF, PICTURE, PNG, answer


def text(*content: Content, **fields: object) -> str:
    return join_text(convert_result(answer(*content, **fields).result))  # type: ignore[arg-type]


def test_nothing_is_never_an_empty_answer() -> None:
    assert text() == text(Content("text", "  ")) == NOTHING


def test_structured_content_is_given_beside_the_text_that_does_not_say_it() -> None:
    assert text(structured={"n": "ü"}) == '{"n": "ü"}'
    assert text(Content("text", "One row."), structured={"n": 1}) == 'One row.\n{"n": 1}'
    assert text(PICTURE, structured={"n": 1}) == '[Image: image/png]\n{"n": 1}'


@pytest.mark.parametrize(
    ("texts", "structured"),
    [
        (('{"n":\n 1}',), {"n": 1}),
        (("about it", '{"n": 1}'), {"n": 1}),
        (("42",), {"result": 42}),
        (("forty-two",), {"result": "forty-two"}),
        (("42",), {"result": "42"}),
        (('{"n": 1}', '{"n": 2}'), {"result": [{"n": 1}, {"n": 2}]}),
        (("a", "b"), {"result": ["a", "b"]}),
    ],
)
def test_structured_content_that_a_text_says_is_not_said_twice(
    texts: tuple[str, ...], structured: object
) -> None:
    blocks = [Content("text", each) for each in texts]
    assert text(*blocks, structured=structured) == "\n".join(texts)


def test_structured_content_too_deep_for_json_costs_itself_alone() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert text(Content("text", "x"), structured={"deep": deep}) == "x"


def test_an_error_without_content_is_its_message() -> None:
    assert text(failed=True) == "no such file"
    assert text(Content("text", "own words"), failed=True) == "own words"


@pytest.mark.parametrize(
    ("block", "note"),
    [
        (PICTURE, "[Image: image/png]"),
        (
            Content("image", data=b"junk", mime="image/png"),
            "[Image: image/png] (image/png, 4 bytes, not of a kind that can be sent)",
        ),
        (
            Content("image", data=PNG + b"\0" * MAX_MEDIA_BYTES, mime="image/png"),
            "[Image: image/png] (3,900,070 bytes, too large to be sent)",
        ),
        (
            Content("audio", data=b"abc", mime="audio/wav"),
            "[Audio: audio/wav, 3 bytes, cannot be sent]",
        ),
        (Content("resource", "hello", uri="file:///a"), "[Resource: file:///a]\nhello"),
        (Content("resource", uri="file:///a"), "[Resource: file:///a]"),
        (PDF, "[Resource: file:///x/a.pdf]"),
        (Content("link", "about it", uri="http://x", name="X"), "[Link: X] http://x\nabout it"),
        (Content("text", "bad \ud800\0"), "bad ?"),
    ],
)
def test_each_block_has_a_text_that_can_stand_for_it(block: Content, note: str) -> None:
    assert text(block) == note


def test_a_picture_goes_by_its_real_type_whatever_the_server_calls_it() -> None:
    piece = convert_result(answer(Content("image", data=PNG, mime="image/jpeg")).result)[0]
    assert piece.mime == "image/png"
    assert piece.data_url.startswith("data:image/png;base64,iVBOR")


def test_a_sound_that_calls_itself_a_picture_is_not_sent() -> None:
    sound = Content("image", data=b"RIFF\0\0\0\0WAVEfmt ", mime="image/png")
    assert convert_result(answer(sound).result)[0].is_text


def test_what_is_wrong_with_a_result_is_said_to_the_model() -> None:
    issue = ValidationIssue(("n",), "format", "is no number that JSON has", "warning", "notFinite")
    assert str(issue) in text(Content("text", "1"), output_issues=(issue,))
