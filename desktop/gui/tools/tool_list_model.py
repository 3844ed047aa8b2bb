"""The rows of the tool list: tools, the rows above their sections, and what each row says.

Built on QStringListModel because the view asks for the row count once per row while it lays out:
answered in C++ that is 1 ms for 10,000 tools, in Python 40 ms. A server's hints are untrusted: they
only colour badges. Must not search.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import is_
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct
from PySide6.QtCore import (
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QFontMetrics

from desktop.base.visible_text import mark_hidden
from desktop.gui.tools.tool_sections import FAVOURITES, RECENT, Row, Section
from desktop.gui.translations import counted
from desktop.gui.widgets.icons import ICON_SIZE, pixmap
from desktop.gui.widgets.labels import plain_tip
from desktop.gui.widgets.row_layout import FACE, INDENT, Badge, TwoLineRow, head_places
from desktop.gui.widgets.server_faces import face
from desktop.gui.widgets.two_line_rows import TwoLineDelegate, first_line
from desktop.values.tool_types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import Annotations

Tone: TypeAlias = Literal["", "success", "danger"]


class Hint(Struct, frozen=True):
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
SECTION_ROLE = Qt.ItemDataRole.UserRole + 1
"""Of a row above a section: that section."""
_TOOLTIP = 300
PLACE_ROLE = Qt.ItemDataRole.UserRole + 2
"""Of a tool: the section it stands in; None where there are no sections."""


class ToolListModel(QStringListModel):
    """Rows in the order in which they are given, replaced as a whole or appended to."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__([], parent)
        self._rows: list[Row] = []
        self._heads: list[int] = []

    def replace(self, rows: Sequence[Row]) -> None:
        if _are_same(rows, self._rows):  # one more letter that all of them match
            return
        self._rows = list(rows)
        self._heads = []
        if rows and isinstance(rows[0], Section):  # there are sections, or none at all
            self._heads = [at for at, row in enumerate(rows) if isinstance(row, Section)]
        self.setStringList([""] * len(rows))

    def append(self, tools: Sequence[ToolDefinition]) -> None:
        if tools:
            start = len(self._rows)
            self._rows.extend(tools)
            self.insertRows(start, len(tools))

    def tool(self, row: int) -> ToolDefinition | None:
        shown = self._rows[row] if 0 <= row < len(self._rows) else None
        return shown if isinstance(shown, ToolDefinition) else None

    def section(self, row: int) -> Section | None:
        """The section above whose tools this row stands; None for the row of a tool."""
        shown = self._rows[row] if 0 <= row < len(self._rows) else None
        return shown if isinstance(shown, Section) else None

    def section_around(self, row: int) -> Section | None:
        """The section that a row belongs to; None where there are no sections."""
        before = bisect_right(self._heads, row)
        return self.section(self._heads[before - 1]) if before else None

    def row_of(self, key: str, section: str = "") -> int:
        """A row of `server:tool`, or -1; in that section if it is there, else its last one."""
        server, _, name = key.partition(":")
        found = [
            row
            for row, tool in enumerate(self._rows)
            if isinstance(tool, ToolDefinition) and tool.name == name and tool.server == server
        ]
        if len(found) > 1 and section:
            for row in found:
                around = self.section_around(row)
                if around is not None and around.id == section:
                    return row
        return found[-1] if found else -1

    def row_of_section(self, section: str) -> int:
        """The row above a section, or -1."""
        for row in self._heads:
            if (head := self.section(row)) is not None and head.id == section:
                return row
        return -1

    def next_tool(self, row: int, step: int) -> int:
        """The row of the first tool at `row` or beyond, in the direction of `step`; -1 if none."""
        while 0 <= row < len(self._rows):
            if self.tool(row) is not None:
                return row
            row += 1 if step >= 0 else -1
        return -1

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        row = index.row()
        tool = self.tool(row)
        if tool is None:
            return self._data_of_section(self.section(row), role)
        if role == TOOL_ROLE:
            return tool
        if role == PLACE_ROLE:
            return self.section_around(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return mark_hidden(tool.name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{mark_hidden(tool.name)}, {mark_hidden(tool.server)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            signs = " · ".join(hint.words for hint in hints_of(tool.annotations))
            about = first_line(tool.description, _TOOLTIP)
            words = "\n".join(filter(None, (mark_hidden(tool.key[:_TOOLTIP]), about, signs)))
            return plain_tip(words)
        return None

    def _data_of_section(self, section: Section | None, role: int) -> Any:
        if section is None:
            return None
        if role == SECTION_ROLE:
            return section
        if role == Qt.ItemDataRole.DisplayRole:
            return section_label(section)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = self.tr("open") if section.is_open else self.tr("closed")
            return f"{section_label(section)}, {count_label(section)}, {state}"
        return None


def section_label(section: Section) -> str:
    """What is above the tools of a section."""
    translate = QCoreApplication.translate
    if section.id == FAVOURITES:
        return translate("ToolSections", "Favourites")
    if section.id == RECENT:
        return translate("ToolSections", "Recent")
    return mark_hidden(section.server)


def count_label(section: Section) -> str:
    translate = QCoreApplication.translate
    one, many = translate("ToolSections", "1 tool"), translate("ToolSections", "{count} tools")
    return counted(section.count, one, many)


def _are_same(rows: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether these are the same tools; the rows above sections are made anew each time."""
    if len(rows) != len(other):
        return False
    return all(map(is_, rows, other)) or all(
        one is two or (isinstance(one, Section) and one == two)
        for one, two in zip(rows, other, strict=True)
    )


_OWN_ICONS = {FAVOURITES: "star", RECENT: "clock"}


class ToolListDelegate(TwoLineDelegate):
    """Draws tools and sections; hints and running calls are badges, favourites have a star."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self.running: frozenset[str] = frozenset()
        """Keys of the tools that have a running call."""
        self.favourites: frozenset[str] = frozenset()

    def row_of(self, index: QModelIndex | QPersistentModelIndex) -> TwoLineRow | None:
        tool: ToolDefinition | None = index.data(TOOL_ROLE)
        if tool is None:
            return None
        place: Section | None = index.data(PLACE_ROLE)
        is_below_server = place is not None and bool(place.server)
        words = first_line(tool.description or tool.title)
        if not tool.is_for_models:
            words = " · ".join(filter(None, (self.tr("For apps only"), words)))
        return TwoLineRow(
            mark_hidden(tool.name),
            "" if is_below_server else mark_hidden(tool.server),
            words,
            tuple(self._badges(tool)),
            face="" if is_below_server else tool.server,
            star=tool.key in self.favourites,
            indent=INDENT if place is not None else 0,
        )

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        section: Section | None = index.data(SECTION_ROLE)
        if section is None:
            super().paint(painter, option, index)
            return
        painter.save()
        self._paint_background(painter, option)
        name_font, small_font = self._fonts(option.font)
        count = f"{section.count:,}"
        chevron = "chevron-down" if section.is_open else "chevron-right"
        if section.server:
            sign, side = face(self._theme, section.server, size=FACE), FACE
        else:
            sign, side = pixmap(self._theme, _OWN_ICONS[section.id], "muted"), ICON_SIZE
        width = QFontMetrics(small_font).horizontalAdvance(count)
        places = head_places(option.rect, side, ICON_SIZE, width)
        painter.drawPixmap(places.chevron, pixmap(self._theme, chevron, "muted"))
        painter.drawPixmap(places.sign, sign)
        self._paint_text(painter, places.label, section_label(section), name_font, "text")
        self._paint_text(painter, places.number, count, small_font, "muted")
        painter.restore()

    def _badges(self, tool: ToolDefinition) -> Iterator[Badge]:
        """The running call and the hints, from the right."""
        if tool.key in self.running:
            yield Badge(self.tr("running"), "accent")
        if tool.annotations.destructive and not tool.annotations.read_only:
            yield Badge(self.tr("destructive"), "danger", "warning")
        if tool.annotations.read_only:
            yield Badge(self.tr("read-only"), "success", "lock")
