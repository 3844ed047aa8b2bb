"""One tool with its form, its running call and its last result, kept while it holds something.

Sends calls through the `ToolRunner` alone. What was typed outlives the tool itself.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from desktop.gui import bridge
from desktop.gui.empty_state import EmptyState
from desktop.gui.form.schema_form import SchemaForm
from desktop.gui.results.result_view import ResultView
from desktop.gui.theme import Theme, space
from desktop.gui.tools.focusing import focus_first_field
from desktop.gui.tools.model_tab import ModelTab
from desktop.gui.tools.notice import Notice
from desktop.gui.tools.run_bar import RunBar
from desktop.gui.tools.schema_tab import SchemaTab
from desktop.gui.tools.tool_header import ToolHeader
from desktop.tools.call import ToolCall

if TYPE_CHECKING:
    from desktop.gui.tools.ports import ToolRunner
    from desktop.tools.definition import JsonObject, ToolDefinition
    from desktop.tools.issue import ValidationIssue
    from desktop.tools.result import ToolResult


_FORM_SHARE, _RESULT_SHARE = 1300, 700  # the splitter scales them to the room there is


class ToolView(QWidget):
    """The right side of the page for one tool."""

    running_changed = Signal()

    def __init__(
        self,
        tool: ToolDefinition,
        runner: ToolRunner,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.tool = tool
        self._runner = runner
        self._theme = theme
        self._touched = False
        self._refused: JsonObject = {}
        self._available = True
        self._task: asyncio.Task[None] | None = None
        self.header = ToolHeader(theme, self)
        self.gone = Notice(theme, "warning", self)
        self.issues = Notice(theme, "danger", self)
        self.form_area = QScrollArea(self)
        self.input_schema = SchemaTab(theme, self)
        self.output_schema = SchemaTab(theme, self)
        self.model = ModelTab(theme, self)
        self.tabs = QTabWidget(self)
        self.bar = RunBar(theme, self)
        self.no_result = EmptyState(theme, "play", "", "")
        self.result: ResultView | None = None
        self.below = QStackedWidget(self)
        self.splitter = QSplitter(Qt.Orientation.Vertical, self)
        self._lay_out()
        self._connect()
        self.form = self._make_form(tool.input_schema)
        self._translate()

    @property
    def is_running(self) -> bool:
        return self._task is not None

    @property
    def is_worth_keeping(self) -> bool:
        """Whether a person would miss something if this view were built anew."""
        return self._touched or self.is_running or self.result is not None

    def set_tool(self, tool: ToolDefinition | None) -> None:
        """Follow the server: the tool as it is now, or None when it is not there."""
        self._available = tool is not None
        self.bar.set_runnable(self._available)
        self._say_gone()
        if tool is None or tool == self.tool:
            return
        old, self.tool = self.tool, tool
        if tool.input_schema != old.input_schema:
            typed = self.form.value()
            self.form = self._make_form(tool.input_schema)
            self.form.set_value(typed)
        self._show_tool()

    def focus_form(self) -> None:
        self.tabs.setCurrentWidget(self.form_area)
        focus_first_field(self.form, self.bar.run)

    def run(self) -> None:
        """Send the call, or say what is missing and go there."""
        if self.is_running or not self._available:
            return
        arguments = self.form.value()
        problems = _errors(self.form.issues()) or _errors(
            self._runner.check(self.tool.key, arguments)
        )
        self.issues.hide()
        if problems:
            self._refused = arguments
            self._show_problems(problems)
            return
        self._touched = True
        self.bar.start()
        words = self.tr("Run {tool}").format(tool=self.tool.key)
        self._task = bridge.run(self, self._call(ToolCall(self.tool.key, arguments)), words)
        self.running_changed.emit()

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _call(self, call: ToolCall) -> None:
        words = self.tr("It ended without a result")
        try:
            self._show_result(await self._runner.run(call, self.bar.note_progress))
            words = ""
        except asyncio.CancelledError:
            words = self.tr("Cancelled")
            raise
        finally:
            if isValid(self):
                self._task = None
                self.bar.stop(words)
                self.running_changed.emit()

    def _show_result(self, result: ToolResult) -> ResultView:
        if self.result is None:
            self.result = ResultView(self._theme, self)
            self.below.addWidget(self.result)
            self.below.setCurrentWidget(self.result)
        self.result.show_result(result, self.tool.name)
        return self.result

    def _show_problems(self, problems: list[ValidationIssue]) -> None:
        self.tabs.setCurrentWidget(self.form_area)
        self.form.reveal_issues()
        self.issues.show_issues(problems)
        if (field := self.form.first_invalid()) is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.form_area.ensureWidgetVisible(field)

    def _show_tool(self) -> None:
        self.header.show_tool(self.tool)
        has_output = self.tool.output_schema is not None
        self.tabs.setTabVisible(self.tabs.indexOf(self.output_schema), has_output)
        name = f"{self.tool.name}-schema"
        self.input_schema.set_schema(self.tool.input_schema, name)
        self.output_schema.set_schema(self.tool.output_schema, name)
        self.model.set_tool(self.tool)

    def _make_form(self, schema: JsonObject) -> SchemaForm:
        form = SchemaForm(schema, self._theme, self.form_area)
        form.changed.connect(self._touch)
        form.run_requested.connect(self.run)
        self.form_area.setWidget(form)
        return form

    def _touch(self) -> None:
        self._touched = True
        if self.issues.isVisible() and self.form.value() != self._refused:
            self.issues.hide()

    def _clear(self) -> None:
        self.issues.hide()
        self.form.clear()
        self.focus_form()

    def _lay_out(self) -> None:
        self.form_area.setWidgetResizable(True)
        self.form_area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.tabs.setDocumentMode(True)
        self.tabs.setMinimumHeight(space(18))  # where room is short the words above come first
        for page in (self.form_area, self.input_schema, self.output_schema, self.model):
            self.tabs.addTab(page, "")
        upper = QWidget(self)
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, space(2))
        column.setSpacing(space(2))
        for widget in (self.header, self.gone):
            column.addWidget(widget)
        column.addWidget(self.tabs, 1)
        for widget in (self.issues, self.bar):
            column.addWidget(widget)
        self.splitter.addWidget(upper)
        self.below.addWidget(self.no_result)
        self.splitter.addWidget(self.below)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_FORM_SHARE, _RESULT_SHARE])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(4), space(3), space(4), space(3))
        layout.addWidget(self.splitter)

    def _translate(self) -> None:
        schemas = self.tr("Input schema"), self.tr("Output schema")
        titles = self.tr("Form"), *schemas, self.tr("What the model sees")
        for index, title in enumerate(titles):
            self.tabs.setTabText(index, title)
        self._show_tool()
        self._say_gone()
        self._say_no_result()

    def _renew_result(self) -> None:
        """Build the result anew, in the language of now."""
        if self.result is None or (shown := self.result.result) is None:
            return
        old, self.result = self.result, None
        tab = old.tabs.currentIndex()
        self.below.removeWidget(old)
        old.deleteLater()
        self._show_result(shown).tabs.setCurrentIndex(tab)

    def _say_gone(self) -> None:
        words = self.tr(
            "This tool is not there now: its server is off, or no longer offers it. "
            "What you typed is kept for when it returns."
        )
        self.gone.show_words("" if self._available else words)

    def _say_no_result(self) -> None:
        if self.is_running:
            self.no_result.set_text(self.tr("Running"), self.tr("The result appears here."))
        else:
            hint = self.tr("Fill in the form and press Ctrl+Enter.")
            self.no_result.set_text(self.tr("No result yet"), hint)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
            QTimer.singleShot(0, self, self._renew_result)  # not while its children are told
        super().changeEvent(event)

    def _connect(self) -> None:
        self.bar.run_requested.connect(self.run)
        self.bar.cancel_requested.connect(self.cancel)
        self.bar.clear_requested.connect(self._clear)
        self.running_changed.connect(self._say_no_result)


def _errors(issues: list[ValidationIssue]) -> list[ValidationIssue]:
    return [issue for issue in issues if issue.severity == "error"]
