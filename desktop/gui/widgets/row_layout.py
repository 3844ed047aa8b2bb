"""What a row of two lines says, and where each part of it stands.

Draws nothing. Runs before the first paint, whose rows are as high: must not import the namespace
`Qt` (13 ms), nor what needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from PySide6.QtCore import QPoint, QRect, QSize

from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetrics

    from desktop.gui.theme import ColorName

BadgeTone: TypeAlias = Literal["accent", "danger", "success"]
SOFT: Final[dict[BadgeTone, ColorName]] = {
    "accent": "accent_soft",
    "danger": "danger_soft",
    "success": "success_soft",
}
"""What is behind the words of a badge."""
FACE: Final = space(6)
STAR: Final = space(4)
SIGN: Final = space(3.5)
"""The side of a badge that is an icon."""
INDENT: Final = 6
"""Of a row below a section, in steps of the grid."""
EDGE: Final = space(0.5)
"""Of the line at the left of the selected row."""
_GAP = space(0.5)  # between the lines: a pill must not touch the second
_BOTH = space(30)  # less room than this is for one of two texts
_STEP: Final = space(1)
_SPARE: Final = space(2.5)  # advances are rounded
_PILL: Final = space(3)
"""What a badge is wider than its words."""


class Badge(NamedTuple):
    """A word in a pill; with an icon, that sign alone, always at the right of the first line."""

    words: str
    tone: BadgeTone
    icon: str = ""


class TwoLineRow(NamedTuple):
    """What a row says; `badges` from the right. `indent` is in steps of the grid."""

    title: str
    server: str
    text: str
    badges: tuple[Badge, ...] = ()
    face: str = ""
    star: bool | None = None
    indent: int = 0


class RowPlaces(NamedTuple):
    """Where the parts of a row are; an empty rectangle for a text that has no room or is none.

    `face` is a corner, of a square of `FACE`. `badges` are in the order of those of the row.
    """

    face: QPoint
    title: QRect
    badges: tuple[QRect, ...]
    server: QRect
    text: QRect


class HeadPlaces(NamedTuple):
    """Where the parts of the row above a section are; `chevron` and `sign` are corners."""

    chevron: QPoint
    sign: QPoint
    label: QRect
    number: QRect


def row_size(name: QFontMetrics, small: QFontMetrics) -> QSize:
    """The size of every row, with its least width."""
    return QSize(space(40), name.height() + small.height() + _GAP + space(4))


def star_place(row: QRect) -> QRect:
    """Where a click in a row presses its star, at the end of the first line: larger than it."""
    width = STAR + 3 * _STEP
    return QRect(row.right() - width - 2 * _STEP, row.top(), width, 2 * row.height() // 3)


def row_places(row: TwoLineRow, place: QRect, name: QFontMetrics, small: QFontMetrics) -> RowPlaces:
    """Lay a row out in `place`, its title in the font of `name`, all else in that of `small`."""
    inner = place.adjusted((3 + row.indent) * _STEP, 2 * _STEP, -3 * _STEP, -2 * _STEP)
    face = _left_in(inner, FACE)
    if row.face:
        inner.setLeft(face.x() + FACE + 2 * _STEP)
    top = QRect(inner.topLeft(), QSize(inner.width(), name.height()))
    bottom = QRect(top.bottomLeft() + QPoint(0, _GAP), inner.bottomRight())
    if row.star is not None:
        top.setRight(star_place(place).left())
    badges = _place_badges(row, top, bottom, name, small)
    server, text = _place_texts(row, bottom, small)
    return RowPlaces(face, top, badges, server, text)


def _place_badges(
    row: TwoLineRow, top: QRect, bottom: QRect, name: QFontMetrics, small: QFontMetrics
) -> tuple[QRect, ...]:
    """Words stand on the first line unless the name would be cut for them; shortens the line."""
    widths = [_badge_width(badge, small) for badge in row.badges]
    taken = sum(width + _STEP for width in widths)
    room = top.width() - taken - _SPARE
    is_signs = all(badge.icon for badge in row.badges)
    line = top if is_signs or name.horizontalAdvance(row.title) <= room else bottom
    right, places = line.right(), list[QRect]()
    for width in widths:
        places.append(QRect(right - width, line.top() - 1, width, line.height()))
        right -= width + _STEP
    if places:
        line.setRight(right - 2 * _STEP)
    return tuple(places)


def _badge_width(badge: Badge, small: QFontMetrics) -> int:
    return SIGN if badge.icon else small.horizontalAdvance(badge.words) + _PILL


def _place_texts(row: TwoLineRow, line: QRect, small: QFontMetrics) -> tuple[QRect, QRect]:
    if not row.server:
        return QRect(), line
    if line.width() < _BOTH:
        return line, QRect()
    width = small.horizontalAdvance(row.server) + 1  # advances are rounded
    server = QRect(line.topLeft(), QSize(min(width, line.width() // 2), line.height()))
    rest = QRect(line)
    rest.setLeft(server.right() + space(2))
    return server, rest


def head_places(place: QRect, sign: int, icon: int, number: int) -> HeadPlaces:
    """Lay out the row above a section.

    Args: sign: the side of what stands before its name. icon: that of the chevron. number: the
    width of what stands at the right; all in pixels.
    """
    room = place.adjusted(space(3), 0, -space(3), 0)
    chevron = _left_in(room, icon)
    room.setLeft(chevron.x() + icon + space(2))
    corner = _left_in(room, sign)
    room.setLeft(corner.x() + sign + space(2))
    width = number + space(1)
    right = QRect(room.right() - width, room.top(), width, room.height())
    room.setRight(right.left() - space(2))
    return HeadPlaces(chevron, corner, room, right)


def _left_in(room: QRect, side: int) -> QPoint:
    """The corner of a square at the left of `room`, in the middle of its height."""
    return QPoint(room.left(), room.center().y() - side // 2 + 1)
