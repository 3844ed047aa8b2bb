from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.agent.approvals import Approval
from desktop.gui.settings.approval_row import ApprovalRow, printable

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


def _row(qtbot: QtBot, approval: Approval, key: str = "files:read") -> ApprovalRow:
    row = ApprovalRow(key, approval)
    qtbot.addWidget(row)
    row.show()
    return row


@pytest.mark.parametrize(
    ("key", "approval", "words", "tone"),
    [
        ("f:read", Approval("always", "1"), "Runs without asking until", "success"),
        ("f:read", Approval("ask", "1"), "Asks before each call.", "muted"),
        ("f:read", Approval("never"), "Never runs", "danger"),
        ("shell:run", Approval("always", "1"), "nothing allows a shell", "warning"),
        ("f:read", Approval("always"), "which version was allowed is not known", "warning"),
    ],
)
def test_it_says_in_words_and_colour_what_becomes_of_a_call(
    qtbot: QtBot, theme: Theme, key: str, approval: Approval, words: str, tone: str
) -> None:
    row = _row(qtbot, approval, key)

    assert words in row.meaning.text()
    assert tone in str(row.meaning.property("role"))
    assert row.choice.currentData() == approval.rule


def test_an_arrow_key_asks_for_another_rule(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot, Approval("ask", "1"))

    wanted: list[str] = []

    def note(key: str, rule: str) -> None:
        wanted.extend((key, rule))

    row.rule_wanted.connect(note)
    QTest.keyClick(row.choice, Qt.Key.Key_Down)

    assert wanted == ["files:read", "never"]


def test_the_rule_it_has_is_not_asked_for(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot, Approval("never"))

    with qtbot.assertNotEmitted(row.rule_wanted):
        QTest.keyClick(row.choice, Qt.Key.Key_End)


def test_following_a_change_asks_for_nothing(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot, Approval("ask"))

    with qtbot.assertNotEmitted(row.rule_wanted):
        row.show_approval(Approval("never"))

    assert row.choice.currentText() == "Never allow"


def test_a_name_can_neither_break_the_line_nor_turn_what_is_beside_it() -> None:
    assert printable("a:b\n\u202ec") == "a:b\ufffd\ufffdc"
    assert len(printable("x" * 9000)) == 201
