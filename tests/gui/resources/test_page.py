"""Resources of a real server, read, subscribed to and expanded from templates in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.resources.page import ResourcesPage, ResourceView, TemplateView
from desktop.gui.results.feed import as_result
from desktop.gui.results.feed_column import LinkCard
from desktop.gui.tools.page import ToolsPage
from desktop.gui.widgets.visibility import scroll_area_around
from desktop.values.resource_types import ReadResult
from desktop.values.tool_types import Content, ToolResult
from tests.gui.offers import offering_core, seen, told
from tests.gui.waiting import happens, noted, turns
from tests.live_servers import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
RICH = "offers\ntest://rich"


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    async with offering_core(tmp_path) as made:
        yield made


@pytest.fixture
async def page(window: MainWindow, core: Core) -> ResourcesPage:
    window.show_page("resources")
    shown = window.page("resources")
    assert isinstance(shown, ResourcesPage)
    while not shown.list.shown:
        await happens(shown.refreshed)
    return shown


async def opened(page: ResourcesPage, key: str = RICH) -> ResourceView:
    page.list.activated.emit(key)
    view = page.view
    assert isinstance(view, ResourceView)
    if view.read_result is None:
        await happens(view.read_ended)
    return view


async def test_nothing_is_asked_for_before_the_page_is_shown(
    window: MainWindow, core: Core
) -> None:
    window.show_page("tools")
    await turns(20)
    before = await seen(core)

    assert window.page("resources") is None
    assert "resources/list" not in before


async def test_the_first_visit_puts_the_keyboard_into_the_search(
    window: MainWindow, core: Core
) -> None:
    window.show()
    window.activateWindow()
    window.show_page("resources")
    page = window.page("resources")
    assert isinstance(page, ResourcesPage)
    await turns()
    assert page.step.hasFocus()  # nothing is listed yet
    while not page.list.shown:
        await happens(page.refreshed)
    assert page.list.search_box.hasFocus()
    window.hide()


async def test_a_resource_opened_before_it_is_listed_is_called_by_its_title_then(
    window: MainWindow, core: Core
) -> None:
    window.show_page("resources")
    page = window.page("resources")
    assert isinstance(page, ResourcesPage)
    page.open_uri("offers", "test://rich")
    assert isinstance(view := page.view, ResourceView)
    assert view.title.text() == "test://rich"
    while not page.list.shown:
        await happens(page.refreshed)
    assert view.title.text() == "Rich"


async def test_resources_and_templates_of_all_servers_are_listed_and_found(
    page: ResourcesPage,
) -> None:
    rows = [(entry.title, entry.server, entry.badge) for entry in page.list.shown]
    page.list.search_box.setText("item offers")

    assert rows == [
        ("Rich", "offers", ""),
        ("blob", "offers", ""),
        ("Item", "offers", "template"),
    ]
    assert [entry.title for entry in page.list.shown] == ["Item"]


async def test_a_resource_is_read_from_its_server_and_shown_as_text(page: ResourcesPage) -> None:
    view = await opened(page)
    facts = view.facts.text()

    assert view.result.text.editor.toPlainText() == "text of test://rich"
    assert "text/plain" in facts
    assert "for people" in facts


async def test_a_resource_that_cannot_be_read_says_why(page: ResourcesPage) -> None:
    page.open_uri("offers", "test://gone")
    view = page.view
    assert isinstance(view, ResourceView)
    await happens(view.read_ended)

    assert view.result.error.isVisible()


async def test_a_template_proposes_values_and_reads_what_it_is_expanded_to(
    page: ResourcesPage,
) -> None:
    page.list.activated.emit("offers\n\ntest://item/{id}{?lang}")
    view = page.view
    assert isinstance(view, TemplateView)
    view.request()
    nothing = view.shown, view.form.problem.text()
    proposed = await view.propose("id", "1", {})
    view.form.fill({"id": "1", "lang": "de"})
    view.request()
    assert view.shown is not None
    await happens(view.shown.read_ended)

    assert nothing == (None, "Missing: id")
    assert list(proposed)[:2] == ["1a", "1b"]
    assert view.uri.text() == "test://item/1?lang=de"
    assert view.shown.result.text.editor.toPlainText() == "text of test://item/1?lang=de"


async def test_a_long_address_is_wrapped_and_the_form_of_a_template_is_no_wider_than_its_page(
    page: ResourcesPage,
) -> None:
    page.resize(700, 500)
    page.list.activated.emit("offers\n\ntest://item/{id}{?lang}")
    view = page.view
    assert isinstance(view, TemplateView)
    view.form.fill({"id": "{[" * 40})
    await turns()
    area = scroll_area_around(view.uri)
    assert area is not None
    assert area.horizontalScrollBar().maximum() == 0
    assert view.uri.height() >= 2 * view.uri.fontMetrics().height()


async def test_what_was_typed_into_a_template_is_there_again(page: ResourcesPage) -> None:
    template = "offers\n\ntest://item/{id}{?lang}"
    page.list.activated.emit(template)
    assert isinstance(page.view, TemplateView)
    QTest.keyClicks(page.view.form.fields[0].editor, "half")
    await opened(page)
    page.list.activated.emit(template)
    assert isinstance(page.view, TemplateView)

    assert page.view.form.values() == {"id": "half"}


async def test_an_update_of_a_subscribed_resource_is_said_and_read_again(
    page: ResourcesPage, core: Core
) -> None:
    view = await opened(page)
    QTest.mouseClick(view.subscribe, LEFT)
    server = core.service.connection("offers")
    while not server.resources.subscribed:
        await turns()
    before = (await seen(core)).count("resources/read")
    await told(core, "update", uri="test://rich", times=100)
    await happens(view.read_ended)
    after = (await seen(core)).count("resources/read")

    assert "Changed at" in view.updated.text()
    assert view.subscribe.text() == "Subscribed"
    assert 1 <= after - before <= 2  # a hundred updates are one


async def test_a_changed_list_is_shown(page: ResourcesPage, core: Core) -> None:
    await told(core, "add")
    while len(page.list.shown) < 4:
        await happens(page.refreshed)

    assert "new" in [entry.title for entry in page.list.shown]


async def test_a_link_in_a_result_opens_in_place_or_here(window: MainWindow, core: Core) -> None:
    window.show_page("tools")
    tools = window.page("tools")
    assert isinstance(tools, ToolsPage)
    tools.show_tool("offers:seen")
    assert tools.view is not None
    link = Content("link", uri="test://rich", name="rich")
    shown = tools.view.below.show_result(ToolResult(True, content=(link,)), "x")
    (card,) = shown.feed.parts
    assert isinstance(card, LinkCard)
    QTest.mouseClick(card.open, LEFT)
    await happens(card.read_ended)
    assert card.feed is not None
    assert card.feed.text.editor.toPlainText() == "text of test://rich"
    QTest.mouseClick(card.read, LEFT)
    page = window.page("resources")
    assert isinstance(page, ResourcesPage)

    assert isinstance(page.view, ResourceView)
    assert page.view.resource.uri == "test://rich"
    await happens(page.view.read_ended)


async def test_with_no_server_the_page_says_what_to_do(page: ResourcesPage, core: Core) -> None:
    asked = noted(page.servers_requested)
    core.store.remove_server("offers")
    await until(core.service.servers_changed, lambda: "offers" not in core.service.connections)
    while page.list.shown:
        await happens(page.refreshed)
    is_empty = page.nothing_there.isVisible()
    QTest.mouseClick(page.step, LEFT)

    assert is_empty
    assert asked == [()]


async def test_the_address_is_copied_and_never_opened(page: ResourcesPage) -> None:
    view = await opened(page)
    QTest.mouseClick(view.copy, LEFT)

    assert QApplication.clipboard().text() == "test://rich"


def test_a_text_is_shown_as_text_and_bytes_as_what_they_are() -> None:
    read = ReadResult(
        (
            Content("resource", text="a", uri="x:a", mime="text/plain"),
            Content("resource", data=b"{}", uri="x:b", mime="application/json"),
            Content("resource", data=b"\x89", uri="x:c", mime="image/png"),
            Content("resource", data=b"<svg/>", uri="x:d", mime="image/svg+xml"),
        )
    )
    result = as_result(read)

    assert [(block.kind, block.text) for block in result.content] == [
        ("text", "a"),
        ("text", "{}"),
        ("resource", ""),
        ("resource", ""),
    ]
