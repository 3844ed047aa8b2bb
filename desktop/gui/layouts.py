"""Columns and rows of widgets, with the distances of the theme's grid.

A box is put on its widget, or into the outer box, before it is filled: so every part has a parent
from the moment it is added. This module knows no page and no part by name; a grid stays Qt's own.
Runs before the first paint: must not import the namespace `Qt` (13 ms) before a page asks for one
of the alignments.
"""

from __future__ import annotations

from enum import Flag
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeAlias

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from desktop.gui.theme.tokens import space

if TYPE_CHECKING:
    from PySide6.QtCore import Qt

    LEFT: Final = Qt.AlignmentFlag.AlignLeft
    RIGHT: Final = Qt.AlignmentFlag.AlignRight
    TOP: Final = Qt.AlignmentFlag.AlignTop
    BOTTOM: Final = Qt.AlignmentFlag.AlignBottom
    CENTER: Final = Qt.AlignmentFlag.AlignHCenter
    MIDDLE: Final = Qt.AlignmentFlag.AlignVCenter

NO_LIMIT: Final = 16_777_215
"""Pixels of a largest size that is none: QWIDGETSIZE_MAX, which PySide lacks."""
_ALIGNMENTS: Final = {
    "LEFT": "AlignLeft",
    "RIGHT": "AlignRight",
    "TOP": "AlignTop",
    "BOTTOM": "AlignBottom",
    "CENTER": "AlignHCenter",
    "MIDDLE": "AlignVCenter",
}
"""`CENTER` lies between left and right, `MIDDLE` between top and bottom."""


def __getattr__(name: str) -> Qt.AlignmentFlag:
    if name not in _ALIGNMENTS:
        raise AttributeError(name)
    from PySide6.QtCore import Qt

    return Qt.AlignmentFlag[_ALIGNMENTS[name]]


Margins: TypeAlias = float | tuple[float, float, float, float]
"""Steps of the grid, as `space` takes them: on all sides, or left, top, right and bottom."""


class Stretch(NamedTuple):
    """Empty room, and its share of what is left over."""

    share: int = 1


STRETCH = Stretch()
ALL_ROOM: Final = 1000
"""The share of a part beside `STRETCH` that takes what there is, up to its greatest width."""


class Gap(NamedTuple):
    """A distance beside the usual one, in steps of the grid."""

    steps: float


class _Box:
    """What a box holds, before there is one."""

    direction: ClassVar[QBoxLayout.Direction]

    def __init__(self, *parts: Part, margins: Margins = 0, spacing: float = 2) -> None:
        self._parts, self._margins, self._spacing = parts, margins, spacing

    def fill(self, box: QBoxLayout) -> None:
        """Put the parts into `box`, which has its place already."""
        margins = self._margins if isinstance(self._margins, tuple) else (self._margins,) * 4
        box.setContentsMargins(*map(space, margins))
        box.setSpacing(space(self._spacing))
        for part in self._parts:
            _add(box, part)


class InnerColumn(_Box):
    """A column inside another box."""

    direction = QBoxLayout.Direction.TopToBottom


class InnerRow(_Box):
    """A row inside another box."""

    direction = QBoxLayout.Direction.LeftToRight


Content: TypeAlias = QWidget | QLayout | InnerRow | InnerColumn
Part: TypeAlias = (
    Content
    | Stretch
    | Gap
    | tuple[Content, int]
    | tuple[QWidget, "Qt.AlignmentFlag"]
    | tuple[QWidget, int, "Qt.AlignmentFlag"]
)
"""What is in a box; with a number, its share of the room; with an alignment, where it stands."""


def in_column(
    target: QWidget | QBoxLayout, *parts: Part, margins: Margins = 0, spacing: float = 2
) -> QVBoxLayout:
    """Lay `parts` out in `target`, one below the other; in a box, after what it holds already."""
    box = QVBoxLayout()
    _install(box, target)
    InnerColumn(*parts, margins=margins, spacing=spacing).fill(box)
    return box


def in_row(
    target: QWidget | QBoxLayout, *parts: Part, margins: Margins = 0, spacing: float = 2
) -> QHBoxLayout:
    """Lay `parts` out in `target`, one beside the other; in a box, after what it holds already."""
    box = QHBoxLayout()
    _install(box, target)
    InnerRow(*parts, margins=margins, spacing=spacing).fill(box)
    return box


def _install(box: QBoxLayout, target: QWidget | QBoxLayout) -> None:
    if isinstance(target, QWidget):
        target.setLayout(box)
    else:
        target.addLayout(box)


def _add(box: QBoxLayout, part: Part) -> None:
    match part:
        case Stretch(share):
            box.addStretch(share)
        case Gap(steps):
            box.addSpacing(space(steps))
        case (QWidget() as widget, Flag() as alignment):  # `Qt.AlignmentFlag` is one
            box.addWidget(widget, 0, alignment)
        case (widget, share, alignment):
            box.addWidget(widget, share, alignment)
        case (content, share):
            _put(box, content, share)
        case _:
            _put(box, part, 0)


def _put(box: QBoxLayout, content: Content, share: int) -> None:
    if isinstance(content, QWidget):
        box.addWidget(content, share)
    elif isinstance(content, QLayout):
        box.addLayout(content, share)
    else:
        inner = QBoxLayout(content.direction)
        box.addLayout(inner, share)
        content.fill(inner)
