"""The Servers page says what the tools of each server cost, and all of them together."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QThread
from PySide6.QtTest import QTest

from desktop.config.providers import ProviderSettings
from desktop.features.models.gui import feature
from desktop.features.models.gui.feature import TokenCounts
from desktop.gui.widgets.figure_rows import FIGURE_ROLE
from tests.fifos import make_fifo
from tests.gui.servers.conftest import entry
from tests.live_servers import until as until_signal
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from desktop.gui.widgets.token_words import ToolCosts
    from tests.gui.servers.conftest import OpenPanel, Panel

NAME = Qt.ItemDataRole.DisplayRole
ROOT = Path(__file__).parents[4]
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


def counted(panel: Panel, model: tuple[str, str] = ("", "")) -> TokenCounts:
    """As the feature counts, for the page of a panel."""
    core, page = panel.core, panel.page
    counts = TokenCounts(core.store, core.service, page, lambda: model)
    counts.estimated.connect(page.show_costs)
    return counts


async def until(counts: TokenCounts, is_so: Callable[[], bool]) -> None:
    """Wait for estimates until `is_so`."""
    news = asyncio.Event()
    counts.estimated.connect(news.set)
    async with asyncio.timeout(LIMIT):
        while not is_so():
            news.clear()
            await news.wait()


async def test_cards_the_head_and_the_switches_say_tokens(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain"), "off": entry("plain", disabled=True)})
    page, counts = panel.page, counted(panel)
    await until(counts, lambda: bool(counts.costs.servers))
    tokens = counts.costs.servers["files"]
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
    monkeypatch.setattr(feature, "_SOON_MS", 0)
    script, more = tmp_path / "paged.py", tmp_path / "more"
    make_fifo(more)
    script.write_text(PAGED.format(root=str(ROOT), more=str(more)), "utf-8")
    panel = open_panel({"paged": {"command": sys.executable, "args": [str(script)]}})
    service, counts = panel.core.service, counted(panel)
    estimates: list[int] = []

    def note(costs: ToolCosts) -> None:
        estimates.append(len(costs.tools.get("paged", {})))

    counts.estimated.connect(note)
    async with asyncio.timeout(LIMIT):
        await until_signal(service.tools_changed, lambda: service.connection("paged").listed)
        for _ in range(5):  # the time is over that it waits for more
            await asyncio.to_thread(QThread.yieldCurrentThread)
        await asyncio.to_thread(more.write_bytes, b"")
    await until(counts, lambda: bool(counts.costs.servers))
    assert estimates[-1] == 2
    assert 1 not in estimates


async def test_a_switch_moves_what_a_tool_costs_to_what_is_saved(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    page, counts = panel.page, counted(panel)
    await until(counts, lambda: bool(counts.costs.servers))
    before = counts.costs.servers["files"]
    cost = counts.costs.tools["files"]["add"]
    panel.core.store.set_tool_enabled("files", "add", enabled=False)
    await until(counts, lambda: counts.costs.servers["files"] != before)
    assert counts.costs.servers["files"] == before - cost
    assert page.details.tools.total.accessibleName() == (
        f"≈ {before - cost:,} tokens in every request · 1 off saves ≈ {cost:,}"
    )


async def test_the_figure_names_its_model_and_its_share_of_a_window_that_is_known(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"files": entry("plain")})
    page, counts = panel.page, counted(panel)
    await until(counts, lambda: bool(counts.costs.servers))
    assert "claude" not in page.summary.accessibleName()
    local = ProviderSettings(name="local", kind="openai", model="own", base_url="http://localhost")
    panel.core.store.set_provider(local)
    await until(counts, lambda: counts.costs.model == "own")
    words = f"≈ {counts.costs.total:,} tokens for own"
    assert words in page.summary.accessibleName()
    panel.core.store.remove_provider("local")
    known = ProviderSettings(name="anthropic", kind="anthropic", model="claude-x")
    panel.core.store.set_provider(known)
    await until(counts, lambda: counts.costs.percent is not None)
    assert "< 1 % of claude-x" in page.summary.accessibleName()


async def test_out_of_sight_nothing_is_estimated(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    panel.page.hide()
    counts = counted(panel)
    await panel.until_words("files", "Connected")
    counts._soon.timeout.emit()  # pyright: ignore[reportPrivateUsage] as when it was hidden late
    assert not counts._is_estimating  # pyright: ignore[reportPrivateUsage]
    assert not counts.costs.tools
    panel.page.show()
    await until(counts, lambda: bool(counts.costs.servers))


async def test_the_button_sorts_by_cost(open_panel: OpenPanel) -> None:
    panel = open_panel({"files": entry("plain")})
    page, counts = panel.page, counted(panel)
    await until(counts, lambda: bool(counts.costs.servers))
    tools = page.details.tools
    QTest.mouseClick(tools.by_cost, Qt.MouseButton.LeftButton)
    costs = counts.costs.tools["files"]
    rows = tools.list.model()
    shown = [costs[rows.index(row, 0).data(NAME)] for row in range(rows.rowCount())]
    assert shown == sorted(costs.values(), reverse=True)


async def test_tools_are_counted_by_the_model_that_a_new_conversation_begins_with(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"files": entry("plain")})
    store = panel.core.store
    store.set_provider(ProviderSettings(name="first", kind="anthropic", model="claude-opus-4-5"))
    store.set_provider(ProviderSettings(name="last", kind="openai", model="gpt-5"))
    counts = counted(panel, ("last", "gpt-5-mini"))
    await until(counts, lambda: counts.costs.model != "")
    assert counts.costs.model == "gpt-5-mini"
