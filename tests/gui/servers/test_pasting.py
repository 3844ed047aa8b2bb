"""A server that was copied is added with two keys: paste, and add."""

from __future__ import annotations

import asyncio
import json
import shlex
import zipfile
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from desktop.gui.import_export.import_dialog import ImportDialog
from desktop.gui.import_export.inputs_view import PathLine
from desktop.gui.servers.server_dialog import ServerDialog
from tests.gui.focus import focused
from tests.gui.servers.conftest import entry
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.servers.conftest import OpenPanel

CONTROL = Qt.KeyboardModifier.ControlModifier
README = '{"mcpServers": {"new": {"command": "x", "args": ["y"]}}}'


async def active(window: QWidget) -> None:
    """Until it is the active window: its shortcuts work from then on."""
    window.activateWindow()
    async with asyncio.timeout(LIMIT):
        while not window.isActiveWindow():
            await turns()


async def test_json_that_was_copied_is_added_with_two_keys(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", enabled=False)})
    await panel.activate()
    QApplication.clipboard().setText(README)
    QTest.keyClick(panel.card("one"), Qt.Key.Key_V, CONTROL)
    (dialog,) = panel.page.findChildren(ServerDialog)
    assert dialog.json.messages[0].startswith("✓ new")
    assert not dialog.save.hasFocus()  # a stray Enter adds nothing
    await active(dialog)
    QTest.keyClick(dialog.json.text, Qt.Key.Key_Return, CONTROL)
    assert panel.saved()["mcpServers"]["new"] == {"command": "x", "args": ["y"]}
    assert panel.page.list.selected == "new"
    await panel.until_words("new", "Failed")


async def test_what_was_added_is_seen_whole_selected_and_edited_where_it_failed(
    open_panel: OpenPanel,
) -> None:
    names = ("one", *(f"server {number}" for number in range(30)))
    panel = open_panel({name: entry("plain", enabled=False) for name in names})
    await panel.activate()
    panel.page.list.focus_selected()
    assert panel.card("one").hasFocus()
    QApplication.clipboard().setText(README)
    QTest.keyClick(panel.card("one"), Qt.Key.Key_V, CONTROL)
    (dialog,) = panel.page.findChildren(ServerDialog)
    await active(dialog)
    QTest.keyClick(dialog.json.text, Qt.Key.Key_Return, CONTROL)
    await active(panel.page)
    await turns()
    card = panel.card("new")
    assert card.hasFocus()
    assert card.visibleRegion().boundingRect() == card.rect()
    assert panel.page.list.selected == "new"
    assert panel.page.details.connection is card.connection
    await panel.until_words("new", "Failed")
    QTest.keyClick(card, Qt.Key.Key_F2)
    (edit,) = [each for each in panel.page.findChildren(ServerDialog) if each.isVisible()]
    assert edit.focusWidget() is edit.form.command


async def test_a_command_line_that_was_copied_is_added_with_enter(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", enabled=False)})
    await panel.activate()
    QApplication.clipboard().setText("$ KEY=1 npx -y @scope/server-files /tmp\n")
    QTest.keyClick(panel.card("one"), Qt.Key.Key_V, CONTROL)
    (dialog,) = panel.page.findChildren(ServerDialog)
    await active(dialog)
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    assert panel.saved()["mcpServers"]["files"] == {
        "command": "npx",
        "args": ["-y", "@scope/server-files", "/tmp"],
        "env": {"KEY": "1"},
    }
    await panel.until_words("files", "Failed")


async def test_what_is_no_server_opens_nothing_and_says_so(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", enabled=False)})
    await panel.activate()
    QApplication.clipboard().setText("hello")
    QTest.keyClick(panel.card("one"), Qt.Key.Key_V, CONTROL)
    assert not panel.page.findChildren(ServerDialog)
    assert "no server" in panel.page.banners.messages[0]
    assert "Example: npx" in panel.page.banners.messages[0]


async def paste_into(dialog: ServerDialog, field: QWidget, text: str) -> None:
    QApplication.clipboard().setText(text)
    await active(dialog)
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_V, CONTROL)


async def test_from_an_empty_config_each_way_takes_three_actions(open_panel: OpenPanel) -> None:
    plain = entry("plain")
    line = shlex.join([plain["command"], *plain["args"]])
    for way, name, text in (
        ("JSON", "readme", json.dumps({"mcpServers": {"readme": plain}}, indent=2)),
        ("command line", "", line),
        ("client", "added", f"claude mcp add added -- {line}"),
    ):
        panel = open_panel("{}")
        await panel.activate()
        QApplication.clipboard().setText(text)
        QTest.keyClick(panel.page, Qt.Key.Key_N, CONTROL)
        dialog = next(one for one in panel.page.findChildren(ServerDialog) if one.isVisible())
        await active(dialog)
        QTest.keyClick(focused(), Qt.Key.Key_V, CONTROL)
        QTest.keyClick(focused(), Qt.Key.Key_Return)
        assert not dialog.isVisible(), way
        (name,) = panel.saved()["mcpServers"]
        await panel.until_words(name, "Connected")
        await panel.core.close()


async def test_a_url_is_added_under_the_name_of_its_host(open_panel: OpenPanel) -> None:
    panel = open_panel()
    dialog = panel.page.add_server()
    await paste_into(dialog, dialog.json.text, "http://localhost:9/mcp")
    QTest.keyClick(dialog.json.text, Qt.Key.Key_Return)
    saved = {"url": "http://localhost:9/mcp", "type": "http"}
    assert panel.saved()["mcpServers"] == {"localhost": saved}


async def test_what_is_to_be_filled_in_has_fields_and_the_keyboard(open_panel: OpenPanel) -> None:
    panel = open_panel()
    env = {"GITHUB_TOKEN": "<YOUR_TOKEN>"}
    text = json.dumps({"gh": {"command": "x", "args": ["/path/to/files"], "env": env}})
    dialog = panel.page.paste_server(text)
    assert dialog is not None
    assert dialog.pasted is not None
    await active(dialog)
    fields = dialog.pasted.inputs.fields
    assert list(fields) == ["/path/to/files", "GITHUB_TOKEN"]
    path, token = fields.values()
    assert isinstance(path, PathLine)
    assert isinstance(token, QLineEdit)
    assert path.edit.hasFocus()
    assert token.echoMode() == QLineEdit.EchoMode.Password
    QTest.keyClicks(path.edit, "/srv/files")
    QTest.keyClick(path.edit, Qt.Key.Key_Return)
    assert dialog.isVisible()  # the token is not there yet: said, and shown
    assert "Fill this in" in dialog.error.text()
    assert token.hasFocus()
    QTest.keyClicks(token, "ghp_1")
    QTest.keyClick(token, Qt.Key.Key_Return)
    saved = panel.saved()["mcpServers"]["gh"]
    assert saved == {"command": "x", "args": ["/srv/files"], "env": {"GITHUB_TOKEN": "ghp_1"}}


async def test_what_is_left_empty_twice_stays_a_variable(open_panel: OpenPanel) -> None:
    panel = open_panel()
    dialog = panel.page.paste_server('{"gh": {"command": "x", "env": {"TOKEN": "<TOKEN>"}}}')
    assert dialog is not None
    dialog.accept()
    assert dialog.isVisible()
    dialog.accept()
    assert panel.saved()["mcpServers"]["gh"]["env"] == {"TOKEN": "${TOKEN}"}


async def test_the_proposed_name_can_be_changed_and_is_free(open_panel: OpenPanel) -> None:
    panel = open_panel({"time": entry("plain", enabled=False)})
    dialog = panel.page.paste_server("uvx mcp-server-time")
    assert dialog is not None
    assert dialog.pasted is not None
    assert dialog.pasted.name.text() == "time-2"
    assert "The name “time” is in use" in "\n".join(dialog.json.messages)
    dialog.pasted.name.clear()
    QTest.keyClicks(dialog.pasted.name, "time")
    dialog.accept()
    assert "already exists" in dialog.error.text()
    QTest.keyClicks(dialog.pasted.name, "s")
    dialog.accept()
    assert panel.saved()["mcpServers"]["times"]["args"] == ["mcp-server-time"]
    dialog = panel.page.paste_server('{"memory": {"command": "x"}}')
    assert dialog is not None
    assert "“memory” is a built-in server: switch it on" in "\n".join(dialog.json.messages)


async def test_the_same_server_once_more_is_not_added_but_named(open_panel: OpenPanel) -> None:
    panel = open_panel({"clock": {"command": "uvx", "args": ["mcp-server-time"], "enabled": False}})
    dialog = panel.page.paste_server("uvx mcp-server-time")
    assert dialog is not None
    dialog.accept()
    assert "“clock”" in dialog.error.text()


async def test_a_package_that_may_be_of_npm_or_pypi_can_be_run_with_the_other(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel()
    dialog = panel.page.paste_server("mcp-server-nowhere")
    assert dialog is not None
    assert dialog.pasted is not None
    assert dialog.json.messages == ("✓ nowhere  ·  stdio  ·  npx -y mcp-server-nowhere",)
    QTest.mouseClick(dialog.pasted.other, Qt.MouseButton.LeftButton)
    assert dialog.json.messages == ("✓ nowhere  ·  stdio  ·  uvx mcp-server-nowhere",)
    dialog.accept()
    assert panel.saved()["mcpServers"]["nowhere"]["command"] == "uvx"


@pytest.mark.parametrize("text", [README, "claude mcp add new -- x y"])
async def test_a_server_pasted_into_a_field_of_an_empty_form_is_recognized(
    open_panel: OpenPanel, text: str
) -> None:
    panel = open_panel()
    dialog = panel.page.add_server()
    dialog.tabs.setCurrentWidget(dialog.form)
    await paste_into(dialog, dialog.form.name, text)
    assert dialog.form.name.text() == ""
    dialog.accept()
    assert panel.saved()["mcpServers"]["new"] == {"command": "x", "args": ["y"]}


async def test_a_value_pasted_into_a_form_that_is_begun_stays_in_its_field(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel()
    dialog = panel.page.add_server()
    dialog.tabs.setCurrentWidget(dialog.form)
    dialog.form.name.setText("mine")
    await paste_into(dialog, dialog.form.command, "npx -y x")
    assert dialog.form.command.text() == "npx -y x"
    dialog.close()


async def test_a_command_line_or_a_url_typed_as_the_command_is_put_where_it_belongs(
    open_panel: OpenPanel,
) -> None:
    for name, typed, saved in (
        ("mem", "A=1 npx -y 'a b'", {"command": "npx", "args": ["-y", "a b"], "env": {"A": "1"}}),
        ("site", "http://localhost:9/mcp", {"url": "http://localhost:9/mcp", "type": "http"}),
    ):
        panel = open_panel("{}")
        dialog = panel.page.add_server()
        dialog.tabs.setCurrentWidget(dialog.form)
        QTest.keyClicks(dialog.form.name, name)
        QTest.keyClicks(dialog.form.command, typed)
        QTest.keyClick(dialog.form.command, Qt.Key.Key_Return)
        assert panel.saved()["mcpServers"] == {name: saved}
        await panel.core.close()


async def test_a_bundle_is_handed_to_the_import_that_unpacks_it(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    panel = open_panel()
    file = tmp_path / "tool.mcpb"
    server = {"mcp_config": {"command": "node", "args": ["${__dirname}/x.js"]}}
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"manifest_version": "0.3", "server": server}))
    dialog = panel.page.paste_server(str(file))
    assert dialog is not None
    assert dialog.pasted is not None
    dialog.accept()
    assert panel.page.findChildren(ImportDialog) or "bundle" in dialog.error.text()
