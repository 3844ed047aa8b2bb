"""The column of pages at the left of the window: one button a page, arrow keys move between them.

Knows titles and icons, not pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP as NOOP
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QVBoxLayout

from desktop.gui.icons import ICON_SIZE, set_icon
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.theme import Theme

# Source texts of the titles; the rail translates them, at each change of the language.
SERVERS = NOOP("Rail", "Servers")
TOOLS = NOOP("Rail", "Tools")
SETTINGS = NOOP("Rail", "Settings")


class Rail(QFrame):
    """Shows which page is open and lets a person choose another; `chosen` carries its id."""

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._titles: dict[str, str] = {}
        self._buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(space(2), space(3), space(2), space(3))
        self._column.setSpacing(space(1))
        self._column.addStretch()
        self.setAccessibleName(self.tr("Pages"))
        style(self, "rail")

    def add(self, page: str, title: str, icon: str) -> None:
        """Append a page; `title` is one of the source texts above."""
        button = QToolButton()
        button.setCheckable(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        button.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        button.setMinimumSize(space(17), space(14))
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.chosen.emit(page))
        style(button, "flat", "small")
        set_icon(self._theme, button, icon, "muted", on="accent")
        self._titles[page], self._buttons[page] = title, button
        self._group.addButton(button)
        self._column.insertWidget(len(self._buttons) - 1, button)
        self._translate(page)

    def button(self, page: str) -> QToolButton:
        return self._buttons[page]

    def mark(self, page: str) -> None:
        """Show `page` as the open one."""
        self._buttons[page].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(self.tr("Pages"))
            for page in self._buttons:
                self._translate(page)
        super().changeEvent(event)

    def _translate(self, page: str) -> None:
        title = self.tr(self._titles[page])
        number = list(self._buttons).index(page) + 1
        self._buttons[page].setText(title)
        self._buttons[page].setToolTip(f"{title} (Ctrl+{number})")
