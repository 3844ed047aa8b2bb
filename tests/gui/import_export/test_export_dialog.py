from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication

from desktop.config.store import ConfigStore
from desktop.gui.import_export.export_dialog import ConfigExportDialog

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme


@pytest.fixture
def dialog(page: QWidget, theme: Theme, store: ConfigStore) -> ConfigExportDialog:
    made = ConfigExportDialog(page, theme, store)
    made.open()
    return made


def test_secrets_are_left_out_until_a_person_says_otherwise(dialog: ConfigExportDialog) -> None:
    assert "mine-1234" not in dialog.text.toPlainText()
    assert "differs env.TOKEN" in dialog.note.text()
    dialog.secrets.setChecked(True)
    assert "mine-1234" in dialog.text.toPlainText()
    assert "Do not share it" in dialog.note.text()


def test_the_format_is_that_of_the_other_client(dialog: ConfigExportDialog) -> None:
    dialog.format.setCurrentIndex(1)
    assert set(json.loads(dialog.text.toPlainText())) == {"inputs", "servers"}
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()


def test_it_is_saved_or_said_why_not(dialog: ConfigExportDialog, tmp_path: Path) -> None:
    dialog.save_as(str(tmp_path))
    assert "cannot be written" in dialog.note.text()
    assert dialog.isVisible()
    dialog.save_as(str(tmp_path / "out.json"))
    assert list(json.loads((tmp_path / "out.json").read_text())["mcpServers"]) == [
        *("same", "differs")
    ]
    assert not dialog.isVisible()


def test_without_servers_there_is_nothing_to_save(
    page: QWidget, theme: Theme, tmp_path: Path
) -> None:
    empty = ConfigExportDialog(page, theme, ConfigStore(tmp_path / "none.json", {}))
    assert not empty.save.isEnabled()
    assert "no servers" in empty.note.text()
