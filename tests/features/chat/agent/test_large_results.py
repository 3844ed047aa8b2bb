"""A large result is given in parts, from files whose names the model does not choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.agent import large_results
from desktop.features.chat.agent.large_results import (
    MAX_PAGE_LENGTH,
    MAX_SHOWN_LENGTH,
    OWN_SERVER,
    READ_RESULT,
    LargeResultStore,
    ReadResultTool,
    result_text,
    shorten_result,
)
from desktop.tools.result_spill import ResultSpill
from desktop.tools.validation import validate
from desktop.tools.wire_names import wire_name
from desktop.values.tool_types import Content, ErrorCode, ToolResult, failed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def open_text(text: str) -> str:
    return text


def kept_in(folder: Path, most: int = 100, together: int = 1_000_000) -> LargeResultStore:
    return LargeResultStore(folder / "results", max_result=most, max_stored=together)


def result(text: str) -> ToolResult:
    return ToolResult(True, text, content=(Content("text", text),))


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.rglob("*") if file.is_file())


async def test_what_fits_is_left_as_it_is(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    small = result("x" * 100)
    assert await kept.fit(small, open_text) is small
    assert files(tmp_path) == []


async def test_structured_content_beside_a_text_counts_and_can_be_read(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    rows = [{"n": n} for n in range(2000)]
    both = ToolResult(True, "Rows.", content=(Content("text", "Rows."),), structured={"rows": rows})
    shown = await kept.fit(both, open_text)
    assert shown.output.startswith('Rows.\n{"rows": [{"n": 0}')
    assert shown.structured is None
    assert '{"n": 1999}]}' in (await kept.read("r1", 8_000, 30_000)).output


async def test_a_large_one_is_cut_and_can_be_read_page_by_page(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    text = "".join(f"{n:09d}\n" for n in range(3000))
    shown = await kept.fit(result(text), open_text)
    assert shown.output.startswith(text[:MAX_SHOWN_LENGTH])
    assert f'id "r1" and offset {MAX_SHOWN_LENGTH}' in shown.output
    assert shown.content[0].text == shown.output
    read, offset, note = shown.output[:MAX_SHOWN_LENGTH], MAX_SHOWN_LENGTH, ""
    while offset < len(text):
        page = await kept.read("r1", offset, 5000)
        said, _, note = page.output.rpartition("\n[characters ")
        read, offset = read + said, offset + len(said)
    assert read == text
    assert note.endswith("this is its end]")


async def test_beyond_its_end_there_is_nothing(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    await kept.fit(result("x" * 200), open_text)
    page = await kept.read("r1", 1000, 10)
    assert page.output == "\n[characters 200 to 200 of 200; this is its end]"


@pytest.mark.parametrize("name", ["r2", "../r1", "/etc/passwd", "r1.txt", ""])
async def test_only_what_was_kept_can_be_read(tmp_path: Path, name: str) -> None:
    kept = kept_in(tmp_path)
    await kept.fit(result("x" * 200), open_text)
    page = await kept.read(name, 0, 10)
    assert page.error is not None
    assert page.error.code == ErrorCode.TOOL_ERROR
    assert "There are: r1" in page.error.message


async def test_a_page_is_bounded_whatever_is_asked(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    await kept.fit(result("x" * 50_000), open_text)
    tool = ReadResultTool(kept)
    page = await tool.execute({"id": "r1", "offset": 0, "length": 10**9})
    assert len(page.output) < MAX_PAGE_LENGTH + 100
    wrong = {"id": "r1", "offset": -1, "length": 10**9}
    assert len(validate(tool.definition.input_schema, wrong)) == 2


async def test_together_they_are_bounded_and_that_is_said(tmp_path: Path) -> None:
    kept = kept_in(tmp_path, together=300)
    await kept.fit(result("x" * 200), open_text)
    shown = await kept.fit(result("y" * 200), open_text)
    assert "The rest is not kept" in shown.output
    assert files(tmp_path) == ["r1.txt"]


async def test_secrets_are_not_written(tmp_path: Path) -> None:
    kept = kept_in(tmp_path)
    await kept.fit(result("the hunter2 " * 100), lambda text: text.replace("hunter2", "•••"))
    page = await kept.read("r1", 0, 100)
    assert "hunter2" not in page.output


async def test_a_disk_that_refuses_costs_the_rest_alone(tmp_path: Path) -> None:
    (tmp_path / "results").touch()
    shown = await kept_in(tmp_path).fit(result("x" * 200), open_text)
    assert shown.success
    assert "could not be kept" in shown.output


async def test_a_session_that_is_opened_again_finds_what_it_kept(tmp_path: Path) -> None:
    await kept_in(tmp_path).fit(result("x" * 200), open_text)
    later = kept_in(tmp_path)
    later.recover()
    assert (await later.read("r1", 0, 3)).output.startswith("xxx\n")
    shown = await later.fit(result("y" * 200), open_text)
    assert 'id "r2"' in shown.output


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: ToolResult(True, structured={"a": 1}), '{"a": 1}'),
        (lambda: failed("E", "it failed", ErrorCode.TOOL_ERROR), "it failed"),
        (lambda: ToolResult(True, "out", structured={"a": 1}), 'out\n{"a": 1}'),
        (lambda: ToolResult(True), ""),
    ],
)
def test_the_text_is_what_a_model_would_read(make: Callable[[], ToolResult], text: str) -> None:
    assert result_text(make()) == text


def test_a_cut_error_stays_an_error_and_media_stay() -> None:
    error = failed("E", "x" * 20_000, ErrorCode.TOOL_ERROR)
    shown = shorten_result(error, result_text(error), "More.")
    assert shown.error is not None
    assert len(shown.error.message) < 9_000
    image = Content("image", data=b"png", mime="image/png")
    large = ToolResult(True, "x" * 20_000, content=(image,), structured={"x": 1})
    shown = shorten_result(large, large.output, "More.")
    assert shown.content[1:] == (image,)
    assert shown.structured is None


async def test_media_beyond_what_one_message_can_have_are_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_results, "MAX_MEDIA_BYTES", 10)
    image = Content("image", data=b"123456", mime="image/png")
    shown = await kept_in(tmp_path).fit(ToolResult(True, "", content=(image, image)), open_text)
    assert shown.content[0] == image
    assert "[image: image/png, 6 bytes, too much" in shown.content[1].text


def test_its_name_for_the_model_is_the_one_that_the_note_says() -> None:
    assert wire_name(OWN_SERVER, READ_RESULT.name, direct=True) == "session__read_result"


async def test_of_a_result_that_is_on_disk_a_model_is_given_the_same(tmp_path: Path) -> None:
    text = "ein Text\n" * 20_000
    given = ToolResult(success=True, output=text, content=(Content("text", text),))
    spill = ResultSpill(tmp_path, large=100_000)
    fitted = [
        await LargeResultStore(tmp_path / name).fit(each, lambda text: text)
        for name, each in (("one", given), ("two", await spill.spill(given)))
    ]
    assert fitted[0].output == fitted[1].output
    assert fitted[0].content == fitted[1].content
