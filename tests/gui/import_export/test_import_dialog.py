"""The preview as a person uses it: nothing before the button, everything in one save after it."""

from __future__ import annotations

import json
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtTest import QTest

from desktop.config.models import Sandbox, SandboxProposal
from desktop.config.store import ConfigStore
from desktop.gui.import_export.import_dialog import ImportDialog, SourceList
from tests.gui.drag_and_drop import drag_over, drop
from tests.gui.waiting import arm, happens, noted, turns

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.models import ServerConfig
    from desktop.gui.theme import Theme
    from tests.gui.import_export.conftest import Plan, Write


def test_sources_are_listed_and_the_best_is_chosen(qtbot: QtBot, plan: Plan) -> None:
    sources = SourceList()
    qtbot.addWidget(sources)
    sources.add(*plan("{ broken", "broken.json"))
    sources.add(*plan({"same": {"command": "x"}}, "home/.cursor/mcp.json"))
    sources.add(*plan({"new": {"command": "n"}}, "home/new.json"))
    sources.choose_best("")
    assert sources.currentRow() == 2
    sources.choose_best("cursor")
    assert sources.currentRow() == 1
    assert sources.item(1).text() == "Cursor\n1 server, none new"
    assert sources.item(0).text() == "broken.json\nCannot be read"


def test_a_file_that_is_handed_over_comes_first_and_is_chosen(qtbot: QtBot, plan: Plan) -> None:
    sources = SourceList()
    qtbot.addWidget(sources)
    sources.add(*plan())
    chosen: list[int] = []
    sources.source_selected.connect(chosen.append)
    sources.add(*plan({"b": {"command": "b"}}, "second.json"), at=0)
    entry = sources.entry(sources.currentRow())
    assert entry is not None
    assert entry[0].source.label == "second.json"
    assert chosen[-1] == 0
    assert sources.entry(7) is None


LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(
    page: QWidget, theme: Theme, store: ConfigStore, places: ClientLocations
) -> ImportDialog:
    made = ImportDialog(page, theme, store, places)
    made.open()
    return made


async def show_file(dialog: ImportDialog, path: Path) -> None:
    dialog.open_source(str(path))
    await happens(dialog.sources.source_selected)
    await turns()


async def test_what_is_checked_is_added_in_one_save_and_no_more(
    dialog: ImportDialog, store: ConfigStore, write: Write
) -> None:
    before = store.path.read_text()
    done = noted(dialog.imported)
    await show_file(dialog, write())
    assert dialog.act.text() == "Import 2 servers"
    assert store.path.read_text() == before
    dialog.tree.set_checked(2, True)
    assert dialog.act.text() == "Import 3 servers"
    QTest.mouseClick(dialog.act, LEFT)
    assert done == [(["new", "differs-2", "we-ird"], f"{store.path}.bak")]
    saved = json.loads(store.path.read_text())["mcpServers"]
    assert saved["differs"]["command"] == "ours"
    assert [saved[name]["enabled"] for name in ("new", "differs-2", "we-ird")] == [False] * 3


async def test_enter_imports_nothing_unless_with_control(
    dialog: ImportDialog, store: ConfigStore, write: Write
) -> None:
    await show_file(dialog, write())
    for widget in (dialog.sources, dialog.tree):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Return)
    assert "new" not in store.servers
    assert "Ctrl+Enter" in dialog.act.toolTip()
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert "new" in store.servers


async def test_servers_are_switched_on_when_that_is_asked_for(
    dialog: ImportDialog, store: ConfigStore, write: Write
) -> None:
    await show_file(dialog, write())
    dialog.enable.setFocus()
    QTest.keyClick(dialog.enable, Qt.Key.Key_Space)
    dialog.accept()
    assert store.servers["new"].enabled


async def test_a_file_that_cannot_be_read_says_where(dialog: ImportDialog, write: Write) -> None:
    await show_file(dialog, write("{\n broken"))
    assert "line 2, column 2" in dialog.message.text()
    assert not dialog.act.isEnabled()
    dialog.accept()
    assert dialog.isVisible()


async def test_a_save_that_is_refused_keeps_the_preview_open(
    dialog: ImportDialog, store: ConfigStore, write: Write
) -> None:
    await show_file(dialog, write())
    store.path.write_text("{ broken meanwhile")
    dialog.accept()
    assert dialog.isVisible()
    assert "not valid JSON" in dialog.error.text()
    assert store.path.read_text() == "{ broken meanwhile"


async def test_clients_are_looked_for_and_a_chosen_file_stays_in_front(
    dialog: ImportDialog, write: Write
) -> None:
    write({"a": {"command": "x"}}, "home/.cursor/mcp.json")
    write({"b": {"command": "y"}}, "home/.lmstudio/mcp.json")
    dialog.look_around("lm-studio")
    await happens(dialog.sources.source_selected)
    await turns()
    assert dialog.sources.currentRow() == 1
    assert dialog.path.accessibleName().endswith(".lmstudio/mcp.json")
    await show_file(dialog, write({"c": {"command": "z"}}))
    assert dialog.sources.count() == 3
    assert dialog.sources.currentRow() == 0


async def test_where_nothing_is_found_the_next_step_is_said(dialog: ImportDialog) -> None:
    dialog.look_around()
    assert "Looking for" in dialog.message.text()
    while dialog.is_looking:
        await turns()
    assert "Choose a file" in dialog.message.text()


async def test_a_file_dropped_on_it_is_shown(dialog: ImportDialog, write: Write) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(write()))])
    assert drag_over(dialog, mime)
    drop(dialog, mime)
    await happens(dialog.sources.source_selected)
    assert dialog.sources.count() == 1


def pack(folder: Path, member: str) -> Path:
    server = {"type": "node", "mcp_config": {"command": "node", "args": ["${__dirname}/a.js"]}}
    manifest = {"manifest_version": "0.3", "name": "packed", "server": server}
    file = folder / "packed.mcpb"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr(member, "1")
    return file


def unpacked(file: str) -> str:
    return Path(file).read_text("utf-8")


async def test_a_bundle_is_unpacked_after_the_click_and_its_server_added(
    dialog: ImportDialog, store: ConfigStore, tmp_path: Path
) -> None:
    await show_file(dialog, pack(tmp_path, "a.js"))
    assert not (tmp_path / "bundles").exists()
    imported = noted(dialog.imported)
    dialog.act.click()
    assert (dialog.act.text(), dialog.act.isEnabled()) == ("Unpacking…", False)
    dialog.accept()  # a second click does nothing
    while not imported:
        await turns()
    assert imported[0][0] == ["packed"]
    (script,) = store.servers["packed"].args
    assert unpacked(script) == "1"
    assert script.startswith(str(tmp_path / "bundles"))


async def test_a_bundle_that_is_refused_is_said_and_adds_nothing(
    dialog: ImportDialog, store: ConfigStore, tmp_path: Path
) -> None:
    await show_file(dialog, pack(tmp_path, "../a.js"))
    dialog.act.click()
    while dialog.is_unpacking:
        await turns()
    assert "a path outside the bundle" in dialog.error.text()
    assert dialog.act.isEnabled()
    assert "packed" not in store.servers


@pytest.mark.parametrize("is_ticked", [True, False])
async def test_new_servers_start_in_the_sandbox_that_is_offered_unless_it_is_unticked(
    page: QWidget, theme: Theme, store: ConfigStore, places: ClientLocations, write: Write,
    is_ticked: bool,
) -> None:  # fmt: skip
    offered = ConfigStore(
        store.path, {}, propose_sandbox=lambda _: SandboxProposal(Sandbox(preset="folders"))
    )
    offered.load()
    dialog = ImportDialog(page, theme, offered, places)
    dialog.open()
    assert dialog.sandbox.isHidden()
    await show_file(dialog, write())
    assert dialog.sandbox.box.text() == (
        "Start in a sandbox. May touch: its own folders, the network"
    )
    if not is_ticked:
        QTest.mouseClick(dialog.sandbox.box, LEFT, pos=QPoint(8, dialog.sandbox.box.height() // 2))
    arm(dialog.act)
    QTest.mouseClick(dialog.act, LEFT)
    assert offered.servers["new"].sandbox.is_on is is_ticked
    assert not offered.servers["same"].sandbox.is_on


async def test_where_there_can_be_no_sandbox_the_import_says_so(
    page: QWidget, theme: Theme, store: ConfigStore, places: ClientLocations, write: Write
) -> None:
    """And finds that out beside the window, which would stand still meanwhile."""
    why = SandboxProposal(None, "There are sandboxes on Linux alone.")
    asked: list[threading.Thread] = []

    def propose(_: ServerConfig) -> SandboxProposal:
        asked.append(threading.current_thread())
        return why

    without = ConfigStore(store.path, {}, propose_sandbox=propose)
    without.load()
    dialog = ImportDialog(page, theme, without, places)
    dialog.open()
    await show_file(dialog, write())
    assert dialog.sandbox.box.isHidden()
    assert dialog.sandbox.note.text() == (
        "Without a sandbox: new, we-ird. There are sandboxes on Linux alone."
    )
    assert asked[0] is not threading.main_thread()
