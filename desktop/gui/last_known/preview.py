"""What is in the place of a page until the core is there: the last known servers and tools.

Looks like the page that takes its place, and keeps what a person does in it meanwhile for that
page (`choices`). Of a page without a memory it shows the frame alone. Runs before the first paint:
must not import the namespace `Qt` (13 ms), a page or the core.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QByteArray, QCoreApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui.last_known.server_cards import KnownServerCards
from desktop.gui.last_known.snapshot import KnownSection
from desktop.gui.last_known.tool_rows import KnownToolRows
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.gui.last_known.snapshot import KnownContent, KnownServer
    from desktop.gui.theme import Role, Theme

translate = QCoreApplication.translate
_LIST_WIDTH, _DETAILS_WIDTH = space(100), space(130)


class Choices(NamedTuple):
    """What a person did before the page was there; empty where nothing.

    `button` is one of the head of the Servers page: `add`, `imports` or `exports`. `switches` are
    servers that were switched, the last wish for each.
    """

    query: str = ""
    tool: str = ""
    server: str = ""
    scroll: int = 0
    button: str = ""
    switches: tuple[tuple[str, bool], ...] = ()


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
    if page == "servers":
        return ServersPreview(theme, settings, snapshot)
    if page == "tools":
        return ToolsPreview(theme, settings, snapshot)
    return Preview(page)


class Preview(QFrame):
    """The frame of a page: its title, where it has one."""

    has_content = False
    """Whether it shows what is known from the last run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        style(self, "page")
        if title := _title(page):
            in_column(self, _label(title, "title"), STRETCH, margins=4)

    @property
    def choices(self) -> Choices:
        """What a person did in it."""
        return Choices()


class ToolsPreview(Preview):
    """Search field, list and what stands beside it."""

    def __init__(self, theme: Theme, settings: QSettings, snapshot: KnownContent | None) -> None:
        super().__init__("tools")
        self._theme = theme
        self.search_box = QLineEdit()
        self.search_box.setPlaceholderText(translate("ToolList", "Search tools"))
        self.search_box.setClearButtonEnabled(True)
        tools = snapshot.tools if snapshot is not None else ()
        rows = snapshot.rows if snapshot is not None else ()
        self.has_content = bool(tools)
        self.view = KnownToolRows(
            theme, [row if isinstance(row, KnownSection) else tools[row] for row in rows], _words
        )
        self._hint = _label("", "heading"), _label("", "muted")
        self._lay_out(settings, snapshot)
        if isinstance(chosen := settings.value("tools/chosen"), str):
            self.view.select(chosen)
        self._show_hint()
        self.view.selectionModel().currentChanged.connect(self._show_hint)
        self.setFocusProxy(self.search_box)

    @property
    def choices(self) -> Choices:
        scroll = self.view.verticalScrollBar().value()
        return Choices(query=self.search_box.text(), tool=self.view.key, scroll=scroll)

    def _show_hint(self) -> None:
        """Beside the list: which tool will be there, and what it waits for."""
        server, _, name = self.view.key.partition(":")
        title, sentence = self._hint
        if name:
            words = translate(
                "ToolsPage", "{server} is starting. The form appears when it is ready."
            )
            title.setText(mark_hidden(name))
            sentence.setText(words.format(server=mark_hidden(server)))
        else:
            title.setText(translate("ToolsPage", "Choose a tool"))
            sentence.setText(translate("ToolsPage", "Its form and results appear here."))

    def _lay_out(self, settings: QSettings, snapshot: KnownContent | None) -> None:
        left, right = QWidget(), QFrame()
        left.setMinimumWidth(space(60))
        column = in_column(left, self.search_box, margins=(3, 3, 2, 2))
        if snapshot is not None and (chips := _chips(snapshot)) is not None:
            column.addWidget(chips)
        column.addWidget(self.view, 1)
        column.addWidget(_label(_tools_line(snapshot), "muted", "small"))
        side = QVBoxLayout(right)
        side.setSpacing(space(2))
        side.addStretch(1)
        sign = _label("")
        set_icon(self._theme, sign, "tools", "disabled", size=space(12))
        sign.setProperty("alignment", "AlignHCenter|AlignVCenter")
        side.addWidget(sign)
        for part in self._hint:
            part.setProperty("alignment", "AlignHCenter|AlignVCenter")
            side.addWidget(part)
        side.addStretch(1)
        splitter = _splitter(left, right, settings.value("tools/columns"), (space(80), space(240)))
        splitter.setStretchFactor(1, 1)
        in_row(self, splitter)


class ServersPreview(Preview):
    """Head and cards; beside them the name of the selected server."""

    def __init__(self, theme: Theme, settings: QSettings, snapshot: KnownContent | None) -> None:
        super().__init__("servers")
        self._theme = theme
        self._button = self._server = ""
        self._switches: dict[str, bool] = {}
        servers = snapshot.servers if snapshot is not None else ()
        own = [server for server in servers if not server.is_builtin]
        self.has_content = bool(own)
        self._name = _label("", "title")
        self._list = QScrollArea()
        column = in_column(
            self, self._head(as_of(snapshot) if own and snapshot is not None else ""), spacing=0
        )
        if own:
            cards = _cards(theme, own, [server for server in servers if server.is_builtin])
            column.addWidget(self._body(settings, cards), 1)
            cards.select(own[0].name)
            self._select(own[0].name)
        else:  # a newcomer's page has more above its list than was ever kept
            column.addStretch(1)

    @property
    def choices(self) -> Choices:
        switches = tuple(self._switches.items())
        scroll = self._list.verticalScrollBar().value()
        return Choices(server=self._server, scroll=scroll, button=self._button, switches=switches)

    def _head(self, words: str) -> QHBoxLayout:
        texts = {
            "exports": translate("ServersPage", "Export…"),
            "imports": translate("ServersPage", "Import…"),
            "add": translate("ServersPage", "Add server…"),
        }
        head = QHBoxLayout()
        head.setContentsMargins(space(4), space(4), space(4), space(3))
        head.setSpacing(space(3))
        head.addWidget(_label(translate("ServersPage", "Servers"), "title"))
        summary = _label(words, "muted")
        summary.setContentsMargins(0, 0, 0, space(1))
        low = QVBoxLayout()
        low.addStretch(1)
        low.addWidget(summary)
        head.addLayout(low, 1)
        for name, text in texts.items():
            button = QPushButton(text)
            button.clicked.connect(partial(self._press, name))
            if name == "add":
                style(button, "primary")
                set_icon(self._theme, button, "plus", "accent_text")
            head.addWidget(button)
        return head

    def _body(self, settings: QSettings, cards: KnownServerCards) -> QSplitter:
        details = QFrame()
        cards.selected.connect(self._select)
        cards.switched.connect(self._switch)
        self._list.setWidgetResizable(True)
        self._list.setProperty("horizontalScrollBarPolicy", "ScrollBarAlwaysOff")
        self._list.setProperty("focusPolicy", "NoFocus")
        self._list.setWidget(cards)
        self._list.setMinimumWidth(space(70))
        details.setMinimumWidth(space(80))
        in_column(details, self._name, STRETCH, margins=(4, 0, 4, 4))
        saved = settings.value("servers/splitter")
        splitter = _splitter(self._list, details, saved, (_LIST_WIDTH, _DETAILS_WIDTH))
        splitter.setStretchFactor(0, 2)
        splitter.setStretchFactor(1, 3)
        return splitter

    def _press(self, button: str) -> None:
        self._button = button

    def _select(self, name: str) -> None:
        self._server = name
        self._name.setText(mark_hidden(name))

    def _switch(self, name: str, on: bool) -> None:
        self._switches[name] = on


def _cards(theme: Theme, own: list[KnownServer], builtin: list[KnownServer]) -> KnownServerCards:
    groups = {
        translate("ServerList", "Your servers"): own,
        translate("ServerList", "Built-in servers"): builtin,
    }
    words = translate("ServerWords", "Starting…"), translate("ServerWords", "Off")
    return KnownServerCards(theme, {name: group for name, group in groups.items() if group}, words)


def _title(page: str) -> str:
    """What stands above a page; empty for one that begins with a list."""
    titles = {
        "activity": translate("ActivityPage", "Activity"),
        "processes": translate("ProcessesPage", "Processes"),
        "settings": translate("SettingsPage", "Settings"),
    }
    return titles.get(page, "")


def _label(text: str, *roles: Role) -> QLabel:
    """One line of plain text that gives way where there is no room."""
    label = QLabel()
    label.setProperty("textFormat", "PlainText")  # by name: the value is of `Qt`
    label.setText(text)
    style(label, *roles)
    if "badge" not in roles and "title" not in roles:
        label.setMinimumWidth(1)
    return label


def _splitter(left: QWidget, right: QWidget, saved: object, sizes: tuple[int, int]) -> QSplitter:
    splitter = QSplitter()
    splitter.addWidget(left)
    splitter.addWidget(right)
    splitter.setChildrenCollapsible(False)
    if not (isinstance(saved, QByteArray) and splitter.restoreState(saved)):
        splitter.setSizes(list(sizes))
    return splitter


def _words(what: str) -> str:
    """What a section of the person's own, or a hint, is called."""
    known = {
        "favourites": translate("ToolSections", "Favourites"),
        "recent": translate("ToolSections", "Recent"),
        "read-only": translate("Hints", "read-only"),
        "destructive": translate("Hints", "destructive"),
    }
    return known.get(what, what)


def _tools_line(snapshot: KnownContent | None) -> str:
    if snapshot is None or not snapshot.tool_count:
        return ""
    words = translate("ToolSections", "{count} tools")
    if snapshot.tool_count == 1:
        words = translate("ToolSections", "1 tool")
    return f"{words.format(count=f'{snapshot.tool_count:,}')}  ·  {as_of(snapshot)}"


def _chips(snapshot: KnownContent) -> QWidget | None:
    """What the list is filtered by, where there is a choice."""
    hints = {tool.hint for tool in snapshot.tools}
    texts = [
        (len({tool.server for tool in snapshot.tools}) > 1, f"{_all_servers()} ▾"),
        ("read-only" in hints, translate("ToolFilters", "Read-only")),
        ("destructive" in hints, translate("ToolFilters", "Destructive")),
    ]
    shown = [text for is_shown, text in texts if is_shown]
    if not shown:
        return None
    chips = QWidget()
    row = in_row(chips, spacing=1)
    for text in shown:
        chip = QPushButton(text)
        style(chip, "chip")
        row.addWidget(chip)
    row.addStretch(1)
    return chips


def _all_servers() -> str:
    return translate("ToolFilters", "All servers")
