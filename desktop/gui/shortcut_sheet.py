"""The sheet of keyboard shortcuts: what `shortcuts` declares, in the language of the window.

Has no list of its own, so that it cannot differ from what works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import shortcuts
from desktop.gui.layouts import in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from desktop.gui.shortcuts import Shortcut

_SIZE: Final = space(220), space(150)
_MARGIN: Final = space(8)  # to the edge of the window it stands over


class ShortcutSheet(QDialog):
    """All sections in two columns; Esc or Enter closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # the arrow keys scroll
        self.area.setAccessibleName(self.windowTitle())
        self.area.setWidget(_columns())
        box = QDialogButtonBox()
        self.end = box.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        box.rejected.connect(self.reject)
        in_column(self, (self.area, 1), box, margins=(5, 4, 5, 4), spacing=3)
        room = parent.window().size()
        width, height = room.width() - _MARGIN, room.height() - _MARGIN
        self.resize(min(_SIZE[0], width), min(_SIZE[1], height))
        self.end.setDefault(True)  # only now: outside a dialog it has no effect
        self.area.setFocus(Qt.FocusReason.OtherFocusReason)


def show_sheet(window: QWidget) -> ShortcutSheet:
    """Open the sheet over a window; the one that is open comes to the front."""
    found: object = window.findChild(ShortcutSheet)
    sheet = found if isinstance(found, ShortcutSheet) else ShortcutSheet(window)
    sheet.open()
    return sheet


def _columns() -> QWidget:
    """The sections, divided so that both columns are about as long."""
    body = QWidget()
    row = in_row(body, margins=(0, 0, 2, 0), spacing=8)
    sections = list(shortcuts.sections().items())
    half = sum(len(lines) + 2 for _, lines in sections) // 2
    left, right = QVBoxLayout(), QVBoxLayout()
    placed = 0
    for title, lines in sections:
        column = left if placed < half else right
        placed += len(lines) + 2
        column.addWidget(_section(title, lines))
    for column in (left, right):
        column.setSpacing(space(4))
        column.addStretch(1)
        row.addLayout(column, 1)
    return body


def _section(title: str, lines: list[Shortcut]) -> QWidget:
    section = QWidget()
    grid = QGridLayout(section)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(space(3))
    grid.setVerticalSpacing(space(1))
    grid.setColumnStretch(0, 1)
    grid.addWidget(plain_label(title, "heading"), 0, 0, 1, 2)
    for at, shortcut in enumerate(lines, 1):
        grid.addWidget(plain_label(shortcut.meaning), at, 0)
        keys = QLabel(shortcut.label)
        keys.setTextFormat(Qt.TextFormat.PlainText)
        style(keys, "badge")
        grid.addWidget(keys, at, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
    return section
