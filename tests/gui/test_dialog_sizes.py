"""A dialog opens with the size that it was closed with, in the next run of the window, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, QSize
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui.servers.page import ServersPage
from desktop.gui.window_state import remember_size

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "window.ini")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    """Held for the whole test: a dialog that is the last to hold its parent would end with it."""
    made = QWidget()
    qtbot.addWidget(made)
    return made


def settings(file: str) -> QSettings:
    """Those of a new run."""
    return QSettings(file, QSettings.Format.IniFormat)


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    yield made
    await made.close()


def open_one(parent: QWidget, theme: Theme, core: Core, file: str) -> QDialog:
    page = ServersPage(theme, core.store, core.service, settings(file))
    page.setParent(parent)
    return page.flow.open()


async def test_it_keeps_the_size_that_a_person_gave_it(
    parent: QWidget, theme: Theme, core: Core, file: str
) -> None:
    first = open_one(parent, theme, core, file)
    wanted = QSize(770, first.height() + 25)
    first.resize(wanted)
    first.reject()
    again = open_one(parent, theme, core, file)
    assert again.size() == wanted
    again.reject()


async def test_it_keeps_how_its_room_was_divided(
    parent: QWidget, theme: Theme, core: Core, file: str
) -> None:
    first = open_one(parent, theme, core, file)
    (splitter,) = divided(first)
    usual = splitter.sizes()
    splitter.setSizes([usual[0] + 100, usual[1] - 100, *usual[2:]])
    first.reject()
    (again,) = divided(open_one(parent, theme, core, file))
    assert again.sizes()[0] == pytest.approx(usual[0] + 75, abs=45)  # as far as there is room


def divided(dialog: QDialog) -> list[QSplitter]:
    """Its splitters, laid out as if they were shown."""
    found = [each for each in dialog.findChildren(QSplitter) if each.objectName()]
    for splitter in found:
        splitter.resize(600, 500)
    return found


def test_a_smaller_screen_gets_what_fits(qtbot: QtBot, file: str) -> None:
    kept = settings(file)
    kept.setValue("dialogs/x", QSize(20_000, 300))
    dialog = QDialog()
    qtbot.addWidget(dialog)
    remember_size(dialog, kept, "x")
    assert dialog.width() == dialog.screen().availableSize().width()
    assert dialog.height() == 300


def test_what_somebody_wrote_into_the_file_by_hand_is_no_size(qtbot: QtBot, file: str) -> None:
    kept = settings(file)
    kept.setValue("dialogs/x", "huge")
    dialog = QDialog()
    dialog.resize(321, 123)
    qtbot.addWidget(dialog)
    remember_size(dialog, kept, "x")
    assert dialog.size() == QSize(321, 123)
