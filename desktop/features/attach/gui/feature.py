"""Joins the window: it takes terminal commands from when its servers are ready until it ends."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from desktop.base.tasks import TaskGroup

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.attach.holder import CommandHolder
    from desktop.gui.main_window import MainWindow
    from desktop.gui.page_factory import Pages
    from desktop.tools.approvals import ApprovalPrompter


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    pages.add_ending(WindowCommands(pages.window, core, ready).close)


class WindowCommands:
    """Carries out what is typed in terminals, over the servers that are connected here."""

    def __init__(self, window: MainWindow, core: Core, ready: asyncio.Task[None]) -> None:
        self._window, self._core = window, core
        self._holder: CommandHolder | None = None
        self._tasks = TaskGroup("commands of terminals")
        self._tasks.spawn(self._open_after(ready), "take them")

    async def close(self) -> None:
        """Take no command any more, and cancel those that run."""
        await self._tasks.close()
        if self._holder is not None:
            await self._holder.close()

    async def _open_after(self, ready: asyncio.Task[None]) -> None:
        await asyncio.wait({ready})
        if ready.cancelled():  # the window ends
            return
        await asyncio.to_thread(import_module, "desktop.features.attach.holder")
        from desktop.features.attach.holder import CommandHolder

        self._holder = CommandHolder(self._core, prompter_of=self._prompter)
        await self._holder.open_in_place_of_daemon()

    def _prompter(self, client: str) -> ApprovalPrompter:
        """Asks at this window about the calls of a client of the gateway."""
        from desktop.features.gateway.gui.call_questions import WindowCallPrompter

        return WindowCallPrompter(self._window, self._window.theme, client)
