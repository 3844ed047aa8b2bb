"""The JSON-RPC messages of all servers: a growing table, a filter, and one message in full.

The feed brings the messages, `message_log` their text without secrets; nothing is stored here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import (
    QByteArray,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSettings,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
)

from desktop.base.errors import UsageError
from desktop.gui import bridge, shortcuts
from desktop.gui.activity import message_labels
from desktop.gui.activity.export import SaveExportDialog, export_as
from desktop.gui.activity.messages_bar import MessagesBar
from desktop.gui.activity.messages_model import (
    DURATION,
    ID,
    KIND,
    SIZE,
    TIME,
    MessageFeed,
    MessageFilter,
    MessagesModel,
)
from desktop.gui.layouts import in_column
from desktop.gui.results.text_view import TextView
from desktop.gui.shortcuts import bind, named_keys
from desktop.gui.theme import space, style
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.flat_rows import RowTable
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.server_faces import ServerFaces
from desktop.servers.recording import Recorder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageLog, RecordedMessage

_SUFFIX = "jsonl"


class MessageDetails(QFrame):
    """Shows one message, or says that none is selected."""

    message_requested = Signal(int)
    """The number of the message that a person wants to see instead."""
    send_requested = Signal(object)
    """Send this request, a `RecordedMessage`, once more."""
    edit_requested = Signal(object)
    """The same, after the person has changed it."""

    def __init__(self, theme: Theme, *, with_facts: bool = True) -> None:
        """Args: with_facts: whether the message is described above its text."""
        super().__init__()
        self._theme, self._with_facts = theme, with_facts
        self._message: RecordedMessage | None = None
        self._partner: int | None = None
        self.facts = ElidedLabel()
        style(self.facts, "heading")
        self.partner = QPushButton()
        style(self.partner, "link")
        set_icon(theme, self.partner, "link", "accent")
        self.partner.clicked.connect(self.follow)
        self.edit = QPushButton(self.tr("Edit and send…"))
        self.again = QPushButton(self.tr("Send again"))
        for button, icon in ((self.again, "play"), (self.edit, "edit")):
            set_icon(theme, button, icon, "muted")
        guard_focus(self.again)
        self.again.clicked.connect(lambda: self.send_requested.emit(self._message))
        self.edit.clicked.connect(lambda: self.edit_requested.emit(self._message))
        self.text = TextView(theme, self, is_prose=False)
        self._nothing = QLabel(self.tr("Select a message to see its content."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        style(self._nothing, "muted")
        for quiet in (self.edit, self.again):
            style(quiet, "flat")
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self.facts, 1 if with_facts else 0)
        if not with_facts:
            row.addStretch(1)
        for button in (self.partner, self.again, self.edit):
            row.addWidget(button)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, space(2), 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        column.addWidget(self._nothing, 1)
        self.again.setToolTip(self.tr("Send this request to the server once more"))
        self.show_message(None, None)

    @property
    def message(self) -> RecordedMessage | None:
        return self._message

    def show_message(self, message: RecordedMessage | None, partner: int | None) -> None:
        """Show a message; `partner` is the number of its request or answer, if there is one."""
        self._partner = partner
        self.facts.setVisible(message is not None and self._with_facts)
        self.text.setVisible(message is not None)
        self._nothing.setVisible(message is None)
        self.partner.setVisible(message is not None and partner is not None)
        for button in (self.again, self.edit):
            button.setVisible(message is not None and _can_be_sent(message))
        if message is not self._message and message is not None:
            from desktop.servers.message_log import pretty

            name = f"message-{message.number}"
            self.text.show_text(pretty(message), name)
        self._message = message
        self._describe()

    def follow(self) -> None:
        """Go from an answer to its request, or from a request to its answer."""
        if self._partner is not None:
            self.message_requested.emit(self._partner)

    def _describe(self) -> None:
        if (message := self._message) is None:
            return
        self.facts.show_text(message_labels.message_label(message))
        is_answer = message.request is not None
        self.partner.setText(
            self.tr("Go to the request") if is_answer else self.tr("Go to the answer")
        )
        self.partner.setToolTip(named_keys("Ctrl+J"))


def _can_be_sent(message: RecordedMessage) -> bool:
    from desktop.servers.raw_request import request_of

    return request_of(message) is not None


_WIDTHS = (31, 26, 32, 0, 27, 16, 20, 19)
_NARROW = space(220)
_NARROW_WIDTHS = (28, 25, 27, 0, 22, 14, 20, 16)
_COLUMNS, _ROWS = "activity/messages/columns", "activity/messages/rows"


class MessagesView(QFrame):
    """The log collects all the time; this view follows it only while visible."""

    servers_requested = Signal()
    exported = Signal(str, int)
    unfiltered = Signal()
    """All messages are shown again, so that the one that was asked for is among them."""

    def __init__(
        self,
        theme: Theme,
        traffic: MessageLog,
        settings: QSettings,
        orientation: Qt.Orientation = Qt.Orientation.Vertical,
    ) -> None:
        """Args: orientation: whether the message stands below the table or beside it."""
        super().__init__()
        self._traffic, self._settings = traffic, settings
        self._wanted: int | None = None
        self._call_id = ""
        self._rows = f"{_ROWS}/beside" if orientation == Qt.Orientation.Horizontal else _ROWS
        self.model = MessagesModel(theme, self)
        self.feed = MessageFeed(traffic, self.model, self)
        self.bar = MessagesBar(theme, settings)
        self.recording = SessionRecording(traffic, self)
        is_beside = orientation == Qt.Orientation.Horizontal
        columns = f"{_COLUMNS}/beside" if is_beside else _COLUMNS
        widths = _NARROW_WIDTHS if is_beside else _WIDTHS
        self.table = LogTable(theme, self.model, settings, columns, widths)
        ServerFaces.of(theme).changed.connect(self.table.viewport().update)
        for column in (KIND, ID, SIZE) if is_beside else ():
            self.table.setColumnHidden(column, True)
        self.details = MessageDetails(theme, with_facts=not is_beside)
        self.details.setContentsMargins(space(3) if is_beside else 0, 0, 0, 0)
        self.splitter = QSplitter(orientation)
        self.none_yet = EmptyState(theme, "activity", "", "")
        self.none_fits = EmptyState(theme, "search", "", "")
        self.to_servers = self.none_yet.add_button(
            self.tr("Go to Servers"), self.servers_requested.emit, "servers"
        )
        self.unfilter = self.none_fits.add_button(self.tr("Show all"), self._show_all, "close")
        self.stack = QStackedWidget()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self._connect()
        self.table.setAccessibleName(self.tr("JSON-RPC messages"))
        titles = self.tr("Time"), self.tr("Direction"), self.tr("Server"), self.tr("Method")
        more = self.tr("Kind"), self.tr("ID"), self.tr("Duration"), self.tr("Size")
        self.model.set_titles(titles + more)
        self.none_yet.set_text(
            self.tr("No messages yet"),
            self.tr("Once a server is switched on, everything it sends and receives appears here."),
        )
        self.none_fits.set_text(
            self.tr("No messages match the filter"),
            self.tr("Messages are still being collected."),
        )
        self.feed.set_filter(self.filter)
        self._follow_feed()

    @property
    def filter(self) -> MessageFilter:
        """What the person chose to see."""
        return replace(self.bar.filter, call_id=self._call_id)

    def show_call(self, call_id: str) -> None:
        """Show the messages of this call alone; empty for all messages."""
        if call_id != self._call_id:
            self._call_id = call_id
            self._apply_filter()

    def select(self, number: int) -> None:
        """Select the message with this number; a filter that hides it is reset."""
        if number < self._traffic.first:
            return
        self._wanted = number
        if self.model.row_of(number) is None:
            self._call_id = ""
            self.bar.reset()
            self.unfiltered.emit()
        self._select_wanted()

    def export(self, *, everything: bool) -> SaveExportDialog:
        """Ask for a file and write the messages shown, or all of the log."""
        return export_as(
            self, "messages", lambda: self._lines(everything=everything), self._report_exported
        )

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        shown = self.stack.currentWidget()
        button = self.to_servers if shown is self.none_yet else self.unfilter
        target = self.table if shown is self.splitter else button
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The table may be narrow: who and what come first then."""
        super().resizeEvent(event)
        is_beside = self.splitter.orientation() == Qt.Orientation.Horizontal
        for column in (TIME, DURATION) if is_beside else (KIND, SIZE):
            self.table.setColumnHidden(column, self.width() < _NARROW)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.feed.want(wanted=True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.feed.want(wanted=False)

    def _lines(self, *, everything: bool) -> Iterable[str]:
        from desktop.servers.message_log import json_lines

        shown = list(self.model.rows)
        return json_lines(_all(self._traffic) if everything else shown)

    def _report_exported(self, file: str, count: int) -> None:
        self.exported.emit(file, count)

    def _show_current(self) -> None:
        row = self.table.currentIndex().row()
        message = self.model.rows[row] if row >= 0 else None
        self.details.show_message(message, self._partner(message) if message else None)

    def _partner(self, message: RecordedMessage) -> int | None:
        if message.request is not None:
            return message.request if message.request >= self._traffic.first else None
        if message.kind != "request":
            return None
        return self._traffic.answer_to(message.number)

    def _follow_feed(self) -> None:
        self.bar.show_counts(len(self.model.rows), self.feed.total, self.feed.waiting)
        self.bar.set_servers(self.feed.servers)
        if self.model.rows:
            self.stack.setCurrentWidget(self.splitter)
        else:
            self.stack.setCurrentWidget(self.none_fits if self.feed.total else self.none_yet)
        if (message := self.details.message) is not None and not self.details.partner.isVisible():
            self.details.show_message(message, self._partner(message))

    def _select_wanted(self) -> None:
        row = self.model.row_of(self._wanted) if self._wanted is not None else None
        if row is not None:
            self._wanted = None
            self.table.select_row(row)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _apply_filter(self) -> None:
        """Show what fits, and no details of what does not."""
        message = self.details.message
        if message is not None and not self.filter.fits(message):
            self.details.show_message(None, None)
        self.feed.set_filter(self.filter)

    def _show_all(self) -> None:
        self._call_id = ""
        self.bar.reset()
        self.unfiltered.emit()

    def _keep_chosen(self) -> None:
        """After a change of the filter: keep the same message selected, if it is still shown."""
        message = self.details.message
        if self._wanted is None and message is not None and not self.table.currentIndex().isValid():
            row = self.model.row_of(message.number)
            if row is not None:
                self.table.select_row(row)

    def _pause(self, paused: bool) -> None:
        self.feed.pause(paused=paused)

    def _clear(self) -> None:
        self.feed.clear()
        self.details.show_message(None, None)

    def _connect(self) -> None:
        self.feed.advanced.connect(self._follow_feed)
        self.feed.caught_up.connect(self._select_wanted)
        self.feed.caught_up.connect(self._keep_chosen)
        self.bar.changed.connect(self._apply_filter)
        self.bar.pause.toggled.connect(self._pause)
        self.bar.clear.clicked.connect(self._clear)
        self.bar.export_shown.triggered.connect(lambda: self.export(everything=False))
        self.bar.export_all.triggered.connect(lambda: self.export(everything=True))
        self.bar.record.triggered.connect(lambda: self.recording.toggle())
        self.recording.changed.connect(lambda: self.bar.show_recording(is_on=self.recording.is_on))
        self.recording.ended.connect(self._report_exported)
        self.bar.moved_down.connect(self._to_table)
        self.details.message_requested.connect(self.select)
        self.table.activated.connect(lambda: self.details.follow())
        self.table.selectionModel().currentChanged.connect(lambda: self._show_current())
        self.splitter.splitterMoved.connect(
            lambda: self._settings.setValue(self._rows, self.splitter.saveState())
        )
        bind(self, shortcuts.FILTER, self.bar.focus_search)
        bind(self, shortcuts.PAUSE, self.bar.pause.toggle)
        bind(self, shortcuts.CLEAR_LIST, self._clear)
        bind(self, shortcuts.FOLLOW, self.details.follow)
        bind(self, shortcuts.EXPORT, lambda: self.export(everything=False))

    def _to_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.table.currentIndex().isValid() and self.model.rows:
            self.table.select_row(len(self.model.rows) - 1)

    def _lay_out(self) -> None:
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(self.details)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([space(90), space(70)])
        if isinstance(saved := self._settings.value(self._rows), QByteArray):
            self.splitter.restoreState(saved)
        for widget in (self.splitter, self.none_yet, self.none_fits):
            self.stack.addWidget(widget)
        is_beside = self.splitter.orientation() == Qt.Orientation.Horizontal
        in_column(self, self.bar, (self.stack, 1), margins=(0, 0 if is_beside else 3, 0, 0))


def _all(traffic: MessageLog) -> Iterator[RecordedMessage]:
    """All messages in the log, read one by one as they are needed."""
    at, last = 0, traffic.last
    while (part := traffic.after(at)) and at < last:
        yield from (message for message in part if message.number <= last)
        at = part[-1].number


class SessionRecording(QObject):
    """Belongs to the view at which it is begun, and ends with it."""

    changed = Signal()
    ended = Signal(str, int)
    """The file, and how many messages are in it."""

    def __init__(self, traffic: MessageLog, owner: QWidget) -> None:
        super().__init__(owner)
        self._traffic, self._owner = traffic, owner
        self._file = ""
        running = self._running = list[Recorder]()
        self.destroyed.connect(lambda: _close_all(running))

    @property
    def is_on(self) -> bool:
        return bool(self._running)

    def toggle(self) -> QFileDialog | None:
        """Ask for a file and begin; or end, and say so."""
        if self.is_on:
            self.stop()
            return None
        dialog = QFileDialog(self._owner, self.tr("Record messages"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(_SUFFIX)
        dialog.setNameFilters([self.tr("Recordings (*.jsonl)"), self.tr("All files (*)")])
        dialog.selectFile(f"recording.{_SUFFIX}")
        dialog.fileSelected.connect(self._start)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def stop(self) -> None:
        """End the file with its seal; where it could not be written whole, that is an error."""
        recorder = self._running.pop()
        recorder.close()
        self.changed.emit()
        if recorder.problem:
            bridge.show_error(self._owner, UsageError(recorder.problem), self.tr("Record messages"))
        else:
            self.ended.emit(self._file, recorder.count)

    def _start(self, file: str) -> None:
        bridge.run(self._owner, self._begin(file), self.tr("Record messages"))

    async def _begin(self, file: str) -> None:
        if not self.is_on:
            self._running.append(Recorder(self._traffic, Path(file), with_kept=True))
            self._file = file
            self.changed.emit()


def _close_all(running: list[Recorder]) -> None:
    while running:
        running.pop().close()


class LogTable(RowTable):
    """The rows of a flat model, in columns whose widths are remembered."""

    def __init__(
        self,
        theme: Theme,
        model: QAbstractItemModel,
        settings: QSettings,
        name: str,
        widths: Sequence[int],
    ) -> None:
        """Args: name: key of the widths in `settings`. widths: in grid steps; 0 for the rest."""
        super().__init__(theme)
        self._settings, self._name = settings, name
        self._follows = True
        self._top = 0
        self.setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + space(3))
        self._set_up_header(widths)
        model.rowsAboutToBeInserted.connect(self._before_rows)
        model.rowsInserted.connect(self._after_rows)
        model.rowsRemoved.connect(self._after_removal)
        theme.changed.connect(self.viewport().update)

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is visible, or there is no row."""
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()

    def select_row(self, row: int) -> None:
        """Make a row the current one and show it."""
        index = self.model().index(row, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def rowsAboutToBeRemoved(
        self, parent: QModelIndex | QPersistentModelIndex, start: int, end: int
    ) -> None:
        """Remember the scroll position before the view moves because the current row goes."""
        self._top = self.verticalScrollBar().value()
        super().rowsAboutToBeRemoved(parent, start, end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home and End go to the first and last row, not to the first and last column."""
        last = self.model().rowCount() - 1
        rows = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        row = rows.get(Qt.Key(event.key()))
        if row is not None and last >= 0:
            self.select_row(row)
        else:
            super().keyPressEvent(event)

    def _set_up_header(self, widths: Sequence[int]) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column, steps in enumerate(widths):
            header.resizeSection(column, space(steps))
        saved = self._settings.value(self._name)
        if isinstance(saved, QByteArray):
            header.restoreState(saved)
        header.setMinimumSectionSize(space(8))
        header.setSectionResizeMode(widths.index(0), QHeaderView.ResizeMode.Stretch)
        header.sectionResized.connect(self._remember)

    def _remember(self, *_: int) -> None:
        self._settings.setValue(self._name, self.horizontalHeader().saveState())

    def _before_rows(self, *_: object) -> None:
        self._follows = self.is_at_end

    def _after_rows(self, *_: object) -> None:
        if self._follows:
            self.scrollToBottom()

    def _after_removal(self, _: QModelIndex, first: int, last: int) -> None:
        """Keep the rows that are being read in place, although rows above them were removed."""
        if first == 0 and not self._follows:
            self.updateGeometries()  # else the scroll bar still counts the removed rows
            self.verticalScrollBar().setValue(self._top - (last + 1))
