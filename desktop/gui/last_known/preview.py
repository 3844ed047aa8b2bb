"""What is in the place of a page until the core is there: the last known servers and tools.

A list to be read, its rows about where those of the page will be. Of a page without a memory it
shows the title alone. Runs before the first paint: must not import the namespace `Qt` (13 ms), a
page or the core, so a property that takes a value of `Qt` is set by the value's name.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QByteArray,
    QCoreApplication,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
)
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui.last_known.snapshot import KnownSection
from desktop.gui.layouts import Gap, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.theme.tokens import RADIUS
from desktop.gui.widgets.icons import ICON_SIZE, pixmap
from desktop.gui.widgets.letter_faces import brush_of, letter_face
from desktop.gui.widgets.row_layout import (
    EDGE,
    FACE,
    INDENT,
    SIGN,
    Badge,
    TwoLineRow,
    head_places,
    row_places,
    row_size,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSettings

    from desktop.gui.last_known.snapshot import KnownContent, KnownServer
    from desktop.gui.theme import ColorName, Role, Theme

translate = QCoreApplication.translate
_DOT = "  ·  "
_HEADING, _CARD = space(5.5), space(16)
"""Heights of the words above the cards of servers, and of a card with the gap below it."""
_CARD_EDGE, _CARD_FACE, _CARD_TEXT = space(2.5), space(16.5), space(27.5)
"""Where face and words of a server stand in its card, from the top and from the left."""
_MUTED = 0.73
"""How much of the colour of texts that of muted ones has."""
_ON_ROLE, _HINT_ROLE = 256, 257
"""Of a server that is switched on, and of a tool; names of roles are in the namespace `Qt`."""
_HINTS = {
    "read-only": Badge("", "success", "lock"),
    "destructive": Badge("", "danger", "warning"),
}
_CHIPS = 7.5
"""Steps of the grid that the filters above the list of tools take up, with the gap below them."""


def as_of(snapshot: KnownContent) -> str:
    """When the snapshot was true, in words: "As of 21:40"; with the day if it was another."""
    then = time.localtime(snapshot.as_of)
    is_today = time.strftime("%x", then) == time.strftime("%x")
    moment = time.strftime("%H:%M" if is_today else "%Y-%m-%d %H:%M", then)
    return translate("LastKnown", "As of {time}").format(time=moment)


def make_preview(
    page: str, theme: Theme, settings: QSettings, snapshot: KnownContent | None
) -> Preview:
    """The preview of the page with this id."""
    if snapshot is None:
        return Preview(page)
    if page == "servers" and not all(server.is_builtin for server in snapshot.servers):
        return ServersPreview(theme, settings, snapshot)
    if page == "tools" and snapshot.rows:
        return ToolsPreview(theme, settings, snapshot)
    return Preview(page)


class Preview(QFrame):
    """The frame of a page: its title, where it has one, and what is known of the last run."""

    rows: KnownRows | None = None

    def __init__(self, page: str, words: str = "") -> None:
        """Args: words: what stands beside the title."""
        super().__init__()
        style(self, "page")
        self._column = in_column(self, spacing=0)
        if title := _title(page):
            head = in_row(self._column, _label(title, "title"), margins=(4, 4, 4, 3), spacing=3)
            if page in ("servers", "processes"):
                head.addStrut(space(7))  # as high as the buttons that come
            if words:
                head.addWidget(_label(words, "muted"), 1)
        self._column.addStretch()

    def _show(self, rows: KnownRows, left: QWidget, saved: object, width: int, share: int) -> None:
        """Fill the page: `rows` are in `left`, and nothing is beside that.

        Args: width: of `left`, where nothing was `saved`. share: what it grows by, of five parts.
        """
        self.rows = rows
        self.setFocusProxy(rows)
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(QFrame())
        splitter.setChildrenCollapsible(False)
        splitter.setStretchFactor(0, share)
        splitter.setStretchFactor(1, 5 - share)
        if not (isinstance(saved, QByteArray) and splitter.restoreState(saved)):
            splitter.setSizes([width, space(130)])
        self._column.addWidget(splitter, 1)


class ServersPreview(Preview):
    """The servers, the person's own and the built-in ones."""

    def __init__(self, theme: Theme, settings: QSettings, snapshot: KnownContent) -> None:
        super().__init__("servers", as_of(snapshot))
        rows, left = KnownRows(theme, _title("servers"), space(8)), QWidget()
        rows.are_cards = True
        style(rows, "page")
        in_column(left, rows, margins=(4, 0, 3, 4))
        own = [server for server in snapshot.servers if not server.is_builtin]
        builtin = [each for each in snapshot.servers if each.is_builtin and each.is_enabled]
        _add_servers(rows, translate("ServerList", "Your servers"), own)
        _add_servers(rows, translate("ServerList", "Built-in servers"), builtin)
        rows.setCurrentRow(1)  # the page begins with this server, too
        self._show(rows, left, settings.value("servers/splitter"), space(100), 2)


def _add_servers(rows: KnownRows, heading: str, servers: Sequence[KnownServer]) -> None:
    on, off = translate("ServerWords", "Starting…"), translate("ServerWords", "Off")
    if servers:
        rows.add_head(heading, _HEADING)
    for server in servers:
        words = _DOT.join(filter(None, (on if server.is_enabled else off, server.figures)))
        item = rows.add(f"{mark_hidden(server.name)}\n{words}", _CARD, rows.face_of(server.name))
        item.setData(_ON_ROLE, server.is_enabled)


class ToolsPreview(Preview):
    """The tools in their sections, below a search field that takes nothing yet."""

    def __init__(self, theme: Theme, settings: QSettings, snapshot: KnownContent) -> None:
        super().__init__("tools")
        rows, left = KnownRows(theme, translate("ToolList", "Tools"), FACE), QWidget()
        search = QLineEdit()
        search.setPlaceholderText(translate("ToolList", "Search tools"))
        search.setEnabled(False)
        tools, line = snapshot.tools, _label(_tools_line(snapshot), "muted", "small")
        has_chips = any(tool.hint or tool.server != tools[0].server for tool in tools)
        gap = Gap(_CHIPS if has_chips else 0)
        in_column(left, search, gap, (rows, 1), line, margins=(3, 3, 2, 2))
        _add_tools(theme, rows, snapshot, settings.value("tools/chosen"))
        self._show(rows, left, settings.value("tools/columns"), space(70), 0)


def _add_tools(theme: Theme, rows: KnownRows, snapshot: KnownContent, chosen: object) -> None:
    """Fill in the rows as they were, and select the tool that the page will select."""
    small = QFont(rows.font())
    small.setPointSizeF(theme.sizes.small)
    height = row_size(QFontMetrics(theme.strong_font()), QFontMetrics(small)).height()
    server = ""
    for row in snapshot.rows:
        if isinstance(row, KnownSection):
            server = row.server
            words, icon = _own_section(row.id)
            if server:
                words, picture = mark_hidden(server), rows.face_of(server)
            else:
                picture = QIcon(pixmap(theme, icon, "muted"))
            rows.add_head(f"{words}{_DOT}{row.tools:,}", height, picture)
            continue
        tool = snapshot.tools[row]
        words = _DOT.join(filter(None, ("" if server else mark_hidden(tool.server), tool.words)))
        picture = None if server else rows.face_of(tool.server)
        item = rows.add(f"{mark_hidden(tool.name)}\n{words}".rstrip(), height, picture)
        item.setData(_HINT_ROLE, tool.hint)
        if tool.key == chosen:
            rows.setCurrentItem(item)


def _own_section(id_: str) -> tuple[str, str]:
    """What a section of the person's own is called, and its icon."""
    if id_ == "favourites":
        return translate("ToolSections", "Favourites"), "star"
    return translate("ToolSections", "Recent"), "clock"


class _Painter(QStyledItemDelegate):
    """Draws a row of `KnownRows` as that of the page is drawn, as far as it is known."""

    def __init__(self, theme: Theme, rows: KnownRows) -> None:
        super().__init__(rows)
        self._theme, self._rows = theme, rows
        self._strong, self._small = theme.strong_font(), QFont(rows.font())
        self._small.setPointSizeF(theme.sizes.small)
        self._heading = QFont(self._strong)
        self._heading.setPointSizeF(theme.sizes.small)
        self._name, self._words = QFontMetrics(self._strong), QFontMetrics(self._small)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        item, place = self._rows.item(index.row()), QRect(option.rect)
        title, _, words = item.text().partition("\n")
        picture = item.icon().pixmap(self._rows.iconSize())
        if self._rows.are_cards and words:
            self._paint_card(painter, place, picture, is_on=bool(index.data(_ON_ROLE)))
            place = place.adjusted(_CARD_TEXT, _CARD_EDGE, -space(3), 0)
            self._write(painter, _line(place, self._name), title, self._strong)
            place.setTop(place.top() + self._name.height() + space(1))
            self._write(painter, _line(place, self._words), words, self._small, is_muted=True)
        elif self._rows.are_cards:
            self._write(painter, _line(place, self._words), title, self._heading, is_muted=True)
        elif words:
            if item is self._rows.currentItem():
                self._fill(painter, place, 0, "accent_soft")
                self._fill(
                    painter, QRect(place.topLeft(), QSize(EDGE, place.height())), 0, "accent"
                )
            hint = index.data(_HINT_ROLE)
            badges = (_HINTS[hint],) if hint in _HINTS else ()
            face = "" if picture.isNull() else title
            row = TwoLineRow(title, "", words, badges, face, star=False)
            self._paint_tool(painter, place, row, picture)
        else:
            self._paint_head(painter, place, title, picture)

    def _paint_tool(
        self, painter: QPainter, place: QRect, row: TwoLineRow, picture: QPixmap
    ) -> None:
        row = row._replace(indent=0 if row.face else INDENT)
        places = row_places(row, place, self._name, self._words)
        painter.drawPixmap(places.face, picture)
        for badge, sign in zip(row.badges, places.badges, strict=True):
            drawn = pixmap(self._theme, badge.icon, badge.tone, size=SIGN)
            painter.drawPixmap(sign.left(), sign.center().y() - SIGN // 2 + 1, drawn)
        self._write(painter, places.title, row.title, self._strong)
        self._write(painter, places.text, row.text, self._small, is_muted=True)

    def _paint_card(self, painter: QPainter, place: QRect, face: QPixmap, *, is_on: bool) -> None:
        """The frame of a server, its switch and its face, where the real ones will be."""
        card = place.adjusted(0, 0, 0, -space(2))
        self._fill(painter, card, RADIUS, "border")
        self._fill(painter, card.adjusted(1, 1, -1, -1), RADIUS - 1, "card")
        painter.drawPixmap(card.x() + _CARD_FACE, card.y() + _CARD_EDGE, face)
        switch = QRect(card.x() + space(4), card.y() + space(4), space(8.5), space(5))
        knob = QRect(switch.x() + space(1), switch.y() + space(1), space(3), space(3))
        self._fill(painter, switch, space(2.5), "accent" if is_on else "control_border")
        if is_on:
            knob.moveRight(switch.right() - space(1))
        else:
            self._fill(painter, switch.adjusted(1, 1, -1, -1), space(2.5) - 1, "card")
        self._fill(painter, knob, space(1.5), "accent_text" if is_on else "muted")

    def _fill(self, painter: QPainter, place: QRect, radius: float, color: ColorName) -> None:
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(place), radius, radius)
        painter.fillPath(shape, brush_of(self._theme.color(color)))

    def _paint_head(self, painter: QPainter, place: QRect, text: str, picture: QPixmap) -> None:
        name, _, number = text.rpartition(_DOT)
        width = self._words.horizontalAdvance(number)
        places = head_places(place, picture.width(), ICON_SIZE, width)
        painter.drawPixmap(places.chevron, pixmap(self._theme, "chevron-down", "muted"))
        painter.drawPixmap(places.sign, picture)
        self._write(painter, places.label, name, self._strong)
        self._write(painter, places.number, number, self._small, is_muted=True)

    def _write(
        self, painter: QPainter, room: QRect, text: str, font: QFont, *, is_muted: bool = False
    ) -> None:
        """One line; a pen of another colour, or a mode of `elidedText`, would import `Qt`."""
        metrics = QFontMetrics(font)
        advance = metrics.horizontalAdvance
        while len(text) > 1 and advance(text) > room.width():
            fits = len(text) * room.width() // advance(text)
            text = f"{text[: min(fits, len(text) - 1) - 1].rstrip('…')}…"
        painter.setFont(font)
        painter.setOpacity(_MUTED if is_muted else 1.0)  # the pen is that of texts
        base = room.center().y() + (metrics.ascent() - metrics.descent()) // 2 + 1
        painter.drawText(room.left(), base, text)
        painter.setOpacity(1.0)


def _line(place: QRect, metrics: QFontMetrics) -> QRect:
    """The first line of a place."""
    return QRect(place.topLeft(), QSize(place.width(), metrics.height()))


class KnownRows(QListWidget):
    """Rows of up to two lines, with pictures; they can be read and chosen, and nothing else."""

    are_cards = False

    def __init__(self, theme: Theme, purpose: str, side: int) -> None:
        """Args: purpose: what a screen reader calls it. side: that of the pictures, in pixels."""
        super().__init__()
        self._theme, self._side, self._strong = theme, side, theme.strong_font()
        self.setAccessibleName(purpose)
        self.setIconSize(QSize(side, side))
        self.setProperty("horizontalScrollBarPolicy", "ScrollBarAlwaysOff")
        self._faces: dict[str, QIcon] = {}
        self.setItemDelegate(_Painter(theme, self))

    def face_of(self, server: str) -> QIcon:
        if server not in self._faces:
            self._faces[server] = QIcon(letter_face(self._theme, server, self._side))
        return self._faces[server]

    def add(self, text: str, height: int, picture: QIcon | None = None) -> QListWidgetItem:
        item = QListWidgetItem(text, self)
        item.setSizeHint(QSize(1, height))
        if picture is not None:
            item.setIcon(picture)
        return item

    def add_head(self, text: str, height: int, picture: QIcon | None = None) -> None:
        """Append what stands above a group."""
        self.add(text, height, picture).setFont(self._strong)


def _title(page: str) -> str:
    """What stands above a page; empty for one that begins with a list."""
    titles = {
        "servers": translate("ServersPage", "Servers"),
        "activity": translate("ActivityPage", "Activity"),
        "processes": translate("ProcessesPage", "Processes"),
        "settings": translate("SettingsPage", "Settings"),
    }
    return titles.get(page, "")


def _label(text: str, *roles: Role) -> QLabel:
    """One line of plain text that gives way where there is no room."""
    label = QLabel()
    label.setProperty("textFormat", "PlainText")
    label.setText(text)
    label.setMinimumWidth(1)
    style(label, *roles)
    return label


def _tools_line(snapshot: KnownContent) -> str:
    words = translate("ToolSections", "{count} tools")
    if snapshot.tool_count == 1:
        words = translate("ToolSections", "1 tool")
    return f"{words.format(count=f'{snapshot.tool_count:,}')}{_DOT}{as_of(snapshot)}"
