"""Conversations over a real core with real built-in servers, and a model that plays a script."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.paths import Paths
from desktop.base.signals import Signal
from desktop.config.providers import ProviderSettings
from desktop.core import build_core
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.session_info import ChatSettings
from desktop.features.chat.gui.chats import Chats
from desktop.features.chat.gui.page import ChatPage
from desktop.features.models.formats import ApiFormat
from desktop.features.models.model_facts import LearnedFacts, ModelFacts
from tests.features.chat.agent.scripted import Scripted
from tests.gui.conftest import *  # noqa: F403 - its `__all__` is what a window needs
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from PySide6.QtCore import QSettings, SignalInstance
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.interfaces import KeyPlace
    from desktop.features.chat.gui.message_list import Card
    from desktop.gui.theme import Theme


@dataclass
class FakeProviders:
    """Providers in memory; all of them are the one scripted model."""

    model: Scripted
    known: dict[str, ProviderSettings] = field(default_factory=dict[str, ProviderSettings])
    places: dict[str, KeyPlace] = field(default_factory=dict[str, "KeyPlace"])
    keys: dict[str, str] = field(default_factory=dict[str, str])
    changed: Signal[[]] = field(default_factory=lambda: Signal[[]]())
    refusal: Exception | None = None
    problem: str = ""
    learned: LearnedFacts = field(default_factory=LearnedFacts)

    def all(self) -> Sequence[ProviderSettings]:
        return tuple(self.known.values())

    def get(self, name: str) -> ProviderSettings | None:
        return self.known.get(name)

    def is_removable(self, name: str) -> bool:
        return name != "openai"

    def key_place(self, name: str) -> KeyPlace:
        return self.places.get(name, "unknown")

    def key_name(self, name: str) -> str:
        return f"{name.upper()}_API_KEY"

    async def look_for_keys(self) -> None:
        self.changed.send()

    def api_format(self, name: str) -> ApiFormat:
        return ApiFormat.OPENAI

    def facts(self, name: str, model: str) -> ModelFacts:
        return self.learned.of(self.get(name), model)

    def service(self, name: str) -> Scripted:
        if self.refusal is not None:
            raise self.refusal
        return self.model

    def save(self, provider: ProviderSettings) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.known[provider.name] = provider
        self.changed.send()

    async def remove(self, name: str) -> None:
        del self.known[name]
        self.changed.send()

    async def set_key(self, name: str, key: str) -> None:
        self.keys[name] = key
        self.places[name] = "keyring" if key else "missing"
        self.changed.send()


@pytest.fixture
def providers() -> FakeProviders:
    """One provider, `scripted`, with a key."""
    made = FakeProviders(Scripted([]))
    made.known["scripted"] = ProviderSettings(name="scripted", kind="openai", model="scripted-1")
    made.places["scripted"] = "keyring"
    return made


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    """With the calculator as a server of the person's."""
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.store.set_enabled("calculator", enabled=True)
    await made.settle()
    yield made
    await made.close()


@pytest.fixture
async def desk(core: Core, providers: FakeProviders) -> AsyncIterator[Chats]:
    made = Chats(core.part(Agent).sessions, providers)
    yield made
    await core.part(Agent).sessions.close()
    await made.close()


@pytest.fixture
async def page(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core, settings: QSettings
) -> ChatPage:
    """Shown on the running loop: it reads the list as soon as it is seen."""
    builtins = {"calculator": "calculates", "time": "tells the time"}
    made = ChatPage(theme, desk, core.registry, lambda: builtins, settings)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    return made


def setup(**changes: object) -> ChatSettings:
    values: dict[str, object] = {"provider": "scripted", "model": "scripted-1", **changes}
    return ChatSettings(**values)  # type: ignore[arg-type] # a test names the fields it wants


def told(signal: SignalInstance) -> list[tuple[Any, ...]]:
    """What a signal of a widget sends from now on."""
    sent: list[tuple[Any, ...]] = []

    def note(*values: Any) -> None:
        sent.append(values)

    signal.connect(note)
    return sent


async def until(signal: Signal[...], is_so: Callable[[], object]) -> None:
    """Wait until `is_so`, looked at now and at each send of a core signal."""
    news = asyncio.Event()
    end = signal.connect(lambda *_: news.set())
    try:
        async with asyncio.timeout(LIMIT):
            while not is_so():
                await news.wait()
                news.clear()
    finally:
        end()


async def idle(chat: Chat) -> None:
    """Until the chat is done."""
    await until(chat.changed, lambda: not chat.is_busy)


async def asked(chat: Chat, count: int = 1) -> None:
    """Until so many calls wait for a person."""
    await until(chat.changed, lambda: chat.questions == count)


def card_of(page: ChatPage, number: int, kind: type[Card]) -> Card:
    """The card of the entry with this number among those of its kind, built now."""
    view = page.view.conversation
    assert view is not None
    assert page.view.chat is not None
    view.build(page.view.chat.entries.entries[-1])
    found = [card for card in view.cards if isinstance(card, kind)]
    with suppress(IndexError):
        return found[number]
    raise AssertionError(f"there are {len(found)} cards of {kind.__name__}")
