from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.tools.schema_tabs import SchemaTab
from tests.gui.tools.fakes import tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_schema_is_written_when_it_is_looked_at(theme: Theme, qtbot: QtBot) -> None:
    tab = SchemaTab(theme)
    qtbot.addWidget(tab)
    tab.set_tool(tool("one:tool", {"type": "object"}))
    assert tab.text is None
    tab.show()
    assert tab.text is not None
    assert tab.text.editor.toPlainText() == '{\n  "type": "object"\n}'
    tab.set_tool(tool("one:tool", {"type": "array"}))
    assert "array" in tab.text.editor.toPlainText()
