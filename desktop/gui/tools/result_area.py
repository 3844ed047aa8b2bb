"""Form and result of a tool: side by side where there is room, else the form above the result.

Stacked, the form is as high as its content. Where that leaves too little for a result, one of the
two gives way to the other, unless a person has divided the room. Must not run a tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QStackedWidget, QWidget

from desktop.gui.layouts import NO_LIMIT
from desktop.gui.results.result_view import ResultView
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import Theme, space
from desktop.gui.widgets.appearing import appear
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from desktop.gui.results.companion import Companion
    from desktop.gui.results.feed_column import ResourceReader
    from desktop.values.tool_types import ToolResult

SMALL: Final = space(12)
"""Pixels of a result area that has nothing to show yet."""
WIDE: Final = space(194)
"""From this width on the two stand side by side: 1180 pixels of window with the list."""


class ResultArea(QStackedWidget):
    """The result of the last call; its view is built with the first result."""

    resource_requested = Signal(str)
    """A person wants to see what a link in the result leads to, on its own page."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        settings: QSettings | None = None,
        reader: ResourceReader | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._reader = reader
        self._companion: Companion | None = None
        self._is_running = False
        self._end = ""
        self._nothing = plain_label("", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.result: ResultView | None = None
        self.addWidget(self._nothing)
        self._set_texts()

    @property
    def is_in_use(self) -> bool:
        """Whether a call was sent."""
        return self._is_running or self.result is not None

    def show_result(self, result: ToolResult, name: str) -> ResultView:
        """Show a result; `name` is proposed when it is saved."""
        if self.result is None:
            self.result = ResultView(
                self._theme, self, self._settings, reader=self._reader, can_show=True
            )
            self.result.resource_requested.connect(self.resource_requested)
            self.addWidget(self.result)
            self.setCurrentWidget(self.result)
        self.result.show_result(result, name)
        appear(self._theme, self.result)
        return self.result

    def show_companion(self, companion: Companion | None) -> None:
        """Show that of the result that is shown, in place of that of the one before."""
        if self._companion is not None:
            self._companion.end()
        self._companion = companion
        if self.result is not None:
            self.result.show_above(companion)

    def note_end(self, words: str) -> None:
        """How the last call ended, where that left no result; empty where it has one."""
        self._end = words
        self._set_texts()

    def set_running(self, is_running: bool) -> None:
        self._is_running = is_running
        self._set_texts()

    def _set_texts(self) -> None:
        if self._is_running:
            self._nothing.setText(self.tr("Running. The result appears here."))
        elif self._end:
            self._nothing.setText(self._end)
        else:
            self._nothing.setText(
                named_keys(self.tr("No result yet. Fill in the form and press Ctrl+Enter."))
            )


Mode: TypeAlias = Literal["edit", "correct", "read"]


class FormHeight(NamedTuple):
    """Pixels that a form takes: all of it, and folded, with no more than its tabs and Run."""

    whole: int
    folded: int


class _Handle(QSplitterHandle):
    """A thin line that is easy to take hold of; a double click undoes a person's division."""

    reset = Signal()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.reset.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().mid().color())
        middle = self.rect().center()
        if self.orientation() == Qt.Orientation.Horizontal:
            painter.drawLine(middle.x(), 0, middle.x(), self.height())
        else:
            painter.drawLine(0, middle.y(), self.width(), middle.y())
        painter.end()


_ROWS, _SIDES = "tools/form_rows", "tools/form_sides"
_HALF: Final = 0.5
_FORM_SIDE: Final = 0.48
_FORM_WIDTH: Final = space(92)  # pixels a form needs beside its result
_ENOUGH: Final = space(64)  # pixels in which a short result is seen whole
_READABLE: Final = space(50)  # pixels in which some lines of a result are read
_STRIP: Final = space(12)  # pixels that a result keeps while its form is edited
_EDGE: Final = space(3)  # beside the handle, whose half is the rest of the 16 pixels
_FORM_EDGE: Final = space(2)  # above each other the two end at the same edge
_LEAST, _MOST = 0.15, 0.85


class FormAndResult(QSplitter):
    """The two with a handle between them; how a person divided them is remembered.

    Where there is not enough room for both, `is_tight`, the form is folded while the result is
    read, and the result is a strip while the form is edited; an error and the form halve the room.
    """

    arranged = Signal()
    """`is_tight` or `is_folded` has changed."""

    def __init__(
        self,
        form: QWidget,
        result: ResultArea,
        form_height: Callable[[], FormHeight],
        settings: QSettings | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Create a division.

        Args:
            form: the first of the two.
            result: the second.
            form_height: what `form` takes without scrolling.
            settings: where the division is remembered.
            parent: as for every widget.
        """
        super().__init__(Qt.Orientation.Vertical, parent)
        self._form, self._result = form, result
        self._form_height, self._settings = form_height, settings
        self._shares = {_ROWS: _HALF, _SIDES: _FORM_SIDE}
        self._mode: Mode = "edit"
        self.is_tight = False
        self.is_folded = False
        self.setChildrenCollapsible(False)
        self.setHandleWidth(space(2))
        self.addWidget(form)
        self.addWidget(result)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.divide)
        self.splitterMoved.connect(self._remember)
        self.refresh()

    def createHandle(self) -> QSplitterHandle:
        handle = _Handle(self.orientation(), self)
        handle.reset.connect(self._forget)
        return handle

    @property
    def is_wide(self) -> bool:
        """Whether the two stand side by side."""
        return self.orientation() == Qt.Orientation.Horizontal

    def read(self) -> None:
        """The result is what matters now."""
        self._mode = "read"
        self.divide()

    def correct(self) -> None:
        """Both matter: the result says what to change in the form."""
        self._mode = "correct"
        self.divide()

    def edit(self) -> None:
        """The form is what matters now."""
        self._mode = "edit"
        self.divide()

    def refresh(self) -> None:
        """Divide as the person did last, perhaps beside another tool."""
        if self._settings is not None:
            for name, share in self._shares.items():
                kept = self._settings.value(name, share)
                if isinstance(kept, str | float | int):
                    self._shares[name] = _share(kept, share)
        self.divide_soon()

    def divide_soon(self) -> None:
        """Divide anew once all changes of the form are in."""
        self._soon.start()

    def divide(self) -> None:
        """Give the form its content's height, or the two their sides."""
        is_wide = self.width() >= WIDE
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self.orientation() != wanted:
            self.setOrientation(wanted)
        is_small = not is_wide and not self._result.is_in_use
        self._result.setMaximumHeight(SMALL if is_small else NO_LIMIT)
        self._result.setContentsMargins(_EDGE if is_wide else 0, 0, 0, 0)
        self._form.setContentsMargins(0, 0, _FORM_EDGE if is_wide else 0, 0)
        room = (self.width() if is_wide else self.height()) - self.handleWidth()
        if room <= 0:
            return
        form = self._form_height()
        is_stacked = not is_wide and not is_small
        self._arrange(is_tight=is_stacked and self._is_too_little(room, form.whole))
        if is_wide:
            first = max(round(room * self._shares[_SIDES]), min(_FORM_WIDTH, room // 2))
        elif is_small:
            first = min(form.whole, room - SMALL)
        elif self.is_tight:
            most = {"read": form.folded, "correct": room // 2, "edit": room - _STRIP}
            first = min(form.whole, most[self._mode])
        elif not self._is_divided and form.whole <= room - _ENOUGH:
            first = form.whole
        else:
            first = min(form.whole, round(room * self._shares[_ROWS]))
        self.setSizes([first, room - first])

    @property
    def _is_divided(self) -> bool:
        """Whether a person has divided form and result above each other."""
        return self._shares[_ROWS] != _HALF

    def _is_too_little(self, room: int, whole: int) -> bool:
        """Whether one of the two has to give way: also a form that is cut needs room."""
        half = room // 2
        least = _READABLE if whole <= half else _ENOUGH
        return not self._is_divided and room - min(whole, half) < least

    def _arrange(self, *, is_tight: bool) -> None:
        is_folded = is_tight and self._mode == "read"
        if (is_tight, is_folded) != (self.is_tight, self.is_folded):
            self.is_tight, self.is_folded = is_tight, is_folded
            self.arranged.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.divide()

    def _remember(self) -> None:
        sizes = self.sizes()
        if not self.is_wide and not self._result.is_in_use:
            return
        name = _SIDES if self.is_wide else _ROWS
        self._shares[name] = min(_MOST, max(_LEAST, sizes[0] / max(1, sum(sizes))))
        if self._settings is not None:
            self._settings.setValue(name, self._shares[name])
        if not self.is_wide:
            self._arrange(is_tight=False)

    def _forget(self) -> None:
        """Divide as if nobody had done it."""
        name, share = (_SIDES, _FORM_SIDE) if self.is_wide else (_ROWS, _HALF)
        self._shares[name] = share
        if self._settings is not None:
            self._settings.remove(name)
        self.divide()


def _share(kept: str | float, otherwise: float) -> float:
    try:
        share = float(kept)
    except ValueError:
        return otherwise
    return share if _LEAST <= share <= _MOST else otherwise
