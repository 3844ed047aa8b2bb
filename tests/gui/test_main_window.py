from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, ClassVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QWidget

from desktop.base.paths import Paths
from desktop.core import build_core
from desktop.gui import shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.main_window import MainWindow
from desktop.gui.rail import SERVERS, SETTINGS, TOOLS
from desktop.gui.server_counts import ServerCounts
from desktop.gui.window_state import WindowState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtGui import QPaintEvent
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


async def test_the_line_follows_the_servers(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    window = MainWindow(theme, WindowState(tmp_path / "window.ini"))
    qtbot.addWidget(window)
    core = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    ServerCounts(window, core.service)
    assert shown(window) == "No server is switched on"
    core.follow_store()
    core.store.set_enabled("calculator", enabled=True)
    assert shown(window).startswith("0 of 1 server connected")
    await core.settle()
    assert shown(window) == "1 of 1 server connected  ·  2 tools"
    await core.close()
    assert shown(window).startswith("0 of 1 server connected")


def shown(window: MainWindow) -> str:
    texts = (label.text() for label in window.findChildren(QLabel))
    return next(text for text in texts if "server" in text)


def test_the_keys_work_while_a_field_inside_has_the_focus(qtbot: QtBot) -> None:
    pressed: list[str] = []
    window = QWidget()
    qtbot.addWidget(window)
    field = QLineEdit(parent=window)
    context = shortcuts.IN_WINDOW
    shortcuts.bind(window, shortcuts.RUN_AGAIN, lambda: pressed.append("run"), context=context)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)

    assert pressed == ["run"]


HEAVY = (
    *("asyncio", "dataclasses", "hashlib", "jsonschema", "mcp", "psutil", "pydantic", "qasync"),
    *("PySide6.QtNetwork", "desktop.base.errors", "desktop.gui.bridge"),
)


@pytest.fixture
def state(tmp_path: Path) -> WindowState:
    return WindowState(tmp_path / "window.ini")


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, state: WindowState) -> Iterator[MainWindow]:
    made = _window(theme, state)
    qtbot.addWidget(made)
    yield made
    made.finish()


def _window(theme: Theme, state: WindowState) -> MainWindow:
    made = MainWindow(theme, state)
    for page, title in (("servers", SERVERS), ("tools", TOOLS), ("settings", SETTINGS)):
        made.add_page(page, title, page, QLineEdit)
    return made


def test_no_page_is_built_before_the_app_is_ready(window: MainWindow) -> None:
    window.show()
    window.show_page("tools")

    assert window.current_page == "tools"
    assert window.page("tools") is None

    window.open_pages()

    assert window.page("tools") is not None
    assert window.page("servers") is None


def test_a_page_is_built_once(qtbot: QtBot, theme: Theme, state: WindowState) -> None:
    built: list[QWidget] = []
    window = MainWindow(theme, state)
    qtbot.addWidget(window)

    def build() -> QWidget:
        built.append(QLabel("page"))
        return built[-1]

    window.add_page("servers", SERVERS, "servers", build)
    window.open_pages()
    window.show_page("servers")
    window.finish()

    assert len(built) == 1


@pytest.mark.parametrize(("key", "page"), [("2", "tools"), ("3", "settings"), ("1", "servers")])
def test_control_and_a_number_open_a_page(
    qtbot: QtBot, window: MainWindow, key: str, page: str
) -> None:
    _activate(qtbot, window)
    QTest.keyClick(window, getattr(Qt.Key, f"Key_{key}"), Qt.KeyboardModifier.ControlModifier)

    assert window.current_page == page
    assert window.page(page) is not None


def test_an_opened_page_takes_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    _activate(qtbot, window)
    window.show_page("tools")
    page = window.page("tools")

    assert page is not None
    assert page.hasFocus()


def test_closing_only_asks_until_the_app_has_shut_down(qtbot: QtBot, window: MainWindow) -> None:
    window.show()
    with qtbot.waitSignal(window.close_requested):
        window.close()
    assert window.isVisible()

    window.finish()

    assert not window.isVisible()


def test_control_q_asks_to_close(qtbot: QtBot, window: MainWindow) -> None:
    _activate(qtbot, window)
    with qtbot.waitSignal(window.close_requested):
        QTest.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)


def test_f5_refreshes_the_open_page(qtbot: QtBot, window: MainWindow) -> None:
    _activate(qtbot, window)
    window.show_page("tools")
    refreshed: list[str] = []
    window.refresh_requested.connect(refreshed.append)
    QTest.keyClick(window, Qt.Key.Key_F5)

    assert refreshed == ["tools"]


def test_the_next_run_opens_the_last_page_in_the_last_size(
    qtbot: QtBot, theme: Theme, window: MainWindow, state: WindowState
) -> None:
    window.show()
    window.open_pages()
    window.resize(760, 560)
    window.show_page("settings")
    window.finish()

    again = _window(theme, state)
    qtbot.addWidget(again)

    assert again.current_page == "settings"
    assert (again.width(), again.height()) == (760, 560)
    again.finish()


def test_a_broken_config_is_news_not_a_dialog(qtbot: QtBot, window: MainWindow) -> None:
    window.show()
    window.show_banner("config", "error", "Line 3 is broken.")
    window.show_error("restart: it failed")

    assert window.banners.messages == ("Line 3 is broken.", "restart: it failed")


def test_the_status_is_plain_text(window: MainWindow) -> None:
    window.set_status("<b>3</b> of 4 connected")

    label = next(x for x in window.findChildren(QLabel) if "of 4" in x.text())
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_the_first_paint_is_announced_once(qtbot: QtBot, window: MainWindow) -> None:
    painted: list[bool] = []
    window.painted.connect(lambda: painted.append(True))
    with qtbot.waitSignal(window.painted):
        window.show()
    window.resize(900, 600)
    window.grab()

    assert painted == [True]


def test_nothing_heavy_is_imported_for_the_first_paint(tmp_path: Path) -> None:
    code = f"""if True:
        import sys
        from pathlib import Path
        from PySide6.QtWidgets import QApplication
        from desktop.app import WindowApp
        from desktop.gui.single_instance import SingleInstance
        from desktop.base.paths import Paths

        folder = Path({str(tmp_path)!r})
        instance = SingleInstance(folder / "data")
        instance.claim()
        window = WindowApp(QApplication([]), Paths(folder / "mcp.json", folder / "data"), instance)
        window.window.show()
        print(*sorted(set({HEAVY!r}) & set(sys.modules)))
        instance.close()
    """
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True
    )

    assert run.stdout.strip() == ""


def _activate(qtbot: QtBot, window: MainWindow) -> None:
    window.open_pages()
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()


class Row(QLabel):
    """Words that wrap, and notes how high they were each time they were painted."""

    heights: ClassVar[list[int]] = []

    def __init__(self) -> None:
        super().__init__("some words " * 30)
        self.setWordWrap(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self.heights.append(self.height() - self.heightForWidth(self.width()))


def test_a_page_that_grows_is_never_painted_with_too_little_room(
    qtbot: QtBot, theme: Theme, state: WindowState
) -> None:
    window = MainWindow(theme, state)
    qtbot.addWidget(window)
    area, inside = QScrollArea(), QWidget()
    area.setWidgetResizable(True)
    area.setWidget(inside)
    sections = [QWidget() for _ in range(3)]
    in_column(inside, *sections)
    columns = [in_column(section) for section in sections]
    window.add_page("grows", SETTINGS, "settings", lambda: area)
    window.open_pages()
    window.show()
    for _ in range(9):
        for column in columns:
            column.addWidget(Row())
        QApplication.processEvents()
    assert Row.heights
    assert min(Row.heights) >= 0
