"""What a built-in server may use is chosen where it is switched on, and its tools work with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget

from tests.gui.drag_and_drop import drag_over, drop
from tests.gui.waiting import turns
from tests.live_servers import error_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.servers.conftest import OpenPanel, Panel

LEFT = Qt.MouseButton.LeftButton


def overrides(panel: Panel, name: str) -> object:
    return panel.saved()["mcpDesktop"]["overrides"][name].get("args")


def dragged(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def let_fall(view: QWidget, *paths: Path) -> None:
    data = dragged(*paths)
    assert drag_over(view, data)
    drop(view, data)


async def read_file(panel: Panel, name: str) -> str:
    server = panel.core.service.connections["filesystem"]
    result = await server.call_tool("read_text_file", {"path": name})
    return str(result.output) if result.success else error_of(result)[1]


async def test_a_folder_that_is_dropped_makes_the_file_tools_work(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("hello", "utf-8")
    panel = open_panel()
    QTest.mouseClick(panel.card("filesystem").switch, LEFT)
    await panel.until_words("filesystem", "Connected")
    panel.page.list.select("filesystem")
    view = panel.page.details.builtin
    assert view.isVisible()
    assert "Add a folder" in view.hint.text()
    assert "Choose what it may use" in panel.card("filesystem").accessibleName()
    assert "No folder is allowed" in await read_file(panel, "a.txt")
    before = panel.core.service.connections["filesystem"].pid
    let_fall(view, folder)
    assert overrides(panel, "filesystem") == [str(folder)]
    connection = panel.core.service.connections["filesystem"]
    await panel.until(lambda: connection.is_connected and connection.pid != before)
    assert await read_file(panel, "a.txt") == "hello"
    assert "Add a folder" not in view.hint.text()
    assert "Choose what it may use" not in panel.card("filesystem").accessibleName()


async def test_a_folder_is_added_by_the_button_and_removed_in_the_text(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    panel = open_panel()
    panel.page.list.select("filesystem")
    view = panel.page.details.builtin
    QTest.mouseClick(view.folders.pick, LEFT)
    (picker,) = view.folders.findChildren(QFileDialog)
    picker.fileSelected.emit(str(tmp_path))
    picker.reject()
    assert overrides(panel, "filesystem") == [str(tmp_path)]
    QTest.keyClick(view.writes, Qt.Key.Key_Space)
    assert overrides(panel, "filesystem") == ["--read-only", str(tmp_path)]
    await panel.activate()
    view.folders.edit.setFocus()
    view.folders.edit.selectAll()
    QTest.keyClick(view.folders.edit, Qt.Key.Key_Delete)
    assert overrides(panel, "filesystem") == ["--read-only", str(tmp_path)]  # still typing
    panel.page.list.focus_selected()
    await turns()
    assert overrides(panel, "filesystem") == ["--read-only"]


async def test_a_database_is_chosen_and_the_server_starts_with_it(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    import sqlite3

    file = tmp_path / "a.db"
    with sqlite3.connect(file) as database:
        database.execute("create table measures (a)")
    panel = open_panel()
    panel.page.set_enabled("sqlite", True)
    await panel.until_words("sqlite", "Connected")
    before = panel.core.service.connections["sqlite"].pid
    panel.page.list.select("sqlite")
    view = panel.page.details.builtin
    assert "Choose a database" in view.hint.text()
    assert not drag_over(view, dragged(tmp_path))  # a folder is no database
    let_fall(view, file)
    connection = panel.core.service.connections["sqlite"]
    await panel.until(lambda: connection.is_connected and connection.pid != before)
    result = await connection.call_tool("list_tables", {})
    assert "measures" in str(result.output)
    assert overrides(panel, "sqlite") == [str(file)]
    assert not view.writes.isChecked()


async def test_hosts_are_typed_and_a_server_without_settings_shows_none(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel()
    panel.page.list.select("fetch")
    view = panel.page.details.builtin
    QTest.keyClicks(view.hosts, "example.org docs.python.org")
    QTest.keyClick(view.hosts, Qt.Key.Key_Return)
    assert overrides(panel, "fetch") == ["--allow-host=example.org,docs.python.org"]
    assert view.hosts.isVisible()
    panel.page.list.select("calculator")
    assert not view.isVisible()


async def test_a_built_in_server_of_the_file_keeps_its_settings_there(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    entry = {"builtin": "filesystem", "args": ["/tmp"], "enabled": False, "note": "kept"}
    panel = open_panel({"docs": entry})
    panel.page.list.select("docs")
    view = panel.page.details.builtin
    assert view.folders.edit.toPlainText() == "/tmp"
    let_fall(view, tmp_path)
    assert panel.saved()["mcpServers"]["docs"] == {**entry, "args": ["/tmp", str(tmp_path)]}
    assert not panel.core.store.untrusted


async def test_what_somebody_else_wrote_is_reviewed_before_it_starts(
    open_panel: OpenPanel,
) -> None:
    import json

    panel = open_panel({})
    store = panel.core.store
    store.keep_adopted()
    store.set_enabled("filesystem", True)
    document = panel.saved()
    document["mcpDesktop"]["overrides"]["filesystem"]["args"] = ["/"]
    store.path.write_text(json.dumps(document), encoding="utf-8")
    store.reload()
    await panel.until_words("filesystem", "Changed command")
    panel.page.list.select("filesystem")
    assert not panel.page.details.builtin.isVisible()
    dialog = panel.page.review_server("filesystem")
    assert dialog is not None
    dialog.accept()
    await panel.until_words("filesystem", "Connected")
    assert panel.page.details.builtin.isVisible()
