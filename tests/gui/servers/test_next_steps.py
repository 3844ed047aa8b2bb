"""The button of a failure does what it says: real servers that fail, and run after one click."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

from desktop.base.errors import NextStep
from desktop.config.models import ServerConfig
from desktop.config.secret_store import SERVICE, SecretStore
from desktop.gui.servers.error_view import InstallDialog, VariableDialog
from desktop.gui.servers.server_dialog import ServerDialog
from desktop.gui.theme import space
from tests.config.keyring_backend import MemoryKeyring, use
from tests.gui.servers.conftest import entry
from tests.gui.waiting import happens, noted, turns
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.gui.servers.conftest import OpenPanel, Panel

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")


def program(folder: Path, name: str, server: str, variable: str = "") -> dict[str, Any]:
    """A program on the PATH of `folder` that is the test server; it may want a variable."""
    python, arguments = command(server)
    wants = f'[ -n "${variable}" ] || {{ echo "{variable} is not set" >&2; exit 3; }}\n'
    words = " ".join(f"'{word}'" for word in (python, *arguments))
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{wants if variable else ''}exec {words}\n", "utf-8")
    (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


def button(panel: Panel, kind: str) -> QPushButton:
    steps = panel.page.details.error.steps.buttons
    (found,) = [steps[step] for step in steps if step.kind == kind]
    return found


def dialog_of(panel: Panel, kind: type[Any]) -> Any:
    return next(one for one in panel.page.findChildren(kind) if one.isVisible())


async def test_a_command_that_is_spelled_wrong_is_put_right_with_one_click(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    environ = program(tmp_path / "bin", "weather-server", "plain")
    panel = open_panel({"files": {"command": "waether-server", "args": ["-y", "x"]}}, environ)
    await panel.until_words("files", "Failed")
    panel.page.list.select("files")
    assert "was not found" in panel.page.details.error.headline.text()
    use = button(panel, "use_command")
    assert use.text() == "Use “weather-server”"
    QTest.mouseClick(use, LEFT)
    await panel.until_words("files", "Connected")
    assert panel.saved()["mcpServers"]["files"] == {
        "command": "weather-server",
        "args": ["-y", "x"],
    }
    assert panel.page.details.error.isHidden()


async def test_a_command_line_that_came_as_the_command_is_split_with_one_click(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    environ = program(tmp_path / "bin", "weather-server", "plain")
    panel = open_panel({"files": {"command": "A=1 weather-server -y x", "args": ["z"]}}, environ)
    await panel.until_words("files", "Failed")
    panel.page.list.select("files")
    split = button(panel, "take_apart")
    assert split.text() == "Split it into command and arguments"
    QTest.mouseClick(split, LEFT)
    await panel.until_words("files", "Connected")
    assert panel.saved()["mcpServers"]["files"] == {
        "command": "weather-server",
        "args": ["-y", "x", "z"],
        "env": {"A": "1"},
    }


async def test_an_address_that_came_as_the_command_is_connected_to_with_one_click(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"site": {"command": "http://127.0.0.1:9/mcp"}})
    await panel.until_words("site", "Failed")
    panel.page.list.select("site")
    assert "not a program" in panel.page.details.error.remedy.text()
    QTest.mouseClick(button(panel, "use_url"), LEFT)
    assert panel.saved()["mcpServers"]["site"] == {"url": "http://127.0.0.1:9/mcp"}


async def test_edit_opens_the_form_of_that_server(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("exits_at_start")})
    await panel.until_words("files", "Failed")
    panel.page.list.select("files")
    QTest.mouseClick(button(panel, "edit"), LEFT)
    form = dialog_of(panel, ServerDialog).form
    assert form.name.text() == "files"
    assert form.focusWidget() is form.command  # that is what failed


async def test_what_a_command_comes_with_is_shown_to_be_installed(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": {"command": "uvx", "args": ["mcp-server-time"]}})
    await panel.until_words("files", "Failed")
    panel.page.list.select("files")
    QTest.mouseClick(button(panel, "install"), LEFT)
    dialog = dialog_of(panel, InstallDialog)
    assert dialog.windowTitle() == "Install uv"
    assert dialog.copies
    for line in dialog.findChildren(QLineEdit):  # each command is seen whole
        assert line.fontMetrics().horizontalAdvance(line.text()) < line.width() - space(4)
    QTest.mouseClick(dialog.copies[0], LEFT)
    assert "uv" in QApplication.clipboard().text()
    dialog.reject()


async def test_a_variable_that_the_config_names_is_asked_for_and_put_in_its_place(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"files": entry("plain", env={"KEY": "x-${MY_KEY}"})})
    await panel.until_words("files", "Failed")
    panel.page.list.select("files")
    QTest.mouseClick(button(panel, "set_variable"), LEFT)
    dialog = dialog_of(panel, VariableDialog)
    assert not dialog.save.isEnabled()
    QTest.keyClicks(dialog.value, "abc")
    QTest.keyClick(dialog.value, Qt.Key.Key_Return)
    await panel.until_words("files", "Connected")
    assert panel.saved()["mcpServers"]["files"]["env"] == {"KEY": "x-abc"}


async def test_a_variable_that_the_server_itself_asks_for_is_put_into_its_environment(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    environ = program(tmp_path / "bin", "server", "plain", variable="SOME_API_KEY")
    panel = open_panel({"files": {"command": "server"}}, environ)
    await panel.until_words("files", "Failed")
    panel.page.list.select("files")
    assert "SOME_API_KEY is not set" in panel.page.details.error.headline.text()
    QTest.mouseClick(button(panel, "set_variable"), LEFT)
    dialog = dialog_of(panel, VariableDialog)
    QTest.keyClicks(dialog.value, "abc")
    QTest.mouseClick(dialog.save, LEFT)
    await panel.until_words("files", "Connected")
    assert panel.saved()["mcpServers"]["files"]["env"] == {"SOME_API_KEY": "abc"}


async def test_a_server_of_the_environment_cannot_be_edited_by_a_button(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel(None, {"MCP_SERVERS": '{"given": {"command": "nothing-like-it"}}'})
    await panel.until_words("given", "Failed")
    panel.page.list.select("given")
    assert panel.page.details.error.steps.buttons == {}


async def test_a_value_goes_to_the_keyring_and_the_entry_refers_to_it(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    config = ServerConfig(name="mine", command="x")
    keyring = MemoryKeyring()
    use(monkeypatch, keyring)
    secrets = SecretStore(tmp_path / "secrets.json")
    dialog = VariableDialog(parent, config, NextStep("set_variable", "A_KEY"), secrets)
    kept = noted(dialog.kept)
    dialog.open()
    assert dialog.keep.isVisible()
    assert dialog.keep.isChecked()
    QTest.keyClicks(dialog.value, "s3cret")
    QTest.keyClick(dialog.value, Qt.Key.Key_Return)
    async with asyncio.timeout(LIMIT):
        while not kept:
            await turns()
    ((changed,),) = kept
    assert isinstance(changed, ServerConfig)
    assert changed.env == {"A_KEY": "${keyring:mine.A_KEY}"}
    assert keyring.get_password(SERVICE, "mine.A_KEY") == "s3cret"


async def test_a_secret_that_the_keyring_lacks_is_put_there(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    config = ServerConfig(name="mine", command="x", env={"A": "${keyring:token}"})
    keyring = MemoryKeyring()
    use(monkeypatch, keyring)
    secrets = SecretStore(tmp_path / "secrets.json")
    dialog = VariableDialog(parent, config, NextStep("keep_secret", "token"), secrets)
    kept = noted(dialog.kept)
    dialog.open()
    assert (dialog.keep.text(), dialog.keep.isEnabled()) == ("Keep in the keyring: token", False)
    QTest.keyClicks(dialog.value, "s3cret")
    QTest.mouseClick(dialog.save, LEFT)
    async with asyncio.timeout(LIMIT):
        while not kept:
            await turns()
    assert kept == [(config,)]
    assert keyring.get_password(SERVICE, "token") == "s3cret"


async def test_a_start_says_how_long_it_takes_and_what_is_fetched(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    runner = tmp_path / "npx"
    runner.write_text("import time\ntime.sleep(60)\n", "utf-8")
    slow = {
        "command": sys.executable,
        "args": ["-S", str(runner), "@scope/files"],
        "env": {"HOME": str(tmp_path)},
    }
    panel = open_panel({"files": slow})
    watch, server = panel.page.starts, panel.core.service.connections["files"]
    panel.page.list.select("files")
    assert watch.is_running
    server.starting_since -= 8
    async with asyncio.timeout(LIMIT):
        while "downloading" not in panel.card("files").figures:
            await happens(watch.ticked)
    assert panel.card("files").badge.text().startswith("Starting… ")
    assert panel.card("files").badge.text() != "Starting… 0 s"
    assert panel.card("files").figures == "npx is downloading @scope/files"
    assert panel.page.details.progress.text() == "npx is downloading @scope/files"
    panel.page.hide()
    assert not watch.is_running
    panel.page.show()
    assert watch.is_running
    panel.page.set_enabled("files", False)
    assert not panel.page.details.progress.isVisible()
    await panel.until_words("files", "Off")
    assert not watch.is_running
