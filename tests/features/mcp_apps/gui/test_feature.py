"""In the window: an app stands beside the result of its tool, and has its say in the chat."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.features.mcp_apps.gui import early
from desktop.features.mcp_apps.gui.app_card import AppCard
from desktop.gui.tools.page import ToolsPage
from tests.features.mcp_apps.looking import looking, script
from tests.gui.waiting import happens

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from PySide6.QtCore import QUrl

    from desktop.core import Core
    from desktop.features.mcp_apps.views import AppView, AppViews
    from desktop.gui.page_factory import Pages
    from desktop.values.resource_types import ReadResult


ROOT = Path(__file__).parents[4]
CODE = """
import sys
from pathlib import Path
from desktop import app
from desktop.base.paths import Paths
from desktop.values.tool_types import ToolCall

folder = Path(sys.argv[1])

async def look(window, core):
    print((await core.executor.run(ToolCall("hostile:declared", {}))).output)
    window.quit()

sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), look))
"""


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    hostile = script("hostile_app", "--what", "still")
    async with looking(tmp_path, with_browser=False, hostile=hostile) as person:
        yield person.core


async def card_of(pages: Pages, key: str) -> AppCard:
    """What stands beside the result of a tool, once it is read."""
    pages.window.show_page("tools")
    page = pages.window.page("tools")
    assert isinstance(page, ToolsPage)
    page.show_tool(key)
    assert page.view is not None
    page.view.run()
    while page.view.is_running:
        await happens(page.view.running_changed)
    (card,) = page.view.findChildren(AppCard)
    if card.resource is None:
        await happens(card.loaded)
    return card


async def test_from_its_card_a_person_comes_to_the_calls_of_the_tool(pages: Pages) -> None:
    card = await card_of(pages, "hostile:show")
    card.history_requested.emit("hostile:show")
    assert pages.window.current_page == "activity"


class Written:
    """A question that a person is writing."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def add_text(self, text: str) -> None:
        self.texts.append(text)

    def attach_pictures(self, pictures: Sequence[bytes]) -> None:
        assert not pictures

    def attach_resource(self, server: str, uri: str, read: ReadResult) -> bool:
        raise NotImplementedError


async def test_its_words_for_the_chat_are_put_into_the_message_and_its_end_is_that_of_the_run(
    pages: Pages, core: Core
) -> None:
    opened: list[QUrl] = []
    written = Written()
    pages.open_question = lambda: written

    def note(url: QUrl) -> bool:
        opened.append(url)
        return True

    card = await card_of(pages, "hostile:show")
    card._open_url = note  # pyright: ignore[reportPrivateUsage] no browser
    card.open.click()
    view: AppView | None = card.view
    assert view is not None
    assert len(opened) == 1
    views: AppViews = card._views  # pyright: ignore[reportPrivateUsage] the window's own
    assert views.say_in_chat is not None
    views.say_in_chat("From the app")
    assert written.texts == ["From the app"]
    await core.close()
    assert view.phase == "closed"


def test_a_window_tells_servers_that_it_can_show_apps(tmp_path: Path) -> None:
    servers = {"mcpServers": {"hostile": script("hostile_app", "--what", "still")}}
    (tmp_path / "mcp.json").write_text(json.dumps(servers), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == early.extensions()
