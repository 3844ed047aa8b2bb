"""A call is saved from anywhere, into the folder the person chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop.gui.history.saving import ask_for_name, remember_folder, use_chosen_folder
from desktop.history.saved_calls import SavedCalls
from tests.live_servers import until

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


async def test_the_finished_call_is_in_the_folder_that_was_chosen(
    qtbot: QtBot, theme: Theme, settings: QSettings, tmp_path: Path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    remember_folder(settings, str(tmp_path / "team"))
    calls = SavedCalls(tmp_path / "usual")
    use_chosen_folder(calls, settings)
    dialog = ask_for_name(parent, theme, calls, {"tool": "s:t", "arguments": {"n": 1}})
    dialog.name.setText("from the form")
    dialog.accept()
    await until(calls.changed, lambda: calls.entries)
    assert calls.entries[0].file.path == tmp_path / "team" / "from-the-form.json"


def test_without_a_choice_the_usual_folder_stays(settings: QSettings, tmp_path: Path) -> None:
    calls = SavedCalls(tmp_path)
    use_chosen_folder(calls, settings)
    assert calls.folder == tmp_path
