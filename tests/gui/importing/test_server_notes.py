from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from desktop.gui.importing.server_notes import ServerNotes

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.importing.conftest import Plan

pytest_plugins = ("tests.gui.theme_fixture",)


def test_each_server_is_told_of_in_words_without_secrets(
    qtbot: QtBot, theme: Theme, plan: Plan
) -> None:
    notes = ServerNotes(theme)
    qtbot.addWidget(notes)
    _, made = plan()
    assert made is not None
    said: dict[str, tuple[str, ...]] = {}
    for one in made.servers:
        notes.show_server(one)
        said[one.name] = notes.lines
    assert said["new"][0].startswith("env.API_KEY looks like a secret")
    assert "very same way" in said["same"][0]
    assert said["differs"][:3] == (
        "A server here has its name already; it becomes “differs-2”.",
        "command: yours is ours, theirs theirs",
        "env.TOKEN: another secret value",
    )
    assert "has neither" in said["wrong"][0]
    assert said["we:ird"] == (
        "Its name cannot be used here; it becomes “we-ird”.",
        "Nothing stands out.",
    )
    assert "1234" not in repr(said)
    assert "secret-value" not in repr(said)
    notes.show_server(None)
    assert notes.lines == ()


def test_text_of_a_file_is_plain(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    notes = ServerNotes(theme)
    qtbot.addWidget(notes)
    _, made = plan({"a": {"command": "/no/<b>such</b>"}})
    assert made is not None
    notes.show_server(made.servers[0])
    texts = [label for label in notes.findChildren(QLabel) if "<b>" in label.text()]
    assert [label.textFormat() for label in texts] == [Qt.TextFormat.PlainText]
