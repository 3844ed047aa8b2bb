from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.gui.widgets.tab_zones import move_focus

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class _Page(QWidget):
    """Its parts are made in the wrong order: last, rest, first."""

    def __init__(self) -> None:
        super().__init__()
        self.last, self.rest, self.first = QWidget(), QWidget(), QWidget()
        column = QVBoxLayout(self)
        for part in (self.last, self.rest, self.first):
            QVBoxLayout(part)
            column.addWidget(part)

    def focusNextPrevChild(self, next_: bool, /) -> bool:
        return move_focus(self, (self.first, self.last), is_next=next_)


def _line(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setObjectName(name)
    return line


def _field(part: QWidget, name: str) -> QLineEdit:
    field = _line(name)
    layout = part.layout()
    assert layout is not None
    layout.addWidget(field)
    field.show()
    return field


def _walk(key: Qt.Key, count: int) -> list[str]:
    names: list[str] = []
    for _ in range(count):
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key)
        now = QApplication.focusWidget()
        assert now is not None
        names.append(now.objectName())
    return names


def test_tab_follows_the_named_parts_whenever_their_fields_were_made(qtbot: QtBot) -> None:
    window, page = QWidget(), _Page()
    qtbot.addWidget(window)
    row = QHBoxLayout(window)
    row.addWidget(_line("rail"))
    row.addWidget(page)
    _field(page.last, "last 1")
    _field(page.rest, "rest")
    _field(page.first, "first 1")
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    _field(page.first, "first 2")
    _field(page.last, "last 2").setEnabled(False)
    begin = page.findChild(QLineEdit, "first 1")
    assert isinstance(begin, QLineEdit)
    begin.setFocus()
    assert _walk(Qt.Key.Key_Tab, 4) == ["first 2", "last 1", "rest", "rail"]
    begin.setFocus()
    assert _walk(Qt.Key.Key_Backtab, 1) == ["rail"]
