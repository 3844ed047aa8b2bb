"""The tools of one server with a checkbox each; unchecked tools are not offered to anyone.

Only requests changes. The view asks for rows as they become visible, so ten thousand tools are
fine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyleOptionViewItem,
    QToolButton,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui.layouts import NO_LIMIT, STRETCH, TOP, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets import figure_rows
from desktop.gui.widgets.figure_rows import FigureDelegate
from desktop.gui.widgets.labels import FactsLabel
from desktop.gui.widgets.token_words import tokens_figure, tokens_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QPainter

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import ToolDefinition

    Index = QModelIndex | QPersistentModelIndex

DESCRIPTION_ROLE = Qt.ItemDataRole.UserRole


class ToolSwitchDelegate(FigureDelegate):
    """Draws the start of a tool's description behind its name, in the colour of secondary text."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        description = str(index.data(DESCRIPTION_ROLE))
        if not description:
            return
        shown = QStyleOptionViewItem(option)
        self.initStyleOption(shown, index)
        room = self.room_behind(shown, index)
        metrics = shown.fontMetrics  # pyright: ignore[reportAttributeAccessIssue] # not in the stubs
        text = metrics.elidedText(description, Qt.TextElideMode.ElideRight, max(room.width(), 0))
        self.draw_muted(painter, room, Qt.AlignmentFlag.AlignVCenter, text)


_MAX_DESCRIPTION = 160


class ToolSwitchModel(QAbstractListModel):
    """The listed tools whose name holds the filter; checked tools are offered."""

    switch_requested = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._listed: tuple[ToolDefinition, ...] = ()
        self._tools: tuple[ToolDefinition, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        self._text = ""
        self._tokens: Mapping[str, int] = {}
        self._is_by_cost = False

    @property
    def tokens_off(self) -> tuple[int, int]:
        """How many listed tools are switched off, and the tokens that this saves."""
        return len(self._hidden), sum(self._tokens.get(name, 0) for name in self._hidden)

    def show_tokens(self, tokens: Mapping[str, int]) -> None:
        """Say what each tool costs in every request, by its name."""
        if tokens != self._tokens:
            self._tokens = tokens
            if self._is_by_cost:
                self._apply_filter()
            elif self._tools:
                self.dataChanged.emit(self.index(0), self.index(len(self._tools) - 1))

    def sort_by_cost(self, is_by_cost: bool) -> None:
        """The most expensive first, or as the server lists them."""
        self._is_by_cost = is_by_cost
        self._apply_filter()

    def show_tools(self, tools: tuple[ToolDefinition, ...], hidden: frozenset[str]) -> None:
        if tools != self._listed:
            self._listed, self._hidden = tools, hidden
            self._apply_filter()
        elif hidden != self._hidden:
            self._hidden = hidden
            self.dataChanged.emit(self.index(0), self.index(len(self._tools) - 1))

    def set_filter(self, text: str) -> None:
        """Show only the tools with `text` in their names."""
        self._text = text.strip().casefold()
        self._apply_filter()

    def _apply_filter(self) -> None:
        wanted = self._text
        self.beginResetModel()
        found = (
            [tool for tool in self._listed if wanted in tool.name.casefold()]
            if wanted
            else list(self._listed)
        )
        if self._is_by_cost:
            found.sort(key=lambda tool: -self._tokens.get(tool.name, 0))
        self._tools = tuple(found)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._tools)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        tool = self._tools[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return mark_hidden(tool.name)
            case Qt.ItemDataRole.AccessibleTextRole:
                label = f"{mark_hidden(tool.name)}: {_first_label(tool)}"
                cost = self._tokens.get(tool.name, 0)
                return f"{label}, {tokens_label(cost)}" if cost else label
            case Qt.ItemDataRole.ToolTipRole:
                return self._tooltip(tool)
            case figure_rows.FIGURE_ROLE:
                cost = self._tokens.get(tool.name, 0)
                return tokens_figure(cost) if cost else ""
            case Qt.ItemDataRole.UserRole:
                return _first_label(tool)
            case Qt.ItemDataRole.CheckStateRole:
                is_on = tool.name not in self._hidden
                return Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked
            case _:
                return None

    def _tooltip(self, tool: ToolDefinition) -> str:
        if not (cost := self._tokens.get(tool.name, 0)):
            return ""
        words = QCoreApplication.translate("ToolSwitchesView", "{tokens} in every request")
        if tool.name in self._hidden:
            words = QCoreApplication.translate("ToolSwitchesView", "Switched off: saves {tokens}")
        return words.format(tokens=tokens_label(cost))

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        is_on = Qt.CheckState(value) == Qt.CheckState.Checked
        self.switch_requested.emit(self._tools[index.row()].name, is_on)
        return True


def _first_label(tool: ToolDefinition) -> str:
    return " ".join(tool.description[: _MAX_DESCRIPTION * 2].split())[:_MAX_DESCRIPTION]


_FILTER_FROM = 8  # a filter over fewer tools is only in the way


class ToolSwitchesView(QFrame):
    """The list with a filter above it where there are many."""

    switch_requested = Signal(str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = ToolSwitchModel()
        self._model.setParent(self)
        self._model.switch_requested.connect(self.switch_requested)
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._model.set_filter)
        self.by_cost = QToolButton()
        self.by_cost.setCheckable(True)
        self.by_cost.toggled.connect(self._model.sort_by_cost)
        style(self.by_cost, "flat")
        self.total = FactsLabel()
        style(self.total, "muted", "small")
        self._figures: tuple[int, int] = (0, 0)
        self.list = QListView()
        self.list.setUniformItemSizes(True)
        self.list.setModel(self._model)
        self.list.setItemDelegate(ToolSwitchDelegate(theme, self.list))
        self._empty = QLabel()
        self._empty.setWordWrap(True)
        style(self._empty, "muted")
        row = InnerRow((self.total, 1), self.by_cost)
        in_column(
            self,
            self.filter,
            row,
            (self.list, 1000),
            (self._empty, 1, TOP),
            STRETCH,
            margins=(0, 2, 0, 0),
        )
        self._model.modelReset.connect(self._fit)
        self._set_texts()

    def _fit(self) -> None:
        """The list is as high as its rows."""
        rows = self._model.rowCount() * max(1, self.list.sizeHintForRow(0))
        self.list.setMaximumHeight(min(rows + 2 * self.list.frameWidth() + space(1), NO_LIMIT))

    def show_tools(self, connection: ServerConnection) -> None:
        """Show the tools of `connection` as it is now."""
        tools, config = connection.listed, connection.config
        asked = () if config.offers_all else tools  # of 10,000 names each takes its time
        self._model.show_tools(
            tools, frozenset(tool.name for tool in asked if not config.offers(tool.name))
        )
        self._tell_total()
        has_filter = len(tools) >= _FILTER_FROM
        if not has_filter:
            self.filter.clear()
        self.filter.setVisible(has_filter)
        self.list.setVisible(bool(tools))
        self._empty.setVisible(not tools)
        self._empty.setText(
            self.tr("This server has no tools.")
            if connection.is_connected
            else self.tr("Its tools are listed here once it is connected.")
        )

    def show_tokens(self, tokens: Mapping[str, int], offered: int) -> None:
        """Say what the tools cost.

        Args:
            tokens: of each listed tool in every request, by its name; empty while not known.
            offered: the sum of those that are switched on.
        """
        self._model.show_tokens(tokens)
        self._figures = len(tokens), offered
        self._tell_total()

    def _tell_total(self) -> None:
        count, offered = self._figures
        self.by_cost.setVisible(count > 1)
        self.total.setVisible(count > 0)
        facts = [self.tr("{tokens} in every request").format(tokens=tokens_label(offered))]
        off, saved = self._model.tokens_off
        if off:
            one, many = self.tr("1 off saves {tokens}"), self.tr("{count} off save {tokens}")
            facts.append(counted(off, one, many, tokens=tokens_figure(saved)))
        self.total.show_facts(facts)

    def _set_texts(self) -> None:
        self.by_cost.setText(self.tr("By cost"))
        self.by_cost.setToolTip(self.tr("The tools that take most tokens first"))
        self._tell_total()
        self.filter.setPlaceholderText(self.tr("Filter tools"))
        self.filter.setAccessibleName(self.tr("Filter tools"))
        self.list.setAccessibleName(self.tr("Tools of the server; unchecked ones are not offered"))
