"""A bundle in the catalogue: a click downloads it, a second one adds it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.config.secret_store import SecretStore
from desktop.features.catalogue.bundle import DOWNLOADS
from desktop.features.catalogue.catalogue import Catalogue
from desktop.features.catalogue.gui.dialog import CatalogueDialog
from desktop.gui.widgets.focus_guard import focus_guard_of
from tests.features.catalogue.bundle_stub import BundleStub, manifest, pack
from tests.gui.waiting import happens, noted, turns

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.config.store import ConfigStore
    from desktop.gui.theme import Theme
    from tests.config.keyring_backend import MemoryKeyring
    from tests.features.catalogue.registry_stub import RegistryStub

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def stub(registry: RegistryStub) -> BundleStub:
    made = BundleStub(registry)
    made.publish("1.0.0", pack(manifest()))
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "bundles"


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def dialog(
    page: QWidget,
    theme: Theme,
    store: ConfigStore,
    keyring: MemoryKeyring,
    folder: Path,
    stub: BundleStub,
) -> CatalogueDialog:
    assert (keyring.kept, len(stub.files)) == ({}, 1)
    secrets = SecretStore(folder.parent / "secrets.json")
    made = CatalogueDialog(page, theme, Catalogue(store, secrets, {}, folder), secrets)
    made.open()
    return made


async def show_notes(dialog: CatalogueDialog) -> None:
    answered = happens(dialog.settled)
    dialog.search("notes")
    await answered
    await turns()


async def download(dialog: CatalogueDialog) -> None:
    QTest.mouseClick(dialog.act, LEFT)
    while dialog.is_downloading:
        await turns()
    await turns()


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


async def test_what_would_be_downloaded_is_shown_and_nothing_is_without_a_click(
    dialog: CatalogueDialog, stub: BundleStub, folder: Path
) -> None:
    await show_notes(dialog)
    package = stub.registry.servers[-1]["server"]["packages"][0]
    host = stub.registry.address.removeprefix("http://")
    assert dialog.entry.command.toPlainText().splitlines() == [
        f"address: {package['identifier']}",
        f"host: {host}",
        "size: known when it begins, at most 512 MB",
        f"SHA-256: {package['fileSha256']}",
    ]
    assert dialog.act.text() == f"Download from {host}"
    assert dialog.entry.form is None
    assert focus_guard_of(dialog.act) is not None
    assert not any("releases" in path for path in stub.registry.asked)
    assert files(folder) == []


async def test_one_click_downloads_and_a_second_one_adds(
    dialog: CatalogueDialog, store: ConfigStore, folder: Path, keyring: MemoryKeyring
) -> None:
    added = noted(dialog.added)
    await show_notes(dialog)
    await download(dialog)
    assert dialog.error.text() == ""
    assert dialog.act.text() == "Add (switched off)"
    assert "python3" in dialog.entry.command.toPlainText()
    assert not store.servers
    assert [name for name in files(folder) if not name.startswith(DOWNLOADS)] == []
    assert dialog.entry.form is not None
    changed = happens(dialog.entry.changed)
    dialog.entry.form.set_value({"folder": "/tmp/notes", "api_key": "k-1"})
    await changed
    QTest.mouseClick(dialog.act, LEFT)
    while dialog.is_keeping:
        await turns()
    assert added == [("notes", "")]
    notes = store.servers["notes"]
    assert (notes.enabled, notes.args[1:]) == (False, ("/tmp/notes", "--level=info"))
    assert notes.env == {"NOTES_KEY": "${keyring:notes.API_KEY}"}
    assert list(keyring.kept.values()) == ["k-1"]
    assert os.path.basename(notes.args[0]) == "main.py"
    assert len(files(folder)) == 2


async def test_another_file_is_refused_with_both_hashes(
    dialog: CatalogueDialog, stub: BundleStub, folder: Path
) -> None:
    stub.publish("1.0.1", pack(manifest()), fileSha256="0" * 64)
    await show_notes(dialog)
    await download(dialog)
    assert "is not the one of the entry" in dialog.error.text()
    assert "0" * 64 in dialog.error.text()
    assert dialog.act.text().startswith("Download from")
    assert files(folder) == []


async def test_a_download_shows_how_far_it_is_and_is_stopped_by_a_click(
    dialog: CatalogueDialog, stub: BundleStub, folder: Path
) -> None:
    plain = stub.answer

    def half(handler: BaseHTTPRequestHandler) -> bool:
        if "releases" not in handler.path:
            return plain(handler)
        handler.send_response(200)
        handler.send_header("content-length", "4000000")
        handler.end_headers()
        handler.wfile.write(bytes(2_000_000))
        handler.wfile.flush()
        return stub.registry.stopped.wait(30)

    stub.registry.answer = half
    await show_notes(dialog)
    QTest.mouseClick(dialog.act, LEFT)
    while dialog.progress.words.text() != "2.0 of 4.0 MB":
        await turns()
    assert dialog.act.text() == "Downloading…"
    assert not dialog.act.isEnabled()
    QTest.mouseClick(dialog.progress.stop, LEFT)
    while files(folder):
        await turns()
    assert dialog.progress.isHidden()
    assert dialog.act.isEnabled()


async def test_closing_leaves_nothing_of_what_was_downloaded(
    dialog: CatalogueDialog, folder: Path
) -> None:
    await show_notes(dialog)
    await download(dialog)
    assert len(files(folder)) == 1
    dialog.reject()
    assert files(folder) == []


async def test_an_update_is_downloaded_first_and_keeps_the_values(
    dialog: CatalogueDialog, stub: BundleStub, store: ConfigStore, folder: Path
) -> None:
    catalogue = Catalogue(store, SecretStore(folder.parent / "secrets.json"), {}, folder)
    entry = await catalogue.show("io.github.someone/notes")
    fetched = await catalogue.fetch(entry.ways[0], lambda done, total: None)
    plan = catalogue.plan(entry, fetched.way, {"folder": "/tmp/notes", "api_key": "k-1"})
    await catalogue.add(plan, fetched=fetched)
    stub.publish("2.0.0", pack(manifest("2.0.0")))
    answered = happens(dialog.settled)
    dialog.look_for_updates()
    await answered
    await turns()
    assert dialog.act.text().startswith("Download from")
    await download(dialog)
    assert dialog.act.text() == "Update to 2.0.0"
    assert "args: now" in dialog.entry.update_note.text()
    assert dialog.entry.form is not None
    assert dialog.entry.form.value()["folder"] == "/tmp/notes"
    before = store.servers["notes"]
    added = noted(dialog.added)
    QTest.mouseClick(dialog.act, LEFT)
    while dialog.is_keeping:
        await turns()
    assert added == [("notes", "2.0.0")]
    after = store.servers["notes"]
    assert (after.args[1:], after.env) == (before.args[1:], before.env)
    assert after.args[0] != before.args[0]
    assert len(files(folder)) == 2
