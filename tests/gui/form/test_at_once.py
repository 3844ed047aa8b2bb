from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop.gui.form.at_once import at_once

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_layouts_wait_and_then_make_room_for_all(qtbot: QtBot) -> None:
    window, inner = QWidget(), QWidget()
    qtbot.addWidget(window)
    outer, column = QVBoxLayout(window), QVBoxLayout(inner)
    outer.addWidget(inner)
    labels = [QLabel("text") for _ in range(3)]
    for label in labels:
        column.addWidget(label)
        label.hide()
    window.show()
    before = inner.sizeHint().height()
    with at_once(labels):
        assert not (outer.isEnabled())
        assert not (column.isEnabled())
        for label in labels:
            label.show()
    qtbot.waitUntil(lambda: inner.sizeHint().height() > before)
    assert outer.isEnabled()
    assert column.isEnabled()


def test_layouts_go_on_after_a_failure(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column, label = QVBoxLayout(window), QLabel()
    column.addWidget(label)
    with pytest.raises(RuntimeError), at_once([label]):
        raise RuntimeError
    assert column.isEnabled()
