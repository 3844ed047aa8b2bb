"""What the palette offers in this window, and what it does: tools, servers, chats, calls, actions.

Imported with the first Ctrl+K. Stored chats and saved calls are read once the palette is in sight.
"""

from __future__ import annotations

import asyncio
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTimer

from desktop.base.errors import ConfigError
from desktop.features.palette.entry_search import PaletteEntry
from desktop.features.palette.gui.palette import Palette
from desktop.gui import bridge, shortcuts
from desktop.gui.translations import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.navigation import Navigation, StoredCall

_RECENT: Final = "palette/recent"
_MAX_RECENT: Final = 20


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
            ("new chat", self.tr("New conversation"), "", places.new_chat),
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
        await asyncio.to_thread(import_module, "desktop.agent.session_store")  # some 30 ms
        for read in self._places.stored_calls:
            self._add(map(self._call_entry, await read()))
        chats = await self._core.sessions.store.list()
        self._add(
            PaletteEntry(
                "chat",
                f"chat:{chat.about.id}",
                chat.about.title or self.tr("Conversation"),
                f"{chat.about.provider} {chat.about.model}",
                partial(self._places.open_chat, chat.about.id),
            )
            for chat in chats
        )

    def _call_entry(self, call: StoredCall) -> PaletteEntry:
        go = partial(self._places.open_call, call.tool, dict(call.arguments))
        server = call.tool.partition(":")[0]
        return PaletteEntry("call", f"call:{call.id}", call.name, call.tool, go, server=server)

    def _add(self, entries: Iterable[PaletteEntry]) -> None:
        if self.palette is not None and not self.palette.isHidden():
            self.palette.add(entries)
