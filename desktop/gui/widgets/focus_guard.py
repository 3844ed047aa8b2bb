"""Keeps stray keys from controls that approve or destroy something: Allow, Remove, Forget, Delete.

When the focused widget is hidden, disabled or removed, Qt moves the focus to the next one, and the
next space typed would press it. A guarded control keeps only the focus that a person gave it; any
other goes on to a safe home: the `focus_home` of the nearest ancestor that has one, else the
nearest ancestor that takes the focus, such as the page. Must not decide what a press does.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Protocol, cast, runtime_checkable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtCore import QMetaObject

QUIET_SECONDS: Final = 0.5
"""How long keys are ignored after the control appeared, moved or got the focus by itself."""
_LEAVING: Final = frozenset(
    (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape, Qt.Key.Key_Shift)
)
"""Keys that lead away from a control and never press it."""
_Reason = Qt.FocusReason


@runtime_checkable
class HasFocusHome(Protocol):
    """A widget that names where the focus goes if it would fall on a guarded control inside it."""

    @property
    def focus_home(self) -> QWidget: ...


class FocusGuard(QObject):
    """Guards one control for as long as it lives; belongs to it."""

    def __init__(self, control: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        """Args: clock: seconds that only grow."""
        super().__init__(control)
        self._control, self._clock = control, clock
        self._quiet_until = clock() + QUIET_SECONDS
        self._reason = _Reason.NoFocusReason
        self._is_own = False  # the focus is a person's own choice
        self._was_own = False  # and it was when the window lost it to another window or a menu
        self._change: QMetaObject.Connection | None = None
        self._watched: list[QWidget] = []
        if isinstance(control, QPushButton):
            control.setAutoDefault(False)  # else Enter in a field of a dialog could press it
        control.installEventFilter(self)

    @property
    def is_quiet(self) -> bool:
        """Whether keys are ignored now."""
        return self._clock() < self._quiet_until

    def arm(self) -> None:
        """Take keys from now on."""
        self._quiet_until = self._clock()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Move:
            self._be_quiet()
        elif watched is not self._control:
            return False
        elif kind == QEvent.Type.Show:
            self._be_quiet()
        elif isinstance(event, QFocusEvent):
            self._note_focus(event)
        elif isinstance(event, QKeyEvent):
            return kind == QEvent.Type.KeyPress and self.ignores(event)
        elif kind == QEvent.Type.Shortcut:  # its mnemonic
            return self.is_quiet
        return False

    def _be_quiet(self) -> None:
        self._quiet_until = self._clock() + QUIET_SECONDS

    def ignores(self, event: QKeyEvent) -> bool:
        """Whether a key press must not reach the control: a stray one."""
        if event.key() in _LEAVING:
            return False
        # A held key began elsewhere; and where nothing else takes the focus, a hidden one keeps it.
        return self.is_quiet or event.isAutoRepeat() or not self._control.isVisible()

    def _note_focus(self, event: QFocusEvent) -> None:
        self._reason = event.reason()
        if event.gotFocus():
            self._watch_ancestors()
            if self._change is None:
                # The event does not say where the focus came from; this signal follows it.
                self._change = _application().focusChanged.connect(self._note_change)
        elif event.lostFocus():
            self._stop_watching()
            is_away = self._reason in {_Reason.ActiveWindowFocusReason, _Reason.PopupFocusReason}
            self._was_own = is_away and self._is_own
            self._is_own = False

    def _note_change(self, old: QWidget | None, now: QWidget | None) -> None:
        if self._change is not None:
            _application().focusChanged.disconnect(self._change)
            self._change = None
        if now is not self._control:
            return
        came_back = self._was_own and self._reason in {
            _Reason.ActiveWindowFocusReason,
            _Reason.PopupFocusReason,
        }
        self._is_own = came_back or _is_chosen(self._reason, old)
        self._was_own = False
        if came_back or not self._is_own:
            self._be_quiet()
        if not self._is_own:
            self._hand_on()

    def _hand_on(self) -> None:
        for home in _homes(self._control):
            home.setFocus(_Reason.OtherFocusReason)
            if not self._control.hasFocus():
                return
        self._control.clearFocus()

    def _watch_ancestors(self) -> None:
        """Only while it has the focus: it moves with them and gets no event for that."""
        self._stop_watching()
        parent = self._control.parentWidget()
        while parent is not None and not parent.isWindow():
            parent.installEventFilter(self)
            self._watched.append(parent)
            parent = parent.parentWidget()

    def _stop_watching(self) -> None:
        watched, self._watched = self._watched, []
        for widget in watched:
            if isValid(widget):
                widget.removeEventFilter(self)


def guard_focus(*controls: QWidget) -> None:
    """Keep stray keys from controls that approve or destroy something."""
    for control in controls:
        FocusGuard(control)


def focus_guard_of(control: QWidget) -> FocusGuard | None:
    """The guard of a control, where it has one."""
    only_own = Qt.FindChildOption.FindDirectChildrenOnly
    found: object = control.findChild(FocusGuard, options=only_own)
    return found if isinstance(found, FocusGuard) else None


def _is_chosen(reason: Qt.FocusReason, old: QWidget | None) -> bool:
    """Whether a person moved the focus: by a click, a mnemonic, or Tab from a widget still there.

    Qt gives Tab as the reason, too, when it moves the focus away from a widget that has gone.
    """
    if reason in {_Reason.MouseFocusReason, _Reason.ShortcutFocusReason}:
        return True
    if reason not in {_Reason.TabFocusReason, _Reason.BacktabFocusReason}:
        return False
    return old is not None and isValid(old) and old.isVisible() and old.isEnabled()


def _homes(control: QWidget) -> Iterator[QWidget]:
    """Where the focus may go instead, the best first."""
    parents: list[QWidget] = []
    parent = control.parentWidget()
    while parent is not None:
        parents.append(parent)
        if parent.isWindow():
            break
        parent = parent.parentWidget()
    for parent in parents:
        if isinstance(parent, HasFocusHome) and _can_take(parent.focus_home):
            yield parent.focus_home
    for parent in parents:
        if parent.focusPolicy() & Qt.FocusPolicy.TabFocus and _can_take(parent):
            yield parent
    yield control.window()


def _can_take(home: QWidget) -> bool:
    return home.isVisible() and home.isEnabled() and focus_guard_of(home) is None


def _application() -> QApplication:
    return cast("QApplication", QApplication.instance())
