"""The rows of the tool list: the tools that a search found, and what a row says of each.

Built on QStringListModel because the view asks for the row count once per row while it lays out:
answered in C++ that is 1 ms for 10,000 tools, in Python 40 ms. A server's hints are untrusted: they
only colour badges. Must not search.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import is_
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
)

from desktop.gui.widgets.two_line_rows import Badge, TwoLineDelegate, TwoLineRow, first_line
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QObject

    from desktop.gui.theme import Theme
    from desktop.tool_types import Annotations, ToolDefinition

Tone: TypeAlias = Literal["", "success", "danger"]


@dataclass(frozen=True, slots=True)
class Hint:
    """One claim of the server, and its colour."""

    words: str
    tone: Tone = ""


def hints_of(annotations: Annotations) -> list[Hint]:
    """The hints that get a badge; a hint that the server leaves out gets none."""
    hints: list[Hint] = []
    if annotations.read_only:
        hints.append(Hint(QCoreApplication.translate("Hints", "read-only"), "success"))
    elif annotations.destructive:
        hints.append(Hint(QCoreApplication.translate("Hints", "destructive"), "danger"))
    elif annotations.read_only is False:
        hints.append(Hint(QCoreApplication.translate("Hints", "makes changes")))
    if annotations.idempotent and not annotations.read_only:
        hints.append(Hint(QCoreApplication.translate("Hints", "safe to repeat")))
    if annotations.open_world:
        hints.append(Hint(QCoreApplication.translate("Hints", "external access")))
    elif annotations.open_world is False:
        hints.append(Hint(QCoreApplication.translate("Hints", "local only")))
    return hints


TOOL_ROLE = Qt.ItemDataRole.UserRole


class ToolListModel(QStringListModel):
    """Tools in the order of the search, replaced as a whole or appended to."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([], parent)
        self._tools: list[ToolDefinition] = []

    def replace(self, tools: Sequence[ToolDefinition]) -> None:
        is_same = len(tools) == len(self._tools) and all(map(is_, tools, self._tools))
        if is_same:  # one more letter that all of them match
            return
        self._tools = list(tools)
        self.setStringList([tool.name for tool in tools])

    def append(self, tools: Sequence[ToolDefinition]) -> None:
        if tools:
            start = len(self._tools)
            self._tools.extend(tools)
            self.insertRows(start, len(tools))

    def tool(self, row: int) -> ToolDefinition | None:
        return self._tools[row] if 0 <= row < len(self._tools) else None

    def row_of(self, key: str) -> int:
        """The row of `server:tool`, or -1."""
        server, _, name = key.partition(":")
        for row, tool in enumerate(self._tools):
            if tool.name == name and tool.server == server:
                return row
        return -1

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        tool = self.tool(index.row())
        if tool is None:
            return None
        if role == TOOL_ROLE:
            return tool
        if role == Qt.ItemDataRole.DisplayRole:
            return mark_hidden(tool.name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{mark_hidden(tool.name)}, {mark_hidden(tool.server)}"
        return None


class ToolListDelegate(TwoLineDelegate):
    """Draws tools; their hints and their running calls are badges."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self.running: frozenset[str] = frozenset()
        """Keys of the tools that have a running call."""

    def row_of(self, index: QModelIndex | QPersistentModelIndex) -> TwoLineRow | None:
        tool: ToolDefinition | None = index.data(TOOL_ROLE)
        if tool is None:
            return None
        words = first_line(tool.description or tool.title)
        return TwoLineRow(mark_hidden(tool.name), tool.server, words, tuple(self._badges(tool)))

    def _badges(self, tool: ToolDefinition) -> Iterator[Badge]:
        """The running call and the hints, from the right."""
        if tool.key in self.running:
            yield Badge(self.tr("running"), "accent")
        if tool.annotations.destructive and not tool.annotations.read_only:
            yield Badge(self.tr("destructive"), "danger")
        if tool.annotations.read_only:
            yield Badge(self.tr("read-only"), "success")
