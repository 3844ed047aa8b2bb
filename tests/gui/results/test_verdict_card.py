from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.results.verdict_card import MOST_FINDINGS, OutputSchemaCard
from desktop.tool_types import ValidationIssue

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

ISSUES = (
    ValidationIssue(("items", 0, "name"), "type", "1 is not a string"),
    ValidationIssue((), "rule", "'total' is missing"),
)


def card(
    theme: Theme, qtbot: QtBot, issues: tuple[ValidationIssue, ...] | None
) -> OutputSchemaCard:
    made = OutputSchemaCard(theme)
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.show_issues(issues)
    return made


def test_what_was_not_checked_has_no_verdict(theme: Theme, qtbot: QtBot) -> None:
    assert card(theme, qtbot, None).isHidden()


def test_what_fits_says_so(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, ())
    assert made.words.text() == "It fits the output schema."
    assert not made.findings.isVisible()


def test_findings_are_listed_and_chosen_by_click_and_key(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, ISSUES)
    made.show()
    chosen: list[object] = []
    made.chosen.connect(chosen.append)
    texts = [made.findings.item(row).text() for row in range(made.findings.count())]
    assert texts == ["items[0].name: 1 is not a string", "'total' is missing"]
    place = made.findings.visualItemRect(made.findings.item(0)).center()
    QTest.mouseClick(made.findings.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(made.findings, Qt.Key.Key_Down)
    QTest.keyClick(made.findings, Qt.Key.Key_Return)
    assert chosen == [("items", 0, "name"), ()]


def test_findings_are_bounded(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, ISSUES * 100)
    assert made.findings.count() == MOST_FINDINGS
    assert "(200, the first 50 are listed)" in made.words.text()
