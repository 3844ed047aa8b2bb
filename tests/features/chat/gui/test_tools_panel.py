from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.tools_panel import ToolsPanel
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.gui.widgets.figure_rows import FIGURE_ROLE

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> ToolsPanel:
    made = ToolsPanel(theme)
    qtbot.addWidget(made)
    made.show()
    made.show_choice(ToolChoice("auto"), {"one": 1, "two": 12})
    return made


def test_servers_are_chosen_by_name(panel: ToolsPanel) -> None:
    told: list[ToolChoice] = []
    panel.choice_changed.connect(told.append)
    assert panel.servers.item(1).text() == "two · 12 tools"
    panel.manual.click()
    panel.servers.item(0).setCheckState(Qt.CheckState.Unchecked)
    panel.off.click()
    assert not panel.servers.isEnabled()
    assert told == [
        ToolChoice("manual", ("one", "two")),
        ToolChoice("manual", ("two",)),
        ToolChoice("off", ("two",)),
    ]


def test_under_all_every_server_is_ticked_and_a_click_chooses(panel: ToolsPanel) -> None:
    told: list[ToolChoice] = []
    panel.choice_changed.connect(told.append)
    states = [panel.servers.item(row).checkState() for row in range(2)]
    assert states == [Qt.CheckState.Checked] * 2
    panel.servers.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert panel.manual.isChecked()
    assert told == [ToolChoice("manual", ("one",))]
    panel.auto.click()
    states = [panel.servers.item(row).checkState() for row in range(2)]
    assert states == [Qt.CheckState.Checked] * 2
    assert told[-1] == ToolChoice("auto", ("one",))


def test_a_chosen_server_that_is_not_there_stays_chosen(panel: ToolsPanel) -> None:
    panel.show_choice(ToolChoice("manual", ("gone", "one")), {"one": 1})
    assert panel.choice == ToolChoice("manual", ("one", "gone"))
    assert panel.servers.item(1).text() == "gone · unavailable"


def test_showing_announces_nothing(panel: ToolsPanel) -> None:
    told: list[object] = []
    panel.choice_changed.connect(told.append)
    panel.builtins_changed.connect(told.append)
    panel.show_choice(ToolChoice("off"), {"one": 2})
    panel.show_builtins({"time": "tells it"}, ["time"], is_fixed=False)
    assert told == []


def test_built_in_servers_are_fixed_once_it_began(panel: ToolsPanel) -> None:
    told: list[object] = []
    panel.builtins_changed.connect(told.append)
    panel.show_builtins({"time": "tells it", "files": ""}, ["time"], is_fixed=False)
    panel.builtins.item(1).setCheckState(Qt.CheckState.Checked)
    assert told == [("time", "files")]
    panel.show_builtins({"time": "tells it"}, ["time"], is_fixed=True)
    assert not panel.builtins.isEnabled()
    assert panel.fixed.isVisible()


def test_each_chosen_built_in_server_says_what_it_may_touch(panel: ToolsPanel) -> None:
    chosen = [Builtin("time"), Builtin("filesystem", ("/home/x/project",))]
    panel.show_places(chosen, is_fixed=False)

    words = [row.words.text() for row in panel.rows]

    assert words == [
        "time has no access to your files",
        "filesystem may read and write in /home/x/project",
    ]
    assert [row.fields.isVisible() for row in panel.rows] == [False, True]
    panel.show_places(chosen, is_fixed=True)
    assert not panel.rows[1].fields.isVisible()


def test_another_place_is_announced_and_what_is_typed_survives_a_refresh(panel: ToolsPanel) -> None:
    told: list[Builtin] = []
    panel.builtin_changed.connect(told.append)
    panel.show_places([Builtin("filesystem")], is_fixed=False)
    row = panel.rows[0]
    QTest.keyClicks(row.edit, "/data")
    panel.show_places([Builtin("filesystem")], is_fixed=False)
    assert panel.rows == [row]
    QTest.keyClick(row.edit, Qt.Key.Key_Return)

    assert told == [Builtin("filesystem", ("/data",))]


def test_each_server_says_what_its_tools_cost(panel: ToolsPanel) -> None:
    panel.show_tokens({"two": 12_300})
    one, two = panel.servers.item(0), panel.servers.item(1)
    assert (one.data(FIGURE_ROLE), two.data(FIGURE_ROLE)) == ("", "≈ 12,300")
    assert two.data(Qt.ItemDataRole.AccessibleTextRole) == "two · 12 tools, ≈ 12,300 tokens"


def test_to_go_on_without_a_server_keeps_the_others(panel: ToolsPanel) -> None:
    told: list[ToolChoice] = []
    panel.choice_changed.connect(told.append)
    panel.budget.switch_off_requested.emit("two")
    assert told == [ToolChoice("manual", ("one",))]
