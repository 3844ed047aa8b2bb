"""The tools that the model is given: those of the servers, and the chat's own built-in servers.

Shows what they cost, as it is told. Emits a choice; starts nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.chat.builtin_servers import BuiltinRow
from desktop.gui.chat.tool_budget import ToolBudgetView
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.figure_rows import FIGURE_ROLE, FigureDelegate
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.token_words import tokens_figure, tokens_label
from desktop.gui.widgets.visibility import discard
from desktop.llm.tool_choice import McpMode, ToolChoice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.agent.session_info import Builtin
    from desktop.gui.theme import Theme


_LOWEST, _HEIGHT = space(18), space(36)
_NAME = Qt.ItemDataRole.UserRole


class ToolsPanel(QFrame):
    """Off, all, or of chosen servers; and the built-in servers, until the conversation begins."""

    choice_changed = Signal(object)
    """The `ToolChoice`."""
    builtins_changed = Signal(object)
    """Names of built-in servers, a tuple."""
    builtin_changed = Signal(object)
    """A `Builtin` that is to be started with other arguments."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "card")
        self._theme = theme
        self.rows: list[BuiltinRow] = []
        self._places = _Places()
        self._rows_column = QVBoxLayout()
        self.off = QRadioButton(self.tr("None"))
        self.manual = QRadioButton(self.tr("From selected servers"))
        self.auto = QRadioButton(self.tr("All"))
        self._modes = QButtonGroup(self)
        self.servers, self.builtins = _check_list(), _check_list()
        self.servers.setItemDelegate(FigureDelegate(theme, self.servers))
        self.budget = ToolBudgetView(theme, self)
        _set_height(self.budget.list)
        self._builtins_title = QLabel(self.tr("Servers for this conversation only"))
        self._tools_title = QLabel(self.tr("Tools of your servers"))
        self.cost = plain_label("", "muted", "small")
        self.fixed = plain_label(
            self.tr("Selected when the conversation started."), "muted", "small"
        )
        self._lay_out()
        self.servers.setAccessibleName(self.tr("Servers whose tools the model can use"))
        self.builtins.setAccessibleName(self.tr("Built-in servers of this conversation"))
        for button in (self.off, self.auto, self.manual):
            self._modes.addButton(button)
            button.clicked.connect(self._announce_choice)
        self.servers.itemChanged.connect(self._announce_choice)
        self.builtins.itemChanged.connect(self._announce_builtins)
        self.budget.switch_off_requested.connect(self._go_without)
        self.budget.list_opened.connect(self._open_list)

    @property
    def choice(self) -> ToolChoice:
        mode: McpMode = "auto" if self.auto.isChecked() else "off"
        if self.manual.isChecked():
            mode = "manual"
        return ToolChoice(mode, tuple(_checked(self.servers)))

    def show_choice(self, choice: ToolChoice, servers: Mapping[str, int]) -> None:
        """Show a choice among `servers`, each with how many tools it has now. Unannounced."""
        named = list(servers) + [server for server in choice.servers if server not in servers]
        counts = {name: self._count_words(servers.get(name)) for name in named}
        {"off": self.off, "auto": self.auto, "manual": self.manual}[choice.mode].setChecked(True)
        _fill(self.servers, counts, choice.servers)
        self.servers.setEnabled(choice.mode == "manual")

    def show_builtins(
        self, builtins: Mapping[str, str], chosen: Sequence[str], *, is_fixed: bool
    ) -> None:
        """Show the built-in servers with what each is for; fixed once the conversation began."""
        _fill(self.builtins, builtins, chosen)
        self.builtins.setEnabled(not is_fixed)
        self.fixed.setVisible(is_fixed)

    def show_places(self, builtins: Sequence[Builtin], *, is_fixed: bool) -> None:
        """Say what each chosen built-in server may touch. Unannounced."""
        if [builtin.name for builtin in builtins] != [row.builtin.name for row in self.rows]:
            for row in self.rows:
                discard(row)
            self.rows = [BuiltinRow(self._theme, builtin, self) for builtin in builtins]
            for row in self.rows:
                row.change_requested.connect(self.builtin_changed)
                self._rows_column.addWidget(row)
                row.show()
        for row, builtin in zip(self.rows, builtins, strict=True):
            row.show_builtin(builtin, is_fixed=is_fixed)
            if (layout := row.layout()) is not None:
                layout.activate()  # at once, so that the height below is that of now
        self._places.setVisible(bool(builtins))
        self._rows_column.invalidate()
        height = min(_HEIGHT, self._rows_column.sizeHint().height())
        self._places.setMinimumHeight(min(height, _LOWEST))
        self._places.setMaximumHeight(height)

    def show_tokens(self, tokens: Mapping[str, int]) -> None:
        """Say beside each server what its tools cost, chosen or not, as far as it is known."""
        with QSignalBlocker(self.servers):
            for row in range(self.servers.count()):
                item = self.servers.item(row)
                cost = tokens.get(str(item.data(_NAME)), 0)
                item.setData(FIGURE_ROLE, tokens_figure(cost) if cost else "")
                label = f"{item.text()}, {tokens_label(cost)}" if cost else None
                item.setData(Qt.ItemDataRole.AccessibleTextRole, label)
                item.setToolTip(label or "")

    def show_cost(self, words: str, *, is_warning: bool = False) -> None:
        self.cost.setText(words)
        self.cost.setVisible(bool(words))
        style(self.cost, "warning" if is_warning else "muted", "small")

    def _count_words(self, count: int | None) -> str:
        if count is None:
            return self.tr("unavailable")
        return counted(count, self.tr("1 tool"), self.tr("{count} tools"))

    def _open_list(self, is_open: bool) -> None:
        """Show the tools by their cost in the place of the servers: a low window has no more."""
        for part in (self.servers, self.builtins):
            part.setVisible(not is_open)
        self.budget.list.setVisible(is_open)

    def _go_without(self, server: str) -> None:
        """Choose all that is chosen now, but for one server."""
        shown = _names(self.servers)
        included = [name for name in shown if self.choice.includes(name) and name != server]
        self.manual.setChecked(True)
        with QSignalBlocker(self.servers):
            for row, name in enumerate(shown):
                states = Qt.CheckState
                state = states.Checked if name in included else states.Unchecked
                self.servers.item(row).setCheckState(state)
        self._announce_choice()

    def _announce_choice(self) -> None:
        self.servers.setEnabled(self.manual.isChecked())
        self.choice_changed.emit(self.choice)

    def _announce_builtins(self) -> None:
        self.builtins_changed.emit(tuple(_checked(self.builtins)))

    def _lay_out(self) -> None:
        style(self._tools_title, "heading")
        style(self._builtins_title, "heading")
        modes = QHBoxLayout()
        modes.setSpacing(space(3))
        for button in (self.auto, self.manual, self.off):
            modes.addWidget(button)
        modes.addStretch(1)
        below = QVBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.fixed)
        grid = QGridLayout(self)
        grid.setContentsMargins(space(4), space(3), space(4), space(3))
        grid.setHorizontalSpacing(space(6))
        grid.setVerticalSpacing(space(2))
        grid.addWidget(self._tools_title, 0, 0)
        grid.addWidget(self._builtins_title, 0, 1)
        grid.addLayout(modes, 1, 0)
        grid.addLayout(below, 1, 1)
        grid.addWidget(self.servers, 2, 0)
        grid.addWidget(self.builtins, 2, 1)
        grid.addWidget(self.budget.list, 2, 0, 1, 2)
        self._lay_out_places()
        grid.addWidget(self._places, 3, 0, 1, 2)
        grid.addWidget(self.budget, 4, 0, 1, 2)
        grid.addWidget(self.cost, 5, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)

    def _lay_out_places(self) -> None:
        """As high as its rows, up to a limit; then it scrolls."""
        inside = QFrame()
        style(inside)
        inside.setLayout(self._rows_column)
        self._rows_column.setContentsMargins(0, 0, space(2), 0)
        self._rows_column.setSpacing(space(1))
        self._places.setWidget(inside)
        self._places.setWidgetResizable(True)
        self._places.setFrameShape(QFrame.Shape.NoFrame)
        self._places.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._places.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._places.hide()


class _Places(QScrollArea):
    """As high as its limit says: Qt's own hint is that of the first rows it had."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())


def _set_height(view: QListView) -> None:
    view.setMinimumHeight(space(16))
    view.setMaximumHeight(_HEIGHT)


def _check_list() -> QListWidget:
    made = QListWidget()
    _set_height(made)
    made.setTextElideMode(Qt.TextElideMode.ElideRight)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made


def _names(view: QListWidget) -> list[str]:
    return [str(view.item(row).data(_NAME)) for row in range(view.count())]


def _fill(view: QListWidget, items: Mapping[str, str], checked: Sequence[str]) -> None:
    """Show `items`, names with words; the same names keep their rows."""
    with QSignalBlocker(view):
        if _names(view) != list(items):
            view.clear()
            for name in items:
                item = QListWidgetItem(view)
                item.setData(_NAME, name)
        for row, (name, words) in enumerate(items.items()):
            item = view.item(row)
            item.setText(" · ".join(filter(None, (name, words))))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            states = Qt.CheckState
            item.setCheckState(states.Checked if name in checked else states.Unchecked)


def _checked(view: QListWidget) -> list[str]:
    items = (view.item(row) for row in range(view.count()))
    return [str(item.data(_NAME)) for item in items if item.checkState() == Qt.CheckState.Checked]
