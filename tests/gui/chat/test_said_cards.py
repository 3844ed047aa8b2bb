from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop.gui.chat.entries import ModelEntry, UserEntry
from desktop.gui.chat.said_cards import ModelCard, UserCard
from desktop.gui.chat.text_parts import GrowingText
from desktop.llm.messages import Image
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)

LEFT = Qt.MouseButton.LeftButton


def test_a_question_is_shown_letter_by_letter(qtbot: QtBot, theme: Theme) -> None:
    card = UserCard(UserEntry(GrowingText("**why** <b>?</b>"), (Image(png(4, 4), "image/png"),)))
    qtbot.addWidget(card)
    card.show()
    assert card.text.proses[0].toPlainText() == "**why** <b>?</b>"
    assert len(card.pictures.pictures) == 1
    assert card.accessibleName() == "You: **why** <b>?</b>"


def test_thoughts_are_folded_and_built_when_opened(qtbot: QtBot, theme: Theme) -> None:
    entry = ModelEntry(GrowingText("Yes"), GrowingText("Is it so?"))
    card = ModelCard(theme, entry)
    qtbot.addWidget(card)
    card.show()
    assert card.thinking is None
    QTest.mouseClick(card.fold, LEFT)
    assert card.thinking is not None
    assert card.thinking.proses[0].toPlainText() == "Is it so?"
    QTest.mouseClick(card.fold, LEFT)
    assert not card.thinking.isVisible()


def test_copy_takes_all_of_the_answer_as_it_was_written(qtbot: QtBot, theme: Theme) -> None:
    whole = "**a** " * 10_000
    card = ModelCard(theme, ModelEntry(GrowingText(whole)))
    qtbot.addWidget(card)
    card.show()
    QTest.mouseClick(card.copy, LEFT)
    assert QGuiApplication.clipboard().text() == whole


def test_while_it_arrives_there_is_nothing_to_copy(qtbot: QtBot, theme: Theme) -> None:
    entry = ModelEntry(GrowingText(), GrowingText("hm"), is_live=True)
    card = ModelCard(theme, entry)
    qtbot.addWidget(card)
    card.show()
    assert (card.fold.text(), card.copy.isVisible()) == ("Thinking…", False)
    entry.text.add("So")
    entry.is_live = False
    card.refresh()
    assert (card.fold.text(), card.copy.isVisible()) == ("Thoughts", True)


def test_a_link_is_only_offered(qtbot: QtBot, theme: Theme) -> None:
    card = ModelCard(theme, ModelEntry(GrowingText("[x](https://a.example)")))
    qtbot.addWidget(card)
    card.show()
    assert card.links is None
    card.text.link_chosen.emit(QUrl("https://a.example"))
    assert card.links is not None
    assert card.links.link.text() == "https://a.example"
