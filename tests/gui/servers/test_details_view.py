from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.servers.details_view import ServerDetailsView
from tests.gui.servers.conftest import entry, note

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme


def test_its_buttons_ask_for_the_server_that_is_shown(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": entry("plain", enabled=False)})
    view, asked = ServerDetailsView(theme), list[str]()
    qtbot.addWidget(view)
    view.edit_asked.connect(partial(note, asked, "edit"))
    view.remove_asked.connect(partial(note, asked, "remove"))
    view.restart_asked.connect(partial(note, asked, "restart"))
    view.show_server(core.service.connections["files"])
    for button in (view.edit, view.remove, view.restart):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == ["edit files", "remove files"]
    assert not view.restart.isEnabled()


def test_it_can_show_none(theme: Theme, qtbot: QtBot) -> None:
    view = ServerDetailsView(theme)
    qtbot.addWidget(view)
    view.show_server(None)
    assert view.connection is None
