"""The history tab: find a call, look at it, compare two, run one again, delete.

Must not run a call: it only requests that. Reads the file only while it is visible.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import bridge, shortcuts
from desktop.gui.form.model.json_text import write_json
from desktop.gui.history import labels
from desktop.gui.history.compare_view import CompareView
from desktop.gui.history.history_list import HistoryList
from desktop.gui.history.saved_calls_view import button_for, make_action, offer_menu
from desktop.gui.results.result_view import ResultView
from desktop.gui.shortcuts import bind
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.json_highlighter import JsonHighlighter
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.retranslation import Retranslated
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.history.store import HistoryError
from desktop.redaction.arguments import remove_places

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from PySide6.QtGui import QHideEvent, QShowEvent

    from desktop.gui.theme import Theme
    from desktop.history.records import Record
    from desktop.history.store import HistoryStore

_ARGUMENTS_WIDTH = space(90)
_MAX_SHOWN_LENGTH = 50_000
"""Characters of arguments: they are coloured, which takes time."""


class CallView(Retranslated, QWidget):
    """Arguments on the left, the result on the right, and notes on what was not stored."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.record: Record | None = None
        self._heading, self.note = QLabel(), QLabel()
        style(self._heading, "heading")
        style(self.note, "warning", "small")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.arguments = WrappedTextEditor()
        self.arguments.setReadOnly(True)
        self.arguments.setFrameShape(QFrame.Shape.NoFrame)
        self.arguments.setTabChangesFocus(True)
        self.arguments.setFont(theme.mono_font())
        style(self.arguments, "well", "mono")
        self._highlighter = JsonHighlighter(self.arguments.document(), theme)
        self.result = ResultView(theme)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, space(2), space(3), 0)
        column.setSpacing(space(2))
        for widget in (self._heading, self.arguments, self.note):
            column.addWidget(widget, 1 if widget is self.arguments else 0)
        right = QWidget()
        self._around = QVBoxLayout(right)
        self._around.setContentsMargins(space(3), 0, 0, 0)
        self._around.addWidget(self.result)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(left)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_ARGUMENTS_WIDTH, 2 * _ARGUMENTS_WIDTH])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        self._translate()

    def show_record(self, record: Record) -> None:
        self.record = record
        text = "" if record.arguments is None else write_json(record.arguments)
        self.arguments.setPlainText(text[:_MAX_SHOWN_LENGTH])
        notes = labels.record_notes(record)
        if len(text) > _MAX_SHOWN_LENGTH:
            notes.append(self.tr("Only the beginning of the arguments is shown."))
        self.note.setText("\n".join(notes))
        self.note.setVisible(bool(notes))
        self.result.show_result(record.result, record.summary.key.partition(":")[2] or "result")

    def retranslate(self) -> None:
        self._translate()
        QTimer.singleShot(0, self, self._renew_result)  # after its children are retranslated

    def _renew_result(self) -> None:
        """Build the result view anew: it keeps the language it was built in."""
        left, self.result = self.result, ResultView(self._theme)
        self._around.replaceWidget(left, self.result)
        left.deleteLater()
        if self.record is not None:
            self.show_record(self.record)

    def _translate(self) -> None:
        self._heading.setText(self.tr("Arguments"))
        self.arguments.setAccessibleName(self.tr("Arguments"))


LOOK_MS = 2000
"""Between two questions whether another process has added calls."""
_SOON_MS = 100
"""Calls that end together are shown together."""
_ROWS = "history/rows"


class HistoryView(Retranslated, QWidget):
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

    def __init__(
        self,
        theme: Theme,
        store: HistoryStore,
        settings: QSettings,
        parent: QWidget | None = None,
    ) -> None:
        """Args: settings: stores the height of the list."""
        super().__init__(parent)
        self._store, self._settings = store, settings
        self._is_stale, self._is_running, self._awaited = True, False, 0
        self._shown: list[int] = []
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._look = QTimer(self, interval=LOOK_MS)
        self.banners = BannerArea(theme)
        self.list = HistoryList(theme, store, self)
        self.call, self.comparison = CallView(theme), CompareView(theme)
        self.hint = QLabel()
        self.details = QStackedWidget()
        self.empty = EmptyState(theme, "clock", "", "")
        self.to_tools = self.empty.add_button("", self.tools_requested.emit, "tools")
        self.again = make_action(self, theme, "play", shortcuts.RUN_AGAIN, self._run_again)
        self.edit = make_action(self, theme, "edit", shortcuts.EDIT_CALL, self._open_call)
        self.save = make_action(self, theme, "save", shortcuts.KEEP_CALL, self._save)
        self.delete = make_action(self, theme, "trash", shortcuts.DELETE_CALL, self.ask_delete)
        self.delete_all = make_action(
            self, theme, "trash", shortcuts.DELETE_ALL_CALLS, self.ask_delete_all
        )
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._translate()
        self._follow_choice()

    @property
    def record(self) -> Record | None:
        """The call that is shown."""
        is_shown = self.details.currentWidget() is self.call
        return self.call.record if is_shown else None

    def refresh(self) -> None:
        """Read the history again, now if it is visible, else once it is."""
        self._is_stale = True
        if self.isVisible():
            self._is_stale = False
            self.list.reload()

    def ask_delete(self) -> QuestionDialog | None:
        """Delete the selected calls permanently after a person confirms."""
        numbers = [call.id for call in self.list.chosen]
        if not numbers:
            return None
        one, several = self.tr("Delete this call?"), self.tr("Delete these {count} calls?")
        question = counted(len(numbers), one, several)
        return self._ask(question, lambda: self._store.delete(numbers))

    def ask_delete_all(self) -> QuestionDialog:
        """Delete every call permanently, found by the search or not, after a person confirms."""
        return self._ask(self.tr("Delete the whole history?"), self._store.delete_all)

    def note_running(self, is_running: bool) -> None:
        """Show whether a call of this view runs; once it has ended, select it in the list."""
        self._is_running = is_running
        if is_running:
            newest = next(iter(self.list.model.calls), None)
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
        self._is_stale = self.list.pause() or self._is_stale

    def retranslate(self) -> None:
        self._translate()
        self._follow_choice()

    def _connect(self) -> None:
        bridge.connect(self, self._store.changed, self._note_change)
        self._soon.timeout.connect(self.refresh)
        self._look.timeout.connect(self._look_for_changes)
        self.list.selection_changed.connect(self._follow_choice)
        self.list.loaded.connect(self._follow_list)
        self.list.failed.connect(self.show_error)
        self.list.table.doubleClicked.connect(lambda: self.edit.trigger())
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

    def _look_for_changes(self) -> None:
        bridge.run(self, self._look_once(), self.tr("Reading the history"))

    async def _look_once(self) -> None:
        with suppress(HistoryError):  # the list itself shows why it could not be read
            await self._store.look()

    def _show_problems(self) -> None:
        if self._store.problem:
            text = self.tr("Calls are not recorded: {problem}").format(problem=self._store.problem)
            self.banners.show_banner("problem", "warning", text)
        else:
            self.banners.remove("problem")
        if self._store.notice:
            self.banners.show_banner("notice", "warning", self._store.notice)

    def _follow_list(self) -> None:
        self.banners.remove("error")
        self._show_problems()
        self._choose_newest()
        has_none = not self._total() and not self.list.is_filtered
        self.stack.setCurrentWidget(self.empty if has_none else self.splitter)
        self._follow_choice()

    def _choose_newest(self) -> None:
        """Select the newest call, if it is newer than those before the call was run again."""
        newest = next(iter(self.list.model.calls), None)
        if self._awaited and newest is not None and newest.id >= self._awaited:
            self._awaited = 0
            self.list.choose(newest.id)

    def _follow_choice(self) -> None:
        numbers = [call.id for call in self.list.chosen]
        if len(numbers) not in (1, 2):
            self._shown = []
            self.hint.setText(self._hint(len(numbers)))
            self.details.setCurrentWidget(self.hint)
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
            records = [await self._store.get(number) for number in numbers]
        except HistoryError as error:
            self.show_error(str(error))
            return
        found = [record for record in records if record is not None]
        if numbers != self._shown or len(found) < len(numbers):
            return
        if len(found) == 1:
            self.call.show_record(found[0])
            self.details.setCurrentWidget(self.call)
        else:
            await self.comparison.show_records(*found)
            self.details.setCurrentWidget(self.comparison)
        self._enable()
        self.shown.emit()

    def _enable(self) -> None:
        count, record = len(self.list.chosen), self.record
        is_one = count == 1 and record is not None and record.arguments is not None
        self.edit.setEnabled(is_one)
        self.save.setEnabled(is_one and record is not None and record.summary.kind == "tool")
        self.again.setEnabled(is_one and not self._is_running)
        self.delete.setEnabled(count > 0)
        self.delete_all.setEnabled(self._total() > 0)

    def _run_again(self) -> None:
        """Run the selected call again; open its form instead if a secret has to be filled in."""
        record = self.record
        if record is None or record.arguments is None:
            return
        if record.hidden:
            self._open_call()
        else:
            self.run_requested.emit(record.summary, dict(record.arguments))

    def _open_call(self) -> None:
        record = self.record
        if record is not None and record.arguments is not None:
            arguments, call = remove_places(record.arguments, record.hidden), record.summary
            if call.kind == "tool":
                self.open_call_requested.emit(call.key, arguments)
            else:
                self.open_offer_requested.emit(call, arguments)

    def _save(self) -> None:
        if self.record is not None:
            self.save_requested.emit(self.record)

    def _ask(
        self, question: str, delete: Callable[[], Coroutine[Any, Any, None]]
    ) -> QuestionDialog:
        meaning = self.tr("Calls and results are deleted permanently. Saved calls are kept.")
        dialog = QuestionDialog(self, question, meaning, self.tr("Delete"))
        dialog.setWindowTitle(self.tr("Delete calls"))
        dialog.accepted.connect(lambda: bridge.run(self, delete(), self.tr("Deleting calls")))
        dialog.open()
        return dialog

    def _name_again(self) -> None:
        self.again.setText(self.tr("Running…") if self._is_running else self.tr("Run again"))

    def _total(self) -> int:
        return self.list.model.total

    def _lay_out(self) -> None:
        actions = (self.again, self.edit, self.save, self.delete, self.delete_all)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        for number, action in enumerate(actions):
            if number == 3:
                row.addStretch(1)
            button = button_for(action)
            if action in {self.again, self.delete, self.delete_all}:
                guard_focus(button)
            row.addWidget(button)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setWordWrap(True)
        style(self.hint, "muted")
        for widget in (self.hint, self.call, self.comparison):
            self.details.addWidget(widget)
        below = QWidget()
        under = QVBoxLayout(below)
        under.setContentsMargins(0, space(2), 0, 0)
        under.setSpacing(space(2))
        under.addLayout(row)
        under.addWidget(self.details, 1)
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(below)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([space(80), space(90)])
        saved = self._settings.value(_ROWS)
        self.splitter.restoreState(saved if isinstance(saved, QByteArray) else QByteArray())
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(2))
        column.addWidget(self.banners)
        column.addWidget(self.stack, 1)
        self.setFocusProxy(self.list.table)

    def _translate(self) -> None:
        self._name_again()
        self.edit.setText(self.tr("Edit and run again"))
        self.save.setText(self.tr("Save call…"))
        self.delete.setText(self.tr("Delete…"))
        self.delete_all.setText(self.tr("Delete all…"))
        self.empty.set_text(
            self.tr("No calls yet"),
            self.tr(
                "Every call by you, an agent or the terminal is kept here with its result, ready "
                "to review, compare and run again."
            ),
        )
        self.to_tools.setText(self.tr("Go to Tools"))
