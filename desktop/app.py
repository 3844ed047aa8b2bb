"""Composition root of the window: builds in order, runs the loop, shuts down in reverse.

1. the window, from what it remembers: painted before anything heavy is imported, asyncio included
2. the loop
3. the core, imported in a thread so that the window answers meanwhile; the config is read
4. the pages; the servers connect behind them
5. closing the window, Ctrl+Q or a signal: servers end, the receipt is logged, the loop ends

Nothing else builds the window's parts or ends the process.
"""

from __future__ import annotations

import gc
import logging
import sys
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication

from desktop import trace
from desktop.gui.imports import skip_feature_search
from desktop.gui.main_window import MainWindow
from desktop.gui.pages import Pages
from desktop.gui.theme import Theme
from desktop.gui.translations import Translations
from desktop.gui.window_state import WindowState
from desktop.paths import find_paths

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.paths import Paths
    from desktop.servers.ground import Ground

logger = logging.getLogger(__name__)


class WindowApp:
    """One run of the window, from the first paint to the last process gone."""

    def __init__(self, app: QApplication, paths: Paths) -> None:
        self._app = app
        self.paths = paths
        self._state = WindowState(paths.window_state)
        self.theme = Theme(app, self._state.scheme)
        self._translations = Translations(app, self._state.language)
        self.window = MainWindow(self.theme, self._state)
        self._pages = Pages(self.window)
        self._is_quitting = False
        self._wanted: asyncio.Event | None = None
        self.window.close_requested.connect(self.quit)

    def show(self) -> None:
        """Paint the window, before the loop and everything behind it exist."""
        self.window.show()
        self._app.processEvents()
        trace.mark("window_shown")

    async def run(self, then: Callable[[WindowApp, Core], Awaitable[None]] | None = None) -> None:
        """Build the rest and serve until somebody closes the window; `then` once all is ready."""
        import asyncio

        from desktop.tasks import spawn

        self._wanted = asyncio.Event()
        if self._is_quitting:  # closed before there was a loop
            self._wanted.set()
        self._quit_on_signals(asyncio.get_running_loop())
        core = await self._build_core()
        gc.freeze()
        gc.enable()
        try:
            core.follow_store()  # first, so that servers connect while the pages are built
            core.store.changed.connect(lambda: self._apply_settings(core.store))
            self._pages.open(core)
            ready = spawn(self._when_ready(core, then), "ready")
            await self._wanted.wait()
            ready.cancel()
        finally:
            await self._shut_down(core)

    def quit(self) -> None:
        """End the run in order; a second time does nothing."""
        self._is_quitting = True
        if self._wanted is not None:
            self._wanted.set()

    async def _when_ready(
        self, core: Core, then: Callable[[WindowApp, Core], Awaitable[None]] | None
    ) -> None:
        await core.settle()
        trace.mark("ready")
        if then is not None:
            await then(self, core)

    async def _build_core(self) -> Core:
        """Read the config, start the first servers, and meanwhile import the SDK in a thread."""
        import asyncio
        from importlib import import_module

        from desktop.tasks import spawn

        await asyncio.to_thread(import_module, "desktop.servers.ground")
        from desktop.servers.ground import read_ground

        # From a terminal its PATH is the one that is meant; from an icon, that of the login shell.
        from_terminal = sys.stderr is not None and sys.stderr.isatty()
        ground = read_ground(self.paths, own_path_first=from_terminal)
        self._apply_settings(ground.store)
        starting = spawn(_start_early(ground), "early starts")
        await asyncio.to_thread(import_module, "desktop.core")
        # What has not started by now is left to its connection, so that nothing starts twice.
        starting.cancel()
        await asyncio.wait({starting})
        from desktop.core import build_on

        return build_on(ground)

    def _apply_settings(self, store: ConfigStore) -> None:
        settings = store.settings
        self._state.scheme, self._state.language = settings.theme, settings.language
        if self.theme.scheme != settings.theme:
            self.theme.set_scheme(settings.theme)
        self._translations.use(settings.language)

    def _quit_on_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        import signal

        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name) and sys.platform != "win32":
                loop.add_signal_handler(getattr(signal, name), self.quit)

    async def _shut_down(self, core: Core) -> None:
        self.window.save_state()
        receipt = await core.close()
        logger.info("servers at the end: %s", receipt)
        self.window.finish()
        trace.mark("quit")


async def _start_early(ground: Ground) -> None:
    await ground.launcher.shell_path.get()
    await ground.start_early(one for one in ground.store.servers.values() if one.enabled)


def run_window(args: list[str]) -> int:
    """Open the window and stay until it is closed; returns the exit code."""
    return _run(args, None)


def run_screenshots(args: list[str], folder: Path) -> int:
    """Open the window, wait for the servers, write a picture of each page, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)

    async def grab(app: WindowApp, core: Core) -> None:
        from desktop.gui.screenshots import grab_pages

        try:
            for file in await grab_pages(app.window, core, folder):
                sys.stdout.write(f"{file}\n")
        finally:
            app.quit()

    return _run(args, grab)


def _run(args: list[str], then: Callable[[WindowApp, Core], Awaitable[None]] | None) -> int:
    from desktop.cli.names import places

    gc.disable()  # until all is imported: what an import makes is not garbage
    app = cast("QApplication", QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName("mcp-desktop")
    app.setQuitOnLastWindowClosed(False)  # quitting is decided here, after the servers ended
    window = WindowApp(app, find_paths(*places(args)))
    window.show()
    skip_feature_search()
    _run_loop(app, window, then)
    return 0


def _run_loop(
    app: QApplication,
    window: WindowApp,
    then: Callable[[WindowApp, Core], Awaitable[None]] | None,
) -> None:
    import asyncio

    import qasync

    from desktop import logs

    logs.configure(window.paths.logs)
    loop = cast("asyncio.AbstractEventLoop", qasync.QEventLoop(app))
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(window.run(then))
    finally:
        loop.close()
