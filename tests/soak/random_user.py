"""A user who clicks, types and presses keys at random in the real window, by a seed.

`python -m tests.soak.random_user SEED STEPS [LANGUAGE WIDTH HEIGHT]`: what was wrong to see, one
line each, with the last steps before it; then whether a process is left. Looks for clipped buttons
and labels, squeezed texts, forms that scroll sideways, and errors in the log. Widgets are driven
directly, so modal dialogs and open menus are respected here: Qt would not do it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
import sys
import tempfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import psutil
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTabBar,
    QWidget,
)

from desktop.app import WindowApp
from desktop.base.paths import Paths
from desktop.gui.event_loop import WindowLoop
from tests.gui.focus import where
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.core import Core

PAUSES: Final = (5, 20, 60, 120)
"""Milliseconds between two steps. After a long one what is seen is looked at."""
SETTLED: Final = 60
SLACK: Final = 2
TEXTS: Final = ("a", "3", "hello", "{}", "[1,2]", "x" * 200, "-1", "1e999", "$PATH", "true")
KEYS: Final = (
    *(f"Ctrl+{key}" for key in "FKNSHJZVATLIDEORB123456"),
    *("Ctrl+Return", "F1", "F2", "F5", "Esc", "Tab", "Shift+Tab", "Return", "Space", "Up", "Down"),
)
NEVER: Final = ("Quit", "Restart now", "退出", "立即重启")


def servers() -> dict[str, dict[str, object]]:
    """Some that work, and some of each kind that does not."""
    made: dict[str, dict[str, object]] = {}
    for name in ("plain", "offers", "notes", "asks_client", "unbroken", "exits_at_start", "silent"):
        program, args = command(name)
        made[name] = {"command": program, "args": args, "connectTimeout": 3}
    for name in ("calculator", "memory", "time"):
        made[name] = {"builtin": name}
    made["missing"] = {"command": "no-such-program-here"}
    return made


class RandomUser:
    """Acts in the window, and notes what was wrong to see after which steps."""

    def __init__(self, app: WindowApp, seed: int, steps: int, size: tuple[int, int]) -> None:
        self._app, self._left, self._size = app, steps, size
        self._draw = random.Random(seed)
        self._steps: deque[str] = deque(maxlen=8)
        self._pause = 0
        self.found: dict[str, str] = {}
        """What was wrong, with the steps before it."""
        self.done = asyncio.Event()

    def note(self, what: str) -> None:
        self.found.setdefault(what, " | ".join(self._steps))

    def step(self) -> None:
        """Look, act, and come again: also from inside the loop of a menu that this opens."""
        if self._pause >= SETTLED:
            # A change of this moment is laid out before it is painted: nobody sees it unlaid.
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            for what in wrong_to_see():
                self.note(what)
        if self._left <= 0:
            self._finish()
            return
        self._left -= 1
        self._pause = self._draw.choice(PAUSES)
        QTimer.singleShot(self._pause, self.step)
        if self._left % 50 == 0:
            self._app.window.resize(*self._size)
        try:
            self._act()
        except RuntimeError as error:  # what was to be clicked is gone by now
            self._steps.append(str(error))

    def _finish(self) -> None:
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        self.done.set()

    def _act(self) -> None:
        popup, modal = QApplication.activePopupWidget(), QApplication.activeModalWidget()
        top = modal or self._app.window
        dialogs = [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog)]
        if modal is None and (seen := [each for each in dialogs if each.isVisible()]):
            top = self._draw.choice(seen)
        if popup is not None:
            if isinstance(popup, QMenu) and self._draw.random() < 0.6:
                self._choose(popup)
            else:
                QTest.keyClick(popup, Qt.Key.Key_Escape)
        elif isinstance(top, QFileDialog):
            QTest.keyClick(top, Qt.Key.Key_Escape)
        elif self._draw.random() < 0.12:
            self._press(top.focusWidget() or top)
        else:
            self._use(top)

    def _choose(self, menu: QMenu) -> None:
        actions = [
            each
            for each in menu.actions()
            if each.isEnabled() and not each.isSeparator() and each.text() not in NEVER
        ]
        if actions:
            action = self._draw.choice(actions)
            self._steps.append(f"menu {action.text()!r}")
            menu.setActiveAction(action)
            QTest.keyClick(menu, Qt.Key.Key_Return)

    def _press(self, target: QWidget) -> None:
        keys = self._draw.choice(KEYS)
        self._steps.append(f"key {keys}")
        QTest.keySequence(target, QKeySequence(keys))

    def _use(self, top: QWidget) -> None:
        kinds = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractItemView, QTabBar)
        usable = [each for each in top.findChildren(QWidget) if isinstance(each, kinds)]
        usable = [each for each in usable if each.isEnabled() and is_seen(each)]
        if not usable:
            QTest.keyClick(top, Qt.Key.Key_Escape)
            return
        used, left = self._draw.choice(usable), Qt.MouseButton.LeftButton
        self._steps.append(place(used))
        if isinstance(used, QAbstractButton):
            if used.text() not in NEVER:
                QTest.mouseClick(used, left, pos=QPoint(min(12, used.width() // 2), 8))
        elif isinstance(used, QLineEdit | QPlainTextEdit):
            used.setFocus()
            QTest.keyClicks(used, self._draw.choice(TEXTS))
        elif isinstance(used, QComboBox):
            used.setFocus()
            QTest.keyClick(used, self._draw.choice((Qt.Key.Key_Down, Qt.Key.Key_F4)))
        elif isinstance(used, QTabBar):
            tab = used.tabRect(self._draw.randrange(max(1, used.count())))
            QTest.mouseClick(used, left, pos=tab.center())
        else:
            room = used.viewport()
            spot = QPoint(self._draw.randrange(room.width()), self._draw.randrange(room.height()))
            QTest.mouseClick(room, left, pos=spot)


def is_seen(widget: QWidget) -> bool:
    """Whether a part of it is."""
    return not widget.visibleRegion().isEmpty()


def place(widget: QWidget) -> str:
    """Where it is, and its words."""
    words = getattr(widget, "text", str)() or widget.accessibleName()
    return f"{where(widget)} {words[:50]!r}"


def wrong_to_see() -> Iterator[str]:
    """What is clipped, squeezed or wider than its place, in all windows but those of Qt itself."""
    for window in QApplication.topLevelWidgets():
        is_ours = window.isVisible() and not isinstance(window, QFileDialog)
        for widget in window.findChildren(QWidget) if is_ours else ():
            is_its = widget.window() is window  # a dialog is a child of the window that asked
            if is_its and is_seen(widget) and (what := _wrong_with(widget)):
                yield f"{what}: {place(widget)}"


def _wrong_with(widget: QWidget) -> str:
    if isinstance(widget, QScrollArea | QListView):
        return "scrolls sideways" if widget.horizontalScrollBar().isVisible() else ""
    if isinstance(widget, QPushButton):
        least = widget.minimumSizeHint().width() if widget.text() else 0
        return "clipped" if widget.width() < least - SLACK else ""
    if isinstance(widget, QLabel) and widget.wordWrap() and widget.text():
        needed = widget.heightForWidth(widget.width())
        return "squeezed" if widget.height() < needed - SLACK else ""
    return ""


def main(seed: int, steps: int, language: str, size: tuple[int, int]) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home  # it imports and exports, too
        os.chdir(home)
        found = _run(Path(home), seed, steps, language, size)
    for what, steps_before in found.items():
        print(f"{what}\n    after {steps_before}")
    left = psutil.Process().children(recursive=True)
    print(f"processes left: {len(left)}")
    return 1 if left or found else 0


def _run(
    folder: Path, seed: int, steps: int, language: str, size: tuple[int, int]
) -> dict[str, str]:
    config = {"mcpServers": servers(), "mcpDesktop": {"settings": {"language": language}}}
    (folder / "mcp.json").write_text(json.dumps(config))
    application = QApplication([])
    application.setQuitOnLastWindowClosed(False)
    paths = Paths(folder / "mcp.json", folder / "data", is_named=True, is_trusted=True)
    app = WindowApp(application, paths)
    loop = cast("asyncio.AbstractEventLoop", WindowLoop(application))
    user = RandomUser(app, seed, steps, size)

    class Errors(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            user.note(f"{record.name}: {record.getMessage()[:300]}")

    logging.getLogger().addHandler(Errors(logging.ERROR))
    app.window.resize(*size)
    app.show()

    async def then(app: WindowApp, _: Core) -> None:
        QTimer.singleShot(0, user.step)
        await user.done.wait()
        app.quit()

    try:
        loop.run_until_complete(app.run(then))
    finally:
        loop.close()
    return user.found


if __name__ == "__main__":
    given = sys.argv[3:]
    tongue = given[0] if given else "en"
    shape = (int(given[1]), int(given[2])) if len(given) > 2 else (1180, 760)
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), tongue, shape))
