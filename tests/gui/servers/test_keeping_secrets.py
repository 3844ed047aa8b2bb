"""A secret that is typed goes to the keyring, named and unless a person says otherwise."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QWidget

from desktop.config.models import ServerConfig
from desktop.config.secret_store import SERVICE, SecretStore
from desktop.config.store import ConfigStore
from desktop.gui.servers.server_dialog import ServerDialog
from tests.config.keyring_backend import MemoryKeyring, use, use_no_keyring
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

    Open = Callable[..., ServerDialog]

OLD = ServerConfig(name="mine", command="x", env={"OLD_TOKEN": "s3cretOld"})


@pytest.fixture
def store(tmp_path: Path) -> ConfigStore:
    made = ConfigStore(tmp_path / "mcp.json", {})
    made.load()
    made.add_server(OLD)
    return made


@pytest.fixture
def open_dialog(theme: Theme, qtbot: QtBot, store: ConfigStore, tmp_path: Path) -> Open:
    parent = QWidget()  # kept, because qtbot holds it weakly
    qtbot.addWidget(parent)

    def make(text: str = "", name: str | None = None) -> ServerDialog:
        secrets = SecretStore(tmp_path / "data" / "secrets.json")
        dialog = ServerDialog(parent, theme, store, name, secrets)
        if text:
            dialog.tabs.setCurrentWidget(dialog.json)
            dialog.json.text.setPlainText(text)
            dialog._offer_keyring()  # pyright: ignore[reportPrivateUsage] # what its timer does
        return dialog

    return make


def pasted(**env: str) -> str:
    return json.dumps({"mcpServers": {"new": {"command": "x", "env": env}}})


def env_of(store: ConfigStore, name: str) -> Any:
    return store.servers[name].env


async def test_what_is_typed_is_kept_and_the_file_names_it(
    open_dialog: Open, store: ConfigStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = MemoryKeyring()
    use(monkeypatch, keyring)
    dialog = open_dialog(pasted(API_KEY="s3cretNew", LEVEL="2"))
    assert not dialog.secrets.isHidden()
    assert dialog.secrets.isChecked()
    assert dialog.secrets.text() == "Keep in the keyring: new.API_KEY"
    dialog.accept()
    async with asyncio.timeout(LIMIT):
        while "new" not in store.servers:
            await turns(1)
    assert env_of(store, "new") == {"API_KEY": "${keyring:new.API_KEY}", "LEVEL": "2"}
    assert keyring.kept == {(SERVICE, "new.API_KEY"): "s3cretNew"}


@pytest.mark.parametrize("text", ["", "["])
async def test_the_secret_of_a_text_that_is_gone_is_offered_no_longer(
    open_dialog: Open, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    use(monkeypatch, MemoryKeyring())
    dialog = open_dialog(pasted(API_KEY="s3cretNew"))
    unfinished = pasted(API_KEY="s3cretNew")[:-1]
    dialog.json.text.setPlainText(unfinished)
    dialog._offer_keyring()  # pyright: ignore[reportPrivateUsage]
    assert not dialog.secrets.isHidden()

    dialog.json.text.setPlainText(text)
    dialog._offer_keyring()  # pyright: ignore[reportPrivateUsage]
    assert dialog.secrets.isHidden()
    assert not dialog.secrets.is_wanted


async def test_without_a_keyring_it_is_kept_for_this_session_and_that_is_said(
    open_dialog: Open, store: ConfigStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_no_keyring(monkeypatch)
    dialog = open_dialog(pasted(API_KEY="s3cretNew"))
    async with asyncio.timeout(LIMIT):
        while "no keyring" not in dialog.secrets.text():
            await turns(1)
    assert dialog.secrets.text().endswith("new.API_KEY")
    dialog.resize(300, 300)
    assert dialog.minimumSizeHint().width() < 560  # a long name makes no dialog wider
    assert "new.API_KEY" in dialog.secrets.accessibleName()
    dialog.accept()
    async with asyncio.timeout(LIMIT):
        while "new" not in store.servers:
            await turns(1)
    assert env_of(store, "new") == {"API_KEY": "${keyring:new.API_KEY}"}


async def test_without_a_keyring_plain_text_is_written_where_that_is_chosen(
    open_dialog: Open, store: ConfigStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_no_keyring(monkeypatch)
    dialog = open_dialog(pasted(API_KEY="s3cretNew"))
    dialog.secrets.click()
    dialog.accept()
    assert env_of(store, "new") == {"API_KEY": "s3cretNew"}


async def test_what_stands_in_the_file_already_is_offered_and_moved_only_on_a_yes(
    open_dialog: Open, store: ConfigStore
) -> None:
    dialog = open_dialog(name="mine")
    assert not dialog.secrets.isHidden()
    assert not dialog.secrets.isChecked()
    dialog.accept()
    assert env_of(store, "mine") == OLD.env


def test_without_a_secret_nothing_is_offered(open_dialog: Open) -> None:
    dialog = open_dialog(pasted(LEVEL="2", TOKEN="${GITHUB_TOKEN}"))
    assert dialog.secrets.isHidden()
