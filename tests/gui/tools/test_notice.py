from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from desktop.gui.tools.notice import Notice
from desktop.tools.issue import ValidationIssue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_issues_are_a_line_each_and_not_without_end(theme: Theme, qtbot: QtBot) -> None:
    notice = Notice(theme, "danger")
    qtbot.addWidget(notice)
    issues = [ValidationIssue(("a", i), "type", "<b>wrong</b>") for i in range(20)]
    notice.show_issues(issues)
    lines = notice.words.text().splitlines()
    assert lines[1] == "• a[0]: <b>wrong</b>"
    assert lines[-1] == "… and 12 more"
    assert notice.words.textFormat() == Qt.TextFormat.PlainText
    assert notice.isVisible()


def test_no_words_hide_it(theme: Theme, qtbot: QtBot) -> None:
    notice = Notice(theme, "warning")
    qtbot.addWidget(notice)
    notice.show_words("something")
    notice.show_words("")
    assert notice.isHidden()
