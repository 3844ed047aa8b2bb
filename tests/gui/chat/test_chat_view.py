from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.config.providers import ProviderSettings
from tests.agent.scripted import says
from tests.gui.chat.conftest import idle, setup

if TYPE_CHECKING:
    from desktop.gui.chat.chats import Chats
    from desktop.gui.chat.interfaces import KeyPlace
    from desktop.gui.chat.page import ChatPage
    from tests.gui.chat.conftest import FakeProviders


async def test_each_missing_thing_is_a_reason_of_its_own(
    page: ChatPage, providers: FakeProviders
) -> None:
    view = page.view
    chat = view.chat
    assert chat is not None
    providers.known["other"] = ProviderSettings(name="other", kind="gemini")
    reasons: list[str] = []
    cases: tuple[tuple[str, str, KeyPlace], ...] = (
        ("gone", "m", "keyring"),
        ("other", "m", "missing"),
        ("other", "", "keyring"),
        ("other", "m", "keyring"),
    )
    for provider, model, place in cases:
        providers.places["other"] = place
        chat.choose(setup(provider=provider, model=model))
        reasons.append(view.composer.hint.text())
    assert reasons[:3] == [
        "Choose a provider above.",
        "“other” has no API key yet. Enter it in Settings.",
        "Choose a model above.",
    ]
    assert "Enter sends" in reasons[3]


async def test_a_conversation_goes_on_while_another_one_is_shown(
    page: ChatPage, desk: Chats, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("done meanwhile"))
    first = page.view.chat
    assert first is not None
    first.ask("go")
    other = page.new_chat()
    assert other is not first
    await idle(first)
    assert (page.view.chat, other.entries.entries) == (other, [])
    page.show_chat(first)
    assert page.view.conversation is not None
    assert page.view.stack.currentWidget() is page.view.conversation
    assert len(first.entries.entries) == 2
