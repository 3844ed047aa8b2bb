"""Joins the window: the section of the settings, and what is removed for its age after each start.

Imports the rest of the feature when it is needed. Must not delay a start: it waits until the
servers are ready, and some seconds more.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Final

from desktop.gui import bridge

if TYPE_CHECKING:
    from desktop.config.models import KeepDays
    from desktop.core import Core
    from desktop.features.chat.agent.sessions import AgentSessions
    from desktop.features.storage.gui.section import StorageSection
    from desktop.features.storage.storage import Storage
    from desktop.gui.main_window import MainWindow
    from desktop.gui.page_factory import Pages

DELAY: Final = 5.0
"""Seconds after the servers are ready, in which a person may begin to work."""


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    feature = StorageFeature(pages.window, core)
    pages.add_settings_section(feature.section)
    feature.remove_old_after(ready)


class StorageFeature:
    """One `Storage` for the section and for what goes by itself."""

    def __init__(self, window: MainWindow, core: Core, delay: float = DELAY) -> None:
        """Does nothing yet; `delay` is in seconds, from `ready` to the first look."""
        self._window, self._core, self._delay = window, core, delay
        self._storage: Storage | None = None
        self._applied: KeepDays | None = None
        """What was last removed by; None before the first time."""

    @property
    def storage(self) -> Storage:
        if self._storage is None:
            from desktop.features.storage.storage import Storage

            core, spill = self._core, self._core.spill
            self._storage = Storage(
                core.paths,
                core.store,
                lambda: self._sessions.store,
                core.history,
                spilled=lambda: 0 if spill is None else spill.on_disk,
            )
            self._storage.changed.connect(lambda: self._sessions.changed.send())
        return self._storage

    @property
    def _sessions(self) -> AgentSessions:
        """Asked for when chats go: a run without a conversation has no agent in its memory."""
        from desktop.features.chat.agent.agent import Agent

        return self._core.part(Agent).sessions

    def section(self) -> StorageSection:
        """The section of the settings, new."""
        from desktop.features.storage.gui.section import StorageSection

        return StorageSection(self._window.theme, self.storage, self._core.store)

    def remove_old_after(self, ready: asyncio.Task[None]) -> asyncio.Task[None] | None:
        """Remove what is old once the run is ready, and from then on when the days change."""
        name = "remove old files"
        return bridge.run(self._window, self._begin(ready), name)

    async def _begin(self, ready: asyncio.Task[None]) -> None:
        await asyncio.wait({ready})
        await asyncio.sleep(self._delay)
        await asyncio.to_thread(import_module, "desktop.features.storage.storage")
        bridge.connect(self._window, self._core.store.changed, self._follow)
        await self._remove_old()

    def _follow(self) -> None:
        if self._core.store.settings.keep != self._applied:
            bridge.run(self._window, self._remove_old(), "remove old files")

    async def _remove_old(self) -> None:
        self._applied = self._core.store.settings.keep
        await self.storage.remove_old()
