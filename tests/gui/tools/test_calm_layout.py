"""Nothing of the Tools page moves by itself, and no form scrolls sideways, at the usual sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QWidget

from desktop.gui.form.field_row import FieldRow
from desktop.gui.tools.page import ToolsPage
from desktop.gui.widgets.labels import ElidedLabel
from desktop.values.tool_types import Content, ToolResult
from tests.corpus import corpus, needs_corpus
from tests.gui.tools.fakes import FakeRegistry, FakeRunner, after, tool
from tests.gui.tools.tools_page import view
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import ToolDefinition

SIZES = ((812, 574), (1092, 734), (1832, 1054))
"""What the page has of windows of 900, 1180 and 1920 pixels."""
_EVERY = 24
"""Of the real tools one in so many is looked at; all of them before a release."""


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, settings: QSettings) -> Any:
    def make(tools: tuple[ToolDefinition, ...], runner: FakeRunner | None = None) -> ToolsPage:
        page = ToolsPage(FakeRegistry(*tools), runner or FakeRunner(*tools), theme, settings)
        qtbot.addWidget(page)
        page.resize(*SIZES[1])
        page.show()
        return page

    return make


def faults(page: ToolsPage) -> list[str]:
    """What is cut, or scrolls where it need not, in the form that is shown."""
    shown = view(page)
    area = shown.form.fields.area
    found: list[str] = []
    body, port, upper = area.widget(), area.viewport(), shown.splitter.widget(0)
    assert body is not None
    assert upper is not None
    if body.minimumSizeHint().width() > port.width():
        found.append(f"wider than its place: {body.minimumSizeHint().width()} > {port.width()}")
    below = shown.bar.mapTo(shown.splitter, QPoint(0, shown.bar.height())).y()
    side = upper.height()
    if area.verticalScrollBar().maximum() > 0 and side - below > 8:
        found.append(f"scrolls beside {side - below} free pixels")
    for label in shown.form.findChildren(QLabel):
        is_line = label.isVisible() and not label.wordWrap() and not isinstance(label, ElidedLabel)
        if is_line and label.sizeHint().width() > label.width() + 1:
            found.append(f"cut: {label.text()[:40]}")
    return found


async def walk(page: ToolsPage, tools: tuple[ToolDefinition, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for size in SIZES:
        page.resize(*size)
        for each in tools:
            page.show_tool(each.key)
            view(page).form.first_invalid()  # draws what was to be drawn later
            await turns(4)
            if here := faults(page):
                found[f"{each.key} at {size}"] = here
    return found


@needs_corpus
async def test_no_form_of_a_real_tool_scrolls_sideways_or_beside_free_room(show: Any) -> None:
    tools = corpus()[::_EVERY]
    assert await walk(show(tools), tools) == {}


@needs_corpus
@pytest.mark.exhaustive
@pytest.mark.timeout(900)
async def test_the_same_for_all_of_them(show: Any) -> None:
    assert await walk(show(corpus()), corpus()) == {}


WORDS = "a_name_of_many_words_that_goes_on_and_on_" * 3


async def test_long_names_and_types_are_cut_and_push_nothing(show: Any) -> None:
    lists = {"type": ["array", "null"], "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
    fields = {WORDS: {**lists, "description": WORDS}, "short": {"enum": [WORDS, WORDS * 2]}}
    tools = (tool("one:long", {"type": "object", "properties": fields}),)
    page = show(tools)
    assert await walk(page, tools) == {}


async def test_the_divider_stands_still_while_tools_and_results_change(show: Any) -> None:
    tools = (
        tool("one:long", {"type": "object", "properties": {WORDS: {"type": "string"}}}),
        tool("one:two", output_schema={"type": "object"}),
        tool("one:three", problems=(WORDS,)),
    )
    runner = FakeRunner(*tools)
    texts = tuple(Content("text", f"{WORDS} {number}") for number in range(3))
    runner.result = ToolResult(True, "", content=texts)
    page = show(tools, runner)
    places: set[int] = set()
    words: set[str] = set()
    for each in tools:
        page.show_tool(each.key)
        await turns(4)
        places.add(view(page).splitter.sizes()[0])
        view(page).run()
        await after(view(page).running_changed, lambda: None)
        await turns(6)
        places.add(view(page).splitter.sizes()[0])
        words |= {view(page).tabs.tabText(at) for at in (0, 1)}
    assert len(places) == 1
    assert words == {"Arguments", "Schema"}


async def test_header_description_and_tabs_take_120_pixels_at_most(show: Any) -> None:
    tools = (tool("one:tool", title="A title", description="What it does.\n" * 30),)
    page = show(tools)
    page.show_tool("one:tool")
    await turns(4)
    tabs = view(page).tabs
    assert tabs.mapTo(page, QPoint(0, tabs.bar_height)).y() <= 120


async def test_the_words_of_the_tabs_are_seen_whole_beside_a_result(show: Any) -> None:
    tools = (tool("one:tool", output_schema={"type": "object"}),)
    page = show(tools)
    page.show_tool("one:tool")
    tabs = view(page).tabs
    tabs.add("Clients", "In other clients", lambda: (QLabel(tabs), lambda _: None))
    view(page).run()
    await after(view(page).running_changed, lambda: None)
    for size in SIZES:
        page.resize(*size)
        await turns(4)
        bar, corner = tabs.tabBar(), tabs.cornerWidget()
        assert bar.sizeHint().width() <= tabs.width() - corner.width()


async def test_fields_and_a_result_keep_from_the_divider_and_end_alike_above_each_other(
    show: Any,
) -> None:
    page = show((tool("one:tool", {"properties": {"text": {"type": "string"}}}),))
    page.show_tool("one:tool")
    await turns(4)
    view(page).run()
    await after(view(page).running_changed, lambda: None)
    await turns(4)
    splitter, result = view(page).splitter, view(page).result
    assert result is not None
    handle = splitter.handle(1)
    middle = handle.mapTo(page, handle.rect().center()).x()
    assert abs(result.status.mapTo(page, QPoint(0, 0)).x() - middle - 16) <= 1
    field = view(page).form.findChildren(FieldRow)[0].field

    def end(widget: QWidget) -> int:
        return widget.mapTo(page, QPoint(widget.width(), 0)).x()

    assert middle - end(field) >= 11
    page.resize(*SIZES[0])
    await turns(4)
    assert end(field) == end(result)
