from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.tools.inline_notice import InlineNotice
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def notice(theme: Theme, qtbot: QtBot) -> InlineNotice:
    made = InlineNotice(theme, "danger")
    qtbot.addWidget(made)
    return made


def test_issues_are_counted_and_the_first_is_a_way_to_its_place(
    notice: InlineNotice, qtbot: QtBot
) -> None:
    notice.show_issues([ValidationIssue(("a", i), "type", "<b>wrong</b> & odd") for i in range(20)])
    assert notice.words.text() == "Not sent. 20 things to correct."
    assert notice.action.text() == "Show the first"
    assert notice.words.textFormat() == Qt.TextFormat.PlainText
    with qtbot.waitSignal(notice.action_requested):
        QTest.mouseClick(notice.action, Qt.MouseButton.LeftButton)


def test_of_a_single_issue_it_says_so(notice: InlineNotice) -> None:
    notice.show_issues([ValidationIssue((), "type", "x\n" * 9000)])
    assert notice.words.text() == "Not sent. One thing to correct."
    assert notice.action.text() == "Show it"


def test_no_words_hide_it_and_so_does_a_click(notice: InlineNotice) -> None:
    notice.say("something")
    assert notice.isVisible()
    assert notice.action.isHidden()
    notice.say("")
    assert notice.isHidden()
    notice.say("more")
    QTest.mouseClick(notice.dismiss, Qt.MouseButton.LeftButton)
    assert notice.isHidden()
