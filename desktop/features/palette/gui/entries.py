"""What the palette offers in this window, and what it does: tools, servers, chats, calls, actions.

Imported with the first Ctrl+K. Stored chats and saved calls are read once the palette is in sight.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QListView, QWidget
from shiboken6 import isValid

from desktop.base.errors import ConfigError
from desktop.base.visible_text import mark_hidden
from desktop.features.palette.entry_search import EntrySearch, PaletteEntry
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.row_layout import Badge, TwoLineRow
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.two_line_rows import (
    ENTRY_ROLE,
    TwoLineDelegate,
    TwoLineModel,
    first_line,
    show_two_line_rows,
    step_keys,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtGui import QMouseEvent

    from desktop.core import Core
    from desktop.features.palette.entry_search import Kind
    from desktop.gui.main_window import MainWindow
    from desktop.gui.navigation import Navigation, Stored

_RECENT: Final = "palette/recent"
_MAX_RECENT: Final = 20
_WIDTH: Final = space(160)
_TOP: Final = space(12)
_ROWS: Final = 9
_STEPS: Final = step_keys(_ROWS)


class PaletteFeature(QObject):
    """One for a window, for its whole run; the panel is made when it is first opened."""

    def __init__(self, window: MainWindow, core: Core, places: Navigation) -> None:
        super().__init__(window)
        self._window, self._core, self._places = window, core, places
        self.palette: Palette | None = None

    def toggle(self) -> None:
        """Open the palette, or close the one that is open."""
        if self.palette is None:
            self.palette = Palette(self._window.theme, self._window.over_pages)
            self.palette.chosen.connect(self._open)
            QTimer.singleShot(0, self, self.toggle)  # making and showing it: a turn each
            return
        if not self.palette.isHidden():
            self.palette.close_palette()
            return
        self.palette.open(self._entries(), self._recent())
        bridge.run(self, self._read_stored(), self.tr("Read chats and saved calls"))

    def _open(self, entry: PaletteEntry) -> None:
        recent = [entry.id, *(one for one in self._recent() if one != entry.id)]
        self._window.state.settings.setValue(_RECENT, recent[:_MAX_RECENT])
        entry.open()

    def _recent(self) -> list[str]:
        value: object = self._window.state.settings.value(_RECENT)
        if isinstance(value, str):  # a list of one, as it is read from the file
            return [value]
        return [str(one) for one in cast("list[object]", value)] if isinstance(value, list) else []

    def _entries(self) -> Iterator[PaletteEntry]:
        yield from self._pages()
        yield from self._actions()
        yield from self._servers()
        yield from self._tools()

    def _pages(self) -> Iterator[PaletteEntry]:
        window = self._window
        for page, keys in zip(window.page_ids, shortcuts.PAGES.keys, strict=False):
            show = partial(window.show_page, page)
            yield PaletteEntry(
                "page", f"page:{page}", window.rail.button(page).text(), "", show, keys
            )

    def _actions(self) -> Iterator[PaletteEntry]:
        window, places = self._window, self._places
        sheet = shortcuts.SHEET
        for name, words, keys, act in (
            ("add server", self.tr("Add server…"), "", places.add_server),
            ("import", self.tr("Import servers…"), "", places.import_servers),
            *((action.id, action.words, "", action.act) for action in places.actions),
            ("shortcuts", sheet.meaning, sheet.label, window.show_shortcuts),
            ("light", self.tr("Use the light theme"), "", partial(self._use, "light")),
            ("dark", self.tr("Use the dark theme"), "", partial(self._use, "dark")),
            ("system", self.tr("Follow the system's theme"), "", partial(self._use, "system")),
            ("quit", shortcuts.QUIT.meaning, shortcuts.QUIT.label, window.close),
        ):
            yield PaletteEntry("action", f"action:{name}", words, "", act, keys)

    def _use(self, theme: str) -> None:
        try:
            self._core.store.update_settings(theme=theme)
        except ConfigError as error:
            self._window.show_error(spoken(str(error)))

    def _servers(self) -> Iterator[PaletteEntry]:
        store = self._core.store
        for name, server in store.servers.items():
            go = partial(self._places.open_server, name)
            state = self.tr("On") if server.enabled else self.tr("Off")
            yield PaletteEntry("server", f"server:{name}", name, state, go, server=name)
            words = self.tr("Switch off {name}") if server.enabled else self.tr("Switch on {name}")
            switch = partial(self._places.switch_server, name, enabled=not server.enabled)
            yield PaletteEntry("action", f"switch:{name}", words.format(name=name), "", switch)

    def _tools(self) -> Iterator[PaletteEntry]:
        for tool in self._core.registry.all():
            key, found = f"{tool.definition.server}:{tool.definition.name}", tool.definition
            detail = f"{found.server}  {found.title or found.description[:80]}"
            go = partial(self._places.open_tool, key)
            yield PaletteEntry("tool", f"tool:{key}", found.name, detail, go, server=found.server)

    async def _read_stored(self) -> None:
        for read in self._places.stored:
            self._add(map(_stored_entry, await read()))

    def _add(self, entries: Iterable[PaletteEntry]) -> None:
        if self.palette is not None and not self.palette.isHidden():
            self.palette.add(entries)


def _stored_entry(stored: Stored) -> PaletteEntry:
    entry_id = f"{stored.kind}:{stored.id}"
    return PaletteEntry(
        stored.kind, entry_id, stored.name, stored.detail, stored.open, server=stored.server
    )


class PaletteRows(TwoLineModel):
    """The entries in sight; the keys that do the same are a badge."""

    entries: Sequence[PaletteEntry] = ()

    def row_of(self, entry: PaletteEntry) -> TwoLineRow:
        kinds: dict[Kind, str] = {
            "action": self.tr("Action"),
            "page": self.tr("Page"),
            "server": self.tr("Server"),
            "tool": self.tr("Tool"),
            "call": self.tr("Saved call"),
            "chat": self.tr("Chat"),
        }
        badges = (Badge(entry.keys, "accent"),) if entry.keys else ()
        detail = mark_hidden(first_line(entry.detail))
        title = mark_hidden(entry.title)
        return TwoLineRow(title, kinds[entry.kind], detail, badges, face=entry.server)

    def spoken(self, entry: PaletteEntry) -> str:
        return f"{mark_hidden(entry.title)}, {mark_hidden(entry.detail)}"


class Palette(QWidget):
    """Covers its host; a click beside the card closes it."""

    chosen = Signal(object)
    """The `PaletteEntry` to open; the palette is closed and the focus is back."""

    def __init__(self, theme: Theme, host: QWidget) -> None:
        super().__init__(host)
        self._before: QWidget | None = None
        self._has_moved = self._is_stale = False
        self._search = EntrySearch()
        self.card = QFrame(self)
        self.box = SearchField(self.card, exit_keys=(*_STEPS, Qt.Key.Key_Escape))
        self.view, self.nothing = QListView(self.card), QLabel(self.card)
        self._rows, self._delegate = PaletteRows(self), TwoLineDelegate(theme, self)
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._go_on)
        self._lay_out(theme)
        self.box.textChanged.connect(self._look)
        self.box.exited.connect(self._leave)
        self.box.returnPressed.connect(self._open_current)
        self.view.clicked.connect(self._open_current)
        host.installEventFilter(self)
        self.box.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_focus)
        self.hide()
        self.box.set_purpose(self.tr("Go to a tool, server, chat, saved call or action"))
        self.card.setAccessibleName(self.tr("Command palette"))
        self.view.setAccessibleName(self.tr("Matches"))
        self.nothing.setText(self.tr("Nothing matches"))

    @property
    def shown(self) -> Sequence[PaletteEntry]:
        """The entries in sight, the best first."""
        return self._rows.entries

    def open(self, entries: Iterable[PaletteEntry], recent: Sequence[str]) -> None:
        """Show it. Args: recent: ids of the entries chosen before, the latest first."""
        self._before = QApplication.focusWidget()
        self._search.restart(recent)
        self._search.add(entries)
        self.box.blockSignals(True)
        self.box.clear()
        self.box.blockSignals(False)
        self._place()
        self.show()
        self.raise_()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._look()

    def add(self, entries: Iterable[PaletteEntry]) -> None:
        """Offer more; they were read while it is open."""
        self._search.add(entries)
        self._turn.start()

    def close_palette(self) -> None:
        """Hide it and give the focus back."""
        if self.isHidden():
            return
        self._turn.stop()
        before, self._before = self._before, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def focusNextPrevChild(self, next_: bool, /) -> bool:
        return True  # Tab stays in the line

    def mousePressEvent(self, event: QMouseEvent, /) -> None:
        self.close_palette()
        event.accept()

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:
        if watched is self.box:
            is_press = event.type() == QEvent.Type.KeyPress
            if is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
                self.close_palette()  # at once: what was typed is quick to type again
                return True
        elif event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return super().eventFilter(watched, event)

    def _follow_focus(self, _: object, now: QWidget | None) -> None:
        """Close as soon as the keyboard is elsewhere in the window, or in a dialog of it."""
        if now is not None and not self.isHidden() and not self.isAncestorOf(now):
            self._before = None
            self.close_palette()

    def _look(self) -> None:
        self._search.look_for(self.box.text())
        self._has_moved, self._is_stale = False, True
        self._turn.start()
        self._go_on()

    def _go_on(self) -> None:
        """Look on; what is found at first is shown at once, and the best when all is known."""
        self._search.more()
        if self._search.is_finished:
            self._turn.stop()
        if self._search.is_finished or self._is_stale:
            self._show_best()

    def _show_best(self) -> None:
        chosen: PaletteEntry | None = self.view.currentIndex().data(ENTRY_ROLE)
        best = self._search.best()
        is_known = bool(best) or self._search.is_finished
        self._is_stale = not is_known
        if not is_known:
            return  # rather what was there than a list that is empty for a moment
        self._rows.replace(best)
        is_kept = self._has_moved and chosen is not None and chosen in best
        row = best.index(chosen) if is_kept and chosen is not None else 0
        self.view.setCurrentIndex(self._rows.index(row))
        self.nothing.setVisible(not best)
        self.view.setVisible(bool(best))
        self._place()

    def _leave(self, key: Qt.Key) -> None:
        self._has_moved = True
        row = self.view.currentIndex().row() + _STEPS[key]
        last = len(self.shown) - 1
        self.view.setCurrentIndex(self._rows.index(min(max(row, 0), last)))

    def _open_current(self) -> None:
        if not self._search.is_finished:  # Enter was quicker
            self._search.more(float("inf"))
            self._turn.stop()
            self._show_best()
        entry: PaletteEntry | None = self.view.currentIndex().data(ENTRY_ROLE)
        if entry is not None:
            self.close_palette()
            self.chosen.emit(entry)

    def _place(self) -> None:
        host = self.parentWidget()
        if host is None:
            return
        self.setGeometry(host.rect())
        width = min(_WIDTH, host.width() - space(8))
        rows = min(len(self.shown), _ROWS)
        height = self.box.sizeHint().height() + space(6)
        height += rows * self.view.sizeHintForRow(0) + space(2) if rows else space(10)
        top = min(_TOP, max(space(2), (host.height() - height) // 2))
        self.card.setGeometry(
            (host.width() - width) // 2, top, width, min(height, host.height() - 2 * top)
        )

    def _lay_out(self, theme: Theme) -> None:
        style(self.card, "card", "selected")
        style(self.nothing, "muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.hide()
        self.view.setModel(self._rows)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        show_two_line_rows(self.view, self._delegate, theme)
        in_column(self.card, self.box, (self.view, 1), (self.nothing, 1), margins=2)
