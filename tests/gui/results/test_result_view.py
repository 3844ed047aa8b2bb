from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.results.result_view import ResultView
from desktop.tools.result import Content, ErrorCode, ToolError, ToolResult
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> ResultView:
    made = ResultView(theme)
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    return made


def tabs(view: ResultView) -> list[str]:
    return [view.tabs.tabText(index) for index in range(view.tabs.count())]


async def test_only_what_is_there_has_a_tab(view: ResultView) -> None:
    view.show_result(ToolResult(success=True, output="hello"))
    assert tabs(view) == ["Text"]
    view.show_result(ToolResult(success=True, output="{}", structured={"a": 1}))
    assert tabs(view) == ["Text", "Structured"]
    media = (Content("image", data=png(2, 2), mime="image/png"), Content("link", uri="x:y"))
    view.show_result(ToolResult(success=True, content=media))
    assert tabs(view) == ["Images (1)", "Other content (1)"]
    view.show_result(ToolResult(success=True))
    assert not view.tabs.isVisible()


def test_the_chosen_tab_stays_for_the_next_result(view: ResultView) -> None:
    for value in (1, 2):
        view.show_result(ToolResult(success=True, output="x", structured={"a": value}))
        if value == 1:
            view.tabs.setCurrentWidget(view.tree)
    assert view.tabs.currentWidget() is view.tree


def test_an_error_stands_apart_and_is_not_said_twice(view: ResultView) -> None:
    error = ToolError("ToolError", "It failed.", ErrorCode.TOOL_ERROR)
    view.show_result(ToolResult(success=False, output="It failed.", error=error))
    assert view.error.isVisible()
    assert tabs(view) == []
    view.show_result(ToolResult(success=False, output="It failed.\nDetails", error=error))
    assert tabs(view) == ["Text"]
    view.show_result(ToolResult(success=True, output="fine"))
    assert not view.error.isVisible()


def test_text_that_is_json_is_a_tree_too(view: ResultView) -> None:
    view.show_result(ToolResult(success=True, output="[1]", content=(Content("text", "[1]"),)))
    assert tabs(view) == ["Text", "Structured"]
