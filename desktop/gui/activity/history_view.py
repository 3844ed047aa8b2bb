"""All calls of all servers in one list: find one, look at it, compare two, run one again.

Calls of this run are followed while they go on; the others come from the history. Must not run a
call: it only requests that. Reads the file only while it is visible.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QLabel,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop.gui import bridge, shortcuts
from desktop.gui.activity.actions import action_buttons, make_action, offer_menu
from desktop.gui.activity.export import SaveExportDialog, export_as
from desktop.gui.activity.history_list import HistoryList
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.shortcuts import bind
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.history.store import HistoryError
from desktop.redaction.arguments import remove_places

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from PySide6.QtGui import QHideEvent, QShowEvent

    from desktop.gui.activity.call_view import CallView
    from desktop.gui.activity.compare_view import CompareView
    from desktop.gui.theme import Theme
    from desktop.history.records import Record, Summary
    from desktop.history.store import HistoryStore
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import CallLog, LoggedCall
    from desktop.values.tool_types import JsonObject

LOOK_MS = 2000
"""Between two questions whether another process has added calls."""
_SOON_MS = 100
"""Calls that end together are shown together."""
_BATCH_MS = 40
"""Steps of calls that come together are shown together."""
_ROWS = "history/rows"


class HistoryView(QWidget):
    """The list above, the selected call below; two selected calls are compared."""

    run_requested = Signal(object, object)
    """Run this call, a `Summary`, with these arguments now."""
    open_call_requested = Signal(str, object)
    """Show this tool's form with these arguments, to be edited first."""
    open_offer_requested = Signal(object, object)
    """Show the resource or the prompt of this call, a `Summary`, with these arguments."""
    save_requested = Signal(object)
    """Save this call, a `Record`, under a name."""
    tools_requested = Signal()
    """The person has called nothing yet and wants to."""
    shown = Signal()
    """The chosen call, or the comparison of two, is there to be seen."""
    call_chosen = Signal(object)
    """The one call that is shown, as this run knows it (a `LoggedCall`); None for any other."""
    exported = Signal(str, int)
    """A file was written, with so many lines."""

    def __init__(
        self,
        theme: Theme,
        store: HistoryStore,
        calls: CallLog,
        redaction: Callable[[str], Redaction],
        settings: QSettings,
        parent: QWidget | None = None,
    ) -> None:
        """Make the view.

        Args:
            theme: the look.
            store: has the calls of all runs.
            calls: those of this run, with their steps.
            redaction: knows the secrets of a server, by its name.
            settings: stores the height of the list.
            parent: the widget that owns it.
        """
        super().__init__(parent)
        self._theme, self._store, self._log, self._redaction = theme, store, calls, redaction
        self._settings = settings
        self._is_stale, self._is_running, self._awaited = True, False, 0
        self._call: CallView | None = None
        self._shown: list[int] = []
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._look = QTimer(self, interval=LOOK_MS)
        self._stepped = QTimer(self, singleShot=True, interval=_BATCH_MS)
        self.banners = BannerArea(theme)
        self.list = HistoryList(theme, store, calls, redaction, self)
        self.hint = QLabel()
        self.details = QStackedWidget()
        self.empty = EmptyState(
            theme,
            "play",
            self.tr("No calls yet"),
            self.tr(
                "Calls by you, an agent or the terminal are kept here with their results, ready "
                "to review, compare and run again."
            ),
        )
        self.to_tools = self.empty.add_button(
            self.tr("Go to Tools"), self.tools_requested.emit, "tools"
        )
        self._make_actions(theme)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._name_again()
        self._follow_choice()

    def _make_actions(self, theme: Theme) -> None:
        self.again = make_action(self, theme, "play", "", shortcuts.RUN_AGAIN, self._run_again)
        self.edit = make_action(
            self, theme, "edit", self.tr("Edit and run again"), shortcuts.EDIT_CALL, self._open_call
        )
        self.save = make_action(
            self, theme, "save", self.tr("Save call…"), shortcuts.KEEP_CALL, self._save
        )
        self.save.setVisible(False)
        self.export = make_action(
            self, theme, "save", self.tr("Export…"), shortcuts.EXPORT_CALLS, self.export_calls
        )
        self.delete = make_action(
            self, theme, "trash", self.tr("Delete…"), shortcuts.DELETE_CALL, self.ask_delete
        )
        self.delete_all = make_action(
            self,
            theme,
            "trash",
            self.tr("Delete all…"),
            shortcuts.DELETE_ALL_CALLS,
            self.ask_delete_all,
        )

    def offer_saving(self, save: Callable[[Record], object]) -> None:
        """Have a recorded call offer to be saved; without this it does not."""
        self.save_requested.connect(save)
        self.save.setVisible(True)

    @property
    def call(self) -> CallView:
        """One call. Made for the first that is chosen: it takes as long as all the rest."""
        if self._call is None:
            from desktop.gui.activity.call_view import CallView

            self._call = CallView(self._theme)
            self.details.addWidget(self._call)
        return self._call

    @cached_property
    def comparison(self) -> CompareView:
        """Two calls beside each other."""
        from desktop.gui.activity.compare_view import CompareView

        made = CompareView(self._theme)
        self.details.addWidget(made)
        return made

    @property
    def record(self) -> Record | None:
        """The call that is shown."""
        shown = self._shown_call
        return shown.record if shown is not None else None

    @property
    def _shown_call(self) -> CallView | None:
        return self._call if self.details.currentWidget() is self._call else None

    def refresh(self) -> None:
        """Read the history again, now if it is visible, else once it is."""
        self._is_stale = True
        if self.isVisible():
            self._is_stale = False
            self.list.reload()

    def ask_delete(self) -> QuestionDialog | None:
        """Delete the selected calls permanently after a person confirms."""
        calls = [call for call in self.list.chosen if not self._goes_on(call)]
        if not calls:
            return None
        one, several = self.tr("Delete this call?"), self.tr("Delete these {count} calls?")
        question = counted(len(calls), one, several)
        return self._ask(question, lambda view: view._delete(calls))

    def ask_delete_all(self) -> QuestionDialog:
        """Delete every call permanently, found by the search or not, after a person confirms."""
        return self._ask(self.tr("Delete the whole history?"), HistoryView._delete_all)

    def export_calls(self) -> SaveExportDialog:
        """Ask for a file and write the calls that fit the filters; those of this run with steps."""
        return export_as(self, "calls", self._lines, self.exported.emit)

    def export_oldest(self, count: int) -> SaveExportDialog:
        """Ask for a file and write the `count` oldest calls of the history, the latest first."""
        return export_as(self, "calls", lambda: self._oldest_lines(count), self.exported.emit)

    def note_running(self, is_running: bool) -> None:
        """Show whether a call of this view runs; once it has ended, select it in the list."""
        self._is_running = is_running
        if is_running:
            newest = next(iter(self.list.model.stored), None)
            self._awaited = newest.id + 1 if newest is not None else 1
        self._name_again()
        self._enable()

    def show_error(self, message: str) -> None:
        """Show an error; the bridge reports failures here."""
        self.banners.show_banner("error", "error", message)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look.start()
        if self._is_stale:
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._look.stop()
        self._soon.stop()
        self._stepped.stop()
        self._is_stale = self.list.pause() or self._is_stale

    def _connect(self) -> None:
        bridge.connect(self, self._store.changed, self._note_change)
        bridge.connect(self, self._log.changed, self._note_step)
        self._stepped.timeout.connect(self._show_steps)
        self._soon.timeout.connect(self.refresh)
        self._look.timeout.connect(self._look_for_changes)
        self.list.selection_changed.connect(self._follow_choice)
        self.list.loaded.connect(self._follow_list)
        self.list.failed.connect(self.show_error)
        self.list.kept.export_requested.connect(self.export_oldest)
        self.list.table.opened.connect(lambda: self.edit.trigger())
        self.splitter.splitterMoved.connect(
            lambda: self._settings.setValue(_ROWS, self.splitter.saveState())
        )
        bind(
            self.list,
            shortcuts.SEARCH_HISTORY,
            lambda: self.list.search.setFocus(Qt.FocusReason.ShortcutFocusReason),
        )
        offer_menu(self.list.table, self)

    def _note_change(self) -> None:
        self._is_stale = True
        self._show_problems()
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def _note_step(self, _: LoggedCall) -> None:
        self._is_stale = True
        if self.isVisible() and not self._stepped.isActive():
            self._stepped.start()

    def _show_steps(self) -> None:
        """Show how far the calls of this run have come, in the list and below it."""
        self.list.show_live()
        self._show_place()
        if not self._shown:
            self.hint.setText(self._hint(len(self.list.chosen)))
        shown = self._shown_call
        call = shown.logged if shown is not None else None
        if call is None:
            return
        redaction = self._redaction_of(call)
        if self.call.record is not None and self.call.record.summary.id < 0:
            self.call.show_logged(call, redaction)
        else:
            self.call.show_steps(call, redaction)

    def _show_place(self) -> None:
        has_none = not self._total() and not self.list.is_filtered
        had_focus = self.hasFocus()
        self.setFocusProxy(self.to_tools if has_none else self.list.table)
        self.stack.setCurrentWidget(self.empty if has_none else self.splitter)
        if had_focus:  # what has the keyboard is in sight
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _look_for_changes(self) -> None:
        bridge.run(self, self._look_once(), self.tr("Reading the history"))

    async def _look_once(self) -> None:
        with suppress(HistoryError):  # the list itself shows why it could not be read
            await self._store.look()

    def _show_problems(self) -> None:
        if problem := self._store.problem:
            text = self.tr("Calls are not recorded: {problem}").format(problem=spoken(problem))
            if waiting := self._store.waiting:
                one = self.tr("1 call waits and is written once that is possible.")
                many = self.tr("{count} calls wait and are written once that is possible.")
                text += " " + counted(waiting, one, many)
            self.banners.show_banner("problem", "warning", text)
        else:
            self.banners.remove("problem")
        if self._store.notice:
            self.banners.show_banner("notice", "warning", spoken(self._store.notice))

    def _follow_list(self) -> None:
        self.banners.remove("error")
        self._show_problems()
        self._choose_newest()
        self._show_place()
        self._follow_choice()

    def _choose_newest(self) -> None:
        """Select the newest call, if it is newer than those before the call was run again."""
        newest = next(iter(self.list.model.stored), None)
        if self._awaited and newest is not None and newest.id >= self._awaited:
            self._awaited = 0
            self.list.choose(newest.id)

    def _follow_choice(self) -> None:
        numbers = [call.id for call in self.list.chosen]
        if len(numbers) not in (1, 2):
            self._shown = []
            self.hint.setText(self._hint(len(numbers)))
            self.details.setCurrentWidget(self.hint)
            self.call_chosen.emit(None)
        elif numbers != self._shown:
            self._shown = numbers
            bridge.run(self, self._show_calls(numbers), self.tr("Reading the history"))
        self._enable()

    def _hint(self, count: int) -> str:
        if count > 2:
            text = self.tr("{count} calls selected. Select one to see it, or two to compare them.")
            return text.format(count=count)
        if self._total():
            return self.tr("Select a call to see it, or two to compare them.")
        return self.tr("No matching calls. Search for part of a name, an argument or a result.")

    async def _show_calls(self, numbers: list[int]) -> None:
        try:
            records = [await self._record(number) for number in numbers]
        except HistoryError as error:
            self.show_error(str(error))
            return
        found = [record for record in records if record is not None]
        if numbers != self._shown or len(found) < len(numbers):
            return
        if len(found) == 1:
            self._show_one(found[0])
        else:
            await self.comparison.show_records(*found)
            self.details.setCurrentWidget(self.comparison)
        self._enable()
        self.shown.emit()

    def _show_one(self, record: Record) -> None:
        logged = self.list.logged(record.summary)
        if logged is None:
            self.call.show_record(record)
        else:
            redaction = self._redaction(record.summary.server)
            if record.summary.id < 0:
                self.call.show_logged(logged, redaction)
            else:
                self.call.show_record(record, logged)
                self.call.show_steps(logged, redaction)
        self.details.setCurrentWidget(self.call)
        self.call_chosen.emit(logged)

    async def _record(self, number: int) -> Record | None:
        if number >= 0:
            return await self._store.get(number)
        logged = self._log.calls.get(-number)
        if logged is None:
            return None
        from desktop.gui.activity.call_view import record_of_logged

        return record_of_logged(logged, self._redaction_of(logged))

    def _goes_on(self, call: Summary) -> bool:
        logged = self.list.logged(call) if call.id < 0 else None
        return logged is not None and logged.is_running

    async def _delete(self, calls: list[Summary]) -> None:
        """Remove them from the history and from what this run remembers."""
        known = (self.list.logged(call) for call in calls)
        self._log.forget([one.number for one in known if one is not None])
        await self._store.delete([call.id for call in calls if call.id >= 0])
        self.list.show_live()

    async def _delete_all(self) -> None:
        self._log.clear()
        await self._store.delete_all()
        self.list.show_live()

    def _lines(self) -> AsyncIterator[str]:
        from desktop.gui.activity.call_view import record_of_logged
        from desktop.gui.activity.export import history_lines

        live = [one for call in self.list.model.live if (one := self.list.logged(call))]
        unkept = [(record_of_logged(one, self._redaction_of(one)), one) for one in live]
        return history_lines(self._store, self.list.query, self._log, self._redaction, unkept)

    async def _oldest_lines(self, count: int) -> AsyncIterator[str]:
        from desktop.gui.activity.export import history_lines
        from desktop.history.records import Query

        before = await self._store.oldest(count)
        lines = history_lines(self._store, Query(), self._log, self._redaction, before=before)
        async for line in lines:
            yield line

    def _redaction_of(self, call: LoggedCall) -> Redaction:
        return self._redaction(call.call.key.partition(":")[0])

    def _enable(self) -> None:
        count, record = len(self.list.chosen), self.record
        is_one = count == 1 and record is not None and record.arguments is not None
        self.edit.setEnabled(is_one)
        self.save.setEnabled(is_one and record is not None and record.summary.kind == "tool")
        self.again.setEnabled(is_one and not self._is_running)
        self.export.setEnabled(self._total() > 0)
        self.delete.setEnabled(count > 0)
        self.delete_all.setEnabled(self._total() > 0)

    def _run_again(self) -> None:
        """Run the selected call again; open its form instead if a secret has to be filled in."""
        record = self.record
        if record is None or record.arguments is None:
            return
        if (arguments := self._whole_arguments(record)) is None:
            self._open_call()
        else:
            self.run_requested.emit(record.summary, dict(arguments))

    def _whole_arguments(self, record: Record) -> JsonObject | None:
        """The arguments as they were sent; None where a secret in them is known no more."""
        if (logged := self.call.logged) is not None:
            return logged.call.arguments
        return None if record.hidden else record.arguments

    def _open_call(self) -> None:
        record = self.record
        if record is not None and record.arguments is not None:
            call, arguments = record.summary, self._whole_arguments(record)
            if arguments is None:
                arguments = remove_places(record.arguments, record.hidden)
            if call.kind == "tool":
                self.open_call_requested.emit(call.key, arguments)
            else:
                self.open_offer_requested.emit(call, arguments)

    def _save(self) -> None:
        if self.record is not None:
            self.save_requested.emit(self.record)

    def _ask(
        self, question: str, delete: Callable[[HistoryView], Coroutine[Any, Any, None]]
    ) -> QuestionDialog:
        meaning = self.tr("Calls and results are deleted permanently. Saved calls are kept.")
        dialog = QuestionDialog(self, question, meaning, self.tr("Delete"))
        dialog.setWindowTitle(self.tr("Delete calls"))
        doing = self.tr("Deleting calls")
        dialog.accepted.connect(
            bridge.if_alive(self, lambda view: bridge.run(view, delete(view), doing))
        )
        dialog.open()
        return dialog

    def _name_again(self) -> None:
        self.again.setText(self.tr("Running…") if self._is_running else self.tr("Run again"))

    def _total(self) -> int:
        return self.list.model.total + len(self.list.model.live)

    def _lay_out(self) -> None:
        buttons = action_buttons(
            self._theme,
            first=self.again,
            quiet=(self.edit, self.save),
            seldom=(self.export, self.delete, self.delete_all),
        )
        row = InnerRow(*buttons, STRETCH)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setWordWrap(True)
        style(self.hint, "muted")
        self.details.addWidget(self.hint)
        below = QWidget()
        in_column(below, row, (self.details, 1), margins=(0, 2, 0, 0))
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(below)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([space(80), space(90)])
        saved = self._settings.value(_ROWS)
        self.splitter.restoreState(saved if isinstance(saved, QByteArray) else QByteArray())
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        in_column(self, self.banners, (self.stack, 1))
        self.setFocusProxy(self.list.table)
