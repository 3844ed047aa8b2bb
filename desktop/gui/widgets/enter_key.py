"""Enter presses the button that has the focus, in every window; Qt leaves that to Space.

Follows the focus instead of every event, so that nothing is paid per event. What a `FocusGuard`
keeps from stray keys it keeps from this one, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from shiboken6 import isValid

from desktop.gui import shortcuts
from desktop.gui.widgets.focus_guard import focus_guard_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class EnterKey(QObject):
    """Watches the one button that has the focus; check boxes and switches keep to Space."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        application = cast("QApplication", QApplication.instance())
        application.focusChanged.connect(self._follow)
        self._follow(None, application.focusWidget())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if not isinstance(watched, QPushButton | QToolButton):
            return False
        if not shortcuts.PRESS.matches(event):
            return False
        guard = focus_guard_of(watched)
        if guard is not None and guard.ignores(event):
            return False  # the guard itself drops it
        if not event.isAutoRepeat():
            watched.click()
        return True

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self):
            return
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        self._watched = now if isinstance(now, QPushButton | QToolButton) else None
        if self._watched is not None:
            self._watched.installEventFilter(self)
