"""The lower half of a tool's view: its last result, or why there is none yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop.gui.form.labels import plain_label
from desktop.gui.results.result_view import ResultView
from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.gui.theme import Theme
    from desktop.tool_types import ToolResult


_SMALL = space(14)
_ANY = 16_777_215  # Qt's own "no limit"


class ResultArea(QStackedWidget):
    """Builds the view of a result when there is the first one."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, settings: QSettings | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._name = ""
        self._is_running = False
        self._nothing = plain_label("", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMaximumHeight(_SMALL)
        self.result: ResultView | None = None
        self.addWidget(self._nothing)
        self._translate()

    @property
    def is_small(self) -> bool:
        """Whether it takes no more room than a line: there was no call yet."""
        return self.maximumHeight() == _SMALL

    def grow(self) -> None:
        """Take any room from now on."""
        self.setMaximumHeight(_ANY)

    def show_result(self, result: ToolResult, name: str) -> ResultView:
        """Show it; `name` is proposed when it is saved."""
        self._name = name
        if self.result is None:
            self.result = ResultView(self._theme, self, self._settings)
            self.addWidget(self.result)
            self.setCurrentWidget(self.result)
        self.result.show_result(result, name)
        return self.result

    def set_running(self, is_running: bool) -> None:
        self._is_running = is_running
        self._translate()

    def changeEvent(self, event: QEvent, /) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            QTimer.singleShot(0, self, self._renew)  # not while its children are told
        super().changeEvent(event)

    def _renew(self) -> None:
        """Build the result anew, in the language of now."""
        if self.result is None or (shown := self.result.result) is None:
            return
        old, self.result = self.result, None
        tab = old.tabs.currentIndex()
        self.removeWidget(old)
        old.deleteLater()
        self.show_result(shown, self._name).tabs.setCurrentIndex(tab)

    def _translate(self) -> None:
        if self._is_running:
            self._nothing.setText(self.tr("Running. The result appears here."))
        else:
            self._nothing.setText(self.tr("No result yet. Fill in the form and press Ctrl+Enter."))
