from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.gui.results.content_cards import MAX_CARDS, CardColumn, ContentCard
from desktop.gui.results.saving import SaveDialog
from desktop.values.tool_types import Content
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_each_item_has_a_card_up_to_a_limit_that_is_told(qtbot: QtBot) -> None:
    column = CardColumn("Things")
    qtbot.addWidget(column)
    column.show_cards(range(MAX_CARDS + 3), lambda item: QLabel(str(item)))
    words = [label.text() for label in column.findChildren(QLabel)]
    assert len(words) == MAX_CARDS + 1
    assert words[-1] == "3 more are not shown"


def test_new_cards_replace_the_old_ones(qtbot: QtBot) -> None:
    column = CardColumn("Things")
    qtbot.addWidget(column)
    for item in ("old", "new"):
        column.show_cards([item], QLabel)
    assert [label.text() for label in column.findChildren(QLabel)] == ["new"]


LEFT = Qt.MouseButton.LeftButton
LINK = Content("link", uri="https://example.com/<b>x</b>", name="A <i>link</i>", mime="text/html")
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'


def card(theme: Theme, qtbot: QtBot, content: Content) -> ContentCard:
    made = ContentCard(theme, content)
    qtbot.addWidget(made)
    made.show()
    return made


def words(card: ContentCard) -> list[str]:
    return [label.text() for label in card.findChildren(QLabel) if label.text()]


def buttons(card: ContentCard) -> dict[str, QPushButton]:
    return {button.text(): button for button in card.findChildren(QPushButton)}


def test_a_link_is_words_that_open_nothing(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, LINK)
    assert words(made) == ["Link to a resource · A <i>link</i> · text/html", LINK.uri]
    for label in made.findChildren(QLabel):
        assert not label.openExternalLinks()
        assert label.textFormat() == Qt.TextFormat.PlainText or not label.text()
    assert list(buttons(made)) == []
    assert made.copy.toolTip() == made.copy.accessibleName() == "Copy address"
    QTest.mouseClick(made.copy, LEFT)
    assert QGuiApplication.clipboard().text() == LINK.uri


async def test_a_blob_can_be_saved(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    made = card(theme, qtbot, Content("resource", data=b"12345", mime="application/zip"))
    assert words(made) == ["Resource · application/zip · 5 B"]
    QTest.mouseClick(buttons(made)["Save…"], LEFT)
    dialog = made.findChildren(SaveDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "a.zip"))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, LIMIT)
    assert (tmp_path / "a.zip").read_bytes() == b"12345"


def test_a_long_resource_shows_its_start_and_all_of_it_when_asked(
    theme: Theme, qtbot: QtBot
) -> None:
    text = "line\n" * 1_000
    made = card(theme, qtbot, Content("resource", text=text, uri="demo://r"))
    assert made.start.text() == "\n".join(["line"] * 4) + " …"
    QTest.mouseClick(buttons(made)["Full text"], LEFT)
    assert made.whole is not None
    assert made.whole.editor.toPlainText() == text
    assert not made.start.isVisible()
    QTest.mouseClick(buttons(made)["Full text"], LEFT)
    assert made.start.isVisible()
    assert not made.whole.isVisible()


def test_svg_is_shown_as_its_text(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, Content("image", data=SVG, mime="image/svg+xml"))
    assert words(made) == ["Picture as text · image/svg+xml · 80 B", SVG.decode()]
