"""How far one click leads through the code: our files that it enters, our calls that it makes.

In the real window with the built-in calculator: a Run click until its result is shown, and the
switch of the server until it is off, or on with its tools. Each is done some times, and the least
one counts: a timer or a repaint in between only adds. The counts differ a little between versions
of Python and of Qt. `check` holds them to a release, but for the calls of a switch: how often its
card is painted meanwhile depends on how busy the machine is, by 500 calls of 3,500. Qt is imported
in a process of its own alone: it makes each import dearer, and `check` counts function calls.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.harness import ROOT, environment, python
from tests.benchmarks.real_window import look_at_window
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from PySide6.QtWidgets import QWidget

    from desktop.app import WindowApp
    from desktop.core import Core

SERVER, TOOL, ARGUMENTS = "calculator", "calculator:evaluate", {"expression": "6 * 7"}
CLICKS: Final = 5
SETTLED: Final = 0.7
"""Seconds after which all is written and painted that a click or the start leads to."""
_OURS: Final = tuple(f"{ROOT / room}{os.sep}" for room in ("desktop", "builtin_servers"))


class Trace:
    """The Python calls of one thread that are in our files."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.calls = 0

    def count(self, frame: Any, event: str, _: object) -> None:
        if event == "call" and (file := frame.f_code.co_filename).startswith(_OURS):
            self.files.add(file)
            self.calls += 1


@contextmanager
def traced() -> Generator[Trace]:
    trace = Trace()
    sys.setprofile(trace.count)
    try:
        yield trace
    finally:
        sys.setprofile(None)


@cache
def hops() -> dict[str, float]:
    """`run`, `off` and `on`, each with its files and its calls, in a process of their own."""
    done = subprocess.run(
        python("-m", "tests.benchmarks.hops"),
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=120,
    )
    return json.loads(done.stdout)


async def _traced_click(widget: QWidget, settled: Callable[[], Awaitable[None]]) -> Trace:
    """Of a click until what follows has `settled` and is painted."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from tests.gui.waiting import turns

    with traced() as trace:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
        await settled()
        await turns(5)
    await asyncio.sleep(SETTLED)
    return trace


async def _run(app: WindowApp) -> Trace:
    from desktop.gui.tools.page import ToolsPage
    from tests.gui.waiting import happens

    app.window.show_page("tools")
    page = app.window.page("tools")
    assert isinstance(page, ToolsPage)
    if page.view is None:
        page.open_call(TOOL, ARGUMENTS)
        await asyncio.sleep(SETTLED)
    view = page.view
    assert view is not None

    async def ended() -> None:
        while view.is_running:
            await happens(view.running_changed)

    trace = await _traced_click(view.bar.run, ended)
    assert view.result is not None
    return trace


async def _toggle(app: WindowApp, core: Core) -> Trace:
    from desktop.gui.servers.page import ServersPage

    app.window.show_page("servers")
    page = app.window.page("servers")
    assert isinstance(page, ServersPage)
    await asyncio.sleep(SETTLED)
    connection = core.service.connection(SERVER)

    async def stopped() -> None:
        await until(core.service.state_changed, lambda: connection.state.phase == "stopped")

    async def offered() -> None:
        await until(core.registry.changed, lambda: bool(core.registry.all()))
        await until(core.service.state_changed, lambda: connection.is_connected)

    switch = page.list.cards[SERVER].switch
    return await _traced_click(switch, stopped if connection.is_connected else offered)


async def _look(app: WindowApp, core: Core) -> dict[str, float]:
    await asyncio.sleep(SETTLED)
    runs = [await _run(app) for _ in range(1 + CLICKS)]
    toggles = [await _toggle(app, core) for _ in range(2 * (1 + CLICKS))]
    traces = {"run": runs[1:], "off": toggles[2::2], "on": toggles[3::2]}  # warm ones
    counts: dict[str, float] = {}
    for name, found in traces.items():
        counts[f"{name}, files"] = min(len(trace.files) for trace in found)
        counts[f"{name}, calls"] = min(trace.calls for trace in found)
    return counts


if __name__ == "__main__":
    sys.stdout.write(json.dumps(look_at_window(SERVER, {"builtin": SERVER}, _look)))
