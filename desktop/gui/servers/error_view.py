"""Why a server is not connected, in full, with what to do; as text that can be selected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout

from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from desktop.gui.theme import Theme

_HIGHEST = space(60)
_SHOWN = 6000


class ErrorView(QFrame):
    """A banner as high as its text needs, up to a limit; then it scrolls."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        style(self, "banner", "danger")
        self._sign, self._text = QLabel(), QLabel()
        set_icon(theme, self._sign, "error", "danger")
        flags = Qt.TextInteractionFlag
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(
            flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
        )
        self._text.setWordWrap(True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._scroll = QScrollArea()
        inner = QFrame()
        style(inner)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._text)
        self._scroll.setWidget(inner)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), space(3), space(3), space(3))
        row.setSpacing(space(3))
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._scroll, 1)

    @property
    def text(self) -> str:
        return self._text.text()

    def show_error(self, error: str) -> None:
        """Show `error`, or nothing when there is none."""
        shown = error if len(error) <= _SHOWN else f"{error[:_SHOWN]}…"
        if shown != self._text.text():
            self._text.setText(shown)
            self._text.setAccessibleName(shown)
            self._fit()
        self.setVisible(bool(shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - self._sign.sizeHint().width() - 3 * space(3)
        needed = max(self._text.heightForWidth(max(room, space(10))), space(4))
        self._scroll.setFixedHeight(min(needed, _HIGHEST, self.window().height() // 3))
