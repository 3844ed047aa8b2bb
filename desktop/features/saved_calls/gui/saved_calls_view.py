"""The saved calls of a folder: run one or all, see which failed their expectations, edit, delete.

A result that is not as its snapshot is shown line by line, and accepted only by a person who has
seen that. Runs through a runner and writes through `SavedCalls`.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, QSettings, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.features.saved_calls.gui.run_progress import RunProgress
from desktop.features.saved_calls.gui.save_dialog import (
    SaveCallDialog,
    ask_for_name,
    remember_folder,
)
from desktop.features.saved_calls.gui.value_menu import value_sources
from desktop.features.saved_calls.saved_call_plan import plan_calls
from desktop.features.saved_calls.saved_call_runner import SavedCallRun, last_arguments
from desktop.features.saved_calls.variables import VariableError
from desktop.gui import bridge, shortcuts
from desktop.gui.activity import call_labels
from desktop.gui.activity.actions import action_buttons, button_for, make_action, offer_menu
from desktop.gui.activity.compare_view import DiffView
from desktop.gui.form.model.json_text import write_json
from desktop.gui.layouts import LEFT, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.flat_rows import make_flat
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.formatting import format_duration
from desktop.gui.widgets.labels import ElidedLabel, selectable_label
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.styled_text import StyledText
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.window_state import remember_size

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QShowEvent

    from desktop.features.saved_calls.saved_call import SavedCall
    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.saved_call_plan import PlannedCall
    from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome, SavedCallRunner
    from desktop.features.saved_calls.saved_calls import SavedCalls
    from desktop.features.saved_calls.snapshots import SnapshotFinding
    from desktop.gui.theme import Theme
    from desktop.history.records import LastRun, Record, SavedCallPlace

NAME, TOOL, OUTCOME, DURATION, WHEN = range(5)
_WIDTHS = (space(60), space(50), space(28), space(22), space(36))
_ENTRY = Qt.ItemDataRole.UserRole
_MAX_SHOWN_LENGTH = 20_000
_PAUSE_MS = 40
"""Milliseconds in which what a run tells is collected: to paint takes longer than a quick call."""
translate = QCoreApplication.translate
_BODY = space(150), space(75)
_KEY = "leftovers"
_MAX_LISTED = 500


class _UnderWay(NamedTuple):
    """The call that runs now, after so many of all."""

    done: int
    total: int
    entry: SavedEntry


class SavedCallsView(QWidget):
    """The list on the left, the selected call and its last outcome on the right."""

    open_call_requested = Signal(str, object)
    """Show this tool's form with these arguments."""
    tools_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        calls: SavedCalls,
        runner: SavedCallRunner,
        settings: QSettings,
        parent: QWidget | None = None,
    ) -> None:
        """Args: settings: stores the folder, if it is not the usual one."""
        super().__init__(parent)
        self._theme, self.calls, self._runner, self._settings = theme, calls, runner, settings
        self.running: asyncio.Task[None] | None = None
        self._rows: dict[SavedCallPlace, QTreeWidgetItem] = {}
        self._under_way: _UnderWay | None = None
        self._news: set[SavedCallPlace] = set()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.banners = BannerArea(theme)
        self.leftovers = LeftoverSnapshots(self, self.banners, calls, settings)
        self.progress = RunProgress()
        self.tree = QTreeWidget()
        self.details, self.outcome = WrappedTextEditor(), selectable_label("")
        self.folder = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.empty = EmptyState(theme, "save", "", "")
        self.to_tools = self.empty.add_button(
            self.tr("Go to Tools"), self.tools_requested.emit, "tools"
        )
        self._make_actions(theme)
        self.stack = QStackedWidget()
        make_flat(self.tree, _WIDTHS, NAME)
        self._lay_out()
        self._connect()
        self._set_texts()
        self._show_entries()

    def _make_actions(self, theme: Theme) -> None:
        self.run = make_action(
            self, theme, "play", self.tr("Run"), shortcuts.RUN_AGAIN, self._run_chosen
        )
        self.run_all = make_action(
            self, theme, "play", self.tr("Run all"), shortcuts.RUN_ALL, self._run_all
        )
        self.stop = make_action(
            self, theme, "stop", self.tr("Stop"), shortcuts.STOP_CALLS, self._stop
        )
        self.open_form = make_action(
            self, theme, "tools", self.tr("Open in form"), shortcuts.EDIT_CALL, self._open_form
        )
        self.edit = make_action(
            self, theme, "edit", self.tr("Edit…"), shortcuts.EDIT_SAVED, self.open_editor
        )
        self.reveal = make_action(self, theme, "folder", self.tr("Show file"), None, self._reveal)
        self.delete = make_action(
            self, theme, "trash", self.tr("Delete…"), shortcuts.DELETE_CALL, self.ask_delete
        )
        self.review = make_action(
            self,
            theme,
            "eye",
            self.tr("Review difference…"),
            shortcuts.REVIEW_SNAPSHOT,
            self.open_review,
        )
        self.choose_folder = make_action(
            self, theme, "folder", self.tr("Folder…"), None, self.open_folder_dialog
        )

    @property
    def current(self) -> SavedEntry | None:
        item = self.tree.currentItem()
        return item.data(NAME, _ENTRY) if item is not None else None

    @property
    def is_running(self) -> bool:
        return self.running is not None

    def refresh(self) -> None:
        """Read the files again."""
        bridge.run(self, self.calls.load(), self.tr("Reading saved calls"))

    def save_record(self, record: Record) -> SaveCallDialog:
        """Ask for a name for a call of the history, and save it."""
        call: dict[str, object] = {"tool": record.summary.key}
        call["arguments"] = dict(record.arguments or {})
        if record.result.is_unchecked:
            call["validate"] = False
        return ask_for_name(
            self.window(),
            self._theme,
            self.calls,
            self._settings,
            call,
            record.result,
            record.hidden,
        )

    def open_editor(self) -> SaveCallDialog | None:
        """Edit name, arguments and expectations of the selected call."""
        entry = self.current
        if entry is None:
            return None
        verdict = self.calls.verdicts.get(entry.place)
        result = verdict.result if verdict is not None else None
        call, sources = entry.call.to_json(), value_sources(self.calls, entry.call.name)
        dialog = SaveCallDialog(self.window(), self._theme, call, result, (), sources)
        remember_size(dialog, self._settings, "saved call")
        calls, doing = self.calls, self.tr("Saving the call")

        def save(view: SavedCallsView, call: SavedCall) -> None:
            bridge.run(view, calls.replace(entry, call), doing)

        dialog.saved.connect(bridge.if_alive(self, save))
        dialog.open()
        return dialog

    def open_review(self) -> QuestionDialog | None:
        """Show how the last result differs from its snapshot, and let the person accept it."""
        return open_review(self, self._theme, self.calls, self._settings, self.current)

    def ask_delete(self) -> QuestionDialog | None:
        """Remove the selected call from its file after a person confirms."""
        entry = self.current
        if entry is None:
            return None
        dialog = QuestionDialog(
            self,
            self.tr("Delete “{name}”?").format(name=entry.call.name),
            self.tr("It is removed from {file}.").format(file=entry.file.path.name),
            self.tr("Delete"),
        )
        dialog.setWindowTitle(self.tr("Delete saved call"))
        calls, doing = self.calls, self.tr("Deleting the saved call")
        dialog.accepted.connect(
            bridge.if_alive(self, lambda view: bridge.run(view, calls.remove(entry), doing))
        )
        dialog.open()
        return dialog

    def open_folder_dialog(self) -> QFileDialog:
        """Let the person choose where saved calls are, e.g. a folder of a project."""
        dialog = QFileDialog(self, self.tr("Folder of saved calls"), str(self.calls.folder))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.use_folder)
        dialog.open()
        return dialog

    def use_folder(self, folder: str) -> None:
        """Show the calls of this folder, now and after the next start."""
        remember_folder(self._settings, folder)
        bridge.run(self, self.calls.use(Path(folder)), self.tr("Reading saved calls"))

    def show_error(self, message: str) -> None:
        """Show an error; the bridge reports failures here."""
        self.banners.show_banner("error", "error", message)
        if not self.is_running:
            self._end_run()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _run_chosen(self) -> None:
        if self.current is not None:
            self._start([self.current])

    def _run_all(self) -> None:
        self._start(self.calls.entries)

    def _start(self, entries: Sequence[SavedEntry]) -> None:
        if self.running is None and entries:
            doing = self.tr("Running saved calls")
            self.running = bridge.run(self, self._run(tuple(entries)), doing)
            self._enable()

    def _stop(self) -> None:
        """Cancel the running call, at its server too; the calls after it are not made."""
        if self.running is not None:
            self.running.cancel()
            self.running = None
            self._end_run()

    async def _run(self, entries: Sequence[SavedEntry]) -> None:
        """Run these calls and those whose values they need, each after its sources."""
        task = asyncio.current_task()  # taken now: at the end no loop may be running
        plan = plan_calls(self.calls.entries, entries)
        run, count = SavedCallRun(self._runner, plan, "person"), 0

        def begin(planned: PlannedCall) -> None:
            self._under_way = _UnderWay(count, len(plan), planned.entry)
            self._note(planned.place)

        try:
            async with aclosing(run.outcomes(begin)) as outcomes:
                async for planned, outcome in outcomes:
                    count += 1
                    await self.calls.tell(planned.entry, outcome)
        finally:
            if self.running is task:
                self.running = None
        self._end_run()

    def _note_outcome(self, entry: SavedEntry) -> None:
        if self._under_way is not None and self._under_way.entry == entry:
            self._under_way = None
        self._note(entry.place)

    def _note(self, place: SavedCallPlace) -> None:
        """The call at this place runs, or its outcome is known: its row alone is to change."""
        self._news.add(place)
        if not self._pause.isActive():
            self._show_news()

    def _show_news(self) -> None:
        if not self._news:
            return
        self._pause.start()
        news, self._news = self._news, set()
        for place in news & self._rows.keys():
            self._fill(self._rows[place])
        if self.current is not None and self.current.place in news:
            self._show_current()
        if self.is_running and self._under_way is not None:
            done, total, entry = self._under_way
            self.progress.show_call(done, total, entry.call.name)
            if (row := self._rows.get(entry.place)) is not None:
                self.tree.scrollToItem(row)

    def _end_run(self) -> None:
        if self._under_way is not None:
            self._news.add(self._under_way.entry.place)
        self._under_way = None
        self._show_news()
        self._enable()

    def _open_form(self) -> None:
        """Show the call in its tool's form, with the values that its sources had last."""
        if (entry := self.current) is None:
            return
        try:
            arguments = last_arguments(entry, self.calls.entries, self.calls.verdicts)
        except VariableError as error:
            self.banners.show_banner("error", "warning", spoken(str(error)))
            return
        self.open_call_requested.emit(entry.call.tool, arguments)

    def _reveal(self) -> None:
        """Open the folder of the file: no way to select the file works on all platforms."""
        folder = self.current.file.path.parent if self.current else self.calls.folder
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _show_entries(self) -> None:
        """Show what the files hold; the rows stay as long as they are those of the same calls."""
        entries = {entry.place: entry for entry in self.calls.entries}
        if list(entries) != list(self._rows):
            self._make_rows(entries)
        for place, entry in entries.items():
            self._rows[place].setData(NAME, _ENTRY, entry)
            self._fill(self._rows[place])
        self.stack.setCurrentWidget(self.splitter if entries else self.empty)
        self.folder.show_text(str(self.calls.folder))
        if self.calls.problems:
            words = "\n".join(map(spoken, self.calls.problems))
            self.banners.show_banner("files", "warning", words)
        else:
            self.banners.remove("files")
        self.leftovers.tell()
        self._show_current()

    def _make_rows(self, places: Collection[SavedCallPlace]) -> None:
        place = self.current.place if self.current is not None else None
        self.tree.clear()
        self._rows = {place: QTreeWidgetItem() for place in places}
        self.tree.addTopLevelItems([*self._rows.values()])
        place = place if place in places else next(iter(places), None)
        if place is not None:
            self.tree.setCurrentItem(self._rows[place])

    def _fill(self, item: QTreeWidgetItem) -> None:
        entry: SavedEntry = item.data(NAME, _ENTRY)
        run = self.calls.last.get(entry.place)
        outcome = call_labels.last_run_label(run)
        if self._under_way is not None and entry.place == self._under_way.entry.place:
            outcome = StyledText(self.tr("Running…"), "accent")
        took = format_duration(run.seconds) if run is not None and run.seconds else ""
        when = call_labels.time_label(run.at) if run is not None else ""
        words = entry.call.name, entry.call.tool, outcome.text, took, when
        for column, text in enumerate(words):
            item.setText(column, text)
        for column in (TOOL, DURATION, WHEN):
            item.setForeground(column, self._theme.color("muted"))
        item.setForeground(OUTCOME, self._theme.color(outcome.tone))

    def _show_current(self) -> None:
        entry = self.current
        self._enable()
        if entry is None:
            self.details.clear()
            self.outcome.clear()
            return
        verdict = self.calls.verdicts.get(entry.place)
        run = self.calls.last.get(entry.place)
        self.outcome.setText(self._outcome(verdict, run))
        is_well = run is not None and run.outcome == "passed"
        is_skipped = run is not None and run.outcome == "skipped"
        tone = "success" if is_well else "warning" if is_skipped else "danger"
        style(self.outcome, "muted" if run is None else tone)
        self.details.setPlainText(write_json(entry.call.to_json())[:_MAX_SHOWN_LENGTH])

    def _outcome(self, verdict: SavedCallOutcome | None, run: LastRun | None) -> str:
        if run is None:
            return self.tr("Not run yet. Run it to check its expectations.")
        if run.outcome == "passed":
            return self.tr("All expectations were met.")
        if run.outcome == "skipped":
            reason = spoken(verdict.skipped) if verdict is not None else ""
            return "\n".join([self.tr("Skipped; nothing was sent."), *([reason] if reason else [])])
        if verdict is None:
            return self.tr("Expectations were not met. Run it again to see the differences.")
        lines = [spoken(difference.message) for difference in verdict.differences]
        return "\n".join([self.tr("Expectations were not met:"), *lines])

    def _enable(self) -> None:
        is_chosen, is_running = self.current is not None, self.is_running
        for action in self.actions():
            action.setVisible(bool(self.calls.entries) or action is self.choose_folder)
        if not is_running:
            self.progress.clear()
        self.run.setEnabled(is_chosen and not is_running)
        self.run_all.setEnabled(bool(self.calls.entries) and not is_running)
        self.stop.setEnabled(is_running)
        self.stop.setVisible(is_running)
        self.review.setVisible(find_acceptable(self.calls, self.current) is not None)
        self.review.setEnabled(not is_running)
        for action in (self.open_form, self.edit, self.reveal):
            action.setEnabled(is_chosen)
        self.delete.setEnabled(is_chosen and not is_running)

    def _connect(self) -> None:
        bridge.connect(self, self.calls.changed, self._show_entries)
        bridge.connect(self, self.calls.judged, self._note_outcome)
        self._pause.timeout.connect(self._show_news)
        self.tree.currentItemChanged.connect(lambda: self._show_current())
        self.tree.itemActivated.connect(lambda: self.run.trigger())
        self._theme.changed.connect(self._show_entries)
        offer_menu(self.tree, self)

    def _lay_out(self) -> None:
        self.details.setReadOnly(True)
        self.details.setFrameShape(QFrame.Shape.NoFrame)
        self.details.setTabChangesFocus(True)
        self.details.setFont(self._theme.mono_font())
        style(self.details, "well", "mono")
        style(self.folder, "muted", "small")
        self.folder.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        right = QWidget()
        in_column(
            right,
            self.outcome,
            (self._review_button(), LEFT),
            (self.details, 1),
            margins=(3, 0, 0, 0),
        )
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(right)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes([space(190), space(100)])
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        in_column(self, self._button_row(), self.progress, self.banners, (self.stack, 1))
        self.setFocusProxy(self.tree)

    def _review_button(self) -> QPushButton:
        button = button_for(self.review)
        guard_focus(button)
        return button

    def _button_row(self) -> InnerRow:
        buttons = action_buttons(
            self._theme,
            first=self.run,
            quiet=(self.run_all, self.stop, self.open_form, self.edit),
            seldom=(self.choose_folder, self.reveal, self.delete),
        )
        guard_focus(buttons[1])
        return InnerRow(*buttons, (self.folder, 1))

    def _set_texts(self) -> None:
        self.tree.setHeaderLabels(
            [
                self.tr("Name"),
                self.tr("Tool"),
                self.tr("Last outcome"),
                self.tr("Duration"),
                self.tr("When"),
            ]
        )
        self.tree.setAccessibleName(self.tr("Saved calls"))
        self.details.setAccessibleName(self.tr("The saved call as stored in its file"))
        self.empty.set_text(
            self.tr("No saved calls yet"),
            self.tr(
                "Save a call from the history or a tool's form with the result you expect, "
                "then run it here or with: mcp-desktop test"
            ),
        )


def find_acceptable(calls: SavedCalls, entry: SavedEntry | None) -> SnapshotFinding | None:
    """What can be accepted of the last run of a call."""
    verdict = calls.verdicts.get(entry.place) if entry is not None else None
    if verdict is None or not any(each.kind == "snapshot" for each in verdict.differences):
        return None
    finding = verdict.snapshot
    return finding if finding is not None and finding.document is not None else None


def open_review(
    view: QWidget, theme: Theme, calls: SavedCalls, settings: QSettings, entry: SavedEntry | None
) -> QuestionDialog | None:
    """Show how the last result differs from its snapshot, and let the person accept it."""
    finding = find_acceptable(calls, entry)
    if entry is None or finding is None:
        return None
    body = DiffView(theme)
    body.setAccessibleName(translate("SnapshotReview", "What differs"))
    body.setMinimumSize(*_BODY)
    body.show_part(finding.part)
    question = (
        translate("SnapshotReview", "Take this result of “{name}” as its snapshot?")
        if finding.status == "missing"
        else translate("SnapshotReview", "Accept the new result of “{name}”?")
    )
    meaning = translate(
        "SnapshotReview", "Later results are compared with it. It is kept in {file}."
    )
    dialog = QuestionDialog(
        view.window(),
        question.format(name=mark_hidden(entry.call.name)),
        meaning.format(file=finding.path),
        translate("SnapshotReview", "Accept new result"),
        body,
    )
    dialog.setWindowTitle(translate("SnapshotReview", "Review snapshot"))
    remember_size(dialog, settings, "snapshot")
    doing = translate("SnapshotReview", "Writing the snapshot")
    dialog.accepted.connect(
        bridge.if_alive(view, lambda view: bridge.run(view, calls.accept(entry), doing))
    )
    dialog.open()
    return dialog


class LeftoverSnapshots(QObject):
    """Says above a view that some snapshots are used by no call any more, and removes them."""

    def __init__(
        self, view: QWidget, banners: BannerArea, calls: SavedCalls, settings: QSettings
    ) -> None:
        super().__init__(view)
        self._view, self._banners, self._calls, self._settings = view, banners, calls, settings
        self._told: tuple[tuple[Path, ...], str] = (), ""

    def tell(self) -> None:
        """Put up the banner; one that was dismissed comes again only with other snapshots."""
        found = self._calls.leftovers
        words = counted(
            len(found),
            translate("SnapshotReview", "1 snapshot is used by no saved call any more."),
            translate("SnapshotReview", "{count} snapshots are used by no saved call any more."),
        )
        if self._told == (found, words):
            return
        self._told = found, words
        self._banners.remove(_KEY)
        if found:
            banner = self._banners.show_banner(_KEY, "info", words)
            banner.add_action(translate("SnapshotReview", "Remove…"), self.ask)

    def ask(self) -> QuestionDialog:
        """List the files; they go once a person has said so."""
        found = self._calls.leftovers
        body = WrappedTextEditor()
        body.setReadOnly(True)
        body.setTabChangesFocus(True)
        body.setMinimumSize(*_BODY)
        body.setAccessibleName(translate("SnapshotReview", "Files that are deleted"))
        lines = [mark_hidden(str(path)) for path in found[:_MAX_LISTED]]
        if (more := len(found) - _MAX_LISTED) > 0:
            text = translate("SnapshotReview", "… and {count} more files")
            lines.append(text.format(count=f"{more:,}"))
        body.setPlainText("\n".join(lines))
        dialog = QuestionDialog(
            self._view.window(),
            counted(
                len(found),
                translate("SnapshotReview", "Delete 1 snapshot?"),
                translate("SnapshotReview", "Delete {count} snapshots?"),
            ),
            translate(
                "SnapshotReview",
                "Their saved calls were deleted or renamed, or expect no snapshot any more.",
            ),
            translate("SnapshotReview", "Delete"),
            body,
        )
        dialog.setWindowTitle(translate("SnapshotReview", "Remove snapshots"))
        remember_size(dialog, self._settings, "leftover snapshots")
        doing = translate("SnapshotReview", "Deleting snapshots")
        calls = self._calls
        dialog.accepted.connect(
            bridge.if_alive(
                self._view, lambda view: bridge.run(view, calls.remove_leftovers(found), doing)
            )
        )
        dialog.open()
        return dialog
