"""Tests of real widgets: on a qasync loop, offscreen, and no window may be left behind.

An `async def` test clicks with `qtbot` and awaits futures; it never calls `qtbot.wait...`, which
would spin a second loop inside the running one.
"""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtWidgets import QApplication, QWidget

from desktop.base.paths import resources
from desktop.base.tasks import spawn
from desktop.features.window import join_window, rail_pages
from desktop.gui.event_loop import WindowLoop
from desktop.gui.garbage_collector import GuiGarbageCollector
from desktop.gui.language import Translations
from desktop.gui.main_window import MainWindow
from desktop.gui.page_factory import Pages
from desktop.gui.theme import Theme
from desktop.gui.window_state import WindowState

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterator

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.language import Language


__all__ = [
    "_application",
    "_collector",
    "_no_garbage_for_threads",
    "_no_window_left",
    "_theme",
    "chinese",
    "pages",
    "pytest_asyncio_loop_factories",
    "settings",
    "theme",
    "window",
]
"""What tests of widgets elsewhere take over, all of it: those of features."""


@pytest.fixture(scope="session", autouse=True)
def _application(qapp: QApplication) -> QApplication:
    """One for all tests, there before the first loop; closing a window must not stop the loop."""
    qapp.setQuitOnLastWindowClosed(False)
    return qapp


def _qt_loop() -> WindowLoop:
    """The loop of an async test is made before any fixture: as the first one, so is the app."""
    return WindowLoop(QApplication.instance() or QApplication([]))


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], WindowLoop]]:
    return {"qasync": _qt_loop}


@contextmanager
def speaking(app: QApplication, language: Language, folder: Path) -> Generator[Translations]:
    """Windows made inside speak `language`, from the compiled files in `folder`."""
    translations = Translations(app, language, folder)
    try:
        yield translations
    finally:
        for translator in translations.installed:
            app.removeTranslator(translator)


@pytest.fixture
def chinese(qapp: QApplication, tmp_path: Path) -> Iterator[None]:
    """Windows speak Chinese."""
    source = resources() / "translations" / "zh_CN.ts"
    program = Path(sys.executable).parent / "pyside6-lrelease"
    command = [program, source, "-qm", tmp_path / "zh_CN.qm"]
    subprocess.run(command, check=True, capture_output=True, timeout=30)
    with speaking(qapp, "zh_CN", tmp_path):
        yield


def _top_level_widgets() -> set[QWidget]:
    """Those alive once everything that was to be deleted is."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return set(QApplication.topLevelWidgets())


@pytest.fixture(scope="session", autouse=True)
def _collector(_application: QApplication) -> Iterator[GuiGarbageCollector]:
    """As in the app: a widget that a worker thread collects takes the process with it."""
    yield GuiGarbageCollector(_application)
    gc.enable()


@pytest.fixture(autouse=True)
def _no_garbage_for_threads(_collector: GuiGarbageCollector) -> Iterator[None]:
    gc.disable()  # a command that ran in this process enabled it
    yield
    assert not gc.isenabled(), "widgets would be collected by any thread"
    _collector.collect_if_due()
    gc.collect(0)  # nor does this test leave any to a later one that has it enabled


@pytest.fixture(scope="session")
def _theme(_application: QApplication) -> Theme:
    made = Theme(_application, "light")
    made.motion.choose(False)  # a picture is taken of what is there in the end
    return made


@pytest.fixture(autouse=True)
def theme(_theme: Theme) -> Iterator[Theme]:
    """The application's, of which there is one as in the app.

    Each test begins with light, and with texts as large as those of the system.

    Every widget has its style sheet, also where no test asks for it: what a widget looks like must
    not hang on the test before.
    """
    yield _theme
    _theme.set_scheme("light")
    _theme.set_zoom(1.0)


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """What a window remembers, in a file of the test's own."""
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
async def pages(qtbot: QtBot, theme: Theme, core: Core) -> AsyncIterator[Pages]:
    """The pages of the main window for the `core` that a module of tests has made.

    As in the app with all features that there are; those that wait for the servers do so for good.
    """
    window = MainWindow(theme, WindowState(core.paths.window_state))
    qtbot.addWidget(window, before_close_func=lambda _: window.finish())
    made, ready = Pages(window, rail_pages()), spawn(_never(), "ready")
    made.follow(core)
    join_window(made, core, ready)
    made.open(core)
    window.show()
    yield made
    ready.cancel()
    await made.end_features()


@pytest.fixture
def window(pages: Pages) -> MainWindow:
    return pages.window


async def _never() -> None:
    await asyncio.Event().wait()


@pytest.fixture(autouse=True)
def _no_window_left(_application: QApplication) -> Iterator[None]:
    """A widget is given to `qtbot.addWidget` or has a parent; else it outlives its test."""
    before = _top_level_widgets()
    yield
    # A test that double-clicks releases the button: the rings of the focus ask whether one is down.
    assert QApplication.mouseButtons() == Qt.MouseButton.NoButton, "a mouse button is still down"
    if _top_level_widgets() - before:
        gc.collect()
    if left := _top_level_widgets() - before:
        described = [f"{widget!r} {widget.windowTitle()!r}" for widget in left]
        for widget in left:
            widget.close()
            widget.deleteLater()
        pytest.fail("windows left behind:\n" + "\n".join(described), pytrace=False)
