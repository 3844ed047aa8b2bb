"""A server that was copied is added with two keys: paste, and add."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.gui.servers.json_form import MAX_PASTED, pasted_json
from desktop.gui.servers.server_dialog import ServerDialog
from tests.gui.servers.conftest import LIMIT, entry
from tests.gui.waiting import turns

if TYPE_CHECKING:
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


async def test_what_was_added_is_still_selected_once_the_window_is_active_again(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({name: entry("plain", enabled=False) for name in ("one", "two", "three")})
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
    assert panel.card("new").hasFocus()
    assert panel.page.list.selected == "new"
    assert panel.page.details.connection is panel.card("new").connection
    await panel.until_words("new", "Failed")


async def test_a_command_line_that_was_copied_fills_the_form(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", enabled=False)})
    await panel.activate()
    QApplication.clipboard().setText("$ KEY=1 npx -y @scope/server-files /tmp\n")
    QTest.keyClick(panel.card("one"), Qt.Key.Key_V, CONTROL)
    (dialog,) = panel.page.findChildren(ServerDialog)
    config = dialog.form.config(None)
    assert (config.command, config.args) == ("npx", ("-y", "@scope/server-files", "/tmp"))
    assert config.env == {"KEY": "1"}
    assert config.name
    dialog._discard()  # pyright: ignore[reportPrivateUsage]


async def test_what_is_no_server_opens_nothing_and_says_so(open_panel: OpenPanel) -> None:
    panel = open_panel({"one": entry("plain", enabled=False)})
    await panel.activate()
    QApplication.clipboard().setText("hello")
    QTest.keyClick(panel.card("one"), Qt.Key.Key_V, CONTROL)
    assert not panel.page.findChildren(ServerDialog)
    assert "no server" in panel.page.banners.messages[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (README, README),
        (" https://mcp.example.org/sse ", '"url": "https://mcp.example.org/sse"'),
        ("uvx mcp-server-time", '"command": "uvx"'),
        ('"a": {"command": "x"},', '"a": {"command": "x"},'),
        ("", ""),
        ("one", ""),
        ("two words\nof prose", ""),
        ("it's quoted wrong", ""),
        ("{" * (MAX_PASTED + 1), ""),
    ],
)
def test_what_was_copied_is_understood_or_not(text: str, expected: str) -> None:
    made = pasted_json(text)
    assert (expected in made) if expected else made == ""
