"""The page of tools over a registry and a runner in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.tools.page import ToolsPage
from tests.gui.tools.fakes import FakeRegistry, FakeRunner
from tests.gui.tools.tools_page import ECHO, OTHER, PING

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def registry() -> FakeRegistry:
    return FakeRegistry(ECHO, PING, OTHER)


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner(ECHO, PING, OTHER)


@pytest.fixture
def page(
    registry: FakeRegistry, runner: FakeRunner, theme: Theme, settings: QSettings, qtbot: QtBot
) -> ToolsPage:
    made = ToolsPage(registry, runner, theme, settings)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    made.activateWindow()
    return made
