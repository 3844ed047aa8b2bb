from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from desktop.gui.results.content_card import ContentCard
from desktop.tools.result import Content

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

LINK = Content("link", uri="https://example.com/<b>x</b>", name="A <i>link</i>", mime="text/html")


def card(theme: Theme, qtbot: QtBot, content: Content) -> ContentCard:
    made = ContentCard(theme, content)
    qtbot.addWidget(made)
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
    assert list(buttons(made)) == ["Copy address"]
    QTest.mouseClick(buttons(made)["Copy address"], Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == LINK.uri


def test_audio_can_be_saved(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    made = card(theme, qtbot, Content("audio", data=b"12345", mime="audio/wav"))
    assert words(made) == ["Audio · audio/wav · 5 B"]
    QTest.mouseClick(buttons(made)["Save…"], Qt.MouseButton.LeftButton)
    dialog = made.findChildren(QFileDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "a.wav"))
    dialog.reject()
    assert (tmp_path / "a.wav").read_bytes() == b"12345"


def test_a_long_resource_shows_its_start(theme: Theme, qtbot: QtBot) -> None:
    text = "line\n" * 10_000
    made = card(theme, qtbot, Content("resource", text=text, uri="demo://r"))
    assert words(made)[-1] == "\n".join(["line"] * 8) + " …"
