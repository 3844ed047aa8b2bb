"""Run, Send anyway, Cancel and Clear with the progress of the running call, and its task.

One call of one tool at a time. Executes nothing itself: `CallRun` awaits the `ToolRunner`.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStylePainter,
    QWidget,
)
from shiboken6 import isValid

from desktop.gui import bridge, shortcuts
from desktop.gui.form.issue_list import issue_sentence
from desktop.gui.layouts import Gap, InnerRow, in_column
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import Theme, style
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_tip
from desktop.values.tool_types import ErrorCode

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from desktop.gui.tools.interfaces import ToolRunner
    from desktop.tools.executor import CheckedArguments
    from desktop.values.tool_types import Progress, ToolCall, ValidationIssue

End: TypeAlias = Literal["answered", "cancelled", "broken"]


class CallRun(QObject):
    """The running call; it ends with this object at the latest."""

    answered = Signal(object)
    """The `ToolResult`, that of a failed tool too."""
    ended = Signal(str)
    """How it ended, an `End`; a broken call is logged, and the window shows its error."""

    def __init__(self, runner: ToolRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._call_id = ""
        self._end: End = "broken"
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def start(
        self,
        call: ToolCall,
        on_progress: Callable[[Progress], None],
        name: str,
        checked: CheckedArguments | None = None,
    ) -> None:
        """Send a call; there must be none running.

        Args:
            call: what to call.
            on_progress: called at each sign of progress.
            name: says what failed, if it breaks.
            checked: what the runner found about its arguments, if it was asked already.
        """
        self._call_id, self._end = call.call_id, "broken"
        self._task = bridge.run(self, self._run(call, on_progress, checked), name)
        if self._task is not None:
            self._task.add_done_callback(self._finish)

    def cancel(self) -> None:
        """Cancel the call; the runner knows it by its id as soon as the task has begun."""
        if self._task is not None and not self._runner.cancel(self._call_id):
            self._task.cancel()

    async def _run(
        self,
        call: ToolCall,
        on_progress: Callable[[Progress], None],
        checked: CheckedArguments | None,
    ) -> None:
        result = await self._runner.run(call, on_progress, checked=checked)
        if result.error is not None and result.error.code == ErrorCode.CANCELLED:
            self._end = "cancelled"
        else:
            self.answered.emit(result)
            self._end = "answered"

    def _finish(self, task: asyncio.Task[None]) -> None:
        if isValid(self):
            self._task = None
            self.ended.emit("cancelled" if task.cancelled() else self._end)


_TICK_MS = 100
_STEPS = 1000
_MAX_LENGTH = 300


class _Message(QLabel):
    """Takes the room that the buttons leave, and ends in an ellipsis where that is too little."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect()
        words = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        QStylePainter(self).drawItemText(
            room, self.alignment(), self.palette(), self.isEnabled(), words, self.foregroundRole()
        )


class RunBar(QWidget):
    """The buttons and, while a call runs, its progress and the seconds that passed.

    Progress is drawn with the clock, so a server may report it as often as it likes.
    """

    run_requested = Signal()
    anyway_requested = Signal()
    """Send what does not fit; only where `offer_anyway` has offered it."""
    cancel_requested = Signal()
    clear_requested = Signal()
    other_requested = Signal()
    """From the result to the form, or back, where only one of them has room."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._started = 0.0
        self._progress: Progress | None = None
        self._misfit: ValidationIssue | None = None
        self.run, self.cancel, self.clear = QPushButton(), QPushButton(), QPushButton()
        self.anyway, self.other = QPushButton(), QPushButton()
        guard_focus(self.anyway)  # a stray key must not send what does not fit
        style(self.run, "primary")
        set_icon(theme, self.anyway, "warning", "warning")
        style(self.clear, "link")
        guard_focus(self.clear)
        set_icon(theme, self.run, "play", "accent_text")
        set_icon(theme, self.cancel, "stop", "danger")
        style(self.other, "flat")
        self._is_folded = False
        self.message = _Message(self)
        self.elapsed = QLabel(self)
        for label in (self.message, self.elapsed):
            label.setTextFormat(Qt.TextFormat.PlainText)
            style(label, "muted")
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        self._lay_out()
        self._set_texts()
        self.run.clicked.connect(self.run_requested)
        self.anyway.clicked.connect(self.anyway_requested)
        self.cancel.clicked.connect(self.cancel_requested)
        self.anyway.hide()
        self.other.clicked.connect(self.other_requested)
        self.other.hide()
        self.clear.clicked.connect(self.clear_requested)
        self._set_running(False)

    @property
    def is_running(self) -> bool:
        return self._clock.isActive()

    def start(self) -> None:
        """Show that a call was sent."""
        self._started = monotonic()
        self._progress = None
        self.bar.setRange(0, 0)
        self._set_running(True)
        self.withdraw_anyway()
        self.message.setText(self.tr("Running"))
        self._tick()

    def note_progress(self, progress: Progress) -> None:
        """Store the latest progress; it is drawn with the next tick."""
        self._progress = progress

    def stop(self, words: str = "") -> None:
        """The call ended; `words` is shown if the result does not say how."""
        self._set_running(False)
        self.message.setText(words)
        self.elapsed.clear()

    def say(self, words: str) -> None:
        """Show a short status message, unless a call is running."""
        if not self.is_running:
            self.message.setText(words)

    def offer_anyway(self, misfit: ValidationIssue) -> None:
        """Offer to send what does not fit, and say what that is; the focus stays where it is."""
        self._misfit = misfit
        self._say_misfit(misfit)
        self.anyway.show()

    def withdraw_anyway(self) -> None:
        """Take the offer back: there is nothing to be sent that does not fit."""
        if self._misfit is None:
            return
        self._misfit = None
        self.message.clear()
        self.message.setToolTip("")
        if self.anyway.hasFocus():  # hiding it would pass the focus on to Clear
            (self.cancel if self.is_running else self.run).setFocus()
        self.anyway.hide()

    def offer_other(self, *, is_tight: bool, is_folded: bool) -> None:
        """Offer the way to what gave way, the folded form or the strip of a result, if one did."""
        self._is_folded = is_folded
        if self.other.hasFocus() and not is_tight:
            (self.cancel if self.is_running else self.run).setFocus()
        self.other.setVisible(is_tight)
        self.clear.setVisible(not is_folded)
        self._name_other()

    def set_runnable(self, runnable: bool) -> None:
        self.run.setEnabled(runnable)
        self.anyway.setEnabled(runnable)

    def _say_misfit(self, misfit: ValidationIssue) -> None:
        said = issue_sentence(misfit)[:_MAX_LENGTH].replace("\n", " ").rstrip(".")
        warning = self.tr("The server may refuse it.")
        self.message.setText(warning)  # what it is, is said at its field
        self.message.setToolTip(plain_tip(f"{said}. {warning}"))
        self.anyway.setAccessibleDescription(f"{said}. {warning}")

    def _name_other(self) -> None:
        name, icon = (
            (self.tr("Edit arguments"), "edit")
            if self._is_folded
            else (self.tr("Show result"), "file")
        )
        self.other.setText(name)
        set_icon(self._theme, self.other, icon, "muted")
        self.other.setToolTip(shortcuts.FORM_OR_RESULT.label)

    def _lay_out(self) -> None:
        row = InnerRow(
            self.run,
            self.anyway,
            self.cancel,
            self.other,
            self.clear,
            Gap(2),
            (self.message, 1),
            self.elapsed,
        )
        in_column(self, row, self.bar, margins=(0, 1, 0, 1), spacing=1)
        keep = self.bar.sizePolicy()
        keep.setRetainSizeWhenHidden(True)  # else the form would jump with each run
        self.bar.setSizePolicy(keep)

    def _set_running(self, running: bool) -> None:
        self._clock.start() if running else self._clock.stop()
        shown, hidden = (self.cancel, self.run) if running else (self.run, self.cancel)
        shown.show()
        if hidden.hasFocus():  # hiding it would pass the focus on to Clear
            shown.setFocus()
        hidden.hide()
        self.bar.setVisible(running)

    def _tick(self) -> None:
        self.elapsed.setText(f"{monotonic() - self._started:.1f} s")
        if self._progress is not None:
            self._draw(self._progress)

    def _draw(self, progress: Progress) -> None:
        words = progress.message[:_MAX_LENGTH].replace("\n", " ")
        if progress.total is not None and progress.total > 0:
            share = min(max(progress.progress / progress.total, 0.0), 1.0)
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(round(share * _STEPS))
            count = f"{progress.progress:g} / {progress.total:g}"
            words = f"{count} · {words}" if words else count
        self.message.setText(words or f"{progress.progress:g}")

    def _set_texts(self) -> None:
        for button, text, tip in (
            (self.run, self.tr("Run"), named_keys(self.tr("Ctrl+Enter"))),
            (
                self.anyway,
                self.tr("Send anyway"),
                self.tr("Send it without validation to see how the server responds"),
            ),
            (self.cancel, self.tr("Cancel"), self.tr("Esc")),
            (self.clear, self.tr("Clear"), self.tr("Empty every field")),
        ):
            button.setText(text)
            button.setToolTip(tip)
        self._name_other()
        if self._misfit is not None:
            self._say_misfit(self._misfit)
        self.bar.setAccessibleName(self.tr("Progress"))
