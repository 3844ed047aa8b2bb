"""A conversation is begun with a preset, and answered as its setup says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.chat.agent.session_info import Builtin, ChatSettings, SessionTerms
from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.features.presets.gui.feature import add_setup
from desktop.features.presets.gui.setup import SetupButton
from desktop.features.presets.presets import Presets
from tests.features.chat.agent.scripted import calls, says
from tests.features.chat.gui.conftest import asked, card_of, idle, setup

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.chat.gui.page import ChatPage
    from desktop.gui.theme import Theme
    from tests.features.chat.gui.conftest import FakeProviders

WORK = ChatSettings(
    "scripted",
    "scripted-1",
    (Builtin("time"),),
    ToolChoice("manual", ("calculator",)),
    "Be brief.",
    SessionTerms(turns=7),
)
CALL = calls(("mcp__calculator__evaluate", {"expression": "6*7"}))


@pytest.fixture
def button(page: ChatPage, core: Core) -> SetupButton:
    add_setup(page, core)
    return page.view.composer.findChildren(SetupButton)[0]


def choices(button: SetupButton) -> list[str]:
    button.fill()
    return [action.text() for action in button.choices.actions() if action.text()]


async def test_a_new_conversation_begins_with_the_preset_that_is_chosen(
    button: SetupButton, page: ChatPage, core: Core, providers: FakeProviders
) -> None:
    Presets(core.paths).save("Work", WORK)
    providers.model.steps += [says("one"), says("two")]
    assert choices(button)[0] == "Work"
    button.choices.actions()[0].trigger()
    chat = page.view.chat
    assert chat is not None
    assert (chat.setup, button.text()) == (WORK, "System prompt ▾")
    page.view.composer.edit.set_text("go")
    page.view.composer.request_send()
    await idle(chat)
    assert providers.model.requests[0].system == "Be brief."
    assert chat.session is not None
    assert chat.session.about.settings == WORK
    choices(button)
    button.choices.actions()[0].trigger()
    assert page.view.chat is not chat


async def test_the_dialog_sets_this_conversation_and_keeps_a_preset_with_a_name(
    button: SetupButton, page: ChatPage, core: Core
) -> None:
    page.new_chat().choose(setup())
    dialog = button.edit()
    assert dialog is not None
    QTest.keyClicks(dialog.system, "Answer in verse.")
    dialog.approving.setCurrentIndex(1)
    dialog.turns.setValue(3)
    dialog.minutes.setValue(2)
    QTest.keyClicks(dialog.name, "Verse")
    dialog.accept()
    chat = page.view.chat
    assert chat is not None
    wanted = setup(system="Answer in verse.", terms=SessionTerms(None, "each", 3, 120.0))
    assert chat.setup == wanted
    assert Presets(core.paths).all() == {"Verse": wanted}
    assert choices(button)[0] == "Verse"
    button.remove("Verse")
    assert Presets(core.paths).all() == {}


async def test_a_system_prompt_stays_once_something_was_said(
    button: SetupButton, page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("one"))
    chat = page.new_chat()
    chat.choose(setup(system="Be brief."))
    chat.ask("go")
    await idle(chat)
    dialog = button.edit()
    assert dialog is not None
    assert dialog.system.isReadOnly()
    QTest.keyClicks(dialog.system, "No")
    dialog.accept()
    assert chat.setup.system == "Be brief."


async def test_all_calls_are_allowed_where_a_person_said_so_and_that_is_seen(
    button: SetupButton, page: ChatPage, providers: FakeProviders, theme: Theme
) -> None:
    providers.model.steps += [CALL, says("42"), CALL, says("42")]
    chat = page.new_chat()
    chat.choose(setup(terms=SessionTerms(approving="allow")))
    assert button.text() == "Allows all calls ▾"
    assert button.palette().buttonText().color().name() == theme.tokens.warning
    chat.ask("go")
    await idle(chat)
    card = card_of(page, 0, CallCard)
    assert isinstance(card, CallCard)
    assert card.state.text() == "Done"
    chat.choose(setup())
    chat.ask("again")
    await asked(chat)
    page.view.stop()
    await idle(chat)


async def test_each_call_is_asked_about_whatever_was_decided(
    button: SetupButton, page: ChatPage, core: Core, providers: FakeProviders
) -> None:
    from desktop.tools.approvals import ApprovalResponse

    providers.model.steps += [CALL, says("42"), CALL, says("42")]
    chat = page.new_chat()
    chat.choose(setup())
    chat.ask("go")
    await asked(chat)
    chat.prompter.answer(chat.entries.asking[0].call_id, ApprovalResponse("always"))
    await idle(chat)
    chat.choose(setup(terms=SessionTerms(approving="each")))
    chat.ask("again")
    await asked(chat)
    page.view.stop()
    await idle(chat)


async def test_a_file_that_cannot_be_read_is_said_in_the_menu(
    button: SetupButton, core: Core
) -> None:
    core.paths.data.mkdir(exist_ok=True)
    (core.paths.data / "presets.json").write_text("[", encoding="utf-8")
    assert "holds no presets" in choices(button)[0]
    assert not button.choices.actions()[0].isEnabled()


async def test_escape_leaves_the_dialog_and_changes_nothing(
    button: SetupButton, page: ChatPage
) -> None:
    chat = page.new_chat()
    before = chat.setup
    dialog = button.edit()
    assert dialog is not None
    QTest.keyClicks(dialog.system, "No")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert chat.setup == before
