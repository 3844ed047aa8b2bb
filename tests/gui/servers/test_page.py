"""The panel as a person uses it: clicks and keys in, real servers behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psutil
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.import_export.export_dialog import ConfigExportDialog
from desktop.gui.servers.page import ServersPage
from desktop.gui.servers.server_dialog import RemoveDialog, ServerDialog
from desktop.gui.window_state import WindowState
from tests.gui.servers.conftest import entry
from tests.gui.waiting import happens, noted, turns

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.servers.service import Stats
    from tests.gui.servers.conftest import OpenPanel

LEFT = Qt.MouseButton.LeftButton
OFF = {"enabled": False}


async def test_switching_on_connects_the_server_and_shows_its_tools(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", **OFF)})
    assert panel.card("files").badge.text() == "Off"
    QTest.mouseClick(panel.card("files").switch, LEFT)
    await panel.until_words("files", "Connected")
    assert panel.card("files").switch.isChecked()
    assert "14 tools" in panel.card("files").figures
    assert panel.page.details.tools.list.model().rowCount() == 14


async def test_switching_off_ends_the_process_and_takes_the_tools_away(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    pid = panel.core.service.connections["files"].pid
    assert pid is not None
    QTest.mouseClick(panel.card("files").switch, LEFT)
    assert panel.card("files").badge.text() == "Stopping…"
    await panel.until_words("files", "Off")
    assert not psutil.pid_exists(pid)
    assert not panel.core.service.connections["files"].tools
    assert panel.saved()["mcpServers"]["files"]["enabled"] is False


async def test_one_click_of_a_switch_refreshes_the_page_once(
    open_panel: OpenPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = open_panel({"files": entry("plain", **OFF), "other": entry("plain", **OFF)})
    service = panel.core.service
    summaries: list[Stats] = []
    count = service.get_stats

    def counted() -> Stats:
        summaries.append(count())
        return summaries[-1]

    monkeypatch.setattr(service, "get_stats", counted)
    for words, is_on in (("Connected", True), ("Stopping…", False)):
        summaries.clear()
        QTest.mouseClick(panel.card("files").switch, LEFT)
        assert [stats.enabled for stats in summaries] == [int(is_on)]
        assert panel.card("files").switch.isChecked() == is_on
        await panel.until_words("files", words)
        if is_on:
            assert len(summaries) > 1  # and again with each change of the server's state


async def test_a_server_that_fails_says_why_and_what_to_do(open_panel: OpenPanel) -> None:
    panel = open_panel({"broken": entry("exits_at_start"), "files": entry("plain")})
    await panel.until_words("broken", "Failed")
    await panel.until_words("files", "Connected")
    panel.page.list.select("broken")
    assert "exited with code 3" in panel.page.details.error.text
    assert "API_KEY is not set" in panel.page.details.error.text
    assert panel.page.details.error.headline.text().endswith("code 3: error: API_KEY is not set")
    assert "API_KEY is not set" not in panel.page.details.error.more.text()
    assert "It lacks API_KEY" in panel.page.details.error.remedy.text()
    panel.page.details.output.flush()  # its lines are shown in batches
    assert "API_KEY is not set" in panel.page.details.output.text.toPlainText()
    dialog = panel.page.edit_server("broken")
    assert dialog is not None
    assert dialog.focusWidget() is dialog.form.command
    dialog.reject()


async def test_a_switch_that_cannot_be_saved_goes_back_and_says_so(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", **OFF)})
    panel.core.store.path.write_text("{ broken", encoding="utf-8")
    QTest.mouseClick(panel.card("files").switch, LEFT)
    assert not panel.card("files").switch.isChecked()
    assert "not valid JSON" in panel.page.banners.messages[0]
    assert panel.core.store.path.read_text(encoding="utf-8") == "{ broken"


async def test_every_key_of_the_list_does_what_it_says(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", **OFF), "two": entry("plain", **OFF)})
    page = panel.page
    await panel.activate()
    assert QApplication.focusWidget() is panel.card("one")
    QTest.keyClick(panel.card("one"), Qt.Key.Key_Down)
    assert page.list.selected == "two"
    assert QApplication.focusWidget() is panel.card("two")
    QTest.keyClick(panel.card("two"), Qt.Key.Key_End)
    assert page.list.selected == "two"  # built-in servers that are off are folded
    QTest.keyClick(panel.card(page.list.selected), Qt.Key.Key_Home)
    assert page.list.selected == "one"
    QTest.keyClick(panel.card("one"), Qt.Key.Key_Return)
    assert page.details.isAncestorOf(QApplication.focusWidget() or page)
    QTest.keyClick(panel.card("one"), Qt.Key.Key_Space)
    await panel.until_words("one", "Connected")


async def test_a_tool_that_is_unchecked_is_not_offered_any_more(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    model = panel.page.details.tools.list.model()
    role = Qt.ItemDataRole.CheckStateRole
    assert model.setData(model.index(0, 0), Qt.CheckState.Unchecked.value, role)
    connection = panel.core.service.connections["files"]
    assert "echo" not in [tool.name for tool in connection.tools]
    assert model.data(model.index(0, 0), role) == Qt.CheckState.Unchecked
    assert "13 of 14 tools" in panel.card("files").figures
    assert panel.saved()["mcpServers"]["files"]["disabledTools"] == ["echo"]


async def test_restart_gives_the_server_a_new_process(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    before = panel.core.service.connections["files"].pid
    QTest.mouseClick(panel.page.details.restart, LEFT)
    await panel.until_words("files", "Starting…")
    await panel.until_words("files", "Connected")
    after = panel.core.service.connections["files"].pid
    assert after is not None
    assert after != before


async def test_removing_asks_first_and_cancel_is_the_default(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", **OFF), "two": entry("plain", **OFF)})
    dialog = panel.page.remove_server("one")
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert "one" in panel.core.store.servers
    dialog = panel.page.remove_server("one")
    assert dialog is not None
    QTest.mouseClick(dialog.remove, LEFT)
    assert "one" not in panel.saved()["mcpServers"]
    assert "one" not in panel.page.list.cards
    assert panel.page.list.selected == "two"


async def test_built_in_servers_can_be_switched_but_not_edited_or_removed(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel()
    panel.page.list.select("calculator")
    assert panel.page.details.edit.isHidden()
    assert not panel.page.details.remove.isVisible()
    assert panel.page.edit_server("calculator") is None
    assert panel.page.remove_server("calculator") is None
    QTest.mouseClick(panel.card("calculator").switch, LEFT)
    await panel.until_words("calculator", "Connected")


async def test_servers_of_the_environment_are_marked_as_such(open_panel: OpenPanel) -> None:
    servers = {"mcpServers": {"shared": entry("plain", **OFF)}}
    panel = open_panel(environ={"MCP_SERVERS": json.dumps(servers)})
    assert panel.card("shared").figures.startswith("Environment")
    panel.page.list.select("shared")
    assert not panel.page.details.note.isHidden()
    assert panel.page.details.edit.isHidden()


async def test_a_newcomer_is_welcomed_and_led_to_a_first_call(open_panel: OpenPanel) -> None:
    panel = open_panel()
    page = panel.page
    wanted = noted(page.first_call_requested)
    assert not page.no_servers.welcome.isHidden()
    assert page.no_servers.hint.isHidden()
    assert page.details.isHidden()
    QTest.mouseClick(page.no_servers.welcome.try_calculator, LEFT)
    await panel.until_words("calculator", "Connected")
    assert page.list.selected == "calculator"
    assert wanted == [("calculator:calculate", {"operation": "multiply", "a": 6, "b": 7})]


@pytest.mark.parametrize("by_key", [False, True])
async def test_the_welcome_makes_room_once_a_built_in_server_is_on(
    open_panel: OpenPanel, by_key: bool
) -> None:
    panel = open_panel()
    await panel.activate()
    page, card = panel.page, panel.card("time")

    def switch() -> None:
        if by_key:
            page.list.select("time")
            page.list.focus_selected()
            QTest.keyClick(card, Qt.Key.Key_Space)
        else:
            QTest.mouseClick(card.switch, LEFT)

    assert page.no_servers.isVisible()
    switch()
    assert not page.no_servers.isVisible()
    assert panel.card("time") is card
    assert card.hasFocus()
    await panel.until_words("time", "Connected")
    switch()
    assert page.no_servers.welcome.isVisible()
    await panel.until_words("time", "Off")


async def test_once_there_were_servers_nobody_is_welcomed_again(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", **OFF)})
    page = panel.page
    assert page.no_servers.welcome.isHidden()
    panel.core.store.remove_server("one")
    assert page.no_servers.welcome.isHidden()
    assert not page.no_servers.hint.isHidden()
    QTest.mouseClick(panel.card("time").switch, LEFT)
    assert page.no_servers.isHidden()
    await panel.until_words("time", "Connected")


async def test_other_apps_servers_are_found_and_imported_from_the_welcome(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    theirs = {"mcpServers": {"files": {"command": "nothing-starts"}}}
    (tmp_path / "home" / ".cursor").mkdir(parents=True)
    (tmp_path / "home" / ".cursor" / "mcp.json").write_text(json.dumps(theirs))
    panel = open_panel()
    panel.page.look_around()
    await happens(panel.page.flow.found)
    (button,) = panel.page.no_servers.welcome.apps
    assert button.text() == "Cursor (1)"
    assert "(Ctrl+I)" in panel.page.imports.toolTip()
    QTest.mouseClick(button, LEFT)
    dialog = panel.page.flow.open()
    await happens(dialog.tree.checks_changed)
    await turns()
    assert dialog.act.text() == "Import 1 server"
    QTest.mouseClick(dialog.act, LEFT)
    assert panel.saved()["mcpServers"]["files"]["enabled"] is False
    assert panel.page.list.selected == "files"
    assert panel.page.banners.messages == ("1 server was added.",)
    assert panel.page.no_servers.welcome.isHidden()
    assert panel.card("files").badge.text() == "Off"


async def test_export_shows_the_servers_and_no_built_in_one(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", **OFF)})
    QTest.mouseClick(panel.page.exports, LEFT)
    dialog = panel.page.findChild(ConfigExportDialog)
    assert isinstance(dialog, ConfigExportDialog)
    assert list(json.loads(dialog.text.toPlainText())["mcpServers"]) == ["files"]
    dialog.reject()


async def test_a_broken_file_is_told_with_its_place_and_can_be_reloaded(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel('{\n "mcpServers": {,}\n}')
    card = panel.page.problems.cards[0]
    assert "line 2, column" in card.accessibleName()
    assert str(panel.core.store.path) in card.accessibleName()
    panel.core.store.path.write_text('{"mcpServers": {}}', encoding="utf-8")
    panel.page.problems.reload_requested.emit()
    assert panel.page.problems.isHidden()
    assert not panel.page.no_servers.welcome.isHidden()


async def test_one_bad_entry_is_told_apart_and_the_others_work(open_panel: OpenPanel) -> None:
    panel = open_panel({"bad": {"args": []}, "files": entry("plain")})
    await panel.until_words("files", "Connected")
    (card,) = panel.page.problems.cards
    assert "bad" in card.accessibleName()
    assert "command" in card.accessibleName()
    assert panel.page.no_servers.hint.isHidden()


async def test_memory_is_read_while_the_page_is_visible_and_only_then(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    panel.page.usage.read()
    assert "MB" in panel.card("files").figures
    assert panel.page.details.facts.value("Memory").endswith("MB")
    assert panel.page.usage.is_running
    panel.page.hide()
    assert not panel.page.usage.is_running


async def test_fifty_servers_are_one_list_and_a_change_of_one_touches_one_card(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({f"server {n:02}": entry("plain", **OFF) for n in range(50)})
    assert 0 < len(panel.page.list.cards) < 50  # what fits the window, at once
    await turns(40)
    cards = dict(panel.page.list.cards)
    QTest.mouseClick(cards["server 49"].switch, LEFT)
    await panel.until_words("server 49", "Connected")
    assert dict(panel.page.list.cards) == cards
    assert list(cards)[:50] == [f"server {n:02}" for n in range(50)]
    assert [name for name in cards if cards[name].badge.text() != "Off"] == ["server 49"]


async def test_the_width_of_the_list_is_remembered(open_panel: OpenPanel, qtbot: QtBot) -> None:
    panel = open_panel({"files": entry("plain", **OFF)})
    page = panel.page
    page.splitter.setSizes([350, 750])
    sizes = page.splitter.sizes()
    page.hide()
    again = ServersPage(
        page.theme,
        panel.core.store,
        panel.core.service,
        WindowState(panel.core.paths.window_state).settings,
    )
    qtbot.addWidget(again)
    again.resize(page.size())
    again.show()
    assert again.splitter.sizes() == sizes


async def test_an_end_of_the_page_ends_its_connections_to_the_core(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain", **OFF)})
    core, settings = panel.core, WindowState(panel.core.paths.window_state).settings
    page = ServersPage(panel.page.theme, core.store, core.service, settings)
    page.deleteLater()
    QApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete)
    core.store.reload()


async def test_what_a_built_in_server_is_for_is_said_before_it_runs(open_panel: OpenPanel) -> None:
    panel = open_panel()
    assert "Adds" in panel.card("calculator").figures
    panel.page.list.select("calculator")
    assert "Adds" in panel.page.details.note.text()


async def test_shortcuts_open_the_dialogs_and_restart(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    page = panel.page
    await panel.until_words("files", "Connected")
    await panel.activate()
    for key, modifier, dialog in (
        (Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier, ServerDialog),
        (Qt.Key.Key_F2, Qt.KeyboardModifier.NoModifier, ServerDialog),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, RemoveDialog),
    ):
        QTest.keyClick(panel.card("files"), key, modifier)
        (opened,) = page.findChildren(dialog)
        opened.reject()
        QApplication.sendPostedEvents(opened, QEvent.Type.DeferredDelete)
        await panel.activate()
    QTest.keyClick(panel.card("files"), Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    await panel.until_words("files", "Starting…")
    await panel.until_words("files", "Connected")
