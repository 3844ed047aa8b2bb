"""How much the model thinks is chosen beside the question, where the model takes that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.config.providers import ProviderSettings
from desktop.features.chat.gui.page import ChatPreferences
from desktop.features.models.model_facts import ModelFacts
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle, setup

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.features.chat.gui.chats import Chats
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders


@pytest.mark.parametrize(
    ("model", "is_shown"),
    [
        ("claude-opus-5-5", True),
        ("gpt-6.2-sol", True),
        ("gemini-3-pro", True),
        ("o1-mini", False),
        ("claude-haiku-4-5", False),
        ("gpt-4o", False),
        ("gpt-5-chat-latest", False),
        ("smollm2", False),
    ],
)
async def test_it_is_there_for_models_that_take_one(
    page: ChatPage, model: str, is_shown: bool
) -> None:
    page.new_chat().choose(setup(model=model))
    assert page.view.effort.isVisible() is is_shown


async def test_what_a_server_says_of_its_model_counts(
    page: ChatPage, providers: FakeProviders
) -> None:
    address = "http://127.0.0.1:9/v1"
    providers.known["scripted"] = ProviderSettings(name="scripted", kind="openai", base_url=address)
    providers.learned.learn(address, "mine", ModelFacts(effort=True))
    page.new_chat().choose(setup(model="mine"))
    assert page.view.effort.isVisible()


async def test_a_chosen_effort_is_sent_kept_and_remembered(
    page: ChatPage, desk: Chats, providers: FakeProviders, settings: QSettings
) -> None:
    providers.known["scripted"] = ProviderSettings(
        name="scripted", kind="openai", model="gpt-6", effort="low"
    )
    providers.model.steps += [says("one"), says("two"), says("three")]
    chat, effort = page.new_chat(), page.view.effort
    chat.choose(setup(model="gpt-6"))
    assert effort.currentText() == "Usual effort (Effort: low)"
    chat.ask("go")
    await idle(chat)
    effort.setFocus()
    QTest.keyClick(effort, Qt.Key.Key_End)
    assert chat.setup.terms.effort == "max"
    page.view.composer.edit.set_text("again")
    page.view.composer.request_send()
    await idle(chat)
    assert [each.effort for each in providers.model.requests] == [None, "max"]
    assert ChatPreferences(settings).setup.terms.effort == "max"
    stored = await desk.sessions.store.read(chat.id)
    assert stored.about.terms.effort == "max"
    QTest.keyClick(effort, Qt.Key.Key_Home)
    assert chat.setup.terms.effort is None
