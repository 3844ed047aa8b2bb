"""Composition root of the window: builds in order, runs the loop, shuts down in reverse.

1. the window, from what it remembers: painted before anything heavy is imported, asyncio included
2. the loop
3. the core, imported in a thread so that the window answers meanwhile; the config is read
4. the pages; the servers connect behind them
5. the end, by closing the window, Ctrl+Q, a signal or a failure here: servers end, the report is
   logged and shown if something is left, the loop ends; a second request kills them at once

Before step 1, a second start for the same data folder brings the first one's window to the front
and ends. A file or install link that either was started with is shown as an import, once there are
pages.

Nothing else builds the window's parts or ends the process.
"""

from __future__ import annotations

import gc
import logging
import os
import sys
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication

from desktop.base.damaged_files import Damages
from desktop.base.paths import APP, app_command, find_paths
from desktop.diagnostics import startup_trace
from desktop.features.window import extensions, join_window, prepare, rail_pages
from desktop.gui.language import Translations, configured_language, language_name
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.single_instance import SingleInstance
from desktop.gui.theme import Theme
from desktop.gui.widgets.icons import app_icon
from desktop.gui.window_state import WindowState

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable

    from desktop.base.paths import Paths
    from desktop.bootstrap import Bootstrap
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.diagnostics.crash_reports import CrashReports
    from desktop.gui.language import Language
    from desktop.gui.shutdown import Shutdown
    from desktop.processes.tracker import ShutdownReport

AGAIN = -1
"""What a run returns that is to be followed by another; no exit code."""
LOST = -2
"""What a run returns whose display is gone, and with it all that Qt can still do."""
HEAD_START = 0.25
"""Seconds that servers have for themselves before the page is built, which takes as long; the last
known content is shown meanwhile. A server that runs already has answered by then."""

logger = logging.getLogger(__name__)


class WindowApp:
    """One run of the window, from the first paint to the last process gone."""

    def __init__(
        self,
        app: QApplication,
        paths: Paths,
        instance: SingleInstance | None = None,
        opened: str = "",
        language: Language | None = None,
    ) -> None:
        """Make the window, which is not shown yet.

        Args:
            app: the one of this process.
            paths: where config and data are.
            instance: hears of a second start.
            opened: the file or link to show first.
            language: for this run, in place of what the settings say.
        """
        self._app = app
        self._opened = opened
        self._instance = instance
        self.paths = paths
        self._damages = Damages()
        self._state = WindowState(paths.window_state, self._damages)
        self._language = language
        kept = self._state
        first = kept.language if kept.knows_language else configured_language(paths.config)
        self.translations = Translations(app, language or first)
        is_chinese = self.translations.name == "zh_CN"
        self.theme = Theme(app, kept.scheme, kept.zoom, is_chinese=is_chinese)
        self.window = MainWindow(self.theme, self._state)
        self._pages = Pages(self.window, rail_pages())
        self._bootstrap: Bootstrap | None = None
        self._core: Core | None = None
        self._shutdown: Shutdown | None = None
        self._is_quitting = False
        self._by_person = False
        self._offers_restart = False
        self.starts_again = False
        """Whether the app is to be started once more when this run has ended."""
        self._wanted: asyncio.Event | None = None
        self.crash_reports: CrashReports | None = None
        self.window.close_requested.connect(self._close_requested)

    def show(self) -> None:
        """Paint the window, before the loop and everything behind it exist."""
        if sys.platform == "darwin":  # delivered now, if a file or a link started the app
            from desktop.gui.open_requests import take_files

            take_files(self._app, self.window, self.open_source)
        self._pages.preview(self.paths, self._damages)
        self.window.show()
        self._app.processEvents()
        startup_trace.record_event("window_shown")
        if self._pages.is_content_shown:
            startup_trace.record_event("first_content")
        self._app.setWindowIcon(app_icon())  # after the paint: drawing it takes some milliseconds

    async def run(self, then: Callable[[WindowApp, Core], Awaitable[None]] | None = None) -> None:
        """Build the rest and serve until somebody closes the window; `then` once all is ready."""
        import asyncio

        self._wanted = asyncio.Event()
        if self._is_quitting:  # closed before there was a loop
            self._wanted.set()
        self._quit_on_signals(asyncio.get_running_loop())
        try:
            core = self._core = await self._build_core()
            self.theme.look_at_contrast()
            if sys.platform == "darwin":
                from desktop.gui.menu_bar import MenuBar

                MenuBar(self.window)
            gc.freeze()
            self._collect_garbage()
            await self._serve(core, self._wanted, then)
        finally:
            await self._shut_down()

    def _show_focus_rings(self) -> None:
        from desktop.gui.theme.focus_rings import FocusRings

        FocusRings(self._app)

    def _collect_garbage(self) -> None:
        from desktop.gui.garbage_collector import GuiGarbageCollector

        GuiGarbageCollector(self.window)

    def open_source(self, what: str) -> None:
        """Show what is in a file, a link or a text, now or as soon as there are pages."""
        if self._core is None:
            self._opened = what
        else:
            from desktop.config.imports.packages import is_link

            other = "a link" if is_link(what) else "a text"  # either may hold a secret
            logger.info("shown as an import: %s", what if os.path.isabs(what) else other)
            self._pages.import_from(what)

    def _show_again(self, opened: str) -> None:
        self.window.come_to_front()
        if opened:
            self.open_source(opened)

    def _accept_sources(self) -> None:
        from desktop.gui.open_requests import take_drops

        take_drops(self.window, self.open_source)
        self._pages.look_around()
        if self._opened:
            self.open_source(self._opened)

    def quit(self) -> None:
        """End the run in order; a second request kills what is left and ends it at once."""
        if self._shutdown is not None:
            self._shutdown.hurry()
        self._is_quitting = True
        if self._wanted is not None:
            self._wanted.set()

    def _close_requested(self) -> None:
        self._by_person = True
        self.quit()

    async def _serve(
        self,
        core: Core,
        wanted: asyncio.Event,
        then: Callable[[WindowApp, Core], Awaitable[None]] | None,
    ) -> None:
        import asyncio

        from desktop.base.tasks import spawn

        if wanted.is_set():  # closed while it was being built: start nothing
            return
        core.follow_store()  # first: servers connect behind the last known content
        core.store.changed.connect(lambda: self._apply_settings(core.store))
        core.executor.finished.connect(lambda _, __: startup_trace.record_event("tool_result"))
        self._pages.follow(core)
        settling = spawn(self._settle(core), "settle")
        await asyncio.wait({settling}, timeout=HEAD_START)
        if self._instance is not None:
            self._instance.listen(self._show_again)
        join_window(self._pages, core, settling)
        self._pages.open(core)
        self._show_focus_rings()  # of a page: to polish what was shown before it takes 8 ms
        self._accept_sources()
        self._report_previous_run(core)
        self._report_damages(asyncio.get_running_loop())
        ready = spawn(self._when_ready(core, settling, then), "ready")
        ready.add_done_callback(self._quit_if_failed)
        await wanted.wait()
        if ready.done():
            await ready  # its failure is a failure of the run
        ready.cancel()
        settling.cancel()  # it is not, where who waits for it has not even begun

    def _quit_if_failed(self, done: asyncio.Task[None]) -> None:
        if not done.cancelled() and done.exception() is not None:
            self.quit()

    def _report_damages(self, loop: asyncio.AbstractEventLoop) -> None:
        """Put up a banner for damaged files, those that are found later, too."""

        def show(sentence: str) -> None:
            from desktop.gui.startup_notices import show_damages

            logger.warning("%s", sentence)
            found = tuple(self._damages.found.values())
            loop.call_soon_threadsafe(show_damages, self.window, found)

        self._damages.follow(show)

    def _report_previous_run(self, core: Core) -> None:
        if core.sweep.cleaned:
            from desktop.gui.startup_notices import show_swept

            show_swept(self.window, core.sweep.cleaned)
        if self.crash_reports is not None:
            self.crash_reports.hide = lambda text: core.traffic.redaction().text(text)
            if self.crash_reports.new():
                from desktop.gui.startup_notices import offer

                offer(self.window, self.theme, self.crash_reports)

    async def _settle(self, core: Core) -> None:
        await core.settle()
        startup_trace.record_event("ready")

    async def _when_ready(
        self,
        core: Core,
        settling: asyncio.Task[None],
        then: Callable[[WindowApp, Core], Awaitable[None]] | None,
    ) -> None:
        await settling
        await _import_for_first_server()
        if then is not None:
            await then(self, core)

    async def _build_core(self) -> Core:
        """Read the config, start the first servers, and meanwhile import the SDK in a thread."""
        import asyncio
        from importlib import import_module

        from desktop.base.tasks import spawn

        bootstrap = self._bootstrap = await self._build_bootstrap()
        self._apply_settings(bootstrap.store)
        await bootstrap.sweep.run()
        bootstrap.sweep.log()
        starting = spawn(_start_early(bootstrap), "early starts")
        try:
            importing = asyncio.to_thread(import_module, "desktop.core")
            await asyncio.gather(importing, bootstrap.keep_trust())
        finally:
            # What has not started by now is left to its connection: nothing may start twice.
            starting.cancel()
            await asyncio.wait({starting})
        from desktop.core import build_core_on
        from desktop.tools.result_spill import ResultSpill

        core = build_core_on(bootstrap, spill=ResultSpill(self.paths.data))
        core.surroundings.extensions.update(extensions())
        return core

    async def _build_bootstrap(self) -> Bootstrap:
        """Ask the login shell for its PATH, and meanwhile import what reads the config."""
        import asyncio
        from importlib import import_module

        from desktop.servers.transport.login_shell import ShellPath

        # In a terminal, its own PATH counts. From an icon it is the login shell's, which takes as
        # long as the person's start-up files: no server starts before it has answered.
        from_terminal = sys.stderr is not None and sys.stderr.isatty()
        shell_path = ShellPath(os.environ)
        if not from_terminal:
            shell_path.start()
        try:
            await asyncio.to_thread(import_module, "desktop.bootstrap")
            from desktop.bootstrap import build_bootstrap, open_config_store

            store = await asyncio.to_thread(
                open_config_store, self.paths, os.environ, self._damages
            )
            return build_bootstrap(
                self.paths,
                shell_path=shell_path,
                own_path_first=from_terminal,
                store=store,
                damages=self._damages,
            )
        except BaseException:
            await shell_path.close()
            raise

    def _apply_settings(self, store: ConfigStore) -> None:
        settings = store.settings
        self._state.scheme, self._state.language = settings.theme, settings.language
        if self.theme.scheme != settings.theme:
            self.theme.set_scheme(settings.theme)
        if self._language is None:
            self._offer_restart(settings.language)

    def _offer_restart(self, language: Language) -> None:
        is_wanted = language_name(language) != self.translations.name
        if is_wanted == self._offers_restart:
            return
        self._offers_restart = is_wanted
        if not is_wanted:
            self.window.banners.remove("language")
            return
        from desktop.gui.startup_notices import offer_restart

        offer_restart(self.window, self._restart)

    def _restart(self) -> None:
        self.starts_again = True
        self._close_requested()

    def _quit_on_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        import signal

        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name) and sys.platform != "win32":
                loop.add_signal_handler(getattr(signal, name), self.quit)

    async def _shut_down(self) -> None:
        self.window.save_state()
        self._pages.finish()
        if self._instance is not None:
            self._instance.stop_listening()
        if self._bootstrap is not None:
            from desktop.gui.shutdown import Shutdown

            logger.info("closing %d servers", len(self._bootstrap.tracker.tracked))
            self._shutdown = Shutdown(self.window, self._bootstrap.tracker)
            report = await self._shutdown.run(self._close(self._bootstrap), watched=self._by_person)
            logger.info("servers at the end: %s", report)
        self.window.finish()
        startup_trace.record_event("quit")

    async def _close(self, bootstrap: Bootstrap) -> ShutdownReport:
        """Close the core first: it ends the sessions, which use the providers of the pages."""
        try:
            await self._pages.end_features()
            return await (self._core or bootstrap).close()
        finally:
            await self._pages.close()


async def _import_for_first_server() -> None:
    """In a thread what some server would have the window wait for later."""
    import asyncio

    from desktop.servers.sdk import import_handshake_models

    await asyncio.to_thread(import_handshake_models)


async def _start_early(bootstrap: Bootstrap) -> None:
    if not bootstrap.launcher.own_path_first:
        from desktop.base.http_proxy import use_shell  # 10 ms; not before the first paint

        await bootstrap.launcher.shell_path.get()
        use_shell(bootstrap.launcher.shell_path.network)
    await bootstrap.start_early(
        server for server in bootstrap.store.servers.values() if server.enabled
    )


def run_window(args: list[str]) -> int:
    """Open the window and stay until it is closed; returns the exit code."""
    paths, opened = _find_paths(args), _opened(args)
    instance = SingleInstance(paths.data)
    answer = instance.claim(opened=opened)
    if answer == "first":
        try:
            code = _run(paths, None, instance, opened, verbose="--verbose" in args)
        finally:
            instance.close()
        return _start_again(args) if code == AGAIN else code
    if answer == "raised":
        _print(
            f"mcp-desktop is open already for {paths.data}: its window was brought to the front."
        )
        return 0
    _print(f"mcp-desktop is open already for {paths.data}, but does not answer: {instance.holder}.")
    return 1


def _start_again(args: list[str]) -> int:
    """Become the next run: it keeps the terminal, and on POSIX the PID; nothing is opened twice."""
    from desktop.cli.commands import find_open_request

    opened = find_open_request(args)
    args = [word for word in args if word != opened]
    frozen = getattr(sys, "frozen", False)
    command = [sys.executable, *args] if frozen else app_command(*args)
    if sys.platform != "win32":  # where exec leaves the caller behind and returns at once
        os.execv(command[0], command)  # noqa: S606 - ourselves
    import subprocess

    subprocess.Popen(command)  # noqa: S603 - ourselves
    return 0


def open_for(
    paths: Paths,
    work: Callable[[MainWindow, Core], Awaitable[None]],
    *,
    verbose: bool,
    language: Language | None,
) -> int:
    """Open the window for a command, and close it once its work is done."""

    async def then(app: WindowApp, core: Core) -> None:
        try:
            await work(app.window, core)
        finally:
            app.quit()

    return _run(paths, then, verbose=verbose, language=language)


def _find_paths(args: list[str]) -> Paths:
    from desktop.cli.commands import read_path_flags

    return find_paths(*read_path_flags(args), is_trusted="--trust" in args)


def _opened(args: list[str]) -> str:
    from desktop.cli.commands import find_open_request

    word = find_open_request(args)
    if word is None:
        return ""
    from desktop.gui.open_requests import started_with

    return started_with(word)


def _print(words: str) -> None:
    if sys.stderr is not None:  # a window without a terminal, on Windows
        sys.stderr.write(f"{words}\n")


def _run(
    paths: Paths,
    then: Callable[[WindowApp, Core], Awaitable[None]] | None,
    instance: SingleInstance | None = None,
    opened: str = "",
    *,
    verbose: bool = False,
    language: Language | None = None,
) -> int:
    gc.disable()  # until all is imported: an import leaves no garbage, but would be searched for it
    prepare()
    app = cast("QApplication", QApplication.instance() or QApplication(sys.argv[:1]))
    app.setApplicationName(APP)
    # By this name a desktop finds the window's entry and icon; mcp-desktop.desktop has the same.
    app.setDesktopFileName(APP)
    app.setQuitOnLastWindowClosed(False)  # quitting is decided here, after the servers ended
    window = WindowApp(app, paths, instance, opened, language)
    window.show()
    code = _run_loop(app, window, then, verbose=verbose)
    if code == LOST:
        _leave_at_once(instance)
    return code


def _leave_at_once(instance: SingleInstance | None) -> None:
    """End without freeing each object: without its display Qt crashes there."""
    if instance is not None:
        instance.close()
    logging.shutdown()
    os._exit(1)


def _run_loop(
    app: QApplication,
    window: WindowApp,
    then: Callable[[WindowApp, Core], Awaitable[None]] | None,
    *,
    verbose: bool,
) -> int:
    from desktop.patches.imports import import_standard_library_lightly
    from desktop.patches.qt import skip_feature_search

    import_standard_library_lightly()
    # Whoever started this: the search asks modules that a thread has imported in part.
    skip_feature_search()
    import asyncio

    from desktop import __version__
    from desktop.diagnostics import logs
    from desktop.diagnostics.crash_reports import CrashReports
    from desktop.gui.event_loop import LoopEndedError, WindowLoop

    logs.configure(window.paths.logs, verbose=verbose)
    logger.info(
        "started: version %s, PID %d", __version__, os.getpid()
    )  # a report tells runs apart
    window.translations.report_missing()
    reports = window.crash_reports = CrashReports(window.paths.crashes, window.paths.logs)
    reports.watch()
    loop = cast("asyncio.AbstractEventLoop", WindowLoop(app))
    asyncio.set_event_loop(loop)
    reports.watch_loop(loop)
    code = 1
    try:
        loop.run_until_complete(window.run(then))
        code = AGAIN if window.starts_again else 0
    except LoopEndedError:
        logger.warning("Qt ended the run")
    except Exception as error:
        logger.exception("the run failed; its servers were ended")
        reports.write(error, "it ended the run")
    finally:
        is_closed = _close(loop)
        reports.close()
    return code if is_closed else LOST


def _close(loop: asyncio.AbstractEventLoop) -> bool:
    """End the tasks that views still wait for; whether that could be done."""
    from desktop.base.tasks import end_all
    from desktop.gui.event_loop import LoopEndedError

    try:
        loop.run_until_complete(end_all())
    except LoopEndedError:
        logger.error("the display is gone: the guardian ends the servers")
        return False
    loop.close()
    return True
