"""The result view with 10 MB of text, 100,000 items as tree and as table: how long it blocks."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tests.benchmarks.harness import LoopLag, Row, environment, python

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from PySide6.QtWidgets import QAbstractScrollArea, QApplication

    from desktop.gui.results.result_view import ResultView
    from desktop.gui.theme import Theme

LINE = "2026-11-20 12:00:00 INFO server: handled a request in 12 ms\n"
ITEMS = 100_000
GOAL = "< 50 ms"


async def _paint() -> None:
    await asyncio.sleep(0.05)


async def _scroll(area: QAbstractScrollArea) -> float:
    """Seconds of the slowest of 40 steps over the whole, each painted."""
    bar, worst = area.verticalScrollBar(), 0.0
    for step in range(40):
        began = time.perf_counter()
        bar.setValue(bar.maximum() * step // 39)
        area.viewport().repaint()
        worst = max(worst, time.perf_counter() - began)
        await asyncio.sleep(0)
    return worst


async def _blocked(work: Callable[[], object], settled: Callable[[], bool]) -> tuple[float, float]:
    """Seconds `work` itself takes with its painting, and the longest block until `settled`."""
    async with LoopLag().watched() as lag:
        await asyncio.sleep(0.01)
        began = time.perf_counter()
        work()
        await asyncio.sleep(0)
        first = time.perf_counter() - began
        async with asyncio.timeout(60):
            while not settled():  # noqa: ASYNC110 no one tells of it
                await asyncio.sleep(0.005)
        await _paint()
    return first, lag.worst


async def _text(view: ResultView) -> AsyncGenerator[tuple[str, float]]:
    from desktop.values.tool_types import Content, ToolResult

    text = LINE * (10_000_000 // len(LINE)) + "the needle\n"
    result = ToolResult(success=True, output=text, content=(Content("text", text),))
    first, worst = await _blocked(lambda: view.show_result(result), lambda: view.text.is_complete)
    yield "10 MB text: first paint", first
    yield "10 MB text: loop blocked at most", worst
    yield "10 MB text: scroll step", await _scroll(view.text.editor)
    bar = view.text.find_bar
    bar.open_bar()
    _, worst = await _blocked(
        lambda: bar.field.setText("needle"),
        lambda: not bar.matches.is_looking and view.text.editor.textCursor().hasSelection(),
    )
    yield "10 MB text: search over the whole, blocked at most", worst
    _, worst = await _blocked(lambda: view.resize(500, 600), lambda: True)
    yield "10 MB text: wrapped anew, blocked at most", worst
    _, worst = await _blocked(view.text.copy_all.click, lambda: True)
    yield "10 MB text: copied, blocked at most", worst


def _items() -> list[dict[str, Any]]:
    return [
        {"id": n, "name": f"item {n}", "price": n * 37 % 1009 / 10, "tags": ["a", "b"]}
        for n in range(ITEMS)
    ]


async def _tree(view: ResultView) -> AsyncGenerator[tuple[str, float]]:
    from desktop.values.tool_types import ToolResult

    values = view.values
    result = ToolResult(success=True, structured=_items())
    values.as_tree.click()
    first, worst = await _blocked(lambda: view.show_result(result), lambda: True)
    yield "100,000 items, tree: first paint", first
    yield "100,000 items, tree: blocked at most", worst
    tree = values.tree
    _, worst = await _blocked(tree.levels[2].trigger, lambda: True)
    yield "100,000 items, tree: to level 3, blocked at most", worst
    yield "100,000 items, tree: scroll step", await _scroll(tree.tree)
    tree.find_bar.open_bar()
    _, worst = await _blocked(
        lambda: tree.find_bar.field.setText(f"item {ITEMS - 1}"),
        lambda: not tree.find_bar.matches.is_looking,
    )
    yield "100,000 items, tree: search, blocked at most", worst


async def _table(view: ResultView) -> AsyncGenerator[tuple[str, float]]:
    from PySide6.QtCore import Qt

    from desktop.values.tool_types import ToolResult

    view.reading.choose_look("table")
    result = ToolResult(success=True, structured=_items())
    first, worst = await _blocked(lambda: view.show_result(result), lambda: True)
    yield "100,000 items, table: first paint", first
    yield "100,000 items, table: blocked at most", worst
    table = view.values.table
    if table is None:
        raise RuntimeError("there is no table")

    def is_done() -> bool:
        return table.working is None or table.working.done()

    yield "100,000 items, table: scroll step", await _scroll(table.table)
    for name, work in {
        "sorted": lambda: table.table.sortByColumn(2, Qt.SortOrder.DescendingOrder),
        "copied as CSV": lambda: table.copy_as("csv"),
    }.items():
        _, worst = await _blocked(work, is_done)
        yield f"100,000 items, table: {name}, blocked at most", worst
    table.table.setFocus()
    _, worst = await _blocked(table.table.selectAll, lambda: True)
    yield "100,000 items, table: all selected, blocked at most", worst


async def _json(view: ResultView) -> AsyncGenerator[tuple[str, float]]:
    from desktop.values.tool_types import Content, ToolResult

    text = json.dumps(_items() + _items())
    result = ToolResult(success=True, output=text, content=(Content("text", text),))
    view.show_result(result)
    task = view.values
    _, worst = await _blocked(
        task.read.click, lambda: task.reading_task is not None and task.reading_task.done()
    )
    yield f"{len(text) / 1e6:.0f} MB of JSON read, blocked at most", worst


async def _resource(theme: Theme) -> AsyncGenerator[tuple[str, float]]:
    """From the click to the text on the screen, over a real server."""
    from desktop.base.paths import Paths
    from desktop.core import build_core
    from desktop.gui.resources.page import ResourceView
    from desktop.servers.sdk import import_handshake_models
    from desktop.values.resource_types import Resource
    from tests.live_servers import stdio

    with tempfile.TemporaryDirectory() as folder:
        core = build_core(Paths(Path(folder) / "mcp.json", Path(folder) / "data"), {})
        core.follow_store()
        core.store.add_server(stdio("offers"))
        await core.settle()
        import_handshake_models()  # as the app does in a thread once its servers are ready
        server = core.service.connection("offers")
        made: list[ResourceView] = []

        def show() -> None:
            made.append(ResourceView(theme, server, Resource("offers", RESOURCE, "")))
            made[0].show()

        def is_shown() -> bool:
            return made[0].read_result is not None and made[0].result.text.is_complete

        _, worst = await _blocked(show, is_shown)
        made[0].close()
        made[0].deleteLater()
        await core.close()
    yield "10 MB resource: read and shown, blocked at most", worst


RESOURCE = "test://big/10000000"
MARKDOWN = """# Title

Some *text* with `code`, [a link](http://x.example/y), ![a picture](z.png) and **bold**.

- item one
- item two

| a | b |
|---|---|
| 1 | 2 |

"""


async def _rest(view: ResultView) -> AsyncGenerator[tuple[str, float]]:
    """Markdown of nearly the size it is still shown at, and the largest picture."""
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtGui import QImage

    from desktop.gui.results.image import ImageCard
    from desktop.values.tool_types import Content, ToolResult

    text = MARKDOWN * 15 + "Some *words* and [a link](http://x.example/y).\n\n" * 900
    view.show_result(ToolResult(success=True, output=text))
    await _paint()
    _, worst = await _blocked(view.text.as_markdown.click, lambda: True)
    yield f"{len(text) / 1e3:.0f} kB of Markdown, blocked at most", worst
    image = QImage(7_900, 8_000, QImage.Format.Format_RGB32)
    image.fill(0)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # pyright: ignore[reportCallIssue, reportArgumentType] stubs say bytes
    block = Content("image", data=bytes(buffer.data().data()), mime="image/png")
    result = ToolResult(success=True, content=(block,))
    _, worst = await _blocked(
        lambda: view.show_result(result),
        lambda: all(card.settled.is_set() for card in view.feed.findChildren(ImageCard)),
    )
    yield "picture of 63 million pixels, blocked at most", worst


async def _all(app: QApplication) -> dict[str, float]:
    from PySide6.QtCore import QObject

    from desktop.gui.garbage_collector import GuiGarbageCollector
    from desktop.gui.results.result_view import ResultView
    from desktop.gui.theme import Theme

    theme = Theme(app, "light")
    keeper = QObject()
    GuiGarbageCollector(
        keeper
    )  # as in the app: garbage is looked for in its turns, not amid an allocation
    seen: dict[str, float] = {}
    async for name, seconds in _resource(theme):
        seen[name] = seconds * 1e3
    for part in (_text, _tree, _table, _json, _rest):
        view = ResultView(theme)
        view.resize(800, 600)
        view.show()
        await _paint()
        async for name, seconds in part(view):
            seen[name] = seconds * 1e3
        if part is _json:
            began = time.perf_counter()
            gc.collect()
            name = "all garbage looked for beside it, once a minute at most"
            seen[name] = (time.perf_counter() - began) * 1e3
        view.close()
        view.deleteLater()
        await _paint()
    return seen


def _run() -> dict[str, float]:
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    app = QApplication([])
    app.setQuitOnLastWindowClosed(False)
    loop = cast("asyncio.AbstractEventLoop", QEventLoop(app))
    try:
        return loop.run_until_complete(_all(app))
    finally:
        loop.close()


def measure() -> list[Row]:
    """In a process of its own: what others left in memory would be measured too."""
    line = subprocess.run(
        python("-m", "tests.benchmarks.bench_results"),
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    ).stdout
    return [Row(name, value, None, "ms", GOAL) for name, value in json.loads(line).items()]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_run()))
