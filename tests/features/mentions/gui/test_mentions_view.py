"""Prompts and resources of a real server, put into a question by keys and clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.features.mentions.gui.feature import add_mentions
from desktop.features.mentions.gui.mentions_view import Mentions
from desktop.features.models.messages import UserMessage
from tests.features.chat.agent.scripted import says
from tests.features.chat.gui.conftest import idle
from tests.gui.offers import told
from tests.gui.waiting import happens, turns

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.chat.gui.composer import Composer
    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.mentions.gui.mentions_view import MentionPanel
    from desktop.gui.theme import Theme
    from tests.features.chat.gui.conftest import FakeProviders

KEY = Qt.Key


@pytest.fixture
async def mentions(page: ChatPage, core: Core, theme: Theme) -> Mentions:
    add_mentions(page, core, theme)
    page.activateWindow()
    while not page.view.composer.edit.hasFocus():
        await turns()
        page.view.composer.edit.setFocus()
    return page.view.findChildren(Mentions)[0]


@pytest.fixture
def composer(page: ChatPage) -> Composer:
    return page.view.composer


def press(key: Qt.Key) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)


async def typed(mentions: Mentions, composer: Composer, words: str) -> None:
    """Type them, the sign first: the server is asked with it."""
    QTest.keyClicks(composer.edit, words[:1])
    await happens(mentions.listed)
    QTest.keyClicks(composer.edit, words[1:])


def opened(mentions: Mentions) -> MentionPanel:
    assert mentions.panel is not None
    return mentions.panel


def names(mentions: Mentions) -> list[str]:
    return [] if mentions.list.isHidden() else [offer.label for offer in mentions.list.offers]


async def test_a_slash_lists_prompts_and_its_form_fills_the_question(
    mentions: Mentions, composer: Composer
) -> None:
    await typed(mentions, composer, "/gre")
    assert names(mentions) == ["Greet"]
    press(KEY.Key_Return)
    panel = opened(mentions)
    assert (composer.text, names(mentions)) == ("", [])
    assert panel.form.fields[0].editor.hasFocus()
    editor = panel.form.fields[0].editor
    QTest.keyClicks(editor, "A")
    await happens(editor.proposals.model().modelReset)
    assert editor.proposals.model().index(0, 0).data() == "Aa", "what the server proposes"
    QTest.keyClicks(editor, "nn")
    QTest.keyClick(panel.form.fields[0].editor, KEY.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await happens(mentions.closed)
    assert "Ann" in composer.text
    assert mentions.panel is None
    assert composer.edit.hasFocus()


async def test_a_missing_argument_is_asked_for_and_nothing_is_sent(
    mentions: Mentions, composer: Composer, core: Core
) -> None:
    await typed(mentions, composer, "/")
    press(KEY.Key_Tab)
    panel = opened(mentions)
    panel.insert.click()
    assert panel.form.problem.text() == "Missing: who"
    assert "prompts/get" not in await told(core, "seen")


async def test_a_resource_goes_with_the_question_as_a_file(
    mentions: Mentions, composer: Composer, page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("read"))
    QTest.keyClicks(composer.edit, "Sum up ")
    await typed(mentions, composer, "@ric")
    assert names(mentions) == ["Rich"]
    press(KEY.Key_Return)
    await happens(mentions.closed)
    assert composer.text == "Sum up Rich "
    assert "test://rich (offers)" in composer.files.chips[0].words.accessibleName()
    composer.request_send()
    chat = page.view.chat
    assert chat is not None
    await idle(chat)
    (asked,) = providers.model.requests[0].messages
    assert isinstance(asked, UserMessage)
    assert asked.text.endswith("test://rich (offers):\n```\ntext of test://rich\n```")


async def test_a_template_asks_for_its_variables(mentions: Mentions, composer: Composer) -> None:
    await typed(mentions, composer, "@item")
    press(KEY.Key_Return)
    panel = opened(mentions)
    panel.form.fill({"id": "1", "lang": "de"})
    panel.insert.click()
    await happens(mentions.closed)
    assert [chip.file.name for chip in composer.files.chips] == ["test://item/1?lang=de (offers)"]


async def test_what_the_server_refuses_is_said_and_can_be_tried_again(
    mentions: Mentions, composer: Composer
) -> None:
    await typed(mentions, composer, "@item")
    press(KEY.Key_Return)
    panel = opened(mentions)
    panel.form.fill({"id": "none"})
    panel.insert.click()
    await happens(panel.failed)
    assert "not found" in panel.error.message.text()
    panel.form.fill({"id": "1", "lang": "de"})
    panel.insert.click()
    await happens(mentions.closed)
    assert len(composer.files.chips) == 1


async def test_keys_choose_in_the_list_and_escape_leaves_the_words(
    mentions: Mentions, composer: Composer
) -> None:
    await typed(mentions, composer, "@")
    assert names(mentions) == ["Rich", "blob", "Item"]
    press(KEY.Key_Down)
    press(KEY.Key_Down)
    press(KEY.Key_Down)
    press(KEY.Key_Up)
    assert mentions.list.current is mentions.list.offers[1]
    press(KEY.Key_Escape)
    QTest.keyClicks(composer.edit, "b")
    assert (names(mentions), composer.text) == ([], "@b")
    QTest.keyClicks(composer.edit, " @b")
    assert names(mentions) == ["blob"]


async def test_enter_sends_where_nothing_fits(
    mentions: Mentions, composer: Composer, page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("ok"))
    await typed(mentions, composer, "/no-such-prompt")
    assert names(mentions) == []
    press(KEY.Key_Return)
    assert composer.text == ""
    chat = page.view.chat
    assert chat is not None
    await idle(chat)


async def test_a_click_chooses(mentions: Mentions, composer: Composer) -> None:
    await typed(mentions, composer, "@")
    rows = mentions.list.list
    place = rows.visualRect(rows.model().index(0, 0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    await happens(mentions.closed)
    assert composer.text == "Rich "
    assert composer.edit.hasFocus()


async def test_letters_beside_the_plane_are_counted_as_qt_does(
    mentions: Mentions, composer: Composer
) -> None:
    composer.edit.set_text("🎉🎉 ")
    await typed(mentions, composer, "@ri")
    press(KEY.Key_Return)
    await happens(mentions.closed)
    assert composer.text == "🎉🎉 Rich "


async def test_an_empty_list_says_why_until_a_server_is_ready(
    mentions: Mentions, composer: Composer, core: Core
) -> None:
    core.store.set_enabled("offers", enabled=False)
    await core.settle()
    QTest.keyClicks(composer.edit, "/")
    assert mentions.list.note.text() == "No connected server offers prompts."
    press(KEY.Key_Return)
    assert composer.text == "/", "a sign alone is no question"
    QTest.keyClicks(composer.edit, "gre")
    assert names(mentions) == []
    core.store.set_enabled("offers", enabled=True)
    await happens(mentions.listed)
    assert names(mentions) == ["Greet"]


async def test_a_list_that_failed_is_asked_for_again_with_the_next_mention(
    mentions: Mentions, composer: Composer, core: Core
) -> None:
    await told(core, "refuse", method="prompts/list")
    await typed(mentions, composer, "/gre")
    assert "broken" in mentions.list.note.text()
    await told(core, "refuse")
    for _ in "/gre":
        press(KEY.Key_Backspace)
    await typed(mentions, composer, "/gre")
    assert names(mentions) == ["Greet"]


async def test_another_conversation_closes_the_panel(
    mentions: Mentions, composer: Composer, page: ChatPage, providers: FakeProviders
) -> None:
    providers.model.steps.append(says("ok"))
    QTest.keyClicks(composer.edit, "begin")
    press(KEY.Key_Return)
    chat = page.view.chat
    assert chat is not None
    await idle(chat)
    await typed(mentions, composer, "/")
    press(KEY.Key_Return)
    assert mentions.panel is not None
    page.new_chat()
    assert mentions.panel is None
