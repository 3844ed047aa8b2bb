"""The Servers page says what the tools of each server cost, and all of them together."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QThread
from PySide6.QtTest import QTest

from desktop.config.providers import ProviderSettings
from desktop.gui.servers import token_counts
from desktop.gui.servers.tool_switches import ToolSwitchModel
from desktop.gui.widgets.figure_rows import FIGURE_ROLE
from desktop.values.tool_types import ToolDefinition
from tests.fifos import make_fifo
from tests.gui.servers.conftest import LIMIT, entry
from tests.live_servers import until as until_signal

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from desktop.gui.servers.page import ServersPage
    from tests.gui.servers.conftest import OpenPanel

NAME = Qt.ItemDataRole.DisplayRole
ROOT = Path(__file__).parents[3]
PAGED = """
import sys

sys.path.insert(0, {root!r})
from tests.servers.base import Server, Tool, echo


def pages(message):
    if not (message.get("params") or {{}}).get("cursor"):
        return {{"tools": [Tool("first", echo).declaration], "nextCursor": "2"}}
    open({more!r}, "rb").read()
    return {{"tools": [Tool("second", echo).declaration]}}


server = Server("paged", [])
server.answers["tools/list"] = pages
server.serve()
"""


async def until(page: ServersPage, is_so: Callable[[], bool]) -> None:
    """Wait for estimates until `is_so`."""
    news = asyncio.Event()
    page.tokens.changed.connect(news.set)
    async with asyncio.timeout(LIMIT):
        while not is_so():
            news.clear()
            await news.wait()


async def test_cards_the_head_and_the_switches_say_tokens(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain"), "off": entry("plain", disabled=True)})
    page = panel.page
    await until(page, lambda: bool(page.tokens.of_servers()))
    tokens = page.tokens.of_servers()["files"]
    label = f"≈ {tokens:,} tokens"
    assert label in panel.card("files").figures
    assert "tokens" not in panel.card("off").figures
    assert label in page.summary.accessibleName()
    switches = page.details.tools
    assert switches.total.accessibleName() == f"{label} in every request"
    rows = switches.list.model()
    figures = [rows.index(row, 0).data(FIGURE_ROLE) for row in range(rows.rowCount())]
    assert all(figure.startswith("≈ ") for figure in figures)
    assert sum(int(figure[2:].replace(",", "")) for figure in figures) == tokens


async def test_nothing_is_estimated_while_a_list_arrives(
    open_panel: OpenPanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_counts, "_SOON_MS", 0)
    script, more = tmp_path / "paged.py", tmp_path / "more"
    make_fifo(more)
    script.write_text(PAGED.format(root=str(ROOT), more=str(more)), "utf-8")
    panel = open_panel({"paged": {"command": sys.executable, "args": [str(script)]}})
    page, service = panel.page, panel.core.service
    estimates: list[int] = []
    page.tokens.changed.connect(lambda: estimates.append(len(page.tokens.of_tools("paged"))))
    async with asyncio.timeout(LIMIT):
        await until_signal(service.tools_changed, lambda: service.connection("paged").listed)
        for _ in range(5):  # the time is over that it waits for more
            await asyncio.to_thread(QThread.yieldCurrentThread)
        await asyncio.to_thread(more.write_bytes, b"")
    await until(page, lambda: bool(page.tokens.of_servers()))
    assert estimates[-1] == 2
    assert 1 not in estimates


async def test_a_switch_moves_what_a_tool_costs_to_what_is_saved(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    page = panel.page
    await until(page, lambda: bool(page.tokens.of_servers()))
    before = page.tokens.of_servers()["files"]
    cost = page.tokens.of_tools("files")["add"]
    panel.core.store.set_tool_enabled("files", "add", enabled=False)
    await until(page, lambda: page.tokens.of_servers()["files"] != before)
    assert page.tokens.of_servers()["files"] == before - cost
    assert page.details.tools.total.accessibleName() == (
        f"≈ {before - cost:,} tokens in every request · 1 off saves ≈ {cost:,}"
    )


async def test_the_figure_names_its_model_and_its_share_of_a_window_that_is_known(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"files": entry("plain")})
    page = panel.page
    await until(page, lambda: bool(page.tokens.of_servers()))
    assert "claude" not in page.summary.accessibleName()
    local = ProviderSettings(name="local", kind="openai", model="own", base_url="http://localhost")
    panel.core.store.set_provider(local)
    await until(
        page, lambda: page.tokens.offered is not None and page.tokens.offered.model == "own"
    )
    assert page.tokens.offered is not None
    words = f"≈ {page.tokens.offered.tokens:,} tokens for own"
    assert words in page.summary.accessibleName()
    panel.core.store.remove_provider("local")
    known = ProviderSettings(name="anthropic", kind="anthropic", model="claude-x")
    panel.core.store.set_provider(known)
    await until(page, lambda: page.tokens.offered is not None and page.tokens.offered.window > 0)
    assert "< 1 % of claude-x" in page.summary.accessibleName()


async def test_out_of_sight_nothing_is_estimated(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    panel.page.hide()
    await panel.until_words("files", "Connected")
    tokens = panel.page.tokens
    tokens._soon.timeout.emit()  # pyright: ignore[reportPrivateUsage] as when it was hidden late
    assert not tokens._is_estimating  # pyright: ignore[reportPrivateUsage]
    assert tokens.listed is None
    panel.page.show()
    await until(panel.page, lambda: bool(panel.page.tokens.of_servers()))


def test_the_most_expensive_come_first_on_demand() -> None:
    model = ToolSwitchModel()
    model.show_tools(tuple(ToolDefinition("s", name) for name in ("a", "b", "c")), frozenset("b"))
    model.show_tokens({"a": 10, "b": 1_300, "c": 20})

    def names() -> list[str]:
        return [model.index(row).data(NAME) for row in range(model.rowCount())]

    assert names() == ["a", "b", "c"]
    model.sort_by_cost(is_by_cost=True)
    assert names() == ["b", "c", "a"]
    assert model.index(0).data(FIGURE_ROLE) == "≈ 1,300"
    assert model.index(0).data(Qt.ItemDataRole.ToolTipRole) == "Switched off: saves ≈ 1,300 tokens"
    assert model.tokens_off == (1, 1_300)
    model.sort_by_cost(is_by_cost=False)
    assert names() == ["a", "b", "c"]


async def test_the_button_sorts_by_cost(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    page = panel.page
    await until(page, lambda: bool(page.tokens.of_servers()))
    tools = page.details.tools
    QTest.mouseClick(tools.by_cost, Qt.MouseButton.LeftButton)
    costs = page.tokens.of_tools("files")
    rows = tools.list.model()
    shown = [costs[rows.index(row, 0).data(NAME)] for row in range(rows.rowCount())]
    assert shown == sorted(costs.values(), reverse=True)


async def test_tools_are_counted_by_the_model_that_a_new_conversation_begins_with(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"files": entry("plain")})
    store, page = panel.core.store, panel.page
    store.set_provider(ProviderSettings(name="first", kind="anthropic", model="claude-opus-4-5"))
    store.set_provider(ProviderSettings(name="last", kind="openai", model="gpt-5"))
    page.tokens.chat_model = lambda: ("last", "gpt-5-mini")
    page.tokens.follow(is_shown=True)
    await until(page, lambda: page.tokens.offered is not None and page.tokens.offered.model != "")
    assert page.tokens.offered is not None
    assert page.tokens.offered.model == "gpt-5-mini"
