from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QListView

from desktop.gui.servers.tool_delegate import ToolSwitchDelegate
from desktop.gui.servers.tool_switch_model import ToolSwitchModel
from desktop.tool_types import ToolDefinition

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def picture(theme: Theme, qtbot: QtBot, description: str) -> bytes:
    view, model = QListView(), ToolSwitchModel()
    qtbot.addWidget(view)
    model.setParent(view)
    view.setModel(model)
    view.setItemDelegate(ToolSwitchDelegate(theme, view))
    model.show_tools((ToolDefinition("s", "name", description=description),), frozenset())
    view.resize(300, 60)
    image = view.grab().toImage()
    return bytes(image.constBits())


def test_what_a_tool_says_of_itself_is_drawn_behind_its_name(theme: Theme, qtbot: QtBot) -> None:
    assert picture(theme, qtbot, "says") != picture(theme, qtbot, "")
    assert picture(theme, qtbot, "<b>says</b>") != picture(theme, qtbot, "says")
