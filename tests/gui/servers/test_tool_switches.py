from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView

from desktop.gui.servers.tool_switches import ToolSwitchDelegate, ToolSwitchesView, ToolSwitchModel
from desktop.gui.widgets.figure_rows import FIGURE_ROLE
from desktop.values.tool_types import ToolDefinition
from tests.gui.servers.conftest import entry, note_switch

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.servers.conftest import OpenPanel


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


def test_a_name_gives_way_when_the_list_becomes_narrow(
    theme: Theme, qtbot: QtBot, qapp: QApplication
) -> None:
    view, model = QListView(), ToolSwitchModel()
    qtbot.addWidget(view)
    model.setParent(view)
    view.setModel(model)
    view.setItemDelegate(ToolSwitchDelegate(theme, view))
    model.show_tools((ToolDefinition("s", "name" * 16),), frozenset())
    view.resize(600, 60)
    view.show()
    qapp.processEvents()
    view.resize(200, 60)
    qapp.processEvents()
    assert view.horizontalScrollBar().maximum() == 0


CHECK, NAME = Qt.ItemDataRole.CheckStateRole, Qt.ItemDataRole.DisplayRole


def test_a_check_asks_and_the_model_shows_what_the_configuration_says() -> None:
    model, asked = ToolSwitchModel(), list[str]()
    model.switch_requested.connect(partial(note_switch, asked))
    tools = tuple(ToolDefinition("s", name, description="x\n y") for name in ("one", "two"))
    model.show_tools(tools, frozenset({"two"}))
    assert model.data(model.index(0), CHECK) == Qt.CheckState.Checked
    assert model.data(model.index(1), CHECK) == Qt.CheckState.Unchecked
    assert model.setData(model.index(1), Qt.CheckState.Checked.value, CHECK)
    assert asked == ["two on"]
    assert model.data(model.index(1), CHECK) == Qt.CheckState.Unchecked
    assert model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole) == "one: x y"


def test_only_tools_with_the_text_in_their_names_are_left() -> None:
    model = ToolSwitchModel()
    model.show_tools(tuple(ToolDefinition("s", f"Tool_{n}") for n in range(10_000)), frozenset())
    model.set_filter("tool_999")
    assert model.rowCount() == 11
    model.set_filter("")
    assert model.rowCount() == 10_000


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


def test_the_most_expensive_come_first_on_demand() -> None:
    model = ToolSwitchModel()
    model.show_tools(tuple(ToolDefinition("s", name) for name in ("a", "b", "c")), frozenset("b"))
    model.show_tokens({"a": 10, "b": 1_300, "c": 20})

    def names() -> list[str]:
        return [model.index(row).data(NAME) for row in range(model.rowCount())]

    assert names() == ["a", "b", "c"]
    model.sort_by_cost(is_by_cost=True)
    assert names() == ["b", "c", "a"]
    assert model.index(0).data(FIGURE_ROLE) == "≈ 1,300"
    assert model.index(0).data(Qt.ItemDataRole.ToolTipRole) == "Switched off: saves ≈ 1,300 tokens"
    assert model.tokens_off == (1, 1_300)
    model.sort_by_cost(is_by_cost=False)
    assert names() == ["a", "b", "c"]
