"""The line above a field, the same in every form: its name, a mark, and what it is for.

Words of a stranger, as plain text. Nothing in it pushes a form wider than its place.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout

from desktop.gui.theme import space, style
from desktop.gui.widgets.labels import (
    MAX_NAME_LENGTH,
    ElidedLabel,
    plain_label,
    plain_line,
    plain_tip,
)
from desktop.gui.widgets.visibility import show_if

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QResizeEvent

    from desktop.gui.theme import Role

HEAD_HEIGHT: Final = space(5.5)
_MAX_LINE, _MAX_TIP, _TIP_COLUMNS = 400, 1_500, 80


class DescriptionLine(ElidedLabel):
    """As much of a description as has room; a click shows all of it below, or no longer."""

    def __init__(self, text: str, column: QVBoxLayout) -> None:
        """Show `text`, and all of it in the second row of `column` when it is clicked."""
        super().__init__()
        self._text, self._column = text, column
        self.whole: QLabel | None = None
        """The whole description, once it was asked for."""
        style(self, "small", "muted")
        self.show_text(" ".join(text[:_MAX_LINE].split()) + ("…" if len(text) > _MAX_LINE else ""))

    @property
    def is_cut(self) -> bool:
        """Whether the line does not show all of it."""
        return self.text() != self._text

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wrapped = "\n".join(wrap(self._text[:_MAX_TIP], _TIP_COLUMNS))
        self.setToolTip(plain_tip(wrapped) if self.is_cut else "")
        shape = Qt.CursorShape
        self.setCursor(shape.PointingHandCursor if self.is_cut else shape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self.whole is None and self.is_cut:
            self.whole = plain_label(self._text, "small", "muted")
            self._column.insertWidget(1, self.whole)
            self.whole.hide()
        if self.whole is not None:
            self.whole.setVisible(self.whole.isHidden())


class FieldHead(QHBoxLayout):
    """The line; what else a field says goes to its end."""

    def __init__(self, title: str, name: str, description: DescriptionLine) -> None:
        """Show the `title`, and the `name` that the server gives it where that is another."""
        super().__init__()
        self.addStrut(HEAD_HEIGHT)
        self.setSpacing(space(1))
        self.title = shrinking(title[:MAX_NAME_LENGTH], "heading")
        self.addWidget(self.title)
        self._required: QLabel | None = None
        if title != name:
            self.addWidget(shrinking(name[:MAX_NAME_LENGTH], "mono", "small", "muted"))
        self.addWidget(description, 1)

    def mark_required(self, is_required: bool) -> None:
        """Say it right after the name."""
        if self._required is None and is_required:
            words = QCoreApplication.translate("FieldHead", "required")
            self._required = plain_line("*", "heading", "accent")
            self._required.setToolTip(words)
            self._required.setAccessibleName(words)
            self.insertWidget(self.indexOf(self.title) + 1, self._required)
        if self._required is not None:
            show_if(self._required, is_required)


def shrinking(words: str, *roles: Role) -> ElidedLabel:
    """A label that is cut where there is no room, so that no form scrolls sideways."""
    label = ElidedLabel()
    label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    style(label, *roles)
    label.show_text(words)
    return label
