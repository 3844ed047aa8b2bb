"""A value of a result as JSON, tree, table or the text it came as.

Beside it are the issues of the output schema. What is not looked at is not made.
"""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import NO_LIMIT, in_column, in_row
from desktop.gui.results.json_tree_view import JsonTreeView
from desktop.gui.results.saving import in_turns, save_as
from desktop.gui.results.search import FindBar, SearchedView
from desktop.gui.results.structured import NOTHING, Structured, is_short_json, pretty_json
from desktop.gui.results.table import (
    NO_TABLE,
    Table,
    TableModel,
    cell_text,
    export_rows,
    sorted_rows,
    table_of,
)
from desktop.gui.results.text_view import Cap, TextView
from desktop.gui.shortcuts import give, named_keys
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import counted, issue_line
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.tab_order import restore_tab_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from PySide6.QtCore import QItemSelectionRange
    from PySide6.QtWidgets import QPushButton

    from desktop.gui.results.table import ExportFormat
    from desktop.gui.results.view_settings import ViewSettings
    from desktop.values.spilled import ReadableText
    from desktop.values.tool_types import ValidationIssue

MAX_FINDINGS = 50
_MAX_LENGTH = 500
_ROWS = 3
_COPY = QKeySequence.StandardKey.Copy
_MAX_COLUMN_WIDTH = 75  # grid steps of a column at first
_MEASURED = 50  # rows looked at for the widths


class OutputSchemaCard(QFrame):
    """Hidden where nothing was checked; one calm line where all is well."""

    reveal_requested = Signal(object)  # the path of a finding

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = QLabel(self)
        self.words = plain_label("")
        self.findings = QListWidget(self)
        self.findings.setAccessibleName(self.tr("Findings"))
        self.findings.setUniformItemSizes(True)
        self.findings.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.findings.itemClicked.connect(self._choose)
        self.findings.itemActivated.connect(self._choose)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(space(1))
        in_row(self._column, self._icon, (self.words, 1))
        self._column.addWidget(self.findings)
        self.hide()

    def show_issues(self, issues: tuple[ValidationIssue, ...] | None) -> None:
        """None: nothing was checked; empty: it fits."""
        self.setVisible(issues is not None)
        self.findings.clear()
        self.findings.setVisible(bool(issues))
        fits = not issues
        tone = "success" if fits else "warning"
        style(self, *(() if fits else ("banner", tone)))
        style(self.words, *(("small", tone) if fits else (tone,)))
        set_icon(self._theme, self._icon, "check" if fits else "warning", tone)
        side, edge = (0, 0) if fits else (space(3), space(1))
        self._column.setContentsMargins(side, edge, side, edge)
        self.words.setText(self._sentence(issues or ()))
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

    def _sentence(self, issues: tuple[ValidationIssue, ...]) -> str:
        count = len(issues)
        if not count:
            return self.tr("Matches the output schema.")
        if all(issue.severity == "warning" for issue in issues):
            return self.tr("To note about this value ({count}):").format(count=count)
        words = self.tr("Does not match the output schema ({count}):")
        if count > MAX_FINDINGS:
            words = self.tr("Does not match the output schema ({count}, the first 50 are listed):")
        return words.format(count=count)

    def _choose(self, item: QListWidgetItem) -> None:
        self.reveal_requested.emit(tuple(item.data(Qt.ItemDataRole.UserRole)))


Shown: TypeAlias = Literal["json", "tree", "table", "text"]
"""The looks of a value, and the text that it was read from."""
_LEAST = 25  # grid steps a view has where it fills the room


class StructuredView(QWidget):
    """One value; a look is offered where the value has it."""

    def __init__(self, theme: Theme, reading: ViewSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._theme = theme
        self._reading = reading
        self._source = NOTHING
        self._text: ReadableText = ""
        self._name = "result"
        self._table: Table | None = None
        self._cap: Cap | None = None
        self._shown: Shown = "tree"
        self.reading_task: asyncio.Task[None] | None = None
        self.verdict = OutputSchemaCard(theme, self)
        self.caption = QLabel(self)
        self._in_tree = NOTHING
        self.json: TextView | None = None
        self.table: TableView | None = None
        self.text: TextView | None = None
        self._pages: dict[Shown, tuple[TextView | TableView | JsonTreeView, QWidget]] = {}
        self.refusal = QLabel(self)
        self._lay_out()
        self.verdict.reveal_requested.connect(self._show_finding)

    @cached_property
    def tree(self) -> JsonTreeView:
        """Made when it is first looked at, as the other pages are."""
        made = JsonTreeView(self._theme, self)
        self._add_page("tree", made, made.tools.bar)
        for changed in (made.tree.expanded, made.tree.collapsed):
            changed.connect(self._fit)
        return made

    @property
    def shown(self) -> Shown:
        """How the value is seen now."""
        return self._shown

    def show_source(
        self,
        source: Structured,
        issues: tuple[ValidationIssue, ...] | None = None,
        name: str = "result",
        text: ReadableText = "",
    ) -> None:
        """Show a value.

        Args:
            source: the value, or the text of JSON that waits to be read.
            issues: what the output schema has against it; None if nobody asked.
            name: proposed when saving.
            text: what the server wrote, where the value came as a text.
        """
        self.clear()
        self._source, self._name, self._text = source, name, text
        self.verdict.show_issues(issues)
        self.caption.setText(source.origin[:_MAX_LENGTH])
        self.caption.setVisible(bool(source.origin))
        self.looks["text"].setVisible(bool(text))
        self.read.setVisible(not source.found)
        if source.found:
            self._show_value(source.value)
            return
        self.read.setText(self.tr("Read {size} of JSON").format(size=format_size(len(text))))
        self.read.setEnabled(True)
        self._show("text")

    def clear(self) -> None:
        """Hold no value any more."""
        if self.reading_task is not None:
            self.reading_task.cancel()
        self._source, self._text = NOTHING, ""
        if self._in_tree is not NOTHING:
            self._in_tree = NOTHING
            self.tree.show_value(None)
        self.refusal.hide()
        self._offer(None)
        if self.table is not None and self.table.model.table is not NO_TABLE:
            self.table.model.show_table(NO_TABLE)
        for view in (self.json, self.text):
            if view is not None:
                view.show_text("")

    def set_cap(self, cap: Cap | None) -> None:
        """As `TextView.set_cap`."""
        self._cap = cap
        self._fit()

    def _lay_out(self) -> None:
        tools = ActionRow(self)
        self._tools = tools
        self.bar = tools.bar
        """What can be done with the value, for whoever puts it elsewhere than above it."""
        names: dict[Shown, str] = {
            "json": self.tr("JSON"),
            "tree": self.tr("Tree"),
            "table": self.tr("Table"),
            "text": self.tr("Text"),
        }
        self.looks: dict[Shown, QPushButton] = {
            look: tools.chip(words) for look, words in names.items()
        }
        self.looks["text"].setToolTip(self.tr("The text as the server sent it"))
        for look, chip in self.looks.items():
            chip.clicked.connect(self._chooser(look))
        self.as_tree, self.as_table = self.looks["tree"], self.looks["table"]
        self.as_json = self.looks["json"]
        self.read: QPushButton = tools.link("", self._read)
        self.refusal.setTextFormat(Qt.TextFormat.PlainText)
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        self.caption.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        style(self.refusal, "muted")
        style(self.caption, "mono", "muted")
        self._column = in_column(
            self, self.bar, self.verdict, self.caption, self.refusal, spacing=1
        )

    def _add_page(
        self, look: Shown, page: TextView | TableView | JsonTreeView, bar: QWidget
    ) -> None:
        self._pages[look] = page, bar
        self._tools.addWidget(bar, 1)
        self._column.addWidget(page, 1)
        for part in (page, bar):
            part.hide()
        for part in (self.bar, self):
            restore_tab_order(part)

    def _show_value(self, value: Any) -> None:
        self._offer(table_of(value))
        self.looks["json"].setVisible(is_short_json(value))
        self.looks["tree"].show()
        self._show(self._best())

    def _offer(self, table: Table | None) -> None:
        self._table = table
        for chip in (self.as_json, self.as_tree):
            chip.hide()
        self.as_table.setVisible(table is not None)

    def _best(self) -> Shown:
        """As the person likes it; else as JSON, or as a tree where it is long."""
        for look in (self._reading.look, "json"):
            if not self.looks[look].isHidden():
                return look
        return "tree"

    def _chooser(self, look: Shown) -> Callable[[], None]:
        return lambda: self._prefer(look)

    def _prefer(self, look: Shown) -> None:
        if look != "text":
            self._reading.choose_look(look)
        self._show(look)

    def _show(self, look: Shown) -> None:
        """One page below, and what can be done with it in the row above."""
        self._shown = look
        self._fill(look)
        for other, (page, bar) in self._pages.items():
            page.setVisible(other == look)
            bar.setVisible(other == look)
        for other, chip in self.looks.items():
            chip.setChecked(other == look)
        self._fit()

    def _fill(self, look: Shown) -> None:
        """Make and fill the page for `look`, only when it is looked at."""
        fills: dict[Shown, Callable[[], None]] = {
            "json": self._fill_json,
            "tree": self._fill_tree,
            "table": self._fill_table,
            "text": self._fill_text,
        }
        fills[look]()

    def _fill_tree(self) -> None:
        if self._in_tree is not self._source:  # what was opened in it stays open
            self._in_tree = self._source
            self.tree.show_value(self._source.value, self._name)

    def _fill_json(self) -> None:
        if self.json is None:
            self.json = TextView(
                self._theme, self, reading=self._reading, is_prose=False, is_json=True
            )
            self._add_page("json", self.json, self.json.bar)
        self.json.show_text(pretty_json(self._source.value), self._name)

    def _fill_text(self) -> None:
        if self.text is None:
            self.text = TextView(self._theme, self, reading=self._reading)
            self._add_page("text", self.text, self.text.bar)
        self.text.show_text(self._text, self._name)

    def _fill_table(self) -> None:
        if self.table is None:
            self.table = TableView(self._theme, self)
            self._add_page("table", self.table, self.table.tools.bar)
        if self._table is not None and self.table.model.table is not self._table:
            self.table.show_table(self._table, self._name)

    def _fit(self) -> None:
        if self._shown not in self._pages:
            return
        page, _ = self._pages[self._shown]
        # Filling, it must not ask for more than the least it can be shown in.
        policy = QSizePolicy.Policy
        height = policy.Ignored if self._cap is None else policy.Preferred
        page.setSizePolicy(policy.Preferred, height)
        if isinstance(page, TextView):
            page.set_cap(self._cap)
        elif self._cap is None:
            page.setMinimumHeight(space(_LEAST))
            page.setMaximumHeight(NO_LIMIT)
        else:
            page.setFixedHeight(self._cap.fit(page.content_height))

    def _show_finding(self, path: tuple[str | int, ...]) -> None:
        self._show("tree")
        self.tree.reveal(path)
        self.tree.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    def _read(self) -> None:
        self.read.setEnabled(False)
        self.read.setText(self.tr("Reading…"))
        self.reading_task = bridge.run(self, self._read_source(), self.tr("Read JSON"))

    async def _read_source(self) -> None:
        """In slices, so that the window goes on meanwhile."""
        from desktop.servers.transport import sliced_json

        try:
            text = await asyncio.to_thread(self._source.waiting.__getitem__, slice(None))
            value = await sliced_json.loads(text)
        except (ValueError, RecursionError):
            self.read.setText(self.tr("Not read"))
            self.refusal.setText(self.tr("Not valid JSON; shown as text."))
            self.refusal.show()
            return
        self._source = Structured(found=True, value=value, origin=self._source.origin)
        self.read.hide()
        self._show_value(value)


class TableView(SearchedView):
    """Rows on demand; what takes long is done in short turns."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._name = "result"
        self.working: asyncio.Task[None] | None = None
        self.model = TableModel(theme, self)
        self.table = QTableView(self)
        self.find_bar = FindBar(theme, self._search, self)
        self.note = QLabel(self)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        style(self.note, "muted", "small")
        self._set_up_table(theme)
        self._make_tools(theme)
        in_column(self, self.tools.bar, self.find_bar, (self.table, 1), self.note, spacing=1)
        self.find_bar.reached.connect(self._go_to)
        self.find_bar.closed.connect(self.table.setFocus)
        theme.changed.connect(self.table.viewport().update)

    def show_table(self, table: Table, name: str = "result") -> None:
        """Show `table` as it came; `name` is proposed when saving."""
        self._name = name
        header = self.table.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.show_table(table)
        self.table.resizeColumnsToContents()
        for column in range(len(table.columns)):
            if header.sectionSize(column) > space(_MAX_COLUMN_WIDTH):
                header.resizeSection(column, space(_MAX_COLUMN_WIDTH))
        notes = [
            counted(len(table.rows), self.tr("1 row"), self.tr("{count} rows")),
            counted(len(table.columns), self.tr("1 column"), self.tr("{count} columns")),
        ]
        if table.more:
            one = self.tr("1 rare column is not shown")
            many = self.tr("{count} rare columns are not shown")
            notes.append(counted(table.more, one, many))
        if table.path:
            notes.append(table.path[:80])
        self.note.setText(" · ".join(notes))
        self.find_bar.reset()

    def content_height(self, _: int = 0) -> int:
        """Pixels that all rows need, which takes no looking."""
        row = self.table.verticalHeader().defaultSectionSize()
        bar = self.table.horizontalScrollBar().sizeHint().height()
        around = self.table.horizontalHeader().sizeHint().height() + bar + space(2)
        if not self.find_bar.isHidden():
            around += self.find_bar.sizeHint().height() + space(1)
        return len(self.model.order) * row + around + self.note.sizeHint().height()

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        """Order the rows by a column (-1: as they came), between the turns of the loop."""
        if self.working is not None:
            self.working.cancel()
        table = self.model.table
        if 0 <= column < len(table.columns):
            is_descending = order == Qt.SortOrder.DescendingOrder
            work = self._order(table, table.columns[column], is_descending)
            self.working = bridge.run(self, work, self.tr("Sort the table"))
        elif table.rows:
            self._show_order(range(len(table.rows)))

    async def _order(self, table: Table, column: str, descending: bool) -> None:
        rows = await in_turns(sorted_rows(table, column, descending=descending))
        if table is self.model.table:
            self._show_order(rows)

    def _show_order(self, rows: Sequence[int]) -> None:
        self.model.set_order(rows)
        self.find_bar.reset()

    def copy_as(self, form: ExportFormat) -> None:
        """Copy the selected rows, or all where fewer than two are selected."""
        self.working = bridge.run(self, self._copy(form), self.tr("Copy the table"))

    async def _copy(self, form: ExportFormat) -> None:
        table, rows = self.model.table, self._chosen_rows()
        text = "".join(await in_turns(export_rows(table, rows, form)))
        QGuiApplication.clipboard().setText(text)

    def _chosen_rows(self) -> Sequence[int]:
        parts = self._selected()
        rows = sorted({row for part in parts for row in range(part.top(), part.bottom() + 1)})
        return [self.model.order[row] for row in rows] if len(rows) > 1 else self.model.order

    def _selected(self) -> list[QItemSelectionRange]:
        """By ranges: one index for each of a million cells would take seconds."""
        return list(cast("Iterable[QItemSelectionRange]", self.table.selectionModel().selection()))

    def _copy_cell(self) -> None:
        """One cell as it is, several as TSV of their rows."""
        index = self.table.currentIndex()
        if sum(part.width() * part.height() for part in self._selected()) > 1:
            self.copy_as("tsv")
        elif index.isValid():
            value = self.model.value(index)
            QGuiApplication.clipboard().setText(
                value if isinstance(value, str) else cell_text(value, 1_000_000)
            )

    def _search(self, words: str) -> Iterator[tuple[int, int] | None]:
        wanted = words.lower()
        columns = self.model.table.columns
        for place, row in enumerate(self.model.order):
            item = self.model.table.rows[row]
            for number, column in enumerate(columns if isinstance(item, dict) else ()):
                if column in item and wanted in cell_text(item[column]).lower():
                    yield place, number
            yield None

    def _follow(self) -> None:
        self.show_place(self.table, self.table.visualRect(self.table.currentIndex()))

    def _go_to(self, place: tuple[int, int]) -> None:
        index = self.model.index(*place)
        self.table.setCurrentIndex(index)
        self.table.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def _set_up_table(self, theme: Theme) -> None:
        table = self.table
        table.setFont(theme.mono_font())
        table.setModel(self.model)
        table.setWordWrap(False)
        table.setAccessibleName(self.tr("Table of the result"))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setCornerButtonEnabled(False)
        rows = table.verticalHeader()
        rows.setSectionResizeMode(rows.ResizeMode.Fixed)
        rows.setDefaultSectionSize(table.fontMetrics().height() + space(3))
        header = table.horizontalHeader()
        header.setResizeContentsPrecision(_MEASURED)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        self.model.sort_requested.connect(self._sort)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        # With the selection of the table it looks through all rows when all are selected: seconds.
        header.setSelectionModel(QItemSelectionModel(self.model, header))
        self.copy_cell = QAction(self.tr("Copy"), self)
        give(self.copy_cell, shortcuts.COPY)
        self.copy_cell.triggered.connect(self._copy_cell)
        table.addAction(self.copy_cell)
        table.selectionModel().currentChanged.connect(self._follow)

    def _make_tools(self, theme: Theme) -> None:
        self.tools = ActionRow(self)
        self.tools.addStretch(1)
        self.tools.tool(theme, "search", named_keys(self.tr("Find (Ctrl+F)")), self.open_find)
        self.copies = [
            self._copy_action(self.tr("As CSV"), "csv"),
            self._copy_action(self.tr("As TSV, for a spreadsheet"), "tsv"),
            self._copy_action(self.tr("As Markdown"), "markdown"),
        ]
        self.tools.tool_menu(theme, "copy", self.tr("Copy"), self.copies)
        self.save = self.tools.tool(theme, "save", self.tr("Save CSV…"), self._save)

    def _copy_action(self, text: str, form: ExportFormat) -> QAction:
        action = QAction(text, self)
        action.triggered.connect(lambda: self.copy_as(form))
        return action

    def _save(self) -> None:
        table, rows = self.model.table, self._chosen_rows()

        async def content() -> bytes:
            return "".join(await in_turns(export_rows(table, rows, "csv"))).encode(
                "utf-8", "replace"
            )

        save_as(self, f"{self._name}.csv", content)
