"""The tool list as it was last: a real list, so that it scrolls and selects, in front of no core.

Its rows look like those of `desktop.gui.tools.tool_list_model`, in whose place they are shown.
Runs before the first paint: must not import the namespace `Qt` (13 ms), nor what needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, QStringListModel
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from desktop.gui.last_known.ink import Ink
from desktop.gui.last_known.snapshot import KnownSection
from desktop.gui.theme import space
from desktop.gui.widgets.icons import ICON_SIZE, pixmap
from desktop.gui.widgets.letter_faces import letter_face
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtWidgets import QStyleOptionViewItem

    from desktop.gui.last_known.snapshot import KnownTool
    from desktop.gui.theme import ColorName, Theme

_GAP, _FACE, _INDENT = space(0.5), space(6), 6
_STAR = space(9) - 1  # the room of a row that its star has
_TONES: dict[str, tuple[ColorName, ColorName]] = {
    "read-only": ("success", "success_soft"),
    "destructive": ("danger", "danger_soft"),
}
_OWN_ICONS = {"favourites": "star", "recent": "clock"}


class KnownToolRows(QListView):
    """Sections and tools; says which tool is selected, and does nothing else."""

    def __init__(
        self,
        theme: Theme,
        rows: Sequence[KnownSection | KnownTool],
        words: Callable[[str], str],
    ) -> None:
        """Args: words: what a section of the person's own, or a hint, is called in the window."""
        super().__init__()
        self.rows = rows
        self._delegate = _Delegate(self, theme, words)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        for name, value in (
            ("editTriggers", "NoEditTriggers"),
            ("horizontalScrollBarPolicy", "ScrollBarAlwaysOff"),
            ("frameShape", "NoFrame"),
        ):
            self.setProperty(name, value)  # by name: the values are of `Qt`
        self.setModel(QStringListModel([mark_hidden(_label(row)) for row in rows], self))

    @property
    def key(self) -> str:
        """The selected tool, `server:tool`; empty if there is none."""
        at = self.currentIndex().row()
        row = self.rows[at] if 0 <= at < len(self.rows) else None
        return "" if row is None or isinstance(row, KnownSection) else row.key

    def select(self, key: str) -> None:
        """Select a tool, where it stands below its server, and show it."""
        found = [
            at
            for at, row in enumerate(self.rows)
            if not isinstance(row, KnownSection) and row.key == key
        ]
        if found:
            self.setCurrentIndex(self.model().index(found[-1], 0))


def _label(row: KnownSection | KnownTool) -> str:
    return row.server if isinstance(row, KnownSection) else row.name


class _Delegate(QStyledItemDelegate):
    """Draws the rows with the colours of the theme."""

    def __init__(self, view: KnownToolRows, theme: Theme, words: Callable[[str], str]) -> None:
        super().__init__(view)
        self._view, self._theme, self._words = view, theme, words
        self._ink = Ink(theme)
        self._name = QFont(theme.strong_font())
        self._small = QFont(view.font())
        self._small.setPointSizeF(theme.sizes.small)
        self._has_sections = any(isinstance(row, KnownSection) for row in view.rows)
        self._places: list[str] = []
        server = ""
        for row in view.rows:
            server = row.server if isinstance(row, KnownSection) else server
            self._places.append(server)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        height = QFontMetrics(self._name).height() + QFontMetrics(self._small).height()
        return QSize(space(40), height + _GAP + space(4))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row, place = self._view.rows[index.row()], QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if index.row() == self._view.currentIndex().row():
            self._ink.fill(painter, place, "accent_soft")
            edge = QRect(place.topLeft(), QSize(space(0.5), place.height()))
            self._ink.fill(painter, edge, "accent")
        if isinstance(row, KnownSection):
            self._paint_section(painter, place, row)
        else:
            self._paint_tool(painter, place, row, self._places[index.row()])
        painter.restore()

    def _paint_section(self, painter: QPainter, place: QRect, section: KnownSection) -> None:
        room = place.adjusted(space(3), 0, -space(3), 0)
        room.setLeft(self._paint_icon(painter, room, "chevron-down" if section.is_open else ""))
        if section.server:
            room.setLeft(self._paint_face(painter, room, section.server))
        else:
            room.setLeft(self._paint_icon(painter, room, _OWN_ICONS.get(section.id, "star")))
        count = f"{section.tools:,}"
        width = QFontMetrics(self._small).horizontalAdvance(count) + space(1)
        right = QRect(room.right() - width, room.top(), width, room.height())
        room.setRight(right.left() - space(2))
        words = mark_hidden(section.server) if section.server else self._words(section.id)
        self._paint_text(painter, room, words, self._name, "text")
        self._paint_text(painter, right, count, self._small, "muted")

    def _paint_tool(self, painter: QPainter, place: QRect, tool: KnownTool, section: str) -> None:
        indent = _INDENT if self._has_sections else 0
        inner = place.adjusted(space(3 + indent), space(2), -space(3), -space(2))
        if not section:
            inner.setLeft(self._paint_face(painter, inner, tool.server))
        inner.setRight(place.right() - _STAR)
        name = mark_hidden(tool.name)
        metrics, small = QFontMetrics(self._name), QFontMetrics(self._small)
        top = QRect(inner.topLeft(), QSize(inner.width(), metrics.height()))
        bottom = QRect(top.bottomLeft() + QPoint(0, _GAP), inner.bottomRight())
        if tool.hint in _TONES:
            words = self._words(tool.hint)
            taken = small.horizontalAdvance(words) + space(4)
            fits = metrics.horizontalAdvance(name) <= top.width() - taken - space(2)
            line = top if fits else bottom
            self._paint_badge(painter, line, words, *_TONES[tool.hint])
            line.setRight(line.right() - taken - space(1))
        self._paint_text(painter, top, name, self._name, "text")
        if not section:
            server = mark_hidden(tool.server)
            width = min(small.horizontalAdvance(server) + 1, bottom.width() // 2)
            first = QRect(bottom.topLeft(), QSize(width, bottom.height()))
            self._paint_text(painter, first, server, self._small, "accent")
            bottom.setLeft(bottom.left() + width - 1 + space(2))
        self._paint_text(painter, bottom, tool.words, self._small, "muted")

    def _paint_badge(
        self, painter: QPainter, line: QRect, words: str, color: ColorName, behind: ColorName
    ) -> None:
        width = QFontMetrics(self._small).horizontalAdvance(words) + space(3)
        pill = QRect(line.right() - width, line.top() - 1, width, line.height())
        self._ink.fill(painter, pill, behind, space(1))
        self._ink.write(painter, pill, words, self._small, color, is_centred=True)

    def _paint_face(self, painter: QPainter, room: QRect, server: str) -> int:
        top = room.center().y() - _FACE // 2 + 1
        painter.drawPixmap(room.left(), top, letter_face(self._theme, server, _FACE))
        return room.left() + _FACE + space(2)

    def _paint_icon(self, painter: QPainter, room: QRect, name: str) -> int:
        drawn = pixmap(self._theme, name or "chevron-right", "muted")
        painter.drawPixmap(room.left(), room.center().y() - ICON_SIZE // 2 + 1, drawn)
        return room.left() + ICON_SIZE + space(2)

    def _paint_text(
        self, painter: QPainter, room: QRect, text: str, font: QFont, color: ColorName
    ) -> None:
        words = shortened(text, QFontMetrics(font), room.width())
        self._ink.write(painter, room, words, font, color)


def shortened(text: str, metrics: QFontMetrics, width: int) -> str:
    """As `QFontMetrics.elidedText` cuts it at the right, which would import `Qt`."""
    if metrics.horizontalAdvance(text) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if metrics.horizontalAdvance(f"{text[:middle]}…") <= width:
            low = middle
        else:
            high = middle - 1
    return f"{text[:low]}…" if low else ""
