"""A result on disk is shown a page at a time; search, copy and save have all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop.gui.results.bytes_card import BytesCard
from desktop.gui.results.content_cards import ContentCard
from desktop.gui.results.result_view import ResultView
from desktop.gui.results.saving import SaveAllDialog, SaveDialog
from desktop.tools.result_spill import ResultSpill
from desktop.values.spilled import SpilledText
from desktop.values.tool_types import Content, ToolResult

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

TEXT = "a line of ä text\n" * 130_000 + "the needle at the end\n"
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> ResultView:
    made = ResultView(theme)
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show()
    return made


@pytest.fixture
def most_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many characters were read of texts on disk, each time."""
    lengths: list[int] = []
    read = SpilledText.__getitem__

    def noted(self: SpilledText, part: slice) -> str:
        lengths.append(len(found := read(self, part)))
        return found

    monkeypatch.setattr(SpilledText, "__getitem__", noted)
    return lengths


async def spilled(folder: Path, *content: Content, structured: Any = None) -> ToolResult:
    output = "\n".join(block.text for block in content)
    result = ToolResult(success=True, output=output, content=content, structured=structured)
    return await ResultSpill(folder, large=1_000_000).spill(result)


async def test_no_more_is_read_than_is_shown(
    view: ResultView, qtbot: QtBot, tmp_path: Path, most_read: list[int]
) -> None:
    result = await spilled(tmp_path, Content("text", TEXT))
    view.show_result(result)
    qtbot.waitUntil(lambda: view.text.is_complete)
    assert view.text.editor.toPlainText() == TEXT[: len(view.text.editor.toPlainText())]
    assert view.text.pages.words.text() == "Part 1 of 3, 2.2 MB in total"
    assert "2.2 MB" in view.status.facts.text()
    view.text.pages.go_to(2)
    qtbot.waitUntil(lambda: view.text.is_complete)
    assert TEXT.endswith(view.text.editor.toPlainText())
    assert max(most_read) <= 100_000


async def test_the_whole_is_searched(view: ResultView, qtbot: QtBot, tmp_path: Path) -> None:
    view.show_result(await spilled(tmp_path, Content("text", TEXT)))
    bar = view.text.find_bar
    bar.open_bar()
    QTest.keyClicks(bar.field, "NEEDLE")
    qtbot.waitUntil(lambda: view.text.editor.textCursor().selectedText() == "needle")
    assert view.text.pages.page == 2


async def test_the_whole_is_copied_and_saved(view: ResultView, tmp_path: Path) -> None:
    view.show_result(await spilled(tmp_path, Content("text", TEXT)))
    QTest.mouseClick(view.text.copy_all, LEFT)
    assert QGuiApplication.clipboard().text() == TEXT
    QTest.mouseClick(view.text.save, LEFT)
    (dialog,) = view.findChildren(SaveDialog)
    dialog.fileSelected.emit(str(tmp_path / "result.txt"))
    assert dialog.writing is not None
    await dialog.writing
    assert (tmp_path / "result.txt").read_text("utf-8") == TEXT
    dialog.close()


async def test_several_texts_are_there_together_and_alone(
    view: ResultView, qtbot: QtBot, tmp_path: Path, most_read: list[int]
) -> None:
    view.show_result(await spilled(tmp_path, Content("text", TEXT), Content("text", "short")))
    assert max(most_read) <= 100_000
    chooser = view.text.chooser
    assert [chooser.itemText(n) for n in range(3)] == ["All as text", "Text 1", "Text 2"]
    QTest.mouseClick(view.text.copy_all, LEFT)
    assert QGuiApplication.clipboard().text() == f"{TEXT}\nshort"
    chooser.setCurrentIndex(2)
    qtbot.waitUntil(lambda: view.text.is_complete)
    assert view.text.editor.toPlainText() == "short"


async def test_a_value_waits_until_it_is_read(view: ResultView, tmp_path: Path) -> None:
    value = {"rows": [{"id": n, "name": f"row {n}"} for n in range(60_000)]}
    view.show_result(await spilled(tmp_path, Content("text", "60000 rows"), structured=value))
    assert view.values.read.isVisibleTo(view)
    QTest.mouseClick(view.values.read, LEFT)
    assert view.values.reading_task is not None
    await view.values.reading_task
    assert not view.values.read.isVisibleTo(view)
    assert view.values.tree.tree.model().rowCount() > 0


async def test_what_the_text_says_already_comes_after_it(view: ResultView, tmp_path: Path) -> None:
    view.show_result(await spilled(tmp_path, Content("text", TEXT), structured={"result": TEXT}))
    assert view.feed.parts == [view.text, view.values]


async def test_everything_is_saved_in_one_folder(view: ResultView, tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    picture = Content("image", data=b"x" * 2_000_000, mime="image/png")
    view.show_result(
        await spilled(tmp_path, Content("text", TEXT), picture, structured={"result": TEXT}), "big"
    )
    QTest.mouseClick(view.save_all, LEFT)
    (dialog,) = view.findChildren(SaveAllDialog)
    dialog.fileSelected.emit(str(tmp_path / "saved"))
    assert dialog.writing is not None
    await dialog.writing
    dialog.close()
    files = {file.name: file for file in (tmp_path / "saved" / "big").iterdir()}
    assert files["01-text.txt"].read_text("utf-8") == TEXT
    assert files["02-image.png"].read_bytes() == picture.data
    assert len(files["structuredContent.json"].read_text("utf-8")) > len(TEXT)


async def test_cards_show_the_beginning(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    given = (
        Content("resource", text=TEXT, uri="x:text"),
        Content("resource", data=b"%PDF-" + b"\0" * 2_000_000, uri="x:bytes"),
    )
    text, pdf = (await spilled(tmp_path, *given)).content
    card = ContentCard(theme, text)
    qtbot.addWidget(card)
    assert card.start.text() == "\n".join(["a line of ä text"] * 4) + " …"
    bytes_card = BytesCard(theme, pdf)
    qtbot.addWidget(bytes_card)
    assert bytes_card.is_pdf
    assert bytes_card.hex.toPlainText().startswith("00000000  25 50 44 46 2d")
