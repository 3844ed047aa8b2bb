from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

from desktop.gui.layouts import STRETCH, InnerColumn, InnerRow, in_column
from desktop.gui.widgets.tab_order import restore_tab_order, tab_stops

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_the_order_is_that_of_the_layouts_and_not_that_of_creation(qtbot: QtBot) -> None:
    target = QWidget()
    qtbot.addWidget(target)
    last, third, second, first = (QLineEdit(target) for _ in range(4))
    grid = QGridLayout()
    grid.addWidget(third, 0, 0)
    in_column(target, InnerRow(STRETCH, first, InnerColumn(second, QLabel("-"))), grid, last)
    assert list(tab_stops(target)) == [first, second, third, last]
    restore_tab_order(target)
    stops, at = [first], first.nextInFocusChain()
    while at is not None and at is not first:
        stops += [at] if isinstance(at, QLineEdit) else []
        at = at.nextInFocusChain()
    assert stops == [first, second, third, last]


def test_what_was_walked_through_leaves_nothing_of_a_layout_behind(qtbot: QtBot) -> None:
    """A wrapper of an item that Qt has deleted is later taken for any object at its address."""
    target = QWidget()
    qtbot.addWidget(target)
    inside = QVBoxLayout(target)
    for _ in range(3):
        inside.addWidget(QLineEdit(target))
    before = _wrapped_items()
    assert len(list(tab_stops(target))) == 3
    for edit in target.findChildren(QLineEdit):
        edit.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert inside.count() == 0
    assert _wrapped_items() == before


def _wrapped_items() -> int:
    """How many items of layouts Python has, boxes apart, which are objects of Qt."""
    alive = Shiboken.getAllValidWrappers()
    return sum(isinstance(one, QLayoutItem) and not isinstance(one, QLayout) for one in alive)
