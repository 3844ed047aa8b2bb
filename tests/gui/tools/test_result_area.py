from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel

from desktop.gui.tools.result_area import ResultArea
from desktop.tool_types import ToolResult

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_it_takes_a_line_until_there_is_something_to_show(theme: Theme, qtbot: QtBot) -> None:
    area = ResultArea(theme)
    qtbot.addWidget(area)
    area.show()
    assert area.is_small
    assert "No result yet" in area.findChildren(QLabel)[0].text()
    area.grow()
    area.set_running(True)
    assert "Running" in area.findChildren(QLabel)[0].text()
    area.show_result(ToolResult(success=True, output="done"), "echo")
    assert not area.is_small


def test_another_language_keeps_the_result_and_the_tab(theme: Theme, qtbot: QtBot) -> None:
    area = ResultArea(theme)
    qtbot.addWidget(area)
    result = ToolResult(success=True, output="done", structured={"a": 1})
    before = area.show_result(result, "echo")
    before.tabs.setCurrentIndex(1)
    QApplication.sendEvent(area, QEvent(QEvent.Type.LanguageChange))
    qtbot.waitUntil(lambda: area.result is not before)
    assert area.result is not None
    assert area.result.result == result
    assert area.result.tabs.currentIndex() == 1
