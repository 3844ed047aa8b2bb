from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.agent.events import ApprovalQuestion, ApprovalResponse
from desktop.gui.chat.call_card import CallCard
from desktop.gui.chat.entries import ToolCallEntry
from desktop.tool_types import Content, ErrorCode, ToolDefinition, ToolResult, failed
from tests.gui.chat.conftest import told
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)

LEFT = Qt.MouseButton.LeftButton


def _card(qtbot: QtBot, theme: Theme, entry: ToolCallEntry) -> CallCard:
    card = CallCard(theme, entry)
    qtbot.addWidget(card)
    card.resize(700, 100)
    card.show()
    return card


def test_it_says_which_tool_and_how_it_went(qtbot: QtBot, theme: Theme) -> None:
    result = ToolResult(True, "forty\ntwo", execution_time=0.5)
    entry = ToolCallEntry("1", "s__t", "s:t", {"a": 1}, state="done", result=result, elapsed=0.5)
    card = _card(qtbot, theme, entry)
    assert card.title.accessibleName() == "s:t"
    assert (card.state.text(), card.time.text()) == ("Done", "500 ms")
    assert card.line.accessibleName() == "forty two"
    assert card.accessibleName() == "Call of s:t: Done"


def test_arguments_and_result_are_built_when_it_is_opened(qtbot: QtBot, theme: Theme) -> None:
    image = Content("image", data=png(8, 8), mime="image/png")
    result = ToolResult(True, "[Image: image/png]", content=(image,))
    card = _card(
        qtbot, theme, ToolCallEntry("1", "x", "s:t", {"a": 1}, state="done", result=result)
    )
    assert (card.arguments, card.result) == (None, None)
    QTest.mouseClick(card.fold, LEFT)
    assert card.arguments is not None
    assert card.result is not None
    assert card.arguments.toPlainText() == '{\n  "a": 1\n}'
    assert card.result.tabs.count() == 1
    QTest.mouseClick(card.fold, LEFT)
    assert not card.result.isVisible()


def test_what_could_not_be_read_is_shown_as_it_was_written(qtbot: QtBot, theme: Theme) -> None:
    result = failed("X", "No such tool.", ErrorCode.NOT_FOUND)
    entry = ToolCallEntry("1", "nothing", text="{broken", state="failed", result=result)
    card = _card(qtbot, theme, entry)
    assert card.title.accessibleName() == "nothing"
    assert not card.open_in_tools.isEnabled()
    card.fold.click()
    assert card.arguments is not None
    assert card.arguments.toPlainText() == "{broken"


def test_the_question_comes_and_goes(qtbot: QtBot, theme: Theme) -> None:
    question = ApprovalQuestion("1", ToolDefinition("s", "t"), {})
    entry = ToolCallEntry("1", "x", "s:t", state="asking", question=question)
    card = _card(qtbot, theme, entry)
    answers = told(card.answered)
    assert card.question is not None
    card.question.arm()
    card.question.deny.click()
    entry.question, entry.state = None, "denied"
    card.refresh()
    assert answers == [("1", ApprovalResponse("deny"))]
    assert (card.question, card.state.text()) == (None, "Denied")


def test_it_is_opened_in_its_form(qtbot: QtBot, theme: Theme) -> None:
    card = _card(qtbot, theme, ToolCallEntry("1", "x", "s:t", {"a": 1}))
    opened = told(card.open_call)
    QTest.mouseClick(card.open_in_tools, LEFT)
    assert opened == [("s:t", {"a": 1})]
