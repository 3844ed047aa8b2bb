"""What the other app asks for is asked for here, and what is secret goes to the keyring."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from desktop.config.secret_store import SERVICE, SecretStore
from desktop.gui.import_export.import_dialog import ImportDialog
from tests.config.keyring_backend import MemoryKeyring, use
from tests.gui.waiting import happens, turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.store import ConfigStore
    from desktop.gui.theme import Theme

INPUTS = [
    {"id": "zone", "type": "pickString", "description": "Zone\u202e", "options": ["eu", "us"]},
    {"id": "key", "type": "promptString", "description": "Key", "password": True},
    {"id": "port", "type": "promptString", "description": "Port", "default": "8080"},
]
ENV = {
    "ZONE": "${input:zone}",
    "KEY": "${input:key}",
    "PORT": "${input:port}",
    "API_TOKEN": "s3cretPlain",
}


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> MemoryKeyring:
    backend = MemoryKeyring()
    use(monkeypatch, backend)
    return backend


@pytest.fixture
async def dialog(
    page: QWidget, theme: Theme, store: ConfigStore, places: ClientLocations, tmp_path: Path
) -> ImportDialog:
    file = tmp_path / "vscode.json"
    servers = {"a": {"command": "x", "env": ENV}}
    file.write_text(json.dumps({"inputs": INPUTS, "servers": servers}), "utf-8")
    secrets = SecretStore(tmp_path / "data" / "secrets.json")
    made = ImportDialog(page, theme, store, places, secrets)
    made.open()
    made.open_source(str(file))
    await happens(made.sources.source_selected)
    await turns()
    return made


def env_of(store: ConfigStore) -> dict[str, Any]:
    return store.servers["a"].env


async def test_answers_are_written_and_secrets_are_kept(
    keyring: MemoryKeyring, dialog: ImportDialog, store: ConfigStore
) -> None:
    zone, key, port = dialog.inputs.fields.values()
    assert isinstance(zone, QComboBox)
    assert isinstance(key, QLineEdit)
    assert isinstance(port, QLineEdit)
    assert zone.accessibleName() == r"Zone\u202e"
    assert key.echoMode() == QLineEdit.EchoMode.Password
    assert port.text() == "8080"
    assert dialog.secrets.text() == "Keep in the keyring: a.API_TOKEN"
    zone.setCurrentText("eu")
    key.setText("s3cretTyped")
    dialog.accept()
    async with asyncio.timeout(LIMIT):
        while "a" not in store.servers:
            await turns(1)
    assert env_of(store) == {
        "ZONE": "eu",
        "KEY": "${keyring:a.KEY}",
        "PORT": "8080",
        "API_TOKEN": "${keyring:a.API_TOKEN}",
    }
    assert keyring.kept == {
        (SERVICE, "a.KEY"): "s3cretTyped",
        (SERVICE, "a.API_TOKEN"): "s3cretPlain",
    }


@pytest.mark.usefixtures("keyring")
async def test_what_is_left_empty_stays_a_variable_and_unticked_a_secret_is_copied(
    dialog: ImportDialog, store: ConfigStore
) -> None:
    dialog.secrets.click()
    dialog.accept()
    assert env_of(store) == {
        "ZONE": "${ZONE}",
        "KEY": "${KEY}",
        "PORT": "8080",
        "API_TOKEN": "s3cretPlain",
    }
