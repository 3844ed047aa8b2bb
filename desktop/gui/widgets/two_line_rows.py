"""Rows of two lines in a list: a name with badges, and below it a server and some words.

At the left of it the face of the server where `face` names one, at the right a star where `star`
says whether it is pressed.

Painted by a delegate because a widget per row would not scale to 10,000 of them. Every row has the
same height, and nothing in it is markup. Must not know what the rows stand for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.gui.theme import space
from desktop.gui.widgets.icons import pixmap
from desktop.gui.widgets.server_faces import ServerFaces, face
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject

    from desktop.gui.theme import ColorName, Theme

BadgeTone: TypeAlias = Literal["accent", "danger", "success"]


class Badge(NamedTuple):
    """A word in a pill."""

    words: str
    tone: BadgeTone


class TwoLineRow(NamedTuple):
    """What a row says; `badges` from the right. `indent` is in steps of the grid."""

    title: str
    server: str
    text: str
    badges: tuple[Badge, ...] = ()
    face: str = ""
    star: bool | None = None
    indent: int = 0


def first_line(text: str, limit: int = 200) -> str:
    """The first line that is not blank, without control characters; the scan is bounded."""
    for line in text[: limit * 4].splitlines():
        words = " ".join("".join(c if c.isprintable() else " " for c in line[:limit]).split())
        if words:
            return words
    return ""


_ALIGN_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_GAP = space(0.5)  # between the lines: a pill must not touch the second
_CENTER = Qt.AlignmentFlag.AlignCenter
_FACE = space(6)
_STAR = space(4)
_BOTH = space(30)  # less room than this is for one of two texts
_SOFT: dict[BadgeTone, ColorName] = {
    "accent": "accent_soft",
    "danger": "danger_soft",
    "success": "success_soft",
}


def star_place(row: QRect) -> QRect:
    """Where a click in a row presses its star: larger than the star itself."""
    width = _STAR + space(3)
    return QRect(row.right() - width - space(2), row.top(), width, row.height())


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
        height = QFontMetrics(name).height() + QFontMetrics(small).height()
        return QSize(space(40), height + _GAP + space(4))

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
        inner = option.rect.adjusted(space(3 + row.indent), space(2), -space(3), -space(2))
        if row.face:
            inner.setLeft(self._paint_face(painter, inner, row.face))
        if row.star is not None:
            self._paint_star(painter, option, is_on=row.star)
            inner.setRight(star_place(option.rect).left())
        top = QRect(inner.topLeft(), QSize(inner.width(), QFontMetrics(name_font).height()))
        bottom = QRect(top.bottomLeft() + QPoint(0, _GAP), inner.bottomRight())
        painter.setFont(small_font)
        line = self._line_of_badges(painter, top, bottom, row, name_font)
        left = line.right()
        for badge in row.badges:
            left = self._paint_badge(painter, line, left, badge)
        if row.badges:
            line.setRight(left - space(2))
        self._paint_text(painter, top, row.title, name_font, "text")
        self._paint_second_line(painter, bottom, row, small_font)
        painter.restore()

    def _line_of_badges(
        self, painter: QPainter, top: QRect, bottom: QRect, row: TwoLineRow, name: QFont
    ) -> QRect:
        """The first line, unless the name would have to be cut for them."""
        small = painter.fontMetrics()
        widths = [small.horizontalAdvance(badge.words) + space(4) for badge in row.badges]
        room = top.width() - sum(widths) - space(2.5)  # advances are rounded
        return top if QFontMetrics(name).horizontalAdvance(row.title) <= room else bottom

    def _paint_face(self, painter: QPainter, room: QRect, server: str) -> int:
        """Draw a face at the left of `room`; returns where what stands beside it begins."""
        drawn = face(self._theme, server, size=_FACE)
        painter.drawPixmap(room.left(), room.center().y() - _FACE // 2 + 1, drawn)
        return room.left() + _FACE + space(2)

    def _paint_star(self, painter: QPainter, option: QStyleOptionViewItem, *, is_on: bool) -> None:
        wanted = QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Selected
        if is_on or option.state & wanted:
            name, color = ("star-filled", "accent") if is_on else ("star", "muted")
            star = pixmap(self._theme, name, color, size=_STAR)
            place = star_place(option.rect)
            painter.drawPixmap(place.right() - _STAR, place.center().y() - _STAR // 2 + 1, star)

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, self._theme.color("accent_soft"))
            edge = QRect(option.rect.topLeft(), QSize(space(0.5), option.rect.height()))
            painter.fillRect(edge, self._theme.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, self._theme.color("hover"))

    def _paint_badge(self, painter: QPainter, line: QRect, right: int, badge: Badge) -> int:
        """Draw a badge that ends at `right`; returns where what is left of it must end."""
        text, tone = badge
        width = painter.fontMetrics().horizontalAdvance(text) + space(3)
        pill = QRect(right - width, line.top() - 1, width, line.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(_SOFT[tone]))
        painter.drawRoundedRect(pill, space(1), space(1))
        painter.setPen(self._theme.color(tone))
        painter.drawText(pill, _CENTER, text)
        return right - width - space(1)

    def _paint_second_line(
        self, painter: QPainter, line: QRect, row: TwoLineRow, font: QFont
    ) -> None:
        width = QFontMetrics(font).horizontalAdvance(row.server) + 1  # advances are rounded
        server = QRect(line.topLeft(), QSize(min(width, line.width() // 2), line.height()))
        if not row.server or line.width() < _BOTH:
            text, color = (row.server, "accent") if row.server else (row.text, "muted")
            self._paint_text(painter, line, text, font, color)
            return
        self._paint_text(painter, server, row.server, font, "accent")
        rest = QRect(line)
        rest.setLeft(server.right() + space(2))
        self._paint_text(painter, rest, row.text, font, "muted")

    def _paint_text(
        self, painter: QPainter, room: QRect, text: str, font: QFont, color: ColorName
    ) -> None:
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        elided = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, _ALIGN_LEFT, elided)

    def _fonts(self, base: QFont) -> tuple[QFont, QFont]:
        name, small = QFont(base), QFont(base)
        name.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(self._theme.sizes.small)
        return name, small
