"""One call in full: how it went, its result and arguments without secrets, its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
)

from desktop.gui.activity import words
from desktop.gui.activity.steps_view import StepsView
from desktop.gui.elided_label import ElidedLabel
from desktop.gui.icons import set_icon
from desktop.gui.results.result_view import ResultView
from desktop.gui.results.structured import to_text
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import Role, space, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import Theme
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import LoggedCall

_TONES: dict[str, Role] = {
    "accent": "accent",
    "success": "success",
    "warning": "warning",
    "danger": "danger",
}


class CallDetails(QFrame):
    """Shows one call and follows it while it runs, or says that none is chosen."""

    open_call = Signal(str, object)
    """The tool's key and the arguments as they were, to be run again."""

    def __init__(self, theme: Theme, redaction: Callable[[str], Redaction]) -> None:
        """Args: redaction: what to take out of the words of a server."""
        super().__init__()
        self._theme, self._redaction = theme, redaction
        self.call: LoggedCall | None = None
        self._shown: object = None
        self.title, self.state = ElidedLabel(), QLabel()
        style(self.title, "heading", "mono")
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        style(self.state, "badge")
        self.open_in_tools = QPushButton()
        set_icon(theme, self.open_in_tools, "tools", "text")
        self.open_in_tools.clicked.connect(self.open_again)
        self.result = ResultView(theme, self)
        self.arguments = TextView(theme, self, is_prose=False)
        self.no_result = _centred()
        self.result_stack = QStackedWidget()
        self.result_stack.addWidget(self.result)
        self.result_stack.addWidget(self.no_result)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.result_stack, "")
        self.tabs.addTab(self.arguments, "")
        self.steps = StepsView(theme)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._nothing = _centred()
        self._lay_out()
        self._translate()
        self.show_call(None)

    def show_call(self, call: LoggedCall | None) -> None:
        """Show another call, or the same one a step further."""
        is_other = call is not self.call
        self.call = call
        for widget in (self.title, self.state, self.open_in_tools, self.splitter):
            widget.setVisible(call is not None)
        self._nothing.setVisible(call is None)
        if call is None:
            self._shown = None
            return
        redaction = self._redaction(call.call.key.partition(":")[0])
        if is_other:
            self._show_arguments(call, redaction)
        self._tell(call)
        self._show_result(call, redaction, is_other=is_other)
        self.steps.show_call(call, redaction)

    def open_again(self) -> None:
        """Ask for the form of the tool with the arguments of this call."""
        if self.call is not None:
            self.open_call.emit(self.call.call.key, self.call.call.arguments)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            QTimer.singleShot(0, self, self._make_views)  # not while its children are told
        super().changeEvent(event)

    def _make_views(self) -> None:
        """Result and text keep the language in which they were made."""
        old = self.result, self.arguments
        chosen = self.tabs.currentIndex()
        self.result = ResultView(self._theme, self)
        self.arguments = TextView(self._theme, self, is_prose=False)
        self.result_stack.insertWidget(0, self.result)
        self.tabs.removeTab(1)
        self.tabs.addTab(self.arguments, self.tr("Arguments"))
        self.tabs.setCurrentIndex(chosen)
        for widget in old:
            widget.hide()
            widget.deleteLater()
        call, self.call = self.call, None
        self.show_call(call)

    def _tell(self, call: LoggedCall) -> None:
        said = words.call_state(call)
        self.title.show_text(words.tool_words(call, self._redaction))
        style(self.state, "badge", _TONES.get(said.color, "muted"))
        self.state.setText(said.text)
        self.state.ensurePolished()  # the padding of the badge counts from then on
        self.state.updateGeometry()
        self.no_result.setText(
            self.tr("It is still running.")
            if call.is_running
            else self.tr("Its result was large and made room for later ones.")
        )

    def _show_arguments(self, call: LoggedCall, redaction: Redaction) -> None:
        from desktop.redaction.redactor import redacted_value

        value = redacted_value(call.call.arguments, redaction)
        text = self.tr("Too large to be shown here.") if value is None else to_text(value)
        self.arguments.show_text(text, "arguments")

    def _show_result(self, call: LoggedCall, redaction: Redaction, *, is_other: bool) -> None:
        from desktop.redaction.redactor import redacted_result

        if call.result is None:
            self.result_stack.setCurrentWidget(self.no_result)
        elif is_other or call.result is not self._shown:
            self.result.show_result(redacted_result(call.result, redaction))
            self.result_stack.setCurrentWidget(self.result)
        self._shown = call.result

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self.state, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.title, 1)
        row.addWidget(self.open_in_tools)
        left = QFrame()
        beside = QVBoxLayout(left)
        beside.setContentsMargins(0, 0, space(3), 0)
        beside.addWidget(self.tabs)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.steps)
        self.steps.setMinimumWidth(space(84))
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space(2), 0, 0)
        column.setSpacing(space(2))
        column.addLayout(row)
        column.addWidget(self.splitter, 1)
        column.addWidget(self._nothing, 1)

    def _translate(self) -> None:
        self._nothing.setText(self.tr("Choose a call to see its result and its steps."))
        self.open_in_tools.setText(self.tr("Open in Tools"))
        self.open_in_tools.setToolTip(self.tr("The form with these arguments (Ctrl+O)"))
        self.tabs.setTabText(0, self.tr("Result"))
        self.tabs.setTabText(1, self.tr("Arguments"))


def _centred() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    style(label, "muted")
    return label
