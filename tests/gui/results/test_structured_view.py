from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.results.structured import MAX_WRITTEN_VALUES, Structured
from desktop.gui.results.structured_view import MAX_FINDINGS, OutputSchemaCard, StructuredView
from desktop.gui.results.text_view import Cap
from desktop.gui.results.view_settings import ViewSettings
from desktop.values.tool_types import ValidationIssue
from tests.patience import LIMIT

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
    assert made.words.text() == "Matches the output schema."
    assert not made.findings.isVisible()


def test_findings_are_listed_and_chosen_by_click_and_key(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, ISSUES)
    made.show()
    chosen: list[object] = []
    made.reveal_requested.connect(chosen.append)
    texts = [made.findings.item(row).text() for row in range(made.findings.count())]
    assert texts == ["items[0].name: 1 is not a string", "'total' is missing"]
    place = made.findings.visualItemRect(made.findings.item(0)).center()
    QTest.mouseClick(made.findings.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(made.findings, Qt.Key.Key_Down)
    QTest.keyClick(made.findings, Qt.Key.Key_Return)
    assert chosen == [("items", 0, "name"), ()]


def test_findings_are_bounded(theme: Theme, qtbot: QtBot) -> None:
    made = card(theme, qtbot, ISSUES * 100)
    assert made.findings.count() == MAX_FINDINGS
    assert "(200, the first 50 are listed)" in made.words.text()


LEFT = Qt.MouseButton.LeftButton
ROWS = [{"n": n} for n in range(3)]


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> StructuredView:
    made = StructuredView(theme, ViewSettings())
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    return made


def found(value: object, origin: str = "") -> Structured:
    return Structured(found=True, value=value, origin=origin)


def test_a_short_value_is_json_in_colours_and_a_long_one_a_tree(view: StructuredView) -> None:
    view.show_source(found({"name": "Ada", "age": 36}))
    assert view.json is not None
    assert view.json.isVisible()
    assert view.json.editor.toPlainText() == '{\n  "name": "Ada",\n  "age": 36\n}'
    line = view.json.editor.document().findBlockByNumber(1)
    colors = {part.format.foreground().color().name() for part in line.layout().formats()}
    assert len(colors) == 2  # the key and the text
    view.show_source(found(list(range(MAX_WRITTEN_VALUES + 1))))
    assert view.shown == "tree"
    assert not view.as_json.isVisible()


def test_a_value_is_shown_as_last_chosen_where_it_can_be(view: StructuredView) -> None:
    view.show_source(found({"items": ROWS}))
    QTest.mouseClick(view.as_table, LEFT)
    assert view.table is not None
    assert view.table.isVisible()
    assert view.table.tools.bar.isVisible()
    assert not view.tree.tools.bar.isVisible()
    view.show_source(found({"no": "table"}))
    assert view.shown == "json"
    assert not view.as_table.isVisible()
    view.show_source(found(ROWS))
    assert view.table.isVisible()
    QTest.mouseClick(view.as_tree, LEFT)
    assert view.tree.isVisible()


def test_a_finding_is_gone_to_in_the_tree(view: StructuredView) -> None:
    issue = ValidationIssue((2, "n"), "type", "2 is not a string")
    view.show_source(found(ROWS), (issue,))
    QTest.mouseClick(view.as_table, LEFT)
    view.verdict.findings.setCurrentRow(0)
    QTest.keyClick(view.verdict.findings, Qt.Key.Key_Return)
    node = view.tree.current_node()
    assert node is not None
    assert node.path == "[2].n"
    assert view.tree.isVisible()


def test_a_value_of_a_resource_says_where_it_is_from(view: StructuredView) -> None:
    view.show_source(found([2], "demo://two"))
    assert view.caption.text() == "demo://two"
    assert view.caption.isVisible()


def test_among_others_it_is_as_high_as_what_is_shown(view: StructuredView) -> None:
    view.set_cap(Cap(300))
    for look in (view.as_json, view.as_tree, view.as_table):
        view.show_source(found(ROWS[:1]))
        QTest.mouseClick(look, LEFT)
        QApplication.processEvents()
        assert view.sizeHint().height() < 200
    view.show_source(found([{"n": n} for n in range(99)]))
    QApplication.processEvents()
    assert view.table is not None
    assert view.table.height() == 300


async def test_long_json_is_read_when_asked(view: StructuredView) -> None:
    view.show_source(Structured(found=False, waiting='[{"late": 1}]'), text='[{"late": 1}]')
    assert view.text is not None
    assert view.text.editor.toPlainText() == '[{"late": 1}]'
    assert not view.tree.isVisible()
    QTest.mouseClick(view.read, LEFT)
    assert view.reading_task is not None
    await asyncio.wait_for(view.reading_task, LIMIT)
    assert view.json is not None
    assert view.json.isVisible()
    assert view.as_table.isVisible()
    assert not view.read.isVisible()


@pytest.mark.parametrize("text", ["{late}", "[" * 20_000 + "]"])
async def test_what_only_looked_like_json_says_so(view: StructuredView, text: str) -> None:
    view.show_source(Structured(found=False, waiting=text), text=text)
    QTest.mouseClick(view.read, LEFT)
    assert view.reading_task is not None
    await asyncio.wait_for(view.reading_task, LIMIT)
    assert "Not valid JSON" in view.refusal.text()
    assert not view.read.isEnabled()


async def test_another_result_ends_the_reading(view: StructuredView) -> None:
    view.show_source(Structured(found=False, waiting="[1]"), text="[1]")
    QTest.mouseClick(view.read, LEFT)
    view.show_source(found(["new"]))
    assert view.reading_task is not None
    await asyncio.wait([view.reading_task], timeout=LIMIT)
    assert view.json is not None
    assert "new" in view.json.editor.toPlainText()
