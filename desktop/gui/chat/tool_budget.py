"""What the tools of a chat take of the model's window: a bar, advice, and each tool by its cost.

Shows a budget that it is given and an exact count where there is one; asks and switches nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QListView, QPushButton, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.gui.chat.collapse_button import CollapseButton
from desktop.gui.chat.context_meter import ToolsMeter
from desktop.gui.layouts import TOP, InnerRow, in_column, in_row
from desktop.gui.theme import style
from desktop.gui.translations import spoken
from desktop.gui.widgets.figure_rows import FIGURE_ROLE, FigureDelegate
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.token_words import tokens_figure, tokens_label
from desktop.llm.formats import ApiFormat

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex

    from desktop.gui.chat.exact_count import ExactCount
    from desktop.gui.theme import Theme
    from desktop.llm.context_budget import Advice, ContextBudget, ToolTokens

_SHOWN_ADVICE = 2
_LISTED = 500
"""Tools in the list by cost; those further down cost next to nothing."""


class ToolBudgetView(QWidget):
    """Hidden while nothing is estimated."""

    list_opened = Signal(bool)
    """The list of tools is to be seen, or no longer."""
    count_requested = Signal()
    """Ask the provider, or stop asking."""
    switch_off_requested = Signal(str)
    """A server that this conversation is to go on without."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._budget: ContextBudget | None = None
        self._exact: ExactCount | None = None
        self._switchable: Collection[str] = ()
        self.meter = ToolsMeter(self)
        self.exact = QPushButton(self)
        self.by_cost = CollapseButton(theme, self)
        self.counted = plain_label("", "muted", "small")
        self.advice = [AdviceRow(self) for _ in range(_SHOWN_ADVICE)]
        self._tools = ToolCostModel(self)
        self.list = QListView(self)  # placed by the panel, where there is room for it
        self.list.setModel(self._tools)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(FigureDelegate(theme, self.list))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.hide()
        style(self.exact, "link", "small")
        self._lay_out()
        self.exact.clicked.connect(self.count_requested)
        self.by_cost.opened.connect(self._open_list)
        for row in self.advice:
            row.switch_off_requested.connect(self.switch_off_requested)
        self._set_texts()

    def show_budget(
        self, budget: ContextBudget | None, exact: ExactCount, switchable: Collection[str]
    ) -> None:
        """Show a budget.

        Args:
            budget: of what is offered; None while it is not known.
            exact: what the provider counted, or is counting.
            switchable: servers that the conversation can go on without.
        """
        self._budget, self._exact, self._switchable = budget, exact, switchable
        self.setVisible(budget is not None and budget.tokens > 0)
        self._set_texts()

    def _set_texts(self) -> None:
        self.by_cost.setText(self.tr("Tools by cost"))
        self.list.setAccessibleName(self.tr("Tools, the most expensive first"))
        budget, exact = self._budget, self._exact
        if budget is None or exact is None:
            return
        result = exact.result
        tokens = result.tokens if result is not None else budget.tokens
        self.meter.show_use(tokens, budget.window, is_estimate=result is None)
        self._tell_count(exact, budget)
        useful = [each for each in budget.advice() if each.kind != "heaviest"]
        for row, advice in zip(self.advice, [*useful, None, None], strict=False):
            row.show_advice(advice, advice is not None and advice.server in self._switchable)
        self._fill_list()

    def _tell_count(self, exact: ExactCount, budget: ContextBudget) -> None:
        has_counter = budget.api_format not in (None, ApiFormat.OPENAI)
        self.exact.setVisible(has_counter)
        self.exact.setText(self.tr("Cancel") if exact.is_running else self.tr("Count exactly"))
        self.exact.setToolTip(
            self.tr("Ask the provider: sends the definitions of the tools, runs no model.")
        )
        result = exact.result
        if exact.is_running:
            words = self.tr("Asking the provider…")
        elif result is not None:
            words = self.tr(
                "{tokens} tokens, counted by {provider} for {model} (estimated: {estimate})."
            ).format(
                tokens=f"{result.tokens:,}",
                provider=result.provider,
                model=result.model,
                estimate=f"{budget.tokens:,}",
            )
        elif exact.error:
            words = self.tr("Not counted: {reason}").format(reason=spoken(exact.error))
        elif not budget.window:
            words = self.tr("The context window of this model is not known.")
        else:
            words = ""
        style(self.counted, "danger" if exact.error else "muted", "small")
        self.counted.setText(words)
        self.counted.setVisible(bool(words))

    def _open_list(self, is_open: bool) -> None:
        self._fill_list()
        self.list_opened.emit(is_open)

    def _fill_list(self) -> None:
        if self._budget is not None and self.by_cost.isChecked():
            self._tools.show_tools(self._budget.heaviest(_LISTED))

    def _lay_out(self) -> None:
        row = InnerRow((self.meter, 1), self.by_cost, self.exact, spacing=3)
        in_column(self, row, self.counted, *self.advice, spacing=1)


class AdviceRow(QWidget):
    """A sentence, and a button where this conversation can follow it."""

    switch_off_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._advice: Advice | None = None
        self._can_switch = False
        self.words = plain_label("", "warning", "small")
        self.button = QPushButton(self)
        style(self.button, "link", "small")
        self.button.clicked.connect(self._request)
        in_row(self, (self.words, 1), (self.button, TOP), spacing=3)
        self.hide()

    def show_advice(self, advice: Advice | None, can_switch: bool) -> None:
        """Show a piece of advice, or nothing; a single tool is switched off on its own page."""
        self._advice = advice
        self._can_switch = can_switch and advice is not None and not advice.tool
        self.setVisible(advice is not None)
        self._set_texts()

    def _set_texts(self) -> None:
        if (advice := self._advice) is None:
            return
        words = mark_hidden(spoken(advice.sentence))
        saves = tokens_label(advice.saves)
        if advice.tool:
            more = self.tr("Switching it off on the Servers page saves {tokens}.")
            words = f"{words} {more.format(tokens=saves)}"
        self.words.setText(words)
        text = self.tr("Go on without {server}: saves {tokens}")
        server = mark_hidden(advice.server)
        short = server if len(server) <= _MAX_NAME else f"{server[:_MAX_NAME]}…"
        self.button.setText(text.format(server=short, tokens=saves).replace("&", "&&"))
        self.button.setToolTip(self.tr("For this conversation; other servers stay selected."))
        self.button.setVisible(self._can_switch)

    def _request(self) -> None:
        if self._advice is not None:
            self.switch_off_requested.emit(self._advice.server)


_MAX_NAME = 24


class ToolCostModel(QStringListModel):
    """`server:tool` with its tokens at the end of the row."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown: list[ToolTokens] = []

    def show_tools(self, tools: list[ToolTokens]) -> None:
        if tools != self._shown:
            self._shown = tools
            self.setStringList([mark_hidden(tool.key) for tool in tools])

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == FIGURE_ROLE:
            return tokens_figure(self._shown[index.row()].tokens)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            tool = self._shown[index.row()]
            return f"{mark_hidden(tool.key)}, {tokens_label(tool.tokens)}"
        return super().data(index, role)
