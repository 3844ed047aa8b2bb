"""A person sees how full the model is, and that it is offered too many tools, before they ask."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.config.providers import ProviderSettings
from desktop.features.chat.gui.context_meter import ContextMeter
from desktop.features.models.messages import Usage
from desktop.features.models.model_facts import ModelFacts
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle, setup
from tests.gui.waiting import happens
from tests.live_servers import stdio
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders


@pytest.mark.parametrize(
    ("used", "window", "role"),
    [(60_000, 200_000, "muted"), (160_000, 200_000, "warning"), (199_000, 200_000, "danger")],
)
def test_it_says_how_full_the_window_is(qtbot: QtBot, used: int, window: int, role: str) -> None:
    meter = ContextMeter()
    qtbot.addWidget(meter)
    meter.show_use(used, window, is_estimate=False)
    assert (meter.bar.value(), meter.bar.maximum()) == (used, window)
    assert meter.words.property("role") == f"{role} small"
    assert ("nearly full" in meter.toolTip()) == (role != "muted")


def test_without_a_known_window_it_says_what_is_used(qtbot: QtBot) -> None:
    meter = ContextMeter()
    qtbot.addWidget(meter)
    assert meter.isHidden()
    meter.show_use(1234, 0, is_estimate=True)
    assert meter.words.text().startswith("about 1")
    assert (meter.isHidden(), meter.bar.isHidden()) == (False, True)


async def test_tools_that_fill_the_window_are_said_before_anything_is_sent(
    page: ChatPage, core: Core, providers: FakeProviders
) -> None:
    """The window that the server told, in the meter and in the sentence, with the way to choose."""
    address = "http://127.0.0.1:9/v1"
    providers.known["scripted"] = ProviderSettings(name="scripted", kind="openai", base_url=address)
    providers.learned.learn(address, "small", ModelFacts(window=300))
    chat = page.new_chat()
    chat.choose(setup(model="small"))
    page.view.show_chat(chat)
    while page.view.too_many.isHidden():
        await happens(page.view.head.counted)
    assert "this model reads 300." in page.view.too_many.words.text()
    assert page.view.meter.bar.maximum() == 300
    assert page.view.head.panel.isHidden()
    QTest.mouseClick(page.view.too_many.action, Qt.MouseButton.LeftButton)
    assert not page.view.head.panel.isHidden()


async def test_the_composer_shows_the_tools_first_and_then_what_the_provider_counted(
    page: ChatPage, providers: FakeProviders
) -> None:
    meter, chat = page.view.meter, page.view.chat
    assert chat is not None
    chat.choose(setup(model="gpt-4o"))
    await _counted(page)
    assert "about" in meter.words.text()
    providers.model.steps.append(replace(says("Hi."), usage=Usage(120_000, 500)))
    chat.ask("hello")
    await idle(chat)
    assert (meter.bar.value(), meter.bar.maximum()) == (120_500, 128_000)
    assert "about" not in meter.words.text()


@pytest.mark.parametrize("address", ["", "http://127.0.0.1:1/v1"])
async def test_too_many_tools_are_said_at_the_composer(
    page: ChatPage, core: Core, providers: FakeProviders, address: str
) -> None:
    known = ProviderSettings(name="scripted", kind="openai", model="m", base_url=address)
    providers.known["scripted"] = known
    assert page.view.chat is not None
    page.view.chat.choose(setup())
    await _counted(page)
    assert page.view.too_many.isHidden()
    core.store.add_server(stdio("many_tools", "--count", 130, "--bytes", 300))
    await core.settle()
    await _counted(page)
    words = page.view.too_many.words.text()
    assert page.view.too_many.isVisible()
    assert "128" in words
    assert ("many servers" in words) == bool(address)
    QTest.mouseClick(page.view.too_many.action, Qt.MouseButton.LeftButton)
    assert page.view.head.panel.isVisible()


async def _counted(page: ChatPage) -> None:
    done = asyncio.Event()
    page.view.head.counted.connect(done.set)
    assert page.view.chat is not None
    page.view.head.show_chat(page.view.chat)  # has them counted anew
    async with asyncio.timeout(LIMIT):
        await done.wait()
