"""Three tools, and how a person chooses, fills in and runs one on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from tests.gui.tools.fakes import TEXT_SCHEMA, after, tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.tools.page import ToolsPage
    from desktop.gui.tools.tool_view import ToolView


ECHO = tool("one:echo", TEXT_SCHEMA)
PING = tool("one:ping")
OTHER = tool("two:other")
CONTROL = Qt.KeyboardModifier.ControlModifier


def view(page: ToolsPage) -> ToolView:
    shown = page.view
    assert shown is not None
    return shown


def choose(page: ToolsPage, name: str) -> ToolView:
    """As a person does: search, arrow down, Enter."""
    page.tool_list.search_box.setFocus()
    page.tool_list.search_box.setText(name)
    QTest.keyClick(page.tool_list.search_box, Qt.Key.Key_Down)
    QTest.keyClick(page.tool_list.search_box, Qt.Key.Key_Return)
    page.tool_list.search_box.clear()
    return view(page)


def type_text(page: ToolsPage, text: str) -> None:
    view(page).form.set_value({"text": text})


def press_run(page: ToolsPage) -> None:
    QTest.mouseClick(view(page).bar.run, Qt.MouseButton.LeftButton)


def words(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())


async def run_to_its_end(page: ToolsPage, press: Callable[[], None]) -> None:
    await after(view(page).running_changed, press)
    while view(page).is_running:
        await after(view(page).running_changed, lambda: None)
