"""What the tests of this folder share: the theme, and calm about one message of Qt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.gui.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says of windows and menus what it cannot do: no fault of ours."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, "light")
