from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop.features.models.formats import ApiFormat, convert, process_json_schema
from desktop.features.models.gui.declaration_view import DeclarationView
from desktop.features.models.gui.feature import make_tab
from desktop.gui.tools.schema_tabs import AddedTab
from desktop.gui.translations import spoken
from desktop.tools.wire_names import wire_name
from tests.gui.tools.fakes import TEXT_SCHEMA, tool

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import ToolDefinition

PLAIN = tool(
    "files:read",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    description="Reads a file.",
)
ODD = tool(
    "文件:读",
    {
        "type": "object",
        "properties": {"n": {"type": "number", "exclusiveMinimum": 0, "title": "N"}},
    },
    description="Reads.",
)


SIDE, BELOW = Qt.Orientation.Horizontal, Qt.Orientation.Vertical


def too_large() -> ToolDefinition:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"enum": ["x" * 400_000]}}}
    return tool("files:large", schema, description="Large.")


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> DeclarationView:
    made = DeclarationView(theme)
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    return made


def declaration(view: DeclarationView) -> object:
    """What a person copies."""
    QTest.mouseClick(view.text.copy_all, Qt.MouseButton.LeftButton)
    return json.loads(QGuiApplication.clipboard().text())


@pytest.mark.parametrize("api_format", list(ApiFormat))
def test_the_declaration_is_the_one_that_is_sent(
    view: DeclarationView, api_format: ApiFormat
) -> None:
    view.choose(api_format)
    for shown in (PLAIN, ODD):
        view.show_tool(shown)
        sent = convert(shown, wire_name(shown.server, shown.name), api_format)
        assert declaration(view) == sent.body
        assert view.tokens.text() == f"about {sent.tokens} tokens"
        assert view.text.editor.isReadOnly()


def test_the_name_for_the_model_can_be_copied(theme: Theme, qtbot: QtBot) -> None:
    view = DeclarationView(theme)
    qtbot.addWidget(view)
    view.show_tool(PLAIN)
    view.show()  # only now its fonts are known
    for width in (370, 900):  # beside a result at 1180 pixels, and alone
        view.resize(width, 400)
        assert view.provider.width() >= view.provider.sizeHint().width()
        assert view.wire_name.text() == "mcp__files__read"
        assert view.splitter.orientation() == (SIDE if width == 900 else BELOW)
    QTest.mouseClick(view.copy_name, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "mcp__files__read"


def test_what_is_sent_as_declared_is_ok_and_shows_no_differences(view: DeclarationView) -> None:
    view.show_tool(PLAIN)
    assert (view.verdict.text(), view.verdict.property("role")) == ("OK", "badge success")
    assert not view.beside.isVisible()
    assert not view.meaning.isVisible()


def test_what_was_changed_is_told_with_its_path_what_matters_first(view: DeclarationView) -> None:
    view.choose(ApiFormat.GEMINI)
    view.show_tool(ODD)
    assert (view.verdict.text(), view.verdict.property("role")) == ("Repaired", "badge warning")
    paths = [line for line in view.changes.toPlainText().splitlines() if line.startswith("/")]
    assert paths.index("/properties/n/exclusiveMinimum") < paths.index("/properties/n/title")
    assert view.changes_title.text() == f"Different from the server's schema: {len(paths)}"
    assert view.changes.isReadOnly()
    view.show_tool(PLAIN)
    assert not view.beside.isVisible()


def test_a_long_path_leaves_room_for_what_is_said(view: DeclarationView) -> None:
    deep: dict[str, Any] = {"type": "array"}
    for _ in range(20):
        deep = {"type": "object", "properties": {"member": deep}}
    view.show_tool(tool("a:deep", deep, description="Deep."))
    path, sentence = view.changes.toPlainText().splitlines()
    assert path.startswith("/properties/member/")
    assert path.endswith("/properties/member")
    assert len(path) <= 121
    assert sentence


def test_what_is_not_sent_says_why_and_shows_no_declaration(view: DeclarationView) -> None:
    view.show_tool(too_large())
    assert (view.verdict.text(), view.verdict.property("role")) == ("Not sent", "badge danger")
    assert "files:large is not offered to OpenAI" in view.meaning.text()
    assert not view.text.isVisible()
    assert view.tokens.text() == ""
    view.show_tool(PLAIN)
    assert view.text.isVisible()


def test_another_provider_is_chosen_by_keyboard_and_told(view: DeclarationView) -> None:
    told: list[str] = []
    view.format_chosen.connect(told.append)
    view.show_tool(PLAIN)
    view.provider.setFocus()
    QTest.keyClick(view.provider, Qt.Key.Key_End)
    assert told == ["gemini"]
    assert "parametersJsonSchema" in view.text.editor.toPlainText()


def test_a_format_chosen_elsewhere_is_shown_but_not_told(
    view: DeclarationView, qtbot: QtBot
) -> None:
    view.show_tool(PLAIN)
    with qtbot.assertNotEmitted(view.format_chosen):
        view.choose("anthropic")
        view.choose("no such format")
    assert view.provider.currentData() == "anthropic"


def test_markup_of_a_server_stays_text(view: DeclarationView) -> None:
    view.show_tool(tool("files:read", description="<b>bold</b><img src='file:///x'>"))
    assert "<b>bold</b><img src='file:///x'>" in view.text.editor.toPlainText()
    for label in (view.verdict, view.meaning, view.changes_title, view.tokens, view.wire_name):
        assert label.textFormat() == Qt.TextFormat.PlainText


def test_the_converters_are_not_imported_before() -> None:
    code = (
        "import sys, desktop.features.models.gui.feature; "
        "print('desktop.features.models.formats' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"


def opened(tab: AddedTab, qtbot: QtBot) -> DeclarationView:
    qtbot.addWidget(tab)
    tab.set_tool(tool("one:echo", TEXT_SCHEMA))
    assert tab.view is None
    tab.show()
    assert isinstance(tab.view, DeclarationView)
    return tab.view


def test_a_declaration_is_made_when_it_is_looked_at(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    tab = AddedTab(partial(make_tab, theme, settings))
    view = opened(tab, qtbot)
    assert "mcp__one__echo" in view.text.editor.toPlainText()
    tab.set_tool(tool("one:other"))
    assert "mcp__one__other" in view.text.editor.toPlainText()


def test_the_provider_chosen_for_one_tool_is_shown_for_the_next(
    theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    settings.setValue("tools/format", "anthropic")
    tab, next_tab = (AddedTab(partial(make_tab, theme, settings)) for _ in range(2))
    view = opened(tab, qtbot)
    assert "input_schema" in view.text.editor.toPlainText()
    QTest.keyClick(view.provider, Qt.Key.Key_End)
    assert settings.value("tools/format") == "gemini"
    assert "parametersJsonSchema" in view.text.editor.toPlainText()
    assert opened(next_tab, qtbot).provider.currentText() == "Gemini"


@pytest.mark.usefixtures("chinese")
def test_the_changes_of_a_format_are_said() -> None:
    changes = process_json_schema({"type": "object", "$comment": "x"}).changes

    assert [spoken(change.sentence) for change in changes] == [
        "移除了 '$comment'：它对模型没有意义。",
        "添加了空的“properties”：并非每个提供商都接受没有它的对象。",
    ]
