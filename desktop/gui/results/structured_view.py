"""The structured values of a result as tree or table, with the issues of the output schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import bridge
from desktop.gui.results.json_tree_view import JsonTreeView
from desktop.gui.results.structured import Structured
from desktop.gui.results.table import NO_TABLE, table_of
from desktop.gui.results.table_view import TableView
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import issue_line
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from desktop.gui.results.table import Table
    from desktop.gui.results.view_settings import ViewSettings
    from desktop.tool_types import ValidationIssue

MAX_FINDINGS = 50
_MAX_LENGTH = 500
_ROWS = 3


class OutputSchemaCard(QFrame):
    """Hidden where nothing was checked; one calm line where all is well."""

    reveal_requested = Signal(object)  # the path of a finding

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = QLabel(self)
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.findings = QListWidget(self)
        self.findings.setAccessibleName(self.tr("Findings"))
        self.findings.setUniformItemSizes(True)
        self.findings.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.findings.itemClicked.connect(self._choose)
        self.findings.itemActivated.connect(self._choose)
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(self._icon)
        head.addWidget(self.words, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space(3), space(1), space(3), space(1))
        layout.setSpacing(space(1))
        layout.addLayout(head)
        layout.addWidget(self.findings)
        self.hide()

    def show_issues(self, issues: tuple[ValidationIssue, ...] | None) -> None:
        """None: nothing was checked; empty: it fits."""
        self.setVisible(issues is not None)
        self.findings.clear()
        self.findings.setVisible(bool(issues))
        fits = not issues
        tone = "success" if fits else "warning"
        style(self, "banner", tone)
        style(self.words, tone)
        set_icon(self._theme, self._icon, "check" if fits else "warning", tone)
        self.words.setText(self._sentence(len(issues or ())))
        for issue in (issues or ())[:MAX_FINDINGS]:
            item = QListWidgetItem(" ".join(issue_line(issue)[:_MAX_LENGTH].splitlines()))
            item.setData(Qt.ItemDataRole.UserRole, list(issue.path))
            self.findings.addItem(item)
        self.findings.ensurePolished()  # the style sheet says how high a row is
        rows = min(_ROWS, self.findings.count())
        bars = Qt.ScrollBarPolicy
        all_seen = self.findings.count() <= _ROWS
        self.findings.setVerticalScrollBarPolicy(
            bars.ScrollBarAlwaysOff if all_seen else bars.ScrollBarAsNeeded
        )
        self.findings.setFixedHeight(rows * max(1, self.findings.sizeHintForRow(0)) + space(2))

    def _sentence(self, count: int) -> str:
        if not count:
            return self.tr("Matches the output schema.")
        words = self.tr("Does not match the output schema ({count}):")
        if count > MAX_FINDINGS:
            words = self.tr("Does not match the output schema ({count}, the first 50 are listed):")
        return words.format(count=count)

    def _choose(self, item: QListWidgetItem) -> None:
        self.reveal_requested.emit(tuple(item.data(Qt.ItemDataRole.UserRole)))


_CHOOSER = 12  # characters of a title that are always seen


class StructuredView(QWidget):
    """One value at a time; the table is offered where the value has one."""

    def __init__(self, theme: Theme, reading: ViewSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._theme = theme
        self._reading = reading
        self._sources: Sequence[Structured] = ()
        self._name = "result"
        self._table: Table | None = None
        self.reading_task: asyncio.Task[None] | None = None
        self.verdict = OutputSchemaCard(theme, self)
        self.tree = JsonTreeView(theme, self)
        self.table: TableView | None = None
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.tree)
        self._waiting = QWidget(self)
        self.read = QPushButton(self._waiting)
        self.refusal = QLabel(self._waiting)
        self.chooser = QComboBox(self)
        self.chooser.setAccessibleName(self.tr("Which value"))
        self.chooser.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.chooser.setMinimumContentsLength(_CHOOSER)
        self._lay_out()
        self.read.clicked.connect(self._read)
        self.chooser.currentIndexChanged.connect(self._choose)
        self.as_table.clicked.connect(lambda: self._prefer(table=True))
        self.as_tree.clicked.connect(lambda: self._prefer(table=False))
        self.verdict.reveal_requested.connect(self._show_finding)

    def show_sources(
        self,
        sources: Sequence[Structured],
        issues: tuple[ValidationIssue, ...] | None = None,
        name: str = "result",
    ) -> None:
        """Show the first of `sources` (at least one); `issues` are about that one."""
        self._sources, self._name = sources, name
        self.verdict.show_issues(issues)
        with QSignalBlocker(self.chooser):
            self.chooser.clear()
            self.chooser.addItems([self._title(n, source) for n, source in enumerate(sources)])
        self.chooser.setVisible(len(sources) > 1)
        self._choose(0)

    def clear(self) -> None:
        """Hold no value any more."""
        if self.reading_task is not None:
            self.reading_task.cancel()
        self._sources = ()
        self._drop_value()

    def _title(self, number: int, source: Structured) -> str:
        if source.origin:
            return source.origin[:60]
        return self.tr("Value {number}").format(number=number + 1)

    def _lay_out(self) -> None:
        tools = ActionRow(self)
        tools.addWidget(self.chooser)
        self.as_tree = tools.chip(self.tr("Tree"))
        self.as_table = tools.chip(self.tr("Table"))
        tools.addWidget(self.tree.tools.bar, 1)
        self._tools = tools
        self.refusal.setTextFormat(Qt.TextFormat.PlainText)
        style(self.refusal, "muted")
        inner = QVBoxLayout(self._waiting)
        inner.setContentsMargins(0, 0, 0, 0)
        for widget in (self.read, self.refusal):
            inner.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeft)
        inner.addStretch(1)
        self.stack.addWidget(self._waiting)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, space(2), 0, 0)
        layout.setSpacing(space(2))
        layout.addWidget(self.verdict)
        layout.addWidget(tools.bar)
        layout.addWidget(self.stack, 1)

    def _choose(self, number: int) -> None:
        source = self._sources[number]
        if self.reading_task is not None:
            self.reading_task.cancel()
        self._drop_value()
        if source.found:
            self._show_value(source.value)
            return
        size = format_size(len(source.waiting))
        self.read.setText(self.tr("Read {size} of JSON").format(size=size))
        self.read.setEnabled(True)
        self.refusal.hide()
        self._show(self._waiting)

    def _show_value(self, value: Any) -> None:
        self.tree.show_value(value, self._name)
        self._offer_table(table_of(value))
        self._show_chosen()

    def _drop_value(self) -> None:
        self._offer_table(None)
        self.tree.show_value(None)
        if self.table is not None:
            self.table.show_table(NO_TABLE, self._name)

    def _offer_table(self, table: Table | None) -> None:
        self._table = table
        self.as_tree.setVisible(table is not None)
        self.as_table.setVisible(table is not None)

    def _prefer(self, *, table: bool) -> None:
        self._reading.choose("table", table)
        self._show_chosen()

    def _show_chosen(self) -> None:
        wanted = self._table if self._reading["table"] else None
        self.as_table.setChecked(wanted is not None)
        self.as_tree.setChecked(wanted is None)
        self._show(self.tree if wanted is None else self._filled(wanted))

    def _show(self, page: QWidget) -> None:
        """`page` below, and what can be done with it in the row above."""
        self.stack.setCurrentWidget(page)
        self.tree.tools.bar.setVisible(page is self.tree)
        if self.table is not None:
            self.table.tools.bar.setVisible(page is self.table)

    def _filled(self, table: Table) -> TableView:
        """The table view with `table`; made and filled only when it is looked at."""
        if self.table is None:
            self.table = TableView(self._theme, self)
            self._tools.addWidget(self.table.tools.bar, 1)
            self.stack.addWidget(self.table)
        if self.table.model.table is not table:
            self.table.show_table(table, self._name)
        return self.table

    def _show_finding(self, path: tuple[str | int, ...]) -> None:
        self.chooser.setCurrentIndex(0)
        self.as_tree.setChecked(True)
        self.as_table.setChecked(False)
        self._show(self.tree)
        self.tree.reveal(path)
        self.tree.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _read(self) -> None:
        number = self.chooser.currentIndex()
        self.read.setEnabled(False)
        self.read.setText(self.tr("Reading…"))
        self.reading_task = bridge.run(self, self._read_source(number), self.tr("Read JSON"))

    async def _read_source(self, number: int) -> None:
        """In slices, so that the window goes on meanwhile."""
        from desktop.servers import message_stream

        source = self._sources[number]
        try:
            value = await message_stream.loads(source.waiting)
        except (ValueError, RecursionError):
            self.read.setText(self.tr("Not read"))
            self.refusal.setText(self.tr("Not valid JSON; shown as text."))
            self.refusal.show()
            return
        read = Structured(found=True, value=value, origin=source.origin)
        self._sources = [*self._sources[:number], read, *self._sources[number + 1 :]]
        self._show_value(value)
