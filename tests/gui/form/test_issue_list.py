from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.form.issue_list import MAX_ISSUES, IssueList, ListedIssue
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

WRONG = ListedIssue(ValidationIssue(("a",), "type", "must be <b>text</b>"))
ODD = ListedIssue(ValidationIssue((), "rule", "odd", "warning"), 4, 10)


@pytest.fixture
def found(qtbot: QtBot, theme: Theme) -> IssueList:
    made = IssueList(theme)
    qtbot.addWidget(made)
    return made


def test_errors_come_first_and_warnings_say_that_they_are(found: IssueList) -> None:
    found.show_issues([ODD, WRONG])
    texts = [found.item(row).text() for row in range(found.count())]
    assert texts == ["a: must be <b>text</b>", "Line 5: Warning: odd"]
    found.show_issues([])
    assert found.isHidden()


def test_a_click_and_enter_choose(found: IssueList) -> None:
    chosen: list[object] = []
    found.reveal_requested.connect(chosen.append)
    found.show_issues([WRONG, ODD])
    place = found.visualItemRect(found.item(0)).center()
    QTest.mouseClick(found.viewport(), Qt.MouseButton.LeftButton, pos=place)
    found.setCurrentRow(1)
    QTest.keyClick(found, Qt.Key.Key_Return)
    assert chosen == [WRONG, ODD]


def test_many_findings_take_bounded_room(found: IssueList) -> None:
    found.resize(300, 50)
    found.show_issues([ListedIssue(ValidationIssue((n,), "type", "x" * 9000)) for n in range(500)])
    assert found.count() == MAX_ISSUES
    assert found.height() < 800
