"""The cases of a folder by the models that are asked: how often each did well, and every run of it.

A run goes on in the background, is kept while it does, and can be stopped. Another one is compared
with it: what fell or rose more than chance explains has its own colour. Runs through `EvalBoard`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHeaderView,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.features.evals.eval_reports import Difference, reasons, transcript_lines
from desktop.features.evals.rates import newcombe
from desktop.features.evals.scoring import reasons_of
from desktop.features.saved_calls.gui.run_progress import RunProgress
from desktop.gui import bridge
from desktop.gui.activity.actions import button_for, make_action
from desktop.gui.layouts import STRETCH, InnerRow, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import WrappedTextEditor

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from PySide6.QtGui import QShowEvent

    from desktop.features.evals.board import EvalBoard
    from desktop.features.evals.eval_run import CellKey, EvalCell
    from desktop.features.evals.rates import Verdict
    from desktop.features.evals.transcript import RunTranscript
    from desktop.gui.theme import ColorName, Theme

translate = QCoreApplication.translate
_CELL = Qt.ItemDataRole.UserRole
_PAUSE_MS = 100
_MAX_SHOWN = 500_000
"""Characters of one run that are shown."""


class _Told(NamedTuple):
    """What a cell of the grid says."""

    text: str
    tone: ColorName


class EvalsView(QWidget):
    """The grid on the left, the runs of the selected cell on the right."""

    chat_requested = Signal(str)
    """The id of a conversation that is to be shown."""

    def __init__(self, theme: Theme, board: EvalBoard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._board = theme, board
        self.running: asyncio.Task[None] | None = None
        self._items: dict[CellKey, QTableWidgetItem] = {}
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.banners, self.progress = BannerArea(theme), RunProgress()
        self.grid, self.runs = QTableWidget(), RunsOfCell(theme, board)
        self.kept, self.spent = KeptRuns(board), QLabel()
        self.empty = EmptyState(theme, "chat", "", "")
        self.stack = QStackedWidget()
        self.run = make_action(self, theme, "play", self.tr("Run cases"), None, self.start)
        self.stop = make_action(self, theme, "stop", self.tr("Stop"), None, self.stop_run)
        self._lay_out()
        self._set_texts()
        self._connect()
        self._show_board()

    def start(self) -> None:
        """Ask everything anew."""
        if self.running is None:
            self.running = bridge.run(self, self._run(), self.tr("Running cases"))
            self._enable()

    def stop_run(self) -> None:
        """Stop; what has ended is kept."""
        if self.running is not None:
            self.running.cancel()

    def show_error(self, message: str) -> None:
        """Show an error; the bridge reports failures here."""
        self.banners.show_banner("error", "error", message)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.running is None:
            bridge.run(self, self._board.load(), self.tr("Reading cases"))

    async def _run(self) -> None:
        task = asyncio.current_task()
        try:
            await self._board.run()
        finally:
            if self.running is task:
                self.running = None
            self._show_board()

    # --- the grid ---------------------------------------------------------------------------------

    def _show_board(self) -> None:
        board = self._board
        chosen = self._current_key()
        names = _places(cell.key[:2] for cell in board.cells)
        columns = _places(cell.key[2:] for cell in board.cells)
        self.grid.clearContents()
        self.grid.setRowCount(len(names))
        self.grid.setColumnCount(len(columns))
        titles = [" · ".join(filter(None, column)) for column in columns]
        self.grid.setHorizontalHeaderLabels([mark_hidden(each) for each in titles])
        self.grid.setVerticalHeaderLabels([mark_hidden(name) for _, name in names])
        self._items = {}
        for cell in board.cells:
            item = QTableWidgetItem()
            self._items[cell.key] = item
            item.setData(_CELL, cell)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.grid.setItem(names[cell.key[:2]], columns[cell.key[2:]], item)
            if cell.key == chosen:
                self.grid.setCurrentItem(item)
        self._fill()
        self.kept.fill()
        self.stack.setCurrentWidget(self.splitter if board.cells else self.empty)
        self.banners.remove("files")
        if board.problem:
            self.banners.show_banner("files", "warning", spoken(board.problem))
        self._enable()
        self.runs.show_cell(self.current)

    def _fill(self) -> None:
        """Say how each cell does now."""
        for item in self._items.values():
            self._fill_item(item)
        self.grid.resizeRowsToContents()
        self._show_progress()

    def _fill_item(self, item: QTableWidgetItem) -> None:
        told = self._told(item.data(_CELL))
        item.setText(told.text)
        item.setForeground(self._theme.color(told.tone))

    def _told(self, cell: EvalCell) -> _Told:
        words, tone = verdict_label(cell.verdict), _TONES[cell.verdict]
        rate = self.tr("{passed} of {runs}").format(passed=cell.passed, runs=cell.runs)
        text = f"{words} · {rate}" if cell.runs else words if cell.unmeasured else "–"
        before = self._board.earlier.get(cell.key[1:])
        if before is not None and cell.runs:
            change = _difference(before, cell)
            words = {
                "fell": self.tr("fell by {points} points"),
                "rose": self.tr("rose by {points} points"),
                "same": self.tr("not clearly different"),
            }[change.word]
            text += f"\n{words.format(points=round(abs(100 * change.change)))}"
            if change.word != "same":
                tone = "danger" if change.word == "fell" else "success"
        return _Told(text, tone)

    def _show_progress(self) -> None:
        bench, cells = self._board.bench, self._board.cells
        if bench is None:
            self.progress.clear()
            count = self._board.questions
            self.spent.setText(
                counted(count, self.tr("one question a run"), self.tr("{count} questions a run"))
                if cells
                else ""
            )
            return
        going = next((cell for cell in cells if cell.wanted()), None)
        done = sum(not cell.wanted() for cell in cells)
        self.progress.show_call(done, len(cells), going.planned.case.name if going else "")
        cost = self.tr("Cost so far: {cost}").format(cost=f"{bench.budget.spent:.4g}")
        self.spent.setText(cost if bench.budget.spent else "")

    @property
    def current(self) -> EvalCell | None:
        item = self.grid.currentItem()
        return item.data(_CELL) if item else None  # the stubs do not know None

    def _current_key(self) -> Any:
        return self.current.key if self.current is not None else None

    def _enable(self) -> None:
        is_running = self.running is not None
        self.run.setEnabled(not is_running and bool(self._board.cells))
        self.stop.setEnabled(is_running)
        self.stop.setVisible(is_running)
        self.kept.setEnabled(not is_running and bool(self._board.kept))

    def _connect(self) -> None:
        bridge.connect(self, self._board.changed, self._show_board)
        bridge.connect(self, self._board.told, self._note)
        self._pause.timeout.connect(self._show_progress)
        self._theme.changed.connect(self._fill)
        self.grid.currentItemChanged.connect(lambda: self.runs.show_cell(self.current))
        self.grid.itemActivated.connect(self.runs.open_run)
        self.runs.chat_requested.connect(self.chat_requested)

    def _note(self, cell: EvalCell) -> None:
        """Fill the one cell that changed: there may be thousands."""
        if (item := self._items.get(cell.key)) is not None:
            self._fill_item(item)
            self.grid.resizeRowToContents(item.row())
        if not self._pause.isActive():
            self._pause.start()

    def _lay_out(self) -> None:
        self.grid.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.grid.setTabKeyNavigation(False)
        self.grid.setFrameShape(QFrame.Shape.NoFrame)
        self.grid.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.grid.horizontalHeader().setHighlightSections(False)
        self.grid.verticalHeader().setHighlightSections(False)
        style(self.spent, "muted", "small")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.grid, self.runs):
            self.splitter.addWidget(part)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([space(160), space(130)])
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        run, stop = button_for(self.run, has_icon=False), button_for(self.stop)
        style(run, "primary")
        style(stop, "flat")
        for button in (run, stop):
            guard_focus(button)
        row = InnerRow(run, stop, self.spent, STRETCH, self.kept)
        in_column(self, row, self.progress, self.banners, (self.stack, 1))
        self.setFocusProxy(self.grid)

    def _set_texts(self) -> None:
        self.grid.setAccessibleName(self.tr("Cases by models and clients"))
        self.empty.set_text(
            self.tr("No cases yet"),
            self.tr(
                "A case asks a model something and expects calls of your tools. Make one of a "
                "chat with “Save as case…”, or write it into the folder of saved calls."
            ),
        )


class KeptRuns(QWidget):
    """Which kept run is shown, and which one beside it."""

    def __init__(self, board: EvalBoard) -> None:
        super().__init__()
        self._board = board
        self.shown, self.compared = QComboBox(), QComboBox()
        words = QLabel(self.tr("compared with"))
        style(words, "muted", "small")
        self.shown.setAccessibleName(self.tr("The run that is shown"))
        self.compared.setAccessibleName(self.tr("The run that it is compared with"))
        for box in (self.shown, self.compared):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.activated.connect(lambda: self._choose())
        in_row(self, self.shown, words, self.compared)

    def fill(self) -> None:
        """Offer what there is now."""
        board = self._board
        for box, chosen, none in (
            (self.shown, board.shown, self.tr("No run yet")),
            (self.compared, board.compared, self.tr("Nothing")),
        ):
            with QSignalBlocker(box):
                box.clear()
                if box is self.compared or not board.kept:
                    box.addItem(none, None)
                for path in board.kept:
                    box.addItem(_when(path), path)
                box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)

    def _choose(self) -> None:
        shown, compared = self.shown.currentData(), self.compared.currentData()
        bridge.run(self, self._board.show(shown, compared), self.tr("Reading cases"))


class RunsOfCell(QWidget):
    """Why a case did as it did, and what was said and called in each run."""

    chat_requested = Signal(str)

    def __init__(self, theme: Theme, board: EvalBoard) -> None:
        super().__init__()
        self._board = board
        self._cell: EvalCell | None = None
        self._runs: list[RunTranscript] = []
        self.reasons, self.choice = plain_label("", "muted", "small"), QComboBox()
        words = self.tr("Open in Chat")
        self.in_chat = make_action(self, theme, "chat", words, None, self.open_run)
        self.transcript = WrappedTextEditor()
        self.transcript.setReadOnly(True)
        self.transcript.setTabChangesFocus(True)
        self.transcript.setFrameShape(QFrame.Shape.NoFrame)
        style(self.transcript, "well", "mono")
        self.choice.setAccessibleName(self.tr("Runs of this case"))
        self.transcript.setAccessibleName(self.tr("What was said and called in this run"))
        self.choice.currentIndexChanged.connect(lambda: self._show_run())
        row = InnerRow((self.choice, 1), button_for(self.in_chat))
        in_column(self, self.reasons, row, (self.transcript, 1), margins=(3, 0, 0, 0))
        self.show_cell(None)

    def open_run(self) -> None:
        """Make a conversation of the run that is shown, to be read and gone on with."""
        if (at := self._shown) is not None and self._cell is not None:
            opening = self._open(self._cell, self._runs[at], at + 1)
            bridge.run(self, opening, self.tr("Open a conversation"))

    async def _open(self, cell: EvalCell, run: RunTranscript, number: int) -> None:
        self.chat_requested.emit(await self._board.keep_as_chat(cell, run, number))

    @property
    def _shown(self) -> int | None:
        at = self.choice.currentIndex()
        return at if 0 <= at < len(self._runs) else None

    def show_cell(self, cell: EvalCell | None) -> None:
        """Show this one; None for none."""
        self._cell, self._runs = cell, []
        self.choice.clear()
        self.transcript.clear()
        self.reasons.setVisible(cell is not None)
        self._offer_runs()
        if cell is None:
            return
        low, high = (round(100 * end) for end in cell.interval)
        words = self.tr("The true rate is between {low} and {high} %; {share} % are needed.")
        share = round(100 * cell.bar.share)
        head = words.format(low=low, high=high, share=share) if cell.runs else ""
        why = (mark_hidden(spoken(reason)) for reason in reasons(cell))
        self.reasons.setText("\n".join(filter(None, (head, *why))))
        bridge.run(self, self._read(cell), self.tr("Reading the runs"))

    async def _read(self, cell: EvalCell) -> None:
        runs = await self._board.transcripts(cell)
        if self._cell is not cell:
            return
        self._runs = runs
        for number, run in enumerate(runs, 1):
            word, _ = reasons_of(cell.planned, run)
            label = self.tr("Run {number}").format(number=number)
            self.choice.addItem(f"{label} · {verdict_label(word)}")
        self._offer_runs()
        self._show_run()

    def _offer_runs(self) -> None:
        self.choice.setVisible(bool(self._runs))
        self.in_chat.setVisible(bool(self._runs))

    def _show_run(self) -> None:
        if self._cell is None or (at := self._shown) is None:
            return
        _, why = reasons_of(self._cell.planned, self._runs[at])
        lines = [f"{spoken(who)}\n{spoken(said)}" for who, said in transcript_lines(self._runs[at])]
        text = "\n\n".join((*map(spoken, why), *lines))
        self.transcript.setPlainText(mark_hidden_text(text[:_MAX_SHOWN]))


def verdict_label(word: str) -> str:
    """A verdict as the window says it."""
    return {
        "passed": translate("EvalsView", "passed"),
        "failed": translate("EvalsView", "failed"),
        "undecided": translate("EvalsView", "undecided"),
        "not measured": translate("EvalsView", "not measured"),
    }[word]


_TONES: Final[dict[Verdict, ColorName]] = {
    "passed": "success",
    "failed": "danger",
    "undecided": "warning",
    "not measured": "muted",
}


def _places(keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The row or column of each, in their order."""
    return {key: at for at, key in enumerate(dict.fromkeys(keys))}


def _difference(before: EvalCell, now: EvalCell) -> Difference:
    interval = newcombe((before.passed, before.runs), (now.passed, now.runs))
    return Difference(now.planned.case.name, now.model, before, now, interval)


def _when(path: Path) -> str:
    """`2026-11-27 18:04` of the name of a kept run; another name stays as it is."""
    day, _, rest = path.stem.partition("-")
    if len(day) == 8 and day.isdigit() and rest[:6].isdigit():
        return f"{day[:4]}-{day[4:6]}-{day[6:]} {rest[:2]}:{rest[2:4]}:{rest[4:6]}"
    return path.stem
