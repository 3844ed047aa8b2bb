"""What a model will see is worked out when somebody looks, in the provider chosen last."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.tools.model_tab import ModelTab
from tests.gui.tools.fakes import TEXT_SCHEMA, tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

ECHO = tool("one:echo", TEXT_SCHEMA)


@pytest.fixture
def tab(theme: Theme, qtbot: QtBot) -> ModelTab:
    made = ModelTab(theme)
    qtbot.addWidget(made)
    return made


def shown(tab: ModelTab, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: tab.view is not None)
    assert tab.view is not None
    return tab.view.text.editor.toPlainText()


def test_a_declaration_is_made_when_it_is_looked_at(tab: ModelTab, qtbot: QtBot) -> None:
    tab.set_tool(ECHO)
    assert tab.view is None
    tab.show()
    assert "mcp__one__echo" in shown(tab, qtbot)
    tab.set_tool(tool("one:other"))
    assert "mcp__one__other" in shown(tab, qtbot)


def test_the_converters_are_not_imported_before() -> None:
    code = "import sys, desktop.gui.tools.tool_page; print('desktop.llm' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"


def test_the_format_is_kept_for_the_next_tool_and_the_next_language(
    tab: ModelTab, qtbot: QtBot
) -> None:
    told: list[str] = []
    tab.format_chosen.connect(told.append)
    tab.choose("anthropic")
    tab.set_tool(ECHO)
    tab.show()
    assert "input_schema" in shown(tab, qtbot)
    assert tab.view is not None
    QTest.keyClick(tab.view.provider, Qt.Key.Key_End)
    assert told == ["gemini"]
    before = tab.view
    QApplication.sendEvent(tab, QEvent(QEvent.Type.LanguageChange))
    assert tab.view is not before
    assert "parametersJsonSchema" in shown(tab, qtbot)
    tab.choose("openai-responses")
    assert '"strict": false' in shown(tab, qtbot)
