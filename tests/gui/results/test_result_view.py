from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, Any
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication

from desktop.gui.results.audio import AudioCard
from desktop.gui.results.image import ImageCard
from desktop.gui.results.result_view import MetaView, ResultView, StatusLine
from desktop.gui.results.saving import SaveAllDialog
from desktop.values.tool_types import (
    NOT_FINITE,
    Content,
    ErrorCode,
    ToolError,
    ToolResult,
    ValidationIssue,
)
from tests.gui.results.images import png
from tests.gui.results.sounds import wav
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QAbstractScrollArea
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_it_is_folded_until_asked_for(theme: Theme, qtbot: QtBot) -> None:
    view = MetaView()
    qtbot.addWidget(view)
    view.show()
    view.show_meta({"a.example/x": "<b>1</b>"})
    assert not view.text.isVisible()
    QTest.mouseClick(view.toggle, Qt.MouseButton.LeftButton)
    assert view.text.toPlainText() == '{\n  "a.example/x": "<b>1</b>"\n}'
    view.show_meta({"other": 1})
    assert not view.text.isVisible()
    view.show_meta({})
    assert not view.isVisible()


def test_success_with_time_and_size(qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    content = (Content("text", "abc"), Content("image", data=b"12345"))
    line.show_result(ToolResult(success=True, content=content, execution_time=0.0421))
    assert line.outcome.text() == "Success"
    assert line.facts.accessibleName().startswith("42 ms · 8 B · 20")


@pytest.mark.parametrize(
    ("structured", "size"), [({"rows": ["x" * 1_000] * 3}, "3.0 kB"), (None, "1 B")]
)
def test_the_size_counts_structured_content(structured: Any, size: str, qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    content = (Content("text", "x"),)
    line.show_result(ToolResult(success=True, content=content, structured=structured))
    assert f" · {size} · " in line.facts.accessibleName()


async def test_much_structured_content_is_counted_without_making_the_window_wait(
    qtbot: QtBot,
) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_result(ToolResult(success=True, structured=[7] * 100_000))
    assert " · > 24 kB · " in line.facts.accessibleName()
    async with asyncio.timeout(LIMIT):
        while " · 600 kB · " not in line.facts.accessibleName():
            await turns()


def test_an_error_is_a_word_and_a_code(qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_result(ToolResult(success=False, error=ToolError("E", "m", ErrorCode.TIMEOUT)))
    assert line.outcome.text() == "Error: Time limit"
    line.show_result(ToolResult(success=False))
    assert line.outcome.text() == "Error"


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> ResultView:
    made = ResultView(theme)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def parts(view: ResultView) -> list[str]:
    """What is seen, from the top down, by the kinds of the widgets."""
    tops = [part.y() for part in view.feed.parts]
    assert tops == sorted(tops)
    return [type(part).__name__ for part in view.feed.parts if part.isVisible()]


MIXED = (
    Content("text", "Before."),
    Content("image", data=png(2, 2), mime="image/png"),
    Content("text", "After."),
    Content("link", uri="x:y", name="more"),
)


async def test_all_blocks_are_seen_at_once_in_their_order(view: ResultView) -> None:
    view.show_result(ToolResult(success=True, output="Before. …", content=MIXED))
    await turns()
    assert parts(view) == ["TextView", "ImageCard", "TextView", "ContentCard"]
    image = view.feed.parts[1]
    assert isinstance(image, ImageCard)
    await asyncio.wait_for(image.settled.wait(), LIMIT)
    assert image.area.isVisible()
    view.show_result(ToolResult(success=True))
    assert not view.area.isVisible()


def test_one_text_has_all_the_room_and_one_line_of_tools(view: ResultView) -> None:
    view.show_result(ToolResult(success=True, output="hello"))
    QApplication.processEvents()
    assert parts(view) == ["TextView"]
    assert view.text.editor.height() > view.height() * 0.7
    tools = {view.text.copy_all, view.text.find_button, view.text.save}
    line = {tool.mapTo(view, tool.rect().center()).y() for tool in tools}
    badge = view.status.outcome
    middle = badge.mapTo(view, badge.rect().center()).y()
    assert len(line) == 1
    assert abs(line.pop() - middle) <= 1  # between two pixels where one height is odd


def test_several_parts_are_as_high_as_what_is_in_them(view: ResultView) -> None:
    content = (Content("text", "one line"), Content("text", '{"a": 1}'))
    view.show_result(ToolResult(success=True, output="…", content=content))
    QApplication.processEvents()
    assert parts(view) == ["TextView", "StructuredView"]
    assert view.text.editor.height() < 60
    assert view.values.json is not None
    assert 60 < view.values.json.editor.height() < 120
    assert not view.area.verticalScrollBar().isVisible()


@pytest.mark.parametrize("look", ["text", "tree", "table"])
@pytest.mark.parametrize(("lines", "is_whole"), [(30, True), (400, False)])
async def test_what_needs_a_few_windows_scrolls_with_the_others_and_the_keys_are_followed(
    view: ResultView, lines: int, is_whole: bool, look: str
) -> None:
    text = "\n".join(f"line {number}" for number in range(lines))
    value = None if look == "text" else [{"line": number} for number in range(lines)]
    content = (Content("link", uri="x:y"), Content("text", text))
    view.show_result(ToolResult(True, text, structured=value, content=content))
    await turns(20)
    area: QAbstractScrollArea = view.feed.text.editor
    if look != "text":
        chip = view.values.as_tree if look == "tree" else view.values.as_table
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        table = view.values.table
        area = view.values.tree.tree if table is None else table.table
    await turns(20)
    column = view.area.verticalScrollBar()
    assert (area.verticalScrollBar().maximum() == 0, column.maximum() > 0) == (is_whole, True)
    area.setFocus()
    QTest.keyClick(area, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    await turns(20)
    place = (
        area.visualRect(area.currentIndex())
        if isinstance(area, QAbstractItemView)
        else view.feed.text.editor.cursorRect()
    )
    seen = area.viewport().mapTo(view.area.viewport(), place.center())
    assert view.area.viewport().rect().contains(seen)


def test_the_tools_go_back_to_their_part(view: ResultView) -> None:
    view.show_result(ToolResult(success=True, output="alone"))
    assert not view.text.isAncestorOf(view.text.bar)
    content = (Content("text", "long\n" * 9), Content("text", '{"a": 1}'))
    view.show_result(ToolResult(success=True, output="…", content=content))
    assert view.text.isAncestorOf(view.text.bar)
    assert view.text.bar.isVisible()


def test_what_the_output_schema_promised_comes_first_and_is_not_repeated(view: ResultView) -> None:
    content = (Content("text", '{"a": 1}'), Content("text", "A note."))
    result = ToolResult(True, "…", structured={"a": 1}, content=content, output_issues=())
    view.show_result(result)
    QApplication.processEvents()
    assert parts(view) == ["StructuredView", "TextView"]
    assert view.values.json is not None
    assert view.values.json.editor.toPlainText() == '{\n  "a": 1\n}'


def test_tab_goes_through_a_result_as_it_is_read(view: ResultView) -> None:
    content = (Content("text", '{"a": 1}'), Content("text", "Text\n" * 9))
    view.show_result(ToolResult(success=True, output="…", content=content))
    view.activateWindow()
    view.save_all.setFocus()
    heights: list[int] = []
    for _ in range(12):
        QTest.keyClick(QApplication.focusWidget() or view, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        if focused is view.area:
            continue  # it is around all of them
        heights.append(focused.mapTo(view, focused.rect().center()).y() // 10)
    assert heights == sorted(heights)
    assert len(set(heights)) > 2


def test_an_error_stands_apart_and_is_not_said_twice(view: ResultView) -> None:
    error = ToolError("ToolError", "It failed.", ErrorCode.TOOL_ERROR)
    view.show_result(ToolResult(success=False, output="It failed.", error=error))
    assert view.error.isVisible()
    assert parts(view) == []
    view.show_result(ToolResult(success=False, output="It failed.\nDetails", error=error))
    assert parts(view) == ["TextView"]
    view.show_result(ToolResult(success=True, output="fine"))
    assert not view.error.isVisible()


def test_text_that_is_json_is_a_tree_too(view: ResultView) -> None:
    view.show_result(ToolResult(success=True, output="[1]", content=(Content("text", "[1]"),)))
    assert parts(view) == ["StructuredView"]
    view.values.as_tree.click()
    assert view.values.tree.isVisible()
    view.values.looks["text"].click()
    assert view.values.text is not None
    assert view.values.text.editor.toPlainText() == "[1]"


def test_each_text_block_can_be_looked_at_alone(view: ResultView) -> None:
    content = (Content("text", "one"), Content("text", "# two"))
    view.show_result(ToolResult(success=True, output="one\n# two", content=content))
    assert view.text.chooser.count() == 3
    view.text.chooser.setCurrentIndex(2)
    assert view.text.editor.toPlainText() == "# two"


async def test_media_alone_needs_no_text_tab(view: ResultView) -> None:
    content = (
        Content("resource", data=png(2, 2), mime="image/png", uri="demo://p"),
        Content("audio", data=wav(0.1), mime="audio/wav"),
        Content("image", data=b"<svg/>", mime="image/svg+xml"),
    )
    view.show_result(ToolResult(success=True, output="[Resource: demo://p]", content=content))
    assert parts(view) == ["ImageCard", "AudioCard", "ContentCard"]
    assert view.feed.findChildren(AudioCard)
    assert view.save_all.isVisible()


def test_the_verdict_of_the_output_schema_is_beside_the_value(view: ResultView) -> None:
    issue = ValidationIssue(("a",), "type", "1 is not a string")
    view.show_result(ToolResult(success=True, structured={"a": 1}, output_issues=(issue,)))
    assert "Does not match" in view.values.verdict.words.text()
    view.show_result(ToolResult(success=True, structured={"a": 1}, output_issues=()))
    assert "Matches" in view.values.verdict.words.text()
    view.show_result(ToolResult(success=True, structured={"a": 1}))
    assert view.values.verdict.isHidden()


def test_what_is_only_noted_about_a_value_is_not_called_a_mismatch(view: ResultView) -> None:
    note = ValidationIssue(("n",), "type", "NaN is not JSON", "warning", NOT_FINITE)
    view.show_result(ToolResult(True, structured={"n": None}, output_issues=(note,)))
    assert view.values.verdict.words.text() == "To note about this value (1):"
    assert view.values.verdict.findings.item(0).text() == "n: NaN is not JSON"


def test_structured_content_that_did_not_come_is_a_finding(view: ResultView) -> None:
    issue = ValidationIssue((), "rule", "structuredContent is missing")
    view.show_result(ToolResult(success=True, output="x", output_issues=(issue,)))
    assert parts(view) == ["StructuredView", "TextView"]
    assert "Does not match" in view.values.verdict.words.text()


def test_meta_is_there_where_it_was_sent(view: ResultView) -> None:
    view.show_result(ToolResult(success=True, output="x", meta={"a": 1}))
    assert view.meta.isVisible()
    view.show_result(ToolResult(success=True, output="x"))
    assert not view.meta.isVisible()


async def test_all_of_a_result_is_saved(view: ResultView, tmp_path: Path) -> None:
    view.show_result(ToolResult(success=True, output="x", content=(Content("text", "x"),) * 2), "t")
    QTest.mouseClick(view.save_all, Qt.MouseButton.LeftButton)
    dialog = view.findChildren(SaveAllDialog)[0]
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, LIMIT)
    assert (tmp_path / "t" / "02-text.txt").read_bytes() == b"x"


def test_how_it_is_read_is_remembered(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    for wraps in (True, False):
        view = ResultView(theme, None, settings)
        qtbot.addWidget(view)
        view.show_result(ToolResult(success=True, output="x"))
        assert view.text.wrap.isChecked() is wraps
        view.text.wrap.trigger()


texts = st.text(max_size=200) | st.sampled_from(
    [
        "\ud800",
        "a\0b\x1b[31m",
        "\u202eevil",
        "[1,\n2]",
        '[{"a": 1}]',
        "{",
        "x" * 5_000,
        "\r\n\u2028",
    ]
)
contents = st.builds(
    Content,
    kind=st.sampled_from(["text", "image", "audio", "resource", "link"]),
    text=texts,
    data=st.binary(max_size=20),
    mime=texts | st.sampled_from(["image/png", "image/svg+xml", "audio/wav", "text/plain"]),
    uri=texts,
    name=texts,
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
paths = st.lists(st.integers(-1, 3) | texts, max_size=3).map(tuple)
issues = st.builds(ValidationIssue, path=paths, layer=st.just("type"), message=texts)
results = st.builds(
    ToolResult,
    success=st.booleans(),
    output=texts,
    error=st.none()
    | st.builds(ToolError, type=texts, message=texts, code=st.sampled_from(ErrorCode)),
    content=st.lists(contents, max_size=4).map(tuple),
    structured=values,
    meta=st.dictionaries(texts, values, max_size=2),
    output_issues=st.none() | st.lists(issues, max_size=3).map(tuple),
)


def test_any_result_can_be_shown_and_handled(view: ResultView, qtbot: QtBot) -> None:
    """Hidden, so that no image asks for a thread: a sync test has no loop."""
    view.hide()

    @given(results)
    @settings(max_examples=60, deadline=None)
    def show(result: ToolResult) -> None:
        view.show_result(result)
        view.meta.toggle.click()
        view.text.as_markdown.click()
        view.text.copy_all.click()
        for look in view.values.looks.values():
            if not look.isHidden():
                look.click()
        view.values.tree.levels[2].trigger()
        for row in range(view.values.verdict.findings.count()):
            view.values.verdict.findings.itemClicked.emit(view.values.verdict.findings.item(row))
        view.values.tree.copy_path.trigger()
        assert view.result is result

    show()


class Rows(list[Any]):
    """A value that can be seen to go."""


@pytest.fixture
def uncollected() -> None:
    """Nobody looks for garbage, as ever in a window: what goes now goes by itself."""
    gc.collect()
    assert not gc.isenabled()


def show_rows(view: ResultView, *, table: bool) -> ref[Rows]:
    """A result that was looked at in both ways, or as a tree alone; its value."""
    rows = Rows({"id": number, "tags": [number]} for number in range(900))
    view.show_result(ToolResult(success=True, structured=rows))
    if table:
        view.values.as_table.click()
    view.values.as_tree.click()
    view.values.tree.levels[2].trigger()
    return ref(rows)


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("table", [False, True])
async def test_a_value_goes_as_soon_as_another_result_is_shown(
    view: ResultView, table: bool
) -> None:
    rows = show_rows(view, table=table)
    assert rows() is not None
    view.show_result(ToolResult(success=True, output="x"))
    assert rows() is None


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("table", [False, True])
async def test_a_value_goes_with_the_view(theme: Theme, table: bool) -> None:
    view = ResultView(theme)
    view.show()
    rows = show_rows(view, table=table)
    view.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert rows() is None
