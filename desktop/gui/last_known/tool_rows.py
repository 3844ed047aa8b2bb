"""The tool list as it was last: a real list, so that it scrolls and selects, in front of no core.

Its rows are laid out as those of `desktop.gui.tools.tool_list_model`, in whose place they are
shown; they are only drawn by other means. Runs before the first paint: must not import the
namespace `Qt` (13 ms), nor what needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, QStringListModel
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate

from desktop.base.visible_text import mark_hidden
from desktop.gui.last_known.ink import Ink
from desktop.gui.last_known.snapshot import KnownSection
from desktop.gui.theme import space
from desktop.gui.widgets.icons import ICON_SIZE, pixmap
from desktop.gui.widgets.letter_faces import letter_face
from desktop.gui.widgets.row_layout import (
    EDGE,
    FACE,
    INDENT,
    SOFT,
    Badge,
    TwoLineRow,
    head_places,
    row_places,
    row_size,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtWidgets import QStyleOptionViewItem

    from desktop.gui.last_known.snapshot import KnownTool
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.row_layout import BadgeTone

_TONES: dict[str, BadgeTone] = {"read-only": "success", "destructive": "danger"}
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
        return row_size(QFontMetrics(self._name), QFontMetrics(self._small))

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
            edge = QRect(place.topLeft(), QSize(EDGE, place.height()))
            self._ink.fill(painter, edge, "accent")
        if isinstance(row, KnownSection):
            self._paint_section(painter, place, row)
        else:
            self._paint_tool(painter, place, row, self._places[index.row()])
        painter.restore()

    def _paint_section(self, painter: QPainter, place: QRect, section: KnownSection) -> None:
        chevron = "chevron-down" if section.is_open else "chevron-right"
        if section.server:
            sign, side = letter_face(self._theme, section.server, FACE), FACE
        else:
            icon = _OWN_ICONS.get(section.id, "star")
            sign, side = pixmap(self._theme, icon, "muted"), ICON_SIZE
        number = f"{section.tools:,}"
        width = QFontMetrics(self._small).horizontalAdvance(number)
        places = head_places(place, side, ICON_SIZE, width)
        painter.drawPixmap(places.chevron, pixmap(self._theme, chevron, "muted"))
        painter.drawPixmap(places.sign, sign)
        words = mark_hidden(section.server) if section.server else self._words(section.id)
        self._ink.write_cut(painter, places.label, words, self._name, "text")
        self._ink.write_cut(painter, places.number, number, self._small, "muted")

    def _paint_tool(self, painter: QPainter, place: QRect, tool: KnownTool, section: str) -> None:
        row = self._row(tool, is_below_server=bool(section))
        name, small = QFontMetrics(self._name), QFontMetrics(self._small)
        places = row_places(row, place, name, small)
        if row.face:
            painter.drawPixmap(places.face, letter_face(self._theme, row.face, FACE))
        for badge, pill in zip(row.badges, places.badges, strict=True):
            self._ink.fill(painter, pill, SOFT[badge.tone], space(1))
            self._ink.write(painter, pill, badge.words, self._small, badge.tone, is_centred=True)
        self._ink.write_cut(painter, places.title, row.title, self._name, "text")
        self._ink.write_cut(painter, places.server, row.server, self._small, "accent")
        self._ink.write_cut(painter, places.text, row.text, self._small, "muted")

    def _row(self, tool: KnownTool, *, is_below_server: bool) -> TwoLineRow:
        """What the list says of a tool that is no favourite and does not run."""
        tone = _TONES.get(tool.hint)
        return TwoLineRow(
            mark_hidden(tool.name),
            "" if is_below_server else mark_hidden(tool.server),
            tool.words,
            (Badge(self._words(tool.hint), tone),) if tone is not None else (),
            face="" if is_below_server else tool.server,
            star=False,
            indent=INDENT if self._has_sections else 0,
        )
