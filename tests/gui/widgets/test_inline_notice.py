from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.widgets.inline_notice import InlineNotice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def notice(theme: Theme, qtbot: QtBot) -> InlineNotice:
    made = InlineNotice(theme, "danger")
    qtbot.addWidget(made)
    return made


def test_it_says_plain_words_and_its_action_asks(notice: InlineNotice, qtbot: QtBot) -> None:
    notice.say("<b>wrong</b> & odd", "Show it")
    assert notice.words.text() == "<b>wrong</b> & odd"
    assert notice.words.textFormat() == Qt.TextFormat.PlainText
    with qtbot.waitSignal(notice.action_requested):
        QTest.mouseClick(notice.action, Qt.MouseButton.LeftButton)


def test_long_words_beside_an_action_take_several_lines(notice: InlineNotice) -> None:
    notice.say("words " * 50, "Show it")
    notice.resize(300, notice.heightForWidth(300))
    assert notice.width() == 300
    assert notice.words.width() > notice.action.width()


def test_no_words_hide_it_and_so_does_a_click(notice: InlineNotice) -> None:
    notice.say("something")
    assert notice.isVisible()
    assert notice.action.isHidden()
    notice.say("")
    assert notice.isHidden()
    notice.say("more")
    QTest.mouseClick(notice.dismiss, Qt.MouseButton.LeftButton)
    assert notice.isHidden()
