"""Form and result of a tool: side by side where there is room, else the form above the result.

Stacked, the form is as high as its content, up to a share of the height. Must not run a tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QStackedWidget, QWidget

from desktop.gui.results.result_view import ResultView
from desktop.gui.theme import Theme, space
from desktop.gui.widgets.appearing import appear
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from desktop.gui.apps.app_card import AppCard
    from desktop.gui.results.feed_column import ResourceReader
    from desktop.tool_types import ToolResult

SMALL: Final = space(12)
"""Pixels of a result area that has nothing to show yet."""
WIDE: Final = space(186)
"""From this width on the two stand side by side: with the list of tools about 1100 pixels."""
_ANY: Final = 16_777_215  # Qt's own "no limit"


class ResultArea(Retranslated, QStackedWidget):
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
        self._name = ""
        self._app: AppCard | None = None
        self._is_running = False
        self._end = ""
        self._nothing = plain_label("", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.result: ResultView | None = None
        self.addWidget(self._nothing)
        self._translate()

    @property
    def is_in_use(self) -> bool:
        """Whether a call was sent."""
        return self._is_running or self.result is not None

    def show_result(self, result: ToolResult, name: str) -> ResultView:
        """Show a result; `name` is proposed when it is saved."""
        self._name = name
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

    def show_app(self, app: AppCard | None) -> None:
        """Show the app of the result that is shown, in place of that of the one before."""
        if self._app is not None:
            self._app.end()
        self._app = app
        if self.result is not None:
            self.result.show_above(app)

    def note_end(self, words: str) -> None:
        """How the last call ended, where that left no result; empty where it has one."""
        self._end = words
        self._translate()

    def set_running(self, is_running: bool) -> None:
        self._is_running = is_running
        self._translate()

    def retranslate(self) -> None:
        self._translate()
        QTimer.singleShot(0, self, self._renew)  # after its children are retranslated

    def _renew(self) -> None:
        """Build the view anew, in the current language."""
        if self.result is None or (shown := self.result.result) is None:
            return
        old, self.result = self.result, None
        self.removeWidget(old)
        new = self.show_result(shown, self._name)
        if self._app is not None:
            old.give_above()
            new.show_above(self._app)  # it goes on
        old.deleteLater()

    def _translate(self) -> None:
        if self._is_running:
            self._nothing.setText(self.tr("Running. The result appears here."))
        elif self._end:
            self._nothing.setText(self._end)
        else:
            self._nothing.setText(self.tr("No result yet. Fill in the form and press Ctrl+Enter."))


class _Handle(QSplitterHandle):
    """A thin line that is easy to take hold of."""

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
_FORM_SIDE: Final = 0.42
_FORM_WIDTH: Final = space(84)  # pixels a form needs beside its result
_ENOUGH: Final = space(64)  # pixels in which a short result is seen whole
_LEAST, _MOST = 0.15, 0.85


class FormAndResult(QSplitter):
    """The two with a handle between them; how a person divided them is remembered."""

    def __init__(
        self,
        form: QWidget,
        result: ResultArea,
        wanted_height: Callable[[], int],
        settings: QSettings | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Create a division.

        Args:
            form: the first of the two.
            result: the second.
            wanted_height: pixels that all of `form` takes without scrolling.
            settings: where the division is remembered.
            parent: as for every widget.
        """
        super().__init__(Qt.Orientation.Vertical, parent)
        self._result, self._wanted_height, self._settings = result, wanted_height, settings
        self._shares = {_ROWS: _HALF, _SIDES: _FORM_SIDE}
        self.setChildrenCollapsible(False)
        self.setHandleWidth(space(2))
        self.addWidget(form)
        self.addWidget(result)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.divide)
        self.splitterMoved.connect(self._remember)
        self.refresh()

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)

    @property
    def is_wide(self) -> bool:
        """Whether the two stand side by side."""
        return self.orientation() == Qt.Orientation.Horizontal

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
        self._result.setMaximumHeight(SMALL if is_small else _ANY)
        room = (self.width() if is_wide else self.height()) - self.handleWidth()
        if room <= 0:
            return
        wanted_height = self._wanted_height()
        if is_wide:
            first = max(round(room * self._shares[_SIDES]), min(_FORM_WIDTH, room // 2))
        else:
            most = room - SMALL if is_small else self._most_of(room, wanted_height)
            first = min(wanted_height, most)
        self.setSizes([first, room - first])

    def _most_of(self, room: int, wanted: int) -> int:
        """What the form may take above a result: as divided, or all where enough is left."""
        is_divided = self._shares[_ROWS] != _HALF
        if not is_divided and wanted <= room - _ENOUGH:
            return wanted
        return round(room * self._shares[_ROWS])

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


def _share(kept: str | float, otherwise: float) -> float:
    try:
        share = float(kept)
    except ValueError:
        return otherwise
    return share if _LEAST <= share <= _MOST else otherwise
