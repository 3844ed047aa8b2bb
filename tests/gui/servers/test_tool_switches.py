from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.servers.tool_switches import ToolSwitchesView
from tests.gui.servers.conftest import entry

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.servers.conftest import OpenPanel


async def test_space_switches_the_tool_under_the_cursor(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    tools = panel.page.details.tools
    tools.list.setCurrentIndex(tools.list.model().index(1, 0))
    QTest.keyClick(tools.list, Qt.Key.Key_Space)
    assert panel.core.store.servers["files"].disabled_tools == ("add",)
    QTest.keyClick(tools.list, Qt.Key.Key_Space)
    assert panel.core.store.servers["files"].disabled_tools == ()


async def test_the_filter_finds_by_name(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    tools = panel.page.details.tools
    assert not tools.filter.isHidden()
    QTest.keyClicks(tools.filter, "STRUCT")
    assert tools.list.model().rowCount() == 2


def test_without_tools_it_says_when_they_come(theme: Theme, qtbot: QtBot) -> None:
    view = ToolSwitchesView(theme)
    qtbot.addWidget(view)
    assert view.list.accessibleName()
