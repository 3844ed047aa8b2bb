"""The card of a call that a person corrected shows what was sent, also when it is read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.gui.chat import Chat
from desktop.tools.approvals import ApprovalResponse
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, card_of, idle, setup

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from tests.features.chat.gui.conftest import FakeProviders

WRITTEN, SENT = {"expression": "1+1"}, {"expression": "6*7"}


async def test_it_is_marked_and_has_the_sent_arguments_before_and_after_a_restart(
    page: ChatPage, core: Core, providers: FakeProviders
) -> None:
    providers.model.steps += [calls(("mcp__calculator__evaluate", WRITTEN)), says("42")]
    chat = page.new_chat()
    chat.ask("go")
    await asked(chat)
    (call,) = chat.entries.asking
    chat.prompter.answer(call.call_id, ApprovalResponse("once", arguments=SENT))
    await idle(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.state.text() == "Done · corrected by you"
    assert card.entry.arguments == SENT
    await chat.close()

    again = Chat(core.part(Agent).sessions, providers, setup(), stored=chat.id)
    again.take_stored(await core.part(Agent).sessions.store.read(chat.id))
    page.view.show_chat(again)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.state.text() == "Done · corrected by you"
    card.fold.click()
    assert card.arguments is not None
    assert dict(card.entry.arguments) == SENT
    assert card.entry.result is not None
    assert card.entry.result.output == "42"
