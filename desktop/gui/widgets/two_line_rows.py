"""Rows of two lines in a list: a name with badges, and below it a server and some words.

At the left of it the face of the server where `face` names one, at the right a star where `star`
says whether it is pressed.

Painted by a delegate because a widget per row would not scale to 10,000 of them. Every row has the
same height, and nothing in it is markup. Must not know what the rows stand for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.base.later_patterns import compile_later
from desktop.base.visible_text import mark_hidden
from desktop.gui.theme import space
from desktop.gui.widgets.icons import pixmap
from desktop.gui.widgets.row_layout import (
    EDGE,
    FACE,
    SIGN,
    SOFT,
    STAR,
    Badge,
    TwoLineRow,
    row_places,
    row_size,
    star_place,
)
from desktop.gui.widgets.server_faces import ServerFaces, face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from desktop.gui.theme import ColorName, Theme


def step_keys(page: int) -> dict[Qt.Key, int]:
    """By how many rows each key moves in a list. Args: page: rows that are seen at a time."""
    return {
        Qt.Key.Key_Up: -1,
        Qt.Key.Key_Down: 1,
        Qt.Key.Key_PageUp: -page,
        Qt.Key.Key_PageDown: page,
    }


_MARKS: Final = compile_later(r"^#{1,6} |\*\*(?=\S)([^*]+)(?<=\S)\*\*|`([^`]+)`")


def first_line(text: str, limit: int = 200) -> str:
    """The first line that is not blank, without control characters and the marks of Markdown.

    The scan is bounded.
    """
    for line in text[: limit * 4].splitlines():
        line = line[:limit]
        if not line.isprintable():
            line = "".join(c if c.isprintable() else " " for c in line)
        words = _MARKS.sub(r"\1\2", " ".join(line.split()))
        if words:
            return words
    return ""


_ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_CENTER = Qt.AlignmentFlag.AlignCenter


def show_two_line_rows(view: QListView, delegate: TwoLineDelegate, theme: Theme) -> None:
    """Make `view` a list of such rows, painted by `delegate`: without a frame, read only."""
    view.setItemDelegate(delegate)
    view.setUniformItemSizes(True)
    view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
    view.setMouseTracking(True)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setFrameShape(QListView.Shape.NoFrame)
    theme.changed.connect(view.viewport().update)
    ServerFaces.of(theme).changed.connect(view.viewport().update)


ENTRY_ROLE: Final = int(Qt.ItemDataRole.UserRole)
"""The role under which a row of a `TwoLineModel` has its entry."""
_ROW_ROLE: Final = ENTRY_ROLE + 1


class TwoLineModel(QStringListModel):
    """Entries of one kind, each a row: a subclass says what stands in it, and what is read aloud.

    Built on QStringListModel because the view asks for the count once per row.
    """

    entries: Sequence[Any] = ()

    def row_of(self, entry: Any) -> TwoLineRow:
        """What is drawn for an entry."""
        raise NotImplementedError

    def spoken(self, entry: Any) -> str:
        """What a screen reader says of it."""
        raise NotImplementedError

    def replace(self, entries: Sequence[Any]) -> None:
        """Show these and no others."""
        self.entries = entries
        self.setStringList([entry.title for entry in entries])

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        row = index.row()
        entry = self.entries[row] if 0 <= row < len(self.entries) else None
        if entry is None:
            return None
        if role == ENTRY_ROLE:
            return entry
        if role == _ROW_ROLE:
            return self.row_of(entry)
        if role == Qt.ItemDataRole.DisplayRole:
            return mark_hidden(entry.title)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken(entry)
        return None


class TwoLineDelegate(QStyledItemDelegate):
    """Draws rows with the theme's colours: those of a `TwoLineModel`, or what `row_of` says."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def row_of(self, index: QModelIndex | QPersistentModelIndex) -> TwoLineRow | None:
        """What stands in a row; None for one that is empty."""
        return index.data(_ROW_ROLE)

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        name, small = self._fonts(option.font)
        return row_size(QFontMetrics(name), QFontMetrics(small))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row = self.row_of(index)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter, option)
        name_font, small_font = self._fonts(option.font)
        name, small = QFontMetrics(name_font), QFontMetrics(small_font)
        places = row_places(row, option.rect, name, small)
        if row.face:
            painter.drawPixmap(places.face, face(self._theme, row.face, size=FACE))
        if row.star is not None:
            self._paint_star(painter, option, is_on=row.star)
        painter.setFont(small_font)
        for badge, pill in zip(row.badges, places.badges, strict=True):
            self._paint_badge(painter, pill, badge)
        middle = Qt.TextElideMode.ElideMiddle  # names of one server begin alike
        self._paint_text(painter, places.title, row.title, name_font, "text", middle)
        self._paint_text(painter, places.server, row.server, small_font, "accent")
        self._paint_text(painter, places.text, row.text, small_font, "muted")
        painter.restore()

    def _paint_star(self, painter: QPainter, option: QStyleOptionViewItem, *, is_on: bool) -> None:
        wanted = QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Selected
        if is_on or option.state & wanted:
            name, color = ("star-filled", "accent") if is_on else ("star", "muted")
            star = pixmap(self._theme, name, color, size=STAR)
            place = star_place(option.rect)
            painter.drawPixmap(place.right() - STAR, place.center().y() - STAR // 2 + 1, star)

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._theme.color("accent_soft"))
            edge = QRect(option.rect.topLeft(), QSize(EDGE, option.rect.height()))
            painter.fillRect(edge, self._theme.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, self._theme.color("hover"))

    def _paint_badge(self, painter: QPainter, pill: QRect, badge: Badge) -> None:
        if badge.icon:
            sign = pixmap(self._theme, badge.icon, badge.tone, size=SIGN)
            painter.drawPixmap(pill.left(), pill.center().y() - SIGN // 2 + 1, sign)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(SOFT[badge.tone]))
        painter.drawRoundedRect(pill, space(1), space(1))
        painter.setPen(self._theme.color(badge.tone))
        painter.drawText(pill, _CENTER, badge.words)

    def _paint_text(
        self,
        painter: QPainter,
        room: QRect,
        text: str,
        font: QFont,
        color: ColorName,
        elision: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        if not text or room.isEmpty():
            return
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        elided = QFontMetrics(font).elidedText(text, elision, room.width())
        painter.drawText(room, _ALIGN_LEFT, elided)

    def _fonts(self, base: QFont) -> tuple[QFont, QFont]:
        name, small = QFont(base), QFont(base)
        name.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(self._theme.sizes.small)
        return name, small
