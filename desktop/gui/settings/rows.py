"""The building blocks of the Settings page: titled cards and their list, rows with a control.

Lays out only; the page decides what a control does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.gui.layouts import MIDDLE, STRETCH, InnerColumn, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QScrollArea

    from desktop.gui.theme import Theme


class SectionCard(QFrame):
    """Rows that belong together, with thin lines between them."""

    save_requested = Signal(object)
    """A feature's settings, by their names: the page saves them, or says why not."""

    def __init__(self) -> None:
        super().__init__()
        style(self, "card")
        self._title = QLabel()
        style(self._title, "heading")
        self._column = in_column(self, self._title, margins=(4, 3, 4, 3), spacing=3)

    def set_title(self, title: str) -> None:
        self._title.setText(title)
        self.setAccessibleName(title)

    def add(self, row: QWidget) -> None:
        if self._column.count() > 1:
            line = QFrame()
            style(line, "divider")
            self._column.addWidget(line)
        self._column.addWidget(row)


_TOP = space(4)
_READ = space(20)
"""Below the upper edge: what begins above this is read."""


class SectionList(QWidget):
    """Stands over the page at its left and does not scroll with it.

    As wide as its longest name: a name is never cut, where it has no room the list is hidden.
    """

    def __init__(self, page: QScrollArea) -> None:
        super().__init__(page)
        self._page = page
        self._links: dict[SectionCard, QPushButton] = {}
        self._room = 0
        self._column = in_column(self, STRETCH, margins=(3, 0, 0, 0), spacing=1)
        self.setAccessibleName(self.tr("Sections"))
        page.verticalScrollBar().valueChanged.connect(self.refresh)

    @property
    def names(self) -> list[str]:
        """Those in sight, in their order."""
        return [link.text() for link in self._links.values() if not link.isHidden()]

    def add(self, section: SectionCard) -> None:
        """Name one more, below the others."""
        link = QPushButton(section.accessibleName())
        link.setCheckable(True)
        style(link, "flat", "section")
        link.clicked.connect(lambda: self._go_to(section))
        self._column.insertWidget(len(self._links), link)
        self._links[section] = link
        link.ensurePolished()  # before it is, its hint is without the edges of a button
        self.place(self._room)
        self.refresh()

    def place(self, room: int) -> None:
        """Be at the left of the sections, hidden where a name has not enough of `room` pixels."""
        self._room = room
        edges = self._column.contentsMargins()
        widest = max((link.sizeHint().width() for link in self._links.values()), default=0)
        width = edges.left() + widest + edges.right()
        self.setVisible(room >= width)
        self.setGeometry(room - width, _TOP, width, self._page.height() - 2 * _TOP)

    def refresh(self) -> None:
        """Mark what is read, and leave out what a search has hidden."""
        top = self._page.verticalScrollBar().value() + _READ
        read: QPushButton | None = None
        for section, link in sorted(self._links.items(), key=lambda each: each[0].y()):
            link.setHidden(section.isHidden())
            link.setChecked(False)
            if not section.isHidden() and (read is None or section.y() <= top):
                read = link
        if read is not None:
            read.setChecked(True)

    def _go_to(self, section: SectionCard) -> None:
        self._page.verticalScrollBar().setValue(section.y() - _TOP)
        self.refresh()


_LABEL_WIDTH = space(40)
_ADDRESS_WIDTH = space(75)


class SettingRow(QFrame):
    """A control with its name and, beneath the name, what it means."""

    def __init__(self, control: QWidget) -> None:
        super().__init__()
        self._control = control
        self._name, self._meaning = QLabel(), QLabel()
        self._name.setBuddy(control)
        self._meaning.setWordWrap(True)
        style(self._meaning, "muted", "small")
        words = InnerColumn(self._name, self._meaning, spacing=0)
        in_row(self, (words, 1), (control, MIDDLE), spacing=4)

    def set_text(self, name: str, meaning: str) -> None:
        self._name.setText(name)
        self._meaning.setText(meaning)
        self._control.setAccessibleName(name)
        self._control.setAccessibleDescription(meaning)


class AddressField(QFrame):
    """An address to type, and the way back to the one that the app came with."""

    changed = Signal(str)
    """What was typed, once it is left or Enter is pressed; not yet checked."""

    def __init__(self, default: str) -> None:
        super().__init__()
        self._default = default
        self.address = QLineEdit()
        self.reset = QPushButton(self.tr("Reset"))
        self.address.setMinimumWidth(_ADDRESS_WIDTH)
        self.setFocusProxy(self.address)
        self.address.editingFinished.connect(lambda: self.changed.emit(self.address.text().strip()))
        self.reset.clicked.connect(lambda: self.changed.emit(self._default))
        in_row(self, (self.address, 1), self.reset)
        self.reset.setToolTip(self._default)
        self.address.setAccessibleName(self.tr("Address"))

    def show_address(self, address: str) -> None:
        self.address.setText(address)
        self.reset.setEnabled(address != self._default)


class PathRow(QFrame):
    """Where something is on the disk, to copy or to open in the file browser."""

    def __init__(self, theme: Theme, path: Path) -> None:
        super().__init__()
        self._path = path
        self._name = QLabel()
        self._name.setFixedWidth(_LABEL_WIDTH)
        self.copy_button, self.show_button = _button(theme, "copy"), _button(theme, "folder")
        self.copy_button.clicked.connect(self._copy)
        self.show_button.clicked.connect(self._show)
        place = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        place.show_text(str(path))
        style(place, "mono", "muted")
        in_row(self, self._name, (place, 1), self.copy_button, self.show_button, spacing=1)
        for button, text in (
            (self.copy_button, self.tr("Copy path")),
            (self.show_button, self.tr("Show in folder")),
        ):
            button.setToolTip(text)
            button.setAccessibleName(text)

    def set_text(self, name: str) -> None:
        self._name.setText(name)
        self.copy_button.setAccessibleDescription(name)
        self.show_button.setAccessibleDescription(name)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(str(self._path))

    def _show(self) -> None:
        open_folder(self._path)


def open_folder(path: Path) -> None:
    """Show `path` in the file browser: its folder, or the nearest folder above that exists."""
    folder = path if path.is_dir() else path.parent
    while not folder.is_dir():
        folder = folder.parent
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _button(theme: Theme, icon: str) -> QToolButton:
    button = QToolButton()
    style(button, "flat")
    set_icon(theme, button, icon, "muted")
    return button
