"""The results of saved calls on two servers: makes the calls on both, shows what differs.

As *Run all* of the saved calls: nothing is called before a person presses the button, and which of
the tools may change something is said beside it. How the calls went is kept nowhere.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct, field
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.features.saved_calls.gui.run_progress import RunProgress
from desktop.features.saved_calls.recorded_runner import NOT_RECORDED
from desktop.features.saved_calls.saved_call_plan import plan_calls
from desktop.features.saved_calls.saved_call_runner import SavedCallRun
from desktop.features.saved_calls.side_by_side import find_differing, group_calls, run_side
from desktop.gui import bridge, shortcuts
from desktop.gui.activity import call_labels
from desktop.gui.activity.actions import button_for, make_action
from desktop.gui.activity.compare_view import DiffView
from desktop.gui.layouts import InnerRow, Stretch, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, listed, named, spoken
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.flat_rows import make_flat
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import plain_label, plain_tip
from desktop.gui.widgets.styled_text import StyledText

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.saved_call_plan import PlannedCall
    from desktop.features.saved_calls.saved_call_runner import CallRunner, SavedCallOutcome
    from desktop.features.saved_calls.saved_calls import SavedCalls
    from desktop.features.saved_calls.side_by_side import Side
    from desktop.gui.theme import Role, Theme
    from desktop.history.diff import Part
    from desktop.history.records import SavedCallPlace

    _Outcomes: TypeAlias = dict[SavedCallPlace, SavedCallOutcome]

CALL, BEFORE, AFTER, RESULT = range(4)
_WIDTHS = (space(50), space(28), space(28), space(34))
_PLACE = Qt.ItemDataRole.UserRole
_MAX_NAMED = 6
_MAX_MESSAGES = 4
_MAX_MESSAGE = 300


class ComparedServer(NamedTuple):
    """One side of a comparison: a connected server, or one of a recording.

    `make_runner` is asked anew for each run; `read_only` has the tools that say so of themselves.
    """

    name: str
    label: str
    is_recorded: bool
    make_runner: Callable[[], CallRunner]
    read_only: Callable[[], Collection[str]]


class _Found(Struct):
    """What is known of a run on two servers, while it goes on, too."""

    sides: tuple[ComparedServer, ComparedServer] | None = None
    outcomes: tuple[_Outcomes, _Outcomes] = field(default_factory=lambda: ({}, {}))
    differing: Mapping[SavedCallPlace, Part] | None = None
    """None before both have answered."""


class ResultsView(QWidget):
    """What would be called on top, the calls on the left, and how the chosen one differs."""

    running_changed = Signal(bool)
    ended = Signal()
    """The calls were made on both, or the run was stopped or failed."""

    def __init__(self, theme: Theme, calls: SavedCalls, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._calls = theme, calls
        self._sides: tuple[ComparedServer, ComparedServer] | None = None
        self._by_server: dict[str, list[SavedEntry]] = {}
        self._wanted = ""
        self._plan: list[PlannedCall] = []
        self._rows: dict[SavedCallPlace, QTreeWidgetItem] = {}
        self._found = _Found()
        self.running: asyncio.Task[None] | None = None
        self.whose = QComboBox()
        self._whose_label = QLabel(self.tr("Saved calls of"))
        self.about, self.risk = plain_label("", "muted"), plain_label("", "warning")
        self.problem, self.summary = plain_label("", "danger"), plain_label("", "heading")
        self.tree, self.words, self.diff = QTreeWidget(), plain_label(""), DiffView(theme)
        self.progress = RunProgress()
        self.empty = EmptyState(theme, "save", "", "")
        self.run = make_action(
            self, theme, "play", self.tr("Run on both"), shortcuts.RUN_ALL, self._start
        )
        self.stop = make_action(
            self, theme, "stop", self.tr("Stop"), shortcuts.STOP_CALLS, self.cancel
        )
        self._stack, self._filled = QStackedWidget(), QWidget()
        make_flat(self.tree, _WIDTHS, CALL)
        self._lay_out()
        bridge.connect(self, calls.changed, self._note_files)
        self.whose.activated.connect(self._choose_whose)
        self.tree.currentItemChanged.connect(lambda: self._show_current())
        theme.changed.connect(self._show_cells)
        self.tree.setHeaderLabels(
            [self.tr("Saved call"), self.tr("Before"), self.tr("After"), self.tr("Results")]
        )
        self.tree.setAccessibleName(self.tr("Saved calls"))
        self.diff.setAccessibleName(self.tr("What differs"))
        self._say_what_runs()
        self._show_cells()

    @property
    def is_running(self) -> bool:
        return self.running is not None

    def load(self) -> None:
        """Read the saved calls; each change of their files shows here from then on."""
        bridge.run(self, self._calls.load(), self.tr("Reading saved calls"))

    def compare(self, first: ComparedServer, other: ComparedServer) -> None:
        """Offer to make the saved calls on these two; what was found before is forgotten."""
        self._sides = first, other
        self._note_files()

    def cancel(self) -> None:
        """Cancel the running call, at its server too; the calls after it are not made."""
        if self.running is not None:
            self.running.cancel()
            self.running = None
            self._end()

    def show_error(self, message: str) -> None:
        """What failed; the bridge reports failures here."""
        self.problem.setText(message)
        self.problem.show()
        self._end()

    def _note_files(self) -> None:
        """The files, or the two servers, are others now."""
        if self._sides is None or self.is_running:
            return
        self._by_server = group_calls(self._calls.entries)
        wanted = [self._wanted, *(side.name for side in self._sides)]
        server = next((name for name in wanted if name in self._by_server), "")
        self.whose.clear()
        for name in self._by_server:
            self.whose.addItem(mark_hidden(name), name)
        self.whose.setCurrentIndex(self.whose.findData(server))
        plan = plan_calls(self._calls.entries, self._entries)
        if plan != self._plan or self._sides != self._found.sides:
            self._plan, self._found = plan, _Found(self._sides)
            self._fill_tree()
        self._say_what_runs()
        self._show_cells()

    def _choose_whose(self) -> None:
        self._wanted = self._server
        self._note_files()

    @property
    def _server(self) -> str:
        """Whose saved calls are made; empty where neither of the two has any."""
        return str(self.whose.currentData() or "")

    @property
    def _entries(self) -> list[SavedEntry]:
        return self._by_server.get(self._server, [])

    def _start(self) -> None:
        if self._sides is None or self.is_running or not self._entries:
            return
        self.problem.hide()
        self._found = _Found(self._sides)
        self._show_cells()
        doing = self.tr("Comparing the results")
        self.running = bridge.run(self, self._run(self._sides, self._plan), doing)
        self._enable()
        self.running_changed.emit(self.is_running)

    async def _run(
        self, sides: tuple[ComparedServer, ComparedServer], plan: Sequence[PlannedCall]
    ) -> None:
        task, found = asyncio.current_task(), self._found
        try:
            first, other = [await self._run_one(sides, number, plan) for number in range(2)]
            for known, side in zip(found.outcomes, (first, other), strict=True):
                known.update(side.outcomes)
            found.differing = await asyncio.to_thread(
                find_differing, first, other, only_passed=False
            )
        finally:
            if self.running is task:
                self.running = None
        if self.running is None:  # the view itself may be gone where it was cancelled
            self._choose_telling()
            self._end()

    def _end(self) -> None:
        self._show_cells()
        self.running_changed.emit(False)
        self.ended.emit()

    async def _run_one(
        self,
        sides: tuple[ComparedServer, ComparedServer],
        number: int,
        plan: Sequence[PlannedCall],
    ) -> Side:
        """All calls on one of the two; each is shown as it ends."""
        side, outcomes = sides[number], self._found.outcomes[number]
        instead = {self._server: side.name}
        run = SavedCallRun(side.make_runner(), plan, "person", servers=instead)

        def begin(planned: PlannedCall) -> None:
            done = number * len(plan) + len(outcomes)
            name = f"{planned.entry.call.name} · {side.label}"
            self.progress.show_call(done, 2 * len(plan), name)
            self._show_running(planned.place, BEFORE + number)

        def end(planned: PlannedCall, outcome: SavedCallOutcome) -> None:
            outcomes[planned.place] = outcome
            self._show_row(planned.place)

        return await run_side(run, begin, end)

    def _say_what_runs(self) -> None:
        if self._sides is None:
            return
        self._stack.setCurrentWidget(self._filled if self._entries else self.empty)
        first, other = (mark_hidden(side.label) for side in self._sides)
        self.empty.set_text(
            self.tr("No saved calls of “{first}” or “{other}”").format(first=first, other=other),
            self.tr(
                "Save a call from the history or a tool's form: here it is made on both servers, "
                "and the results are compared. Calls of another server can be chosen above."
            )
            if self._by_server
            else self.tr(
                "Save a call from the history or a tool's form: here it is made on both servers, "
                "and the results are compared."
            ),
        )
        one, many = self.tr("1 saved call."), self.tr("{count} saved calls.")
        words = counted(len(self._entries), one, many)
        self.about.setText(f"{words} {self._how(first, other)}")
        self.risk.setText(self._risk())
        self.risk.setVisible(bool(self.risk.text()))
        self.problem.setText("\n".join(map(spoken, self._calls.problems)))
        self.problem.setVisible(bool(self._calls.problems))
        self._enable()

    def _how(self, first: str, other: str) -> str:
        """Who is called; for a recording its answers are read."""
        live = [side for side in self._sides or () if not side.is_recorded]
        if not live:
            return self.tr("Nothing is called: both are recordings.")
        if len(live) == 1:
            text = self.tr("Only “{name}” is called; the other answers are those of the recording.")
            return text.format(name=mark_hidden(live[0].label))
        text = self.tr("They are made on “{first}” first, then on “{other}”.")
        return text.format(first=first, other=other)

    def _risk(self) -> str:
        """The tools that would be called and are not read-only by what they say of themselves."""
        tools = dict.fromkeys(entry.call.tool.partition(":")[2] for entry in self._entries)
        live = [side.read_only() for side in self._sides or () if not side.is_recorded]
        risky = [tool for tool in tools if any(tool not in safe for safe in live)]
        if not risky:
            return ""
        names = [mark_hidden(tool) for tool in risky[:_MAX_NAMED]]
        names += ["…"] if len(risky) > _MAX_NAMED else []
        text = self.tr("Not declared read-only, so they may change something: {names}")
        return text.format(names=listed(names))

    def _fill_tree(self) -> None:
        """A row for each call that would be made: those of the server, and what they need."""
        chosen, self._rows = self._place, {}
        self.tree.clear()
        for planned in self._plan:
            item = QTreeWidgetItem([mark_hidden(planned.entry.call.name)])
            item.setToolTip(CALL, plain_tip(mark_hidden(planned.entry.call.tool)))
            item.setData(CALL, _PLACE, planned.place)
            self._rows[planned.place] = item
            self.tree.addTopLevelItem(item)
        if chosen is not None and chosen in self._rows:
            self.tree.setCurrentItem(self._rows[chosen])
        else:
            self._choose_telling()

    def _show_cells(self) -> None:
        """All that is known of all calls."""
        for place in self._rows:
            self._show_row(place)
        self._summarize()
        self._show_current()
        self._enable()

    def _show_row(self, place: SavedCallPlace) -> None:
        cells = self._cells(place)
        for column in (BEFORE, AFTER, RESULT):
            label = cells.get(column, StyledText("", "text"))
            self._rows[place].setText(column, label.text)
            self._rows[place].setForeground(column, self._theme.color(label.tone))

    def _choose_telling(self) -> None:
        """Choose the first row that differs, else the first."""
        differing = self._found.differing or {}
        telling = [row for place, row in self._rows.items() if place in differing]
        for row in [*telling, *self._rows.values()][:1]:
            self.tree.setCurrentItem(row)

    def _cells(self, place: SavedCallPlace) -> dict[int, StyledText]:
        cells: dict[int, StyledText] = {}
        pair = [outcomes.get(place) for outcomes in self._found.outcomes]
        for column, outcome in zip((BEFORE, AFTER), pair, strict=True):
            if outcome is not None:
                cells[column] = self._outcome_label(outcome)
        if self._found.differing is None:
            return cells
        if place in self._found.differing:
            cells[RESULT] = StyledText(self.tr("Differ"), "warning")
        elif self._is_compared(place):
            cells[RESULT] = StyledText(self.tr("Same"), "success")
        else:
            cells[RESULT] = StyledText(self.tr("Not compared"), "muted")
        return cells

    def _outcome_label(self, outcome: SavedCallOutcome) -> StyledText:
        error = outcome.result.error
        if error is not None and error.type == NOT_RECORDED:
            return StyledText(self.tr("Not recorded"), "warning")
        return call_labels.saved_outcome_label(outcome.outcome)

    def _show_running(self, place: SavedCallPlace, column: int) -> None:
        item = self._rows[place]
        item.setText(column, self.tr("Running…"))
        item.setForeground(column, self._theme.color("accent"))
        self.tree.scrollToItem(item)

    def _summarize(self) -> None:
        words, tone = self._verdict()
        self.summary.setText(words)
        self.summary.setVisible(bool(words))
        style(self.summary, tone, "heading")

    def _verdict(self) -> tuple[str, Role]:
        found = self._found
        if found.differing is None:
            is_stopped = any(found.outcomes) and not self.is_running
            return (self.tr("Stopped; nothing was compared.") if is_stopped else ""), "muted"
        left_out = sum(not self._is_compared(place) for place in self._rows)
        if left_out == len(self._rows):
            return self.tr("No call was answered on both."), "danger"
        words = self.tr("The results are the same")
        if found.differing:
            one, many = self.tr("1 result differs"), self.tr("{count} results differ")
            words = counted(len(found.differing), one, many)
        if left_out:
            one, many = self.tr("1 not compared"), self.tr("{count} not compared")
            words = f"{words} · {counted(left_out, one, many)}"
        return words, "warning" if found.differing or left_out else "success"

    def _is_compared(self, place: SavedCallPlace) -> bool:
        pair = [outcomes.get(place) for outcomes in self._found.outcomes]
        return all(outcome is not None and outcome.is_answered for outcome in pair)

    @property
    def _place(self) -> SavedCallPlace | None:
        item = self.tree.currentItem()
        return item.data(CALL, _PLACE) if item is not None else None

    def _show_current(self) -> None:
        place = self._place
        part = (self._found.differing or {}).get(place) if place is not None else None
        self.words.setText("\n".join(self._lines(place)) if place is not None else "")
        self.words.setVisible(bool(self.words.text()))
        self.diff.setVisible(part is not None)
        if part is not None:
            self.diff.show_part(part)

    def _lines(self, place: SavedCallPlace) -> list[str]:
        """How the results compare, and what was not as expected on which side."""
        titles = self.tr("Before"), self.tr("After")
        lines: list[str] = []
        if self._found.differing is not None:
            cell = self._cells(place)[RESULT].text
            lines.append(self.tr("− Before   + After") if place in self._found.differing else cell)
        for title, outcomes in zip(titles, self._found.outcomes, strict=True):
            outcome = outcomes.get(place)
            messages = outcome.messages[:_MAX_MESSAGES] if outcome is not None else []
            lines += [named(title, mark_hidden(spoken(each))[:_MAX_MESSAGE]) for each in messages]
        return lines

    def _enable(self) -> None:
        if not self.is_running:
            self.progress.clear()
        self.whose.setEnabled(bool(self._by_server) and not self.is_running)
        self.run.setEnabled(bool(self._entries) and not self.is_running)
        self.stop.setEnabled(self.is_running)

    def _lay_out(self) -> None:
        run, stop = button_for(self.run), button_for(self.stop)
        guard_focus(run)
        stop.setAutoDefault(False)
        self._whose_label.setBuddy(self.whose)
        row = InnerRow(self._whose_label, self.whose, run, stop, (self.progress, 1), Stretch(0))
        self._stack.addWidget(self._filled)
        self._stack.addWidget(self.empty)
        self._lay_out_filled()
        in_column(self, row, self.problem, (self._stack, 1), margins=(0, 2, 0, 0))
        self.problem.hide()
        self.setFocusProxy(self.tree)

    def _lay_out_filled(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setObjectName("results")
        splitter.addWidget(self.tree)
        splitter.addWidget(self._detail())
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([space(30), space(50)])
        in_column(self._filled, self.about, self.risk, self.summary, (splitter, 1))

    def _detail(self) -> QWidget:
        """How the chosen call differs."""
        detail = QWidget()
        in_column(detail, self.words, (self.diff, 1), Stretch(0), margins=(0, 2, 0, 0))
        return detail
