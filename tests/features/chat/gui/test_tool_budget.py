"""What the tools take of the window is seen beside their choice, with what can be done about it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.config.providers import ProviderSettings
from desktop.features.chat.gui.exact_count import ExactCount
from desktop.features.chat.gui.tools_panel import ToolBudgetView
from desktop.features.chat.llm.completion import CompletionError, TokenCount
from desktop.features.models.context_budget import ToolTokens, make_budget
from desktop.features.models.formats import ApiFormat, WireTools
from desktop.gui.widgets.figure_rows import FIGURE_ROLE
from tests.features.chat.agent.scripted import Scripted
from tests.features.chat.gui.conftest import FakeProviders, setup
from tests.live_servers import stdio
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.models.context_budget import ContextBudget
    from desktop.gui.theme import Theme

MODEL = "claude-x"
TOOLS = [ToolTokens("files", "read", 900), ToolTokens("big", "all", 60_000)]


def budget(tools: list[ToolTokens] = TOOLS, model: str = MODEL) -> ContextBudget:
    return make_budget(tools, ApiFormat.ANTHROPIC, model)


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> ToolBudgetView:
    made = ToolBudgetView(theme)
    qtbot.addWidget(made)
    made.resize(900, 200)
    return made


@pytest.fixture
def exact(qtbot: QtBot, view: ToolBudgetView, providers: FakeProviders) -> ExactCount:
    return ExactCount(providers, view)


def test_the_total_stands_against_the_window_in_words_and_colour(
    view: ToolBudgetView, exact: ExactCount
) -> None:
    view.show_budget(budget(TOOLS[:1]), exact, ())
    assert (view.meter.bar.value(), view.meter.bar.maximum()) == (900, 200_000)
    assert view.meter.words.text() == "about 900 of 200,000 tokens · < 1 % · an estimate"
    assert view.meter.words.property("role") == "muted small"
    view.show_budget(budget(), exact, ())
    assert "30 %: much" in view.meter.words.text()
    assert view.meter.words.property("role") == "warning small"


def test_a_model_without_a_known_window_says_so(view: ToolBudgetView, exact: ExactCount) -> None:
    view.show_budget(budget(model="mine"), exact, ())
    assert view.meter.bar.isHidden()
    assert "is not known" in view.counted.text()


def test_no_tools_show_nothing(view: ToolBudgetView, exact: ExactCount) -> None:
    view.show_budget(budget([]), exact, ())
    assert view.isHidden()
    view.show_budget(None, exact, ())
    assert view.isHidden()


def test_advice_has_a_button_where_the_conversation_can_follow_it(
    view: ToolBudgetView, exact: ExactCount
) -> None:
    asked: list[str] = []
    view.switch_off_requested.connect(asked.append)
    view.show_budget(budget(), exact, {"big", "files"})
    first, second = view.advice
    assert "30 % of the window" in first.words.text()
    assert first.button.text() == "Go on without big: saves ≈ 60,000 tokens"
    QTest.mouseClick(first.button, Qt.MouseButton.LeftButton)
    assert asked == ["big"]
    assert "on the Servers page saves ≈ 60,000 tokens" in second.words.text()
    assert second.button.isHidden()
    view.show_budget(budget(), exact, {"files"})
    assert first.button.isHidden()


def test_tools_are_listed_by_their_cost(view: ToolBudgetView, exact: ExactCount) -> None:
    view.show_budget(budget(), exact, ())
    view.by_cost.click()
    rows = view.list.model()
    shown = [
        (rows.index(row, 0).data(), rows.index(row, 0).data(FIGURE_ROLE))
        for row in range(rows.rowCount())
    ]
    assert shown == [("big:all", "≈ 60,000"), ("files:read", "≈ 900")]


def test_a_provider_without_a_counter_is_not_to_be_asked(
    view: ToolBudgetView, exact: ExactCount
) -> None:
    view.show_budget(make_budget(TOOLS, ApiFormat.OPENAI, "gpt-4o"), exact, ())
    assert view.exact.isHidden()
    view.show_budget(make_budget(TOOLS, ApiFormat.GEMINI, "gemini-3"), exact, ())
    assert not view.exact.isHidden()


# --- in the page ------------------------------------------------------------------------------


class Counting(FakeProviders):
    """Of an API that has a counter."""

    def api_format(self, name: str) -> ApiFormat:
        return ApiFormat.ANTHROPIC


@pytest.fixture
def providers() -> Counting:
    made = Counting(Scripted([]))
    made.known["scripted"] = ProviderSettings(name="scripted", kind="anthropic", model=MODEL)
    made.places["scripted"] = "keyring"
    return made


async def counted(page: ChatPage) -> None:
    done = asyncio.Event()
    page.view.head.counted.connect(done.set)
    assert page.view.chat is not None
    page.view.head.show_chat(page.view.chat)
    await asyncio.wait_for(done.wait(), LIMIT)


async def counts(page: ChatPage, is_so: Callable[[], bool]) -> None:
    """Wait until it is so: a count from before a change may end after it."""
    async with asyncio.timeout(LIMIT):
        while not is_so():
            await counted(page)


async def opened(page: ChatPage) -> ToolBudgetView:
    assert page.view.chat is not None
    page.view.chat.choose(replace(setup(), model=MODEL))
    page.view.head.open_tools()
    await counted(page)
    return page.view.head.panel.budget


async def ask(page: ChatPage) -> None:
    """Click *Count exactly*, and wait for what comes of it."""
    exact, settled = page.view.head.exact, asyncio.Event()
    exact.changed.connect(lambda: exact.is_running or settled.set())
    QTest.mouseClick(page.view.head.panel.budget.exact, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(settled.wait(), LIMIT)


async def test_the_provider_counts_when_a_person_asks_it_and_other_tools_forget_it(
    page: ChatPage, core: Core
) -> None:
    shown = await opened(page)
    assert "an estimate" in shown.meter.words.text()
    await ask(page)
    assert shown.counted.text().startswith(
        f"4,321 tokens, counted by Scripted for {MODEL} (estimated: "
    )
    assert shown.meter.words.text() == "4,321 of 200,000 tokens · 2 %"
    assert page.view.meter.words.text() == "4,321 of 200,000 tokens"
    core.store.add_server(stdio("plain"))
    await core.settle()
    await counts(page, lambda: not shown.counted.text())
    assert "an estimate" in shown.meter.words.text()


async def test_what_the_provider_refuses_is_said(page: ChatPage, providers: Counting) -> None:
    shown = await opened(page)
    providers.model.count = CompletionError("key", "Anthropic did not accept the key: no.")
    await ask(page)
    assert shown.counted.text() == "Not counted: Anthropic did not accept the key: no."
    assert shown.exact.text() == "Count exactly"


async def test_a_question_can_be_given_up(page: ChatPage, providers: Counting) -> None:
    class Slow(Scripted):
        async def count_tools(self, model: str, tools: WireTools) -> TokenCount:
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()
            return TokenCount(1, "Slow", model)

    asked, ended = asyncio.Event(), asyncio.Event()
    providers.model = Slow([])
    shown = await opened(page)
    QTest.mouseClick(shown.exact, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(asked.wait(), LIMIT)
    assert (shown.exact.text(), shown.counted.text()) == ("Cancel", "Asking the provider…")
    QTest.mouseClick(shown.exact, Qt.MouseButton.LeftButton)
    await asyncio.wait_for(ended.wait(), LIMIT)
    assert (shown.exact.text(), shown.counted.text()) == ("Count exactly", "")


async def test_a_click_on_the_advice_takes_the_server_out_of_the_conversation(
    page: ChatPage, core: Core
) -> None:
    core.store.add_server(stdio("many_tools", "--count", 100, "--bytes", 4_000))
    await core.settle()
    shown = await opened(page)
    server = next(s for s in page.view.head.cost.servers if s.tokens > 50_000).server
    button = shown.advice[0].button
    assert button.isVisible()
    assert server in button.text()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await counts(page, lambda: page.view.head.cost.tokens < 1_000)
    chat = page.view.chat
    assert chat is not None
    assert chat.setup.choice.mode == "manual"
    assert "calculator" in chat.setup.choice.servers
    assert server not in chat.setup.choice.servers
    figures = [
        page.view.head.panel.servers.item(row).data(FIGURE_ROLE)
        for row in range(page.view.head.panel.servers.count())
    ]
    assert all(figures)  # what is not chosen says what it would cost


async def test_the_tools_by_cost_stand_in_the_place_of_the_servers(page: ChatPage) -> None:
    shown = await opened(page)
    panel = page.view.head.panel
    shown.by_cost.click()
    assert (panel.budget.list.isVisible(), panel.servers.isVisible()) == (True, False)
    shown.by_cost.click()
    assert (panel.budget.list.isVisible(), panel.servers.isVisible()) == (False, True)
