"""A removed server comes back as it was: with a click, and to the place where it stood."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from desktop.config.trust import TrustFile
from tests.gui.servers.conftest import entry

if TYPE_CHECKING:
    from tests.gui.servers.conftest import OpenPanel, Panel

LEFT = Qt.MouseButton.LeftButton
OFF = {"enabled": False}


def remove(panel: Panel, name: str) -> None:
    dialog = panel.page.remove_server(name)
    assert dialog is not None
    QTest.mouseClick(dialog.remove, LEFT)


def undo(panel: Panel) -> QPushButton:
    return panel.page.banners.findChildren(QPushButton)[-1]  # that of the newest bar


async def test_undo_restores_the_file_to_the_byte_and_starts_the_server(
    open_panel: OpenPanel,
) -> None:
    odd = entry("plain", unknownKey={"b": 1, "a": [1.50]}, description="kept")
    panel = open_panel({"one": entry("plain", **OFF), "two": odd, "three": entry("plain", **OFF)})
    await panel.until_words("two", "Connected")
    panel.core.store.set_enabled("one", True)
    panel.core.store.set_enabled("one", False)  # the app has written the file once
    before = panel.core.store.path.read_bytes()
    remove(panel, "two")
    assert "two" not in panel.saved()["mcpServers"]
    assert panel.page.banners.messages == ("Removed “two”.",)
    QTest.mouseClick(undo(panel), LEFT)
    assert panel.core.store.path.read_bytes() == before
    assert list(panel.page.list.cards)[:3] == ["one", "two", "three"]
    assert panel.page.list.selected == "two"
    assert panel.page.banners.messages == ()
    await panel.until_words("two", "Connected")


async def test_the_place_is_found_again_where_the_file_changed_meanwhile(
    open_panel: OpenPanel,
) -> None:
    servers = {name: entry("plain", **OFF) for name in ("a", "b", "c", "d")}
    panel = open_panel(servers)
    remove(panel, "b")
    panel.core.store.remove_server("c")
    QTest.mouseClick(undo(panel), LEFT)
    assert list(panel.saved()["mcpServers"]) == ["a", "b", "d"]


async def test_the_last_one_comes_back_to_the_end(open_panel: OpenPanel) -> None:
    panel = open_panel({name: entry("plain", **OFF) for name in ("a", "b")})
    remove(panel, "b")
    QTest.mouseClick(undo(panel), LEFT)
    assert list(panel.saved()["mcpServers"]) == ["a", "b"]


async def test_a_name_that_was_given_again_is_not_overwritten(open_panel: OpenPanel) -> None:
    panel = open_panel({"a": entry("plain", **OFF), "b": entry("plain", **OFF)})
    old = panel.core.store.servers["a"]
    remove(panel, "a")
    panel.core.store.add_server(old.changed(args=("other",)))
    QTest.mouseClick(undo(panel), LEFT)
    assert panel.saved()["mcpServers"]["a"]["args"] == ["other"]
    assert "already" in panel.page.banners.messages[0]


async def test_only_the_last_removal_can_be_undone_and_one_that_is_dismissed_cannot(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({name: entry("plain", **OFF) for name in ("a", "b", "c")})
    remove(panel, "a")
    remove(panel, "b")
    assert panel.page.banners.messages == ("Removed “b”.",)
    QTest.mouseClick(undo(panel), LEFT)
    assert list(panel.saved()["mcpServers"]) == ["b", "c"]


async def test_undo_does_not_agree_to_what_nobody_agreed_to(open_panel: OpenPanel) -> None:
    panel = open_panel({"a": entry("plain", **OFF)})
    store = panel.core.store
    store.keep_adopted()
    document = panel.saved()
    document["mcpServers"]["b"] = entry("plain")
    store.path.write_text(json.dumps(document), encoding="utf-8")
    store.reload()
    assert list(store.untrusted) == ["b"]
    remove(panel, "b")
    QTest.mouseClick(undo(panel), LEFT)
    assert list(store.untrusted) == ["b"]
    remove(panel, "a")
    QTest.mouseClick(undo(panel), LEFT)
    assert list(store.untrusted) == ["b"]
    assert TrustFile(panel.core.paths.trust, store.path) is not None
