"""The column of pages at the left of the window: one button a page, arrow keys move between them.

Knows titles and icons, not pages.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QLabel, QSizePolicy, QToolButton

from desktop.gui.layouts import Stretch, in_column
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from desktop.gui.theme import Role, Theme

# Source texts of the titles; the rail translates them.
SERVERS = str(QT_TRANSLATE_NOOP("Rail", "Servers"))
TOOLS = str(QT_TRANSLATE_NOOP("Rail", "Tools"))
RESOURCES = str(QT_TRANSLATE_NOOP("Rail", "Resources"))
PROMPTS = str(QT_TRANSLATE_NOOP("Rail", "Prompts"))
ACTIVITY = str(QT_TRANSLATE_NOOP("Rail", "Activity"))
PROCESSES = str(QT_TRANSLATE_NOOP("Rail", "Processes"))
SETTINGS = str(QT_TRANSLATE_NOOP("Rail", "Settings"))


class Rail(QFrame):
    """Shows which page is open and asks for another (`page_requested`, with its id)."""

    page_requested = Signal(str)
    requests_requested = Signal()
    """A person wants to see what servers ask."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._titles: dict[str, str] = {}
        self._buttons: dict[str, QToolButton] = {}
        self._news: dict[str, QLabel] = {}
        self._news_text: dict[str, str] = {}
        self._requests: QToolButton | None = None
        self._request_count = 0
        self._group = QButtonGroup(self)
        self._column = in_column(self, Stretch(0), margins=(2, 3, 2, 3), spacing=1)
        self.setAccessibleName(self.tr("Pages"))
        style(self, "rail")

    def add(self, page: str, title: str, icon: str) -> None:
        """Append a page; `title` is one of the source texts above."""
        button = _button()
        button.setCheckable(True)
        button.clicked.connect(lambda: self.page_requested.emit(page))
        set_icon(self._theme, button, icon, "muted", on="accent", size=space(5))
        self._titles[page], self._buttons[page] = title, button
        self._group.addButton(button)
        self._column.insertWidget(len(self._buttons) - 1, button)
        self._translate(page)

    def button(self, page: str) -> QToolButton:
        return self._buttons[page]

    @property
    def requests_button(self) -> QToolButton | None:
        """The sign of what servers ask; None before the first request."""
        return self._requests

    @property
    def has_focus(self) -> bool:
        return any(button.hasFocus() for button in self._buttons.values())

    def mark(self, page: str) -> None:
        """Show `page` as the open one; a focus in the rail moves along."""
        had_focus = self.has_focus
        self._buttons[page].setChecked(True)
        if had_focus:
            self._buttons[page].setFocus()

    def set_news(self, page: str, sign: str, words: str, tone: Role) -> None:
        """Put a sign onto a page's button, e.g. a number, with what it means; none where empty."""
        button = self._buttons[page]
        if (label := self._news.get(page)) is None:
            if not sign:
                return
            label = self._news[page] = QLabel(button)
            label.setProperty("textFormat", "PlainText")
        label.setText(sign)
        style(label, "badge", tone)
        label.adjustSize()
        label.move(max(0, button.width() - label.width()), 0)
        label.setVisible(bool(sign))
        self._news_text[page] = words
        self._translate(page)

    def show_requests(self, count: int) -> None:
        """Show at the bottom how many requests of servers wait for the person; none: no sign."""
        self._request_count = count
        if self._requests is None:
            if not count:
                return
            self._requests = _button()
            self._requests.clicked.connect(self.requests_requested)
            set_icon(self._theme, self._requests, "requests", "warning", size=space(5))
            self._column.addWidget(self._requests)
        self._requests.setVisible(count > 0)
        self._name_requests(self._requests)

    def _name_requests(self, button: QToolButton) -> None:
        count = self._request_count
        button.setText(str(count))  # no word: the rail would become wider, and the page move
        words = self.tr("Server requests waiting for you: {count}").format(count=count)
        button.setToolTip(_with_keys(f"{words} (Ctrl+Shift+A)"))
        button.setAccessibleName(words)

    def _translate(self, page: str) -> None:
        title = self.tr(self._titles[page])
        number = list(self._buttons).index(page) + 1
        self._buttons[page].setText(title)
        words = self._news_text.get(page, "")
        self._buttons[page].setToolTip(
            _with_keys("\n".join(filter(None, (f"{title} (Ctrl+{number})", words))))
        )
        self._buttons[page].setAccessibleDescription(words)


def _button() -> QToolButton:
    button = QToolButton()
    # By name: importing `Qt` takes 20 ms, a sixth of the time to the first paint.
    button.setProperty("toolButtonStyle", "ToolButtonTextUnderIcon")
    button.setProperty("focusPolicy", "TabFocus")  # a click leaves the focus in the page
    button.setMinimumSize(space(17), space(14))
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    style(button, "flat", "small")
    return button


def _with_keys(text: str) -> str:
    """`text` with its keys as this system writes them; that is loaded on macOS alone."""
    if sys.platform != "darwin":
        return text
    from desktop.gui.shortcuts import named_keys

    return named_keys(text)
