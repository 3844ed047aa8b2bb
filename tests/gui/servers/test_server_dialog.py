"""Adding and editing servers, in the form and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.servers.server_dialog import RemoveDialog
from tests.gui.servers.conftest import entry

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.servers.server_dialog import ServerDialog
    from tests.gui.servers.conftest import OpenPanel, Panel


def test_only_the_button_itself_removes(qtbot: QtBot) -> None:
    window, accepted = QWidget(), list[str]()
    qtbot.addWidget(window)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        dialog = RemoveDialog(window, "files")
        dialog.accepted.connect(lambda: accepted.append("key"))
        dialog.open()
        QTest.keyClick(dialog, key)
    dialog = RemoveDialog(window, "files")
    dialog.accepted.connect(lambda: accepted.append("button"))
    dialog.open()
    QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    assert accepted == ["button"]


LEFT = Qt.MouseButton.LeftButton


def add(panel: Panel) -> ServerDialog:
    dialog = panel.page.add_server()
    dialog.tabs.setCurrentWidget(dialog.form)
    return dialog


def edit(panel: Panel, name: str) -> ServerDialog:
    dialog = panel.page.edit_server(name)
    assert dialog is not None
    return dialog


async def test_enter_in_a_line_of_the_form_adds_the_server(open_panel: OpenPanel) -> None:
    panel = open_panel()
    dialog = add(panel)
    dialog.activateWindow()
    QTest.keyClicks(dialog.form.name, "mine")
    QTest.keyClicks(dialog.form.command, "nothing-here")
    QTest.keyClick(dialog.form.command, Qt.Key.Key_Return)
    assert panel.saved()["mcpServers"]["mine"]["command"] == "nothing-here"


async def test_a_server_added_by_the_form_connects_and_is_selected(open_panel: OpenPanel) -> None:
    panel = open_panel()
    plain = entry("plain")
    dialog = add(panel)
    QTest.keyClicks(dialog.form.name, "files")
    QTest.keyClicks(dialog.form.command, plain["command"])
    dialog.form.args.setPlainText("\n".join(plain["args"]))
    dialog.form.env.add_row("API_TOKEN", "secret")
    QTest.mouseClick(dialog.save, LEFT)
    await panel.until_words("files", "Connected")
    assert panel.page.list.selected == "files"
    assert panel.saved()["mcpServers"]["files"] == plain | {"env": {"API_TOKEN": "secret"}}


async def test_servers_pasted_as_json_are_all_added(open_panel: OpenPanel) -> None:
    panel = open_panel()
    dialog = add(panel)
    dialog.tabs.setCurrentWidget(dialog.json)
    servers = {"one": entry("plain"), "two": {"url": "http://localhost/mcp", "enabled": False}}
    dialog.json.text.setPlainText(json.dumps({"mcpServers": servers}))
    QTest.mouseClick(dialog.save, LEFT)
    await panel.until_words("one", "Connected")
    assert panel.card("two").badge.text() == "Off"
    assert panel.core.store.servers["two"].transport == "http"


async def test_an_error_stands_at_its_field_and_nothing_typed_is_lost(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel()
    dialog = add(panel)
    dialog.form.name.setText("a:b")
    dialog.form.args.setPlainText("-y")
    QTest.mouseClick(dialog.save, LEFT)
    assert dialog.isVisible()
    assert "Must not contain" in dialog.form.fields["name"].error
    assert dialog.form.args.arguments() == ("-y",)
    dialog.form.name.setText("ab")
    QTest.mouseClick(dialog.save, LEFT)
    assert "program to start" in dialog.form.fields["command"].error
    assert not dialog.form.fields["name"].error
    dialog.reject()


async def test_a_name_that_is_taken_is_told_while_typing(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", enabled=False)})
    dialog = add(panel)
    QTest.keyClicks(dialog.form.name, "files")
    assert "already" in dialog.form.fields["name"].error
    QTest.keyClicks(dialog.form.name, "2")
    assert not dialog.form.fields["name"].error
    dialog.reject()


async def test_an_edit_that_cannot_be_saved_keeps_what_was_typed(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", enabled=False)})
    dialog = edit(panel, "files")
    dialog.form.name.setText("renamed")
    panel.core.store.path.write_text("{ broken", encoding="utf-8")
    QTest.mouseClick(dialog.save, LEFT)
    assert dialog.isVisible()
    assert "not valid JSON" in dialog.error.text()
    assert dialog.form.name.text() == "renamed"
    dialog.reject()


async def test_an_edit_keeps_keys_that_the_form_does_not_show(open_panel: OpenPanel) -> None:
    panel = open_panel(
        {"files": entry("plain", enabled=False, disabledTools=["echo"], theirs={"x": 1})}
    )
    dialog = edit(panel, "files")
    dialog.form.name.setText("renamed")
    QTest.mouseClick(dialog.save, LEFT)
    saved = panel.saved()["mcpServers"]["renamed"]
    assert saved == entry("plain", enabled=False, disabledTools=["echo"], theirs={"x": 1})
    assert next(iter(panel.page.list.cards)) == "renamed"
    assert panel.page.list.selected == "renamed"


async def test_where_a_server_is_from_stays_in_an_edit_and_comes_from_no_paste(
    open_panel: OpenPanel,
) -> None:
    origin = {"name": "com.example/x", "version": "1"}
    panel = open_panel({"one": entry("plain", enabled=False, catalogue=origin)})
    dialog = panel.page.edit_server("one")
    assert dialog is not None
    dialog.form.timeout.setValue(7)
    dialog.accept()
    assert panel.saved()["mcpServers"]["one"]["catalogue"] == origin
    dialog = add(panel)
    dialog.tabs.setCurrentWidget(dialog.json)
    dialog.json.text.setPlainText(json.dumps({"two": {"command": "x", "catalogue": origin}}))
    dialog.accept()
    assert panel.saved()["mcpServers"]["two"] == {"command": "x"}


async def test_the_tabs_follow_each_other(open_panel: OpenPanel) -> None:
    panel = open_panel()
    dialog = add(panel)
    dialog.form.name.setText("files")
    dialog.form.command.setText("npx")
    dialog.tabs.setCurrentWidget(dialog.json)
    shown = json.loads(dialog.json.text.toPlainText())
    assert shown == {"mcpServers": {"files": {"command": "npx"}}}
    dialog.json.text.setPlainText('{"mcpServers": {"docs": {"url": "https://example.com/mcp"}}}')
    dialog.tabs.setCurrentWidget(dialog.form)
    assert dialog.form.name.text() == "docs"
    assert dialog.form.transport.chosen == "http"
    assert dialog.form.url.text() == "https://example.com/mcp"
    dialog.reject()


async def test_a_bad_entry_is_edited_as_it_stands_in_the_file(open_panel: OpenPanel) -> None:
    panel = open_panel({"bad": {"args": ["x"]}})
    dialog = edit(panel, "bad")
    assert dialog.tabs.currentWidget() is dialog.json
    assert json.loads(dialog.json.text.toPlainText()) == {"mcpServers": {"bad": {"args": ["x"]}}}
    dialog.json.text.setPlainText(json.dumps({"bad": entry("plain", enabled=False)}))
    QTest.mouseClick(dialog.save, LEFT)
    assert panel.card("bad").badge.text() == "Off"
    assert panel.page.problems.isHidden()


async def test_a_save_that_failed_half_way_does_not_add_a_server_twice(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel()
    dialog = add(panel)
    dialog.tabs.setCurrentWidget(dialog.json)
    off = entry("plain", enabled=False)
    dialog.json.text.setPlainText(json.dumps({"mcpServers": {"one": off, "two": off}}))
    (first, second) = dialog.json.servers().values()
    panel.core.store.add_server(second)  # somebody else, at the same moment
    with pytest.raises(Exception, match="already"):
        dialog.json.servers()
    QTest.mouseClick(dialog.save, LEFT)
    assert "two" in dialog.error.text()
    assert first.name not in panel.core.store.servers
    dialog.reject()


async def test_escape_asks_before_what_was_typed_is_lost(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", enabled=False)})
    dialog = edit(panel, "files")
    dialog.form.args.setPlainText("--typed")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.unsaved.isVisible()
    QTest.mouseClick(dialog.keep, LEFT)
    assert not dialog.unsaved.isVisible()
    assert dialog.form.args.toPlainText() == "--typed"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    QTest.mouseClick(dialog.discard, LEFT)
    assert not dialog.isVisible()
    assert panel.core.store.servers["files"].args == tuple(entry("plain")["args"])


async def test_escape_closes_at_once_where_nothing_was_typed(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", enabled=False)})
    dialog = edit(panel, "files")
    dialog.tabs.setCurrentWidget(dialog.json)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
