from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt

from desktop.gui.servers.tool_switch_model import ToolSwitchModel
from desktop.tool_types import ToolDefinition
from tests.gui.servers.conftest import note_switch

CHECK = Qt.ItemDataRole.CheckStateRole


def test_a_check_asks_and_the_model_shows_what_the_configuration_says() -> None:
    model, asked = ToolSwitchModel(), list[str]()
    model.asked.connect(partial(note_switch, asked))
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
    model.look_for("tool_999")
    assert model.rowCount() == 11
    model.look_for("")
    assert model.rowCount() == 10_000
