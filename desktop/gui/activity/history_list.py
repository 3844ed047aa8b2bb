"""The table of all calls with its filters; pages are loaded as the person scrolls to them.

Calls that run, or that the history could not keep, stand on top of those that it has. Must not know
what a person does with a call.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from desktop.gui import bridge
from desktop.gui.activity import call_labels
from desktop.gui.activity import history_model as columns
from desktop.gui.activity.call_labels import RUNNING, WAITING
from desktop.gui.activity.history_model import HistoryModel, summary_of_logged
from desktop.gui.layouts import in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, in_a_row
from desktop.gui.widgets.flat_rows import RowTable
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.server_choice import ServerChoice
from desktop.gui.widgets.server_faces import ServerFaces
from desktop.gui.widgets.styled_text import origin_label
from desktop.history.records import DONE, FAILED, Query
from desktop.history.store import PAGE, HistoryError
from desktop.values.tool_types import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from desktop.gui.theme import Theme
    from desktop.history.records import CallPage, Kept, Summary
    from desktop.history.serialization import HistoryLimits
    from desktop.history.store import HistoryStore
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import CallLog, LoggedCall

# The line below the list of calls: how many are kept, since when, and which go next.
#
# Only shows. Its owner writes the export that a person asks for.


FULL: Final = 0.9
"""Part of a limit from which the oldest calls are offered to be exported."""
_PART: Final = 10
"""One call of so many is among those that go next."""


class KeptLine(QFrame):
    """Hidden until it is known what is kept."""

    export_requested = Signal(int)
    """So many of the oldest calls are to be written into a file."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: Kept | None = None
        self._limits: HistoryLimits | None = None
        self.words = plain_label("", "muted", "small")
        self.export = QPushButton()
        style(self.export, "link", "small")
        self.export.clicked.connect(lambda: self.export_requested.emit(self.next_to_go))
        in_row(self, (self.words, 1), self.export)
        self.hide()

    @property
    def next_to_go(self) -> int:
        """How many of the oldest calls are offered to be exported; 0 while there is room."""
        kept, limits = self._kept, self._limits
        if kept is None or limits is None or not self._is_full(kept, limits):
            return 0
        return max(1, kept.calls // _PART)

    def show_kept(self, kept: Kept, limits: HistoryLimits) -> None:
        """Show what there is now."""
        if (kept, limits) != (self._kept, self._limits):
            self._kept, self._limits = kept, limits
            self._set_texts()
            self.show()

    def _set_texts(self) -> None:
        kept, limits = self._kept, self._limits
        if kept is None or limits is None:
            return
        figures = {
            "calls": f"{limits.calls:,}",
            "megabytes": f"{limits.total // 1_000_000:,}",
            "days": f"{limits.days:,}",
        }
        words = (
            self.tr("Keeps {calls} calls or {megabytes} MB, for {days} days.")
            if limits.days
            else self.tr("Keeps {calls} calls or {megabytes} MB.")
        ).format(**figures)
        if kept.since is not None:
            day = kept.since.astimezone().strftime("%Y-%m-%d")
            words = in_a_row(words, self.tr("The oldest is from {day}.").format(day=day))
        if count := self.next_to_go:
            words = in_a_row(words, self.tr("The oldest go next."))
            self.export.setText(self.tr("Export the oldest {count}…").format(count=f"{count:,}"))
        style(self.words, "warning" if count else "muted", "small")
        self.words.setText(words)
        self.export.setVisible(count > 0)

    @staticmethod
    def _is_full(kept: Kept, limits: HistoryLimits) -> bool:
        return kept.calls >= FULL * limits.calls or kept.bytes >= FULL * limits.total


_SEARCH_MS = 120
"""Milliseconds from the last key to the search: a word is searched once, not each letter."""
_TIMES = {
    "": QT_TRANSLATE_NOOP("CallFilters", "Any time"),
    "run": QT_TRANSLATE_NOOP("CallFilters", "This run"),
    "hour": QT_TRANSLATE_NOOP("CallFilters", "Last hour"),
    "day": QT_TRANSLATE_NOOP("CallFilters", "Today"),
    "week": QT_TRANSLATE_NOOP("CallFilters", "Last 7 days"),
}
_ORIGINS = ("", "person", "agent", "terminal", "client", "app")
_OUTCOMES = (
    "",
    DONE,
    FAILED,
    ErrorCode.TOOL_ERROR.value,
    ErrorCode.TIMEOUT.value,
    ErrorCode.UNREACHABLE.value,
    ErrorCode.PROTOCOL.value,
    ErrorCode.CANCELLED.value,
    ErrorCode.DENIED.value,
    ErrorCode.INVALID_ARGUMENTS.value,
)
_HOUR, _WEEK = 3600.0, 7 * 24 * 3600.0
_WIDTH = space(32)


class CallFilters(QFrame):
    """`changed` is sent when `query` has changed, while typing a little later."""

    changed = Signal()

    def __init__(self, began: float) -> None:
        """Args: began: when this run began, in seconds since the epoch."""
        super().__init__()
        self._began = began
        self.search = SearchField()
        self.time, self.origin = QComboBox(), QComboBox()
        self.server, self.outcome = ServerChoice(), QComboBox()
        self.show_all = QPushButton(self.tr("Show all"))
        style(self.show_all, "link")
        self.show_all.hide()
        self.count = QLabel()
        style(self.count, "muted", "small")
        self._later = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self._later.timeout.connect(self.changed)
        for box, values in (
            (self.time, tuple(_TIMES)),
            (self.origin, _ORIGINS),
            (self.server, ()),
            (self.outcome, _OUTCOMES),
        ):
            for value in values:
                box.addItem("", value)
            box.setMaximumWidth(_WIDTH)
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            box.currentIndexChanged.connect(lambda: self.changed.emit())
        self.search.textChanged.connect(lambda: self._later.start())
        self.show_all.clicked.connect(self.reset)
        self.changed.connect(lambda: self.show_all.setVisible(self.query != Query()))
        in_row(
            self,
            (self.search, 1),
            self.time,
            self.origin,
            self.server,
            self.outcome,
            self.show_all,
            self.count,
        )
        self._set_texts()

    @property
    def query(self) -> Query:
        """What the person chose, as of now."""
        return Query(
            self.search.text().strip(),
            since=self._since(),
            origin=str(self.origin.currentData() or ""),
            server=self.server.server,
            outcome=str(self.outcome.currentData() or ""),
        )

    def reset(self) -> None:
        """Choose all calls."""
        had_focus = self.show_all.hasFocus()
        self.search.clear()
        for box in (self.time, self.origin, self.server, self.outcome):
            box.setCurrentIndex(0)
        if had_focus:
            self.search.setFocus()  # the button goes

    def pause(self) -> bool:
        """Drop a pending search; returns whether there was one."""
        is_due = self._later.isActive()
        self._later.stop()
        return is_due

    def offer_servers(self, names: Iterable[str]) -> None:
        """Offer these servers, too."""
        self.server.offer(names, keeps=True)

    def _set_texts(self) -> None:
        self.search.set_purpose(self.tr("Search tools, arguments and results"))
        for at, text in enumerate(_TIMES.values()):
            self.time.setItemText(at, self.tr(str(text)))
        self.time.setAccessibleName(self.tr("Calls of this time"))
        self.origin.setItemText(0, self.tr("Any caller"))
        for at, origin in enumerate(_ORIGINS[1:], 1):
            self.origin.setItemText(at, origin_label(origin))
        self.origin.setAccessibleName(self.tr("Calls by"))
        self.server.setItemText(0, self.tr("Any server"))
        self.server.setAccessibleName(self.tr("Calls of this server"))
        self.outcome.setItemText(0, self.tr("Any outcome"))
        for at, outcome in enumerate(_OUTCOMES[1:], 1):
            self.outcome.setItemText(at, call_labels.outcome_label(outcome).text)
        self.outcome.setAccessibleName(self.tr("Calls with this outcome"))

    def _since(self) -> float:
        match self.time.currentData():
            case "run":
                return self._began
            case "hour":
                return time.time() - _HOUR
            case "day":
                return datetime.now().astimezone().replace(hour=0, minute=0, second=0).timestamp()
            case "week":
                return time.time() - _WEEK
            case _:
                return 0.0


_CLOCK_MS = 200
"""How often the time of a call that runs is told."""
_WIDTHS = (space(26), space(24), space(44), space(40), space(30), space(21))
_NARROW = space(200)
"""Width below which the arguments are not a column: the call below shows them."""


class CallTable(RowTable):
    """Rows of one height; Home, End and Enter are for whole rows."""

    opened = Signal()
    """Enter was pressed, or a row clicked twice."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._tool_width = _WIDTHS[columns.TOOL]  # as it is unless a person moved its edge
        self.doubleClicked.connect(lambda: self.opened.emit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        rows = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: self.model().rowCount() - 1}
        if (row := rows.get(key, -1)) >= 0 and not event.modifiers():
            self.setCurrentIndex(self.model().index(row, 0))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        width, header = self.viewport().width(), self.horizontalHeader()
        is_narrow = width < _NARROW
        if is_narrow != self.isColumnHidden(columns.ARGUMENTS):
            self.setColumnHidden(columns.ARGUMENTS, is_narrow)
            modes = QHeaderView.ResizeMode
            mode = modes.Stretch if is_narrow else modes.Interactive
            header.setSectionResizeMode(columns.TOOL, mode)
            self._tool_width = header.sectionSize(columns.TOOL)
        if not is_narrow and header.sectionSize(columns.TOOL) == self._tool_width:
            self._tool_width = max(_WIDTHS[columns.TOOL], width // 5)
            header.resizeSection(columns.TOOL, self._tool_width)


class HistoryList(QWidget):
    """Filters, and the calls, the latest first."""

    selection_changed = Signal()
    """Other calls are selected, or none."""
    loaded = Signal()
    """The calls of the file are shown."""
    failed = Signal(str)
    """Why the file cannot be read."""

    def __init__(
        self,
        theme: Theme,
        store: HistoryStore,
        calls: CallLog,
        redaction: Callable[[str], Redaction],
        parent: QWidget | None = None,
    ) -> None:
        """Args: calls: those of this run. redaction: knows the secrets of a server, by its name."""
        super().__init__(parent)
        self._store, self._log, self._redaction = store, calls, redaction
        self._is_loading_more = False
        self._turn = 0
        self._in_history: set[int] = set()
        self.is_loaded = False
        self.filters = CallFilters(calls.began)
        self.search = self.filters.search
        self.count = self.filters.count
        self.model = HistoryModel(theme, self)
        self.table = CallTable(theme)
        self.kept = KeptLine()
        self._clock = QTimer(self, interval=_CLOCK_MS)
        self._set_up_table(theme)
        in_column(self, self.filters, (self.table, 1), self.kept, margins=(0, 0, 0, 2))
        self._clock.timeout.connect(self.show_live)
        self.filters.changed.connect(self.reload)
        self.search.returnPressed.connect(self.table.setFocus)
        self.search.exited.connect(lambda: self.table.setFocus())
        self.model.more_requested.connect(self._load_more)
        self.table.selectionModel().selectionChanged.connect(lambda: self.selection_changed.emit())
        theme.changed.connect(self.table.viewport().update)
        self.table.setAccessibleName(self.tr("Calls, newest first"))
        names = self.tr("Time"), self.tr("Called by"), self.tr("Tool"), self.tr("Arguments")
        more = self.tr("Outcome"), self.tr("Duration")
        self.model.set_titles(names + more)
        self._show_total()

    @property
    def query(self) -> Query:
        return self.filters.query

    @property
    def is_filtered(self) -> bool:
        return self.query != Query()

    @property
    def chosen(self) -> list[Summary]:
        """The calls that are selected, from top to bottom."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        calls = (self.model.call_at(self.model.index(row, 0)) for row in rows)
        return [call for call in calls if call is not None]

    def logged(self, call: Summary) -> LoggedCall | None:
        """The call as this run knows it, with its steps; None for one of an earlier run."""
        if call.id < 0:
            return self._log.calls.get(-call.id)
        for one in reversed(self._log.calls.values()):
            if (one.call.call_id, one.call.key) == (call.call_id, call.key):
                return one
        return None

    def show_live(self) -> None:
        """Show the calls that run, and those that are not in the history, as they are by now."""
        query = self.query
        self._in_history &= self._log.calls.keys()
        known = {(call.call_id, call.key) for call in self.model.stored[:PAGE]}
        self._in_history.update(
            one.number
            for one in self._log.calls.values()
            if not one.is_running and (one.call.call_id, one.call.key) in known
        )
        calls = [
            summary
            for one in reversed(self._log.calls.values())
            if one.number not in self._in_history and _fits(summary := self._summary(one), query)
        ]
        chosen = [call for call in self.chosen if call.id < 0]
        self.model.show_live(calls)
        self._follow_into_history(chosen)
        self._show_total()
        if any(one.is_running for one in self._log.calls.values()) and self.isVisible():
            self._clock.start()
        else:
            self._clock.stop()

    def reload(self) -> None:
        """Read the calls anew from the top."""
        self._turn += 1
        bridge.run(self, self._reload(self._turn), self.tr("Reading the history"))

    def pause(self) -> bool:
        """Drop a pending search and tell no time; returns whether there was a search."""
        self._clock.stop()
        return self.filters.pause()

    def choose(self, number: int) -> None:
        """Select this call, if it is shown."""
        self._choose_row(self.model.row_of(number))

    def _choose_row(self, row: int) -> None:
        if row >= 0:
            # Not `selectRow`: it heeds keys that are held, and right after Ctrl+R that is Ctrl.
            flags = QItemSelectionModel.SelectionFlag
            index = self.model.index(row, 0)
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    async def _reload(self, turn: int) -> None:
        count = max(PAGE, self.table.rowAt(self.table.viewport().height()) + PAGE)
        # What has ended by now is in the file once that is written: only then it leaves the top.
        ended = [] if self._store.is_writing else self._ended()
        try:
            page = await self._store.page(self.query, count=count)
            names = [] if self.is_loaded else await self._store.servers()
            kept = await self._store.kept()
        except HistoryError as error:  # logging it at each refresh would fill the log
            self.failed.emit(str(error))
            self.show_live()
            return
        if turn == self._turn:
            self._in_history.update(n for n in ended if not self._store.has_lost(self._id(n)))
            self.filters.offer_servers({*names, *(call.server for call in page.calls)} - {""})
            self.kept.show_kept(kept, self._store.limits)
            self._show(page)

    def _ended(self) -> list[int]:
        calls = self._log.calls.values()
        return [one.number for one in calls if not one.is_running]

    def _id(self, number: int) -> str:
        one = self._log.calls.get(number)
        return one.call.call_id if one is not None else ""

    def _summary(self, call: LoggedCall) -> Summary:
        return summary_of_logged(call, self._redaction(call.call.key.partition(":")[0]))

    def _show(self, page: CallPage) -> None:
        chosen = self.chosen
        if not self.model.show_page(page):
            self._select(chosen)
        self.show_live()
        self.is_loaded = True
        self.loaded.emit()

    def _follow_into_history(self, chosen: list[Summary]) -> None:
        """Select what was selected while it ran, now that it is a row of the history."""
        for call in chosen:
            if self.model.row_of(call.id) < 0:
                self._choose_row(self.model.row_of_stored(call))

    def _select(self, calls: Iterable[Summary]) -> None:
        """Select these again after the rows were replaced; the first row if none is left."""
        rows = [row for row in (self.model.row_of(call.id) for call in calls) if row >= 0]
        if not rows and self.model.rowCount():
            rows = [0]
        flags = QItemSelectionModel.SelectionFlag
        for row in rows:
            index = self.model.index(row, 0)
            self.table.selectionModel().select(index, flags.Select | flags.Rows)
        if rows:
            index = self.model.index(rows[0], 0)
            self.table.selectionModel().setCurrentIndex(index, flags.NoUpdate)
        self.selection_changed.emit()

    def _load_more(self) -> None:
        if not self._is_loading_more:
            self._is_loading_more = True
            bridge.run(self, self._more(self._turn), self.tr("Reading the history"))

    async def _more(self, turn: int) -> None:
        try:
            calls = self.model.stored
            before = calls[-1].id if calls else None
            page = await self._store.page(self.query, before)
            if turn == self._turn:
                self.model.add_page(page)
                self.filters.offer_servers({call.server for call in page.calls} - {""})
        except HistoryError as error:
            self.failed.emit(str(error))
        finally:
            self._is_loading_more = False

    def _show_total(self) -> None:
        live = self.model.live
        total = self.model.total + len(live)
        text = counted(total, self.tr("1 call"), self.tr("{count} calls"))
        if running := sum(_is_open(call) for call in live):
            text += " · " + self.tr("{count} running").format(count=f"{running:,}")
        self.count.setText(text)

    def _set_up_table(self, theme: Theme) -> None:
        table = self.table
        table.setModel(self.model)
        ServerFaces.of(theme).changed.connect(table.viewport().update)
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.verticalHeader().setDefaultSectionSize(space(7))
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(space(10))
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, width)
        header.setSectionResizeMode(columns.ARGUMENTS, QHeaderView.ResizeMode.Stretch)


def _is_open(call: Summary) -> bool:
    return call.outcome in (RUNNING, WAITING)


def _fits(call: Summary, query: Query) -> bool:
    """Whether a call that is not in the history belongs to what is searched there."""
    if query.outcome == FAILED and (call.outcome == DONE or _is_open(call)):
        return False
    if query.outcome not in ("", FAILED, call.outcome):
        return False
    if query.origin not in ("", call.origin) or query.server not in ("", call.server):
        return False
    if call.at.timestamp() + call.duration < query.since:
        return False
    where = f"{call.key}\n{call.arguments}\n{call.message}".lower()
    return all(word.lower() in where for word in query.text.split())
