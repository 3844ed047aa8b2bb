"""The servers as they were last, in two groups of cards, drawn in one widget.

The cards look like those of `desktop.gui.servers.server_card`, in whose place they are shown; as
widgets they would take 3 ms each. Runs before the first paint: must not import the namespace `Qt`.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Signal
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame

from desktop.base.visible_text import mark_hidden
from desktop.gui.last_known.ink import Ink
from desktop.gui.theme import RADIUS, RADIUS_SMALL, marks, space, style
from desktop.gui.widgets.letter_faces import letter_face

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from desktop.gui.last_known.snapshot import KnownServer
    from desktop.gui.theme import ColorName, Theme

_EDGE = 1
_MARGIN, _TOP = space(3) + _EDGE, space(2.5) + _EDGE
_SWITCH, _SWITCH_ROOM = QSize(34, 20), space(10.5)
_FACE = space(8)


class KnownServerCards(QFrame):
    """Draws; says which server was clicked, and which switch."""

    selected = Signal(str)
    switched = Signal(str, bool)

    def __init__(
        self,
        theme: Theme,
        groups: Mapping[str, Sequence[KnownServer]],
        words: tuple[str, str],
    ) -> None:
        """Args: groups: by their headings. words: of a server that is on; of one that is off."""
        super().__init__()
        self._theme, self._groups, self._words = theme, groups, words
        self._on = {server.name: server.is_enabled for own in groups.values() for server in own}
        self._chosen = ""
        self._ink = Ink(theme)
        self._drawings: dict[str, QSvgRenderer] = {}
        self._name = theme.strong_font()
        self._small = QFont(self.font())
        self._small.setPointSizeF(theme.sizes.small)
        self._badge, self._heading = QFont(self._small), QFont(self._small)
        self._badge.setWeight(QFont.Weight.Medium)
        self._heading.setWeight(QFont.Weight.DemiBold)
        line = QFontMetrics(self._small).height()
        self._pill = line + space(1)
        self._first = max(self._pill, QFontMetrics(self._name).height())
        self._height = 2 * _TOP + self._first + space(1) + line
        self._places: dict[str, int] = {}
        self._headings: dict[str, int] = {}
        top = 0
        for heading, servers in groups.items():
            self._headings[heading] = top
            top += line + space(2)
            for server in servers:
                self._places[server.name] = top
                top += self._height + space(2)
            top += space(2)
        self.setMinimumHeight(top + space(4))
        style(self, "page")

    def select(self, name: str) -> None:
        """Show a server as the selected one."""
        self._chosen = name
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        for name in self._places:
            if not self.place_of(name).contains(at):
                continue
            if self._switch(name).contains(at):
                self._on[name] = not self._on[name]
                self.switched.emit(name, self._on[name])
            self.select(name)
            self.selected.emit(name)

    def place_of(self, name: str) -> QRect:
        """Where the card of a server is drawn."""
        width = self.width() - space(4) - space(3)
        return QRect(space(4), self._places[name], width, self._height)

    def _switch(self, name: str) -> QRect:
        corner = self.place_of(name).topLeft() + QPoint(_MARGIN, _TOP)
        return QRect(corner, QSize(_SWITCH_ROOM, _SWITCH.height() + space(2)))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for heading, top in self._headings.items():
            place = QRect(space(4), top, self.width(), QFontMetrics(self._small).height())
            self._ink.write_cut(painter, place, heading, self._heading, "muted")
        for servers in self._groups.values():
            for server in servers:
                if event.rect().intersects(card := self.place_of(server.name)):
                    self._paint_card(painter, card, server)
        painter.end()

    def _paint_card(self, painter: QPainter, card: QRect, server: KnownServer) -> None:
        is_on = self._on[server.name]
        edge = "accent" if server.name == self._chosen else "border"
        inner = QRectF(card).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        self._ink.fill(painter, card, edge, RADIUS)
        self._ink.fill(painter, inner, "card", RADIUS - _EDGE)
        room = card.adjusted(_MARGIN, _TOP, -_MARGIN, -_TOP)
        corner = QPointF(room.topLeft()) + QPointF(space(1), space(1))
        self._drawing(is_on=is_on).render(painter, QRectF(corner, _SWITCH))
        room.setLeft(room.left() + _SWITCH_ROOM + space(3))
        painter.drawPixmap(room.topLeft(), letter_face(self._theme, server.name, _FACE))
        room.setLeft(room.left() + _FACE + space(3))
        words, tone, behind = self._state(is_on=is_on)
        beside = QFontMetrics(self._badge).horizontalAdvance("x") + space(4)
        width = ceil(QFontMetricsF(self._badge).horizontalAdvance(words)) + beside  # as a label is
        pill = QRect(room.right() + 1 - width, room.top(), width, self._pill)
        self._ink.fill(painter, pill, behind, RADIUS_SMALL)
        self._ink.write(painter, pill.adjusted(beside // 2, 0, 0, 0), words, self._badge, tone)
        first = QRect(room.topLeft(), QSize(room.width() - width - space(2), self._first))
        self._ink.write_cut(painter, first, mark_hidden(server.name), self._name, "text")
        second = QRect(room)
        second.setTop(room.top() + self._first + space(1))
        self._ink.write_cut(painter, second, server.figures, self._small, "muted")

    def _drawing(self, *, is_on: bool) -> QSvgRenderer:
        file = f"{marks(self._theme.is_dark)}/switch-{'on' if is_on else 'off'}.svg"
        if file not in self._drawings:
            self._drawings[file] = QSvgRenderer(file)
        return self._drawings[file]

    def _state(self, *, is_on: bool) -> tuple[str, ColorName, ColorName]:
        if is_on:
            return self._words[0], "accent", "accent_soft"
        return self._words[1], "muted", "hover"
