"""Buttons that answer a question: disabled for a moment after they appeared.

A click that was meant for what was there before must not answer. Keys are the concern of
`focus_guard`, which these buttons get too. Must not decide what a press does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QTimer

from desktop.gui.widgets.focus_guard import guard_focus

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton, QWidget

ARM_MS: Final = 400
"""How long after the first showing nothing is taken as an answer."""


class ArmedButtons(QObject):
    """The answers inside one widget; belongs to it."""

    def __init__(self, owner: QWidget, *buttons: QPushButton) -> None:
        """Args: owner: whose showing counts."""
        super().__init__(owner)
        self._wanted = dict.fromkeys(buttons, True)
        self._is_over = self._is_armed = False
        self._pause = QTimer(self, singleShot=True, interval=ARM_MS)
        self._pause.timeout.connect(self.arm)
        guard_focus(*buttons)
        owner.installEventFilter(self)
        self._apply()

    @property
    def is_armed(self) -> bool:
        """Whether a click counts by now."""
        return self._is_armed and not self._is_over

    def arm(self) -> None:
        """Take answers from now on."""
        self._pause.stop()
        self._is_armed = True
        self._apply()

    def rearm(self) -> None:
        """Take none for a moment: they are where something else was just now."""
        self._is_armed = False
        self._apply()
        if not self._is_over:
            self._pause.start()

    def finish(self) -> None:
        """Take no answer any more."""
        self._is_over = True
        self._pause.stop()
        self._apply()

    def set_wanted(self, button: QPushButton, is_wanted: bool) -> None:
        """Say whether a button can be pressed once they are armed; at first each can."""
        self._wanted[button] = is_wanted
        self._apply()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_first = event.type() == QEvent.Type.Show and not self._is_armed
        if is_first and not self._is_over and not self._pause.isActive():
            self._pause.start()
        return False

    def _apply(self) -> None:
        for button, is_wanted in self._wanted.items():
            button.setEnabled(self.is_armed and is_wanted)
