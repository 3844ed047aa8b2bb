"""Shows the ring of the focus where the keyboard brought it, and not after a click.

A field that is typed into keeps its ring, as the style sheet says. What shows one else does so by
the property `ring`, which is set here. Must not move the focus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from desktop.gui.theme.tokens import repolish

if TYPE_CHECKING:
    from collections.abc import Callable

RING: Final = "ring"
_MAX_POLISHED: Final = 100_000
"""Characters of a text: one that is polished is laid out once more."""


class FocusRings(QObject):
    """One for the application, from the moment it is made."""

    def __init__(
        self, app: QApplication, buttons: Callable[[], Qt.MouseButton] = QApplication.mouseButtons
    ) -> None:
        """Follow the focus from now on. Args: buttons: those of the mouse that are down."""
        super().__init__(app)
        self._buttons = buttons
        app.focusChanged.connect(self._follow)
        self._follow(None, QApplication.focusWidget())

    def _follow(self, _: object, now: QWidget | None) -> None:
        if now is None or isinstance(now, QLineEdit):
            return
        if isinstance(now, QPlainTextEdit | QTextEdit) and (
            now.document().characterCount() > _MAX_POLISHED
        ):
            return
        has_ring = self._buttons() == Qt.MouseButton.NoButton
        if bool(now.property(RING)) is not has_ring:
            now.setProperty(RING, has_ring)
            repolish(now)


def shows_ring(widget: QWidget) -> bool:
    """For what paints its ring itself."""
    return widget.hasFocus() and bool(widget.property(RING))
