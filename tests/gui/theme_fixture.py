"""The theme that tests of widgets share: light, and gone with its style sheet after each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from desktop.gui.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    made = Theme(qapp, "light")
    yield made
    made.set_scheme("system")
    qapp.setStyleSheet("")
    made.deleteLater()
    QApplication.sendPostedEvents(made, QEvent.Type.DeferredDelete)
