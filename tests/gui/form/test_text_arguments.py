from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.gui.form.text_arguments import TextArgument, TextArgumentsForm
from desktop.gui.theme import COLUMN_WIDTH
from tests.gui.waiting import noted, turns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot

ARGUMENTS = (TextArgument("city", "City", "Where", required=True), TextArgument("street"))


class Proposals:
    """Proposes what was typed with an ending, when it is let."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.let = asyncio.Event()
        self.let.set()

    async def __call__(self, name: str, typed: str, others: dict[str, str]) -> Sequence[str]:
        self.asked.append((name, typed, others))
        await self.let.wait()
        return [f"{typed}a", f"{typed}b", typed]


@pytest.fixture
def proposals() -> Proposals:
    return Proposals()


@pytest.fixture
def form(qtbot: QtBot, proposals: Proposals) -> TextArgumentsForm:
    made = TextArgumentsForm(ARGUMENTS, proposals)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    assert QTest.qWaitForWindowActive(made)
    return made


def offered(form: TextArgumentsForm, at: int = 0) -> list[str]:
    editor = form.fields[at].editor
    if not editor.popup.isVisible():
        return []
    model = editor.proposals.completionModel()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


async def typed(form: TextArgumentsForm, text: str, at: int = 0) -> None:
    field = form.fields[at]
    field.editor.setFocus()
    QTest.keyClicks(field.editor, text)
    field.ask()  # as it does when typing pauses
    await turns(5)


def test_name_mark_and_purpose_stand_in_one_line_of_a_column_as_in_the_form_of_a_tool(
    form: TextArgumentsForm,
) -> None:
    first = form.fields[0]
    above = [label for label in first.findChildren(QLabel) if label.y() < first.editor.y()]
    assert [label.text() for label in above] == ["City", "*", "city", "Where"]
    assert len({label.geometry().center().y() for label in above}) == 1
    form.resize(1600, form.height())
    assert (first.mapTo(form, QPoint()), first.width()) == (QPoint(), COLUMN_WIDTH)


async def test_a_server_proposes_values_for_what_is_typed_and_knows_the_others(
    form: TextArgumentsForm, proposals: Proposals
) -> None:
    await typed(form, "Bonn")
    await typed(form, "M", at=1)

    assert proposals.asked == [("city", "Bonn", {}), ("street", "M", {"city": "Bonn"})]
    assert offered(form, 1) == ["Ma", "Mb"]
    assert form.values() == {"city": "Bonn", "street": "M"}


async def test_a_chosen_proposal_is_filled_in_and_asks_no_more(
    form: TextArgumentsForm, proposals: Proposals
) -> None:
    await typed(form, "Bo")
    popup = form.fields[0].editor.popup
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    await turns(5)

    assert form.values() == {"city": "Boa"}
    assert len(proposals.asked) == 1


async def test_a_late_answer_counts_for_nothing(
    form: TextArgumentsForm, proposals: Proposals
) -> None:
    proposals.let.clear()
    await typed(form, "B")
    QTest.keyClicks(form.fields[0].editor, "onn")
    proposals.let.set()
    await turns(5)

    assert offered(form) == []


async def test_what_is_required_and_missing_is_said_with_the_focus_there(
    form: TextArgumentsForm,
) -> None:
    is_missing = form.reveal_missing()
    words, has_focus = form.problem.text(), form.fields[0].editor.hasFocus()
    await typed(form, "x")

    assert (is_missing, words, has_focus) == (True, "Missing: city", True)
    assert not form.problem.isVisible()
    assert not form.reveal_missing()


def test_ctrl_enter_submits_and_an_empty_field_is_not_sent(form: TextArgumentsForm) -> None:
    submitted = noted(form.submitted)
    form.fill({"city": "Bonn"})
    form.fields[1].editor.setFocus()
    QTest.keyClick(form.fields[1].editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

    assert submitted == [()]
    assert form.values() == {"city": "Bonn"}
