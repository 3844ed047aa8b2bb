from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QScrollArea, QScrollBar

from desktop.features.chat.agent.message_tree import Versions
from desktop.features.chat.gui.call_card import CallCard
from desktop.features.chat.gui.entries import ModelEntry, NoticeEntry, ToolCallEntry, UserEntry
from desktop.features.chat.gui.growing_text import GrowingText
from desktop.features.chat.gui.message_list import ModelCard, NoticeCard
from desktop.features.chat.gui.user_card import UserCard
from desktop.features.models.messages import Image
from desktop.gui.widgets.collapse_button import CollapseButton
from desktop.gui.widgets.server_faces import face
from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse
from desktop.values.tool_types import Content, ErrorCode, ToolDefinition, ToolResult, failed
from tests.features.chat.gui.conftest import told
from tests.gui.results.images import png
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.gui.widgets.approval_panel import ApprovalPanel


def test_space_opens_and_closes_it(qtbot: QtBot, theme: Theme) -> None:
    fold = CollapseButton(theme)
    qtbot.addWidget(fold)
    told: list[bool] = []
    fold.opened.connect(told.append)
    QTest.keyClick(fold, Qt.Key.Key_Space)
    QTest.keyClick(fold, Qt.Key.Key_Space)
    assert told == [True, False]


LEFT = Qt.MouseButton.LeftButton


def _card(qtbot: QtBot, theme: Theme, entry: ToolCallEntry) -> CallCard:
    card = CallCard(theme, entry)
    qtbot.addWidget(card)
    card.resize(700, 100)
    card.show()
    return card


def test_it_says_which_tool_and_how_it_went(qtbot: QtBot, theme: Theme) -> None:
    result = ToolResult(True, "forty\ntwo", execution_time=0.5)
    entry = ToolCallEntry("1", "s__t", "s:t", {"a": 1}, state="done", result=result, elapsed=0.5)
    card = _card(qtbot, theme, entry)
    assert card.title.accessibleName() == "s:t"
    assert (card.state.text(), card.time.text()) == ("Done", "500 ms")
    assert card.line.accessibleName() == "forty two"
    assert card.accessibleName() == "Call of s:t: Done"


def test_arguments_and_result_are_built_when_it_is_opened(qtbot: QtBot, theme: Theme) -> None:
    image = Content("image", data=png(8, 8), mime="image/png")
    result = ToolResult(True, "[Image: image/png]", content=(image,))
    card = _card(
        qtbot, theme, ToolCallEntry("1", "x", "s:t", {"a": 1}, state="done", result=result)
    )
    assert (card.arguments, card.result) == (None, None)
    QTest.mouseClick(card.fold, LEFT)
    assert card.arguments is not None
    assert card.result is not None
    assert card.arguments.short.toPlainText() == '{\n  "a": 1\n}'
    assert len(card.result.feed.parts) == 1
    QTest.mouseClick(card.fold, LEFT)
    assert not card.result.isVisible()


async def test_opened_it_has_no_scroll_bar_inside_that_of_the_conversation(
    qtbot: QtBot, theme: Theme
) -> None:
    lines = "\n".join(f"line {number}" for number in range(40))
    result = ToolResult(True, lines, structured={"lines": lines.splitlines()}, meta={"a": "b"})
    card = _card(
        qtbot, theme, ToolCallEntry("1", "x", "s:t", {"text": lines}, state="done", result=result)
    )
    area = QScrollArea()
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    area.setWidget(card)
    area.resize(700, 500)
    area.show()
    card.fold.click()
    assert card.arguments is not None
    assert card.result is not None
    (text,) = card.arguments.texts
    before = text.height()
    text.more.click()
    await turns(20)
    assert (text.height() > 2 * before, text.more.isVisible()) == (True, False)
    inner = [bar for each in card.findChildren(QAbstractScrollArea) for bar in bars(each)]
    assert inner
    assert not [bar for bar in inner if bar.isVisible()]


def bars(area: QAbstractScrollArea) -> tuple[QScrollBar, QScrollBar]:
    return area.verticalScrollBar(), area.horizontalScrollBar()


def test_what_could_not_be_read_is_shown_as_it_was_written(qtbot: QtBot, theme: Theme) -> None:
    result = failed("X", "No such tool.", ErrorCode.NOT_FOUND)
    entry = ToolCallEntry("1", "nothing", text="{broken", state="failed", result=result)
    card = _card(qtbot, theme, entry)
    assert card.title.accessibleName() == "nothing"
    assert not card.open_in_tools.isEnabled()
    card.fold.click()
    assert card.arguments is not None
    assert card.arguments.short.toPlainText() == "{broken"


def test_the_question_comes_and_goes(qtbot: QtBot, theme: Theme) -> None:
    question = ApprovalQuestion("1", ToolDefinition("s", "t"), {})
    entry = ToolCallEntry("1", "x", "s:t", state="asking", question=question)
    card = _card(qtbot, theme, entry)
    answers = told(card.answered)
    assert card.question is not None
    card.question.arm()
    card.question.deny.click()
    entry.question, entry.state = None, "denied"
    card.refresh()
    assert answers == [("1", ApprovalResponse("deny"))]
    assert (card.question, card.state.text()) == (None, "Denied")


def test_it_is_opened_in_its_form(qtbot: QtBot, theme: Theme) -> None:
    card = _card(qtbot, theme, ToolCallEntry("1", "x", "s:t", {"a": 1}))
    opened = told(card.open_call_requested)
    QTest.mouseClick(card.open_in_tools, LEFT)
    assert opened == [("s:t", {"a": 1})]


def test_a_missing_key_leads_to_the_settings(qtbot: QtBot, theme: Theme) -> None:
    card = NoticeCard(theme, NoticeEntry("failed", "The key is wrong.", cause="key"))
    qtbot.addWidget(card)
    card.show()
    wanted: list[str] = []
    card.settings_requested.connect(lambda: wanted.append("settings"))
    card.settings.click()
    assert wanted == ["settings"]
    assert "The key is wrong." in card.accessibleName()


def _asking(
    qtbot: QtBot, theme: Theme
) -> tuple[CallCard, ApprovalPanel, list[tuple[str, ApprovalResponse]]]:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    question = ApprovalQuestion("1", ToolDefinition("s", "t", input_schema=schema), {"path": "x"})
    entry = ToolCallEntry("1", "x", "s:t", state="asking", question=question)
    card = _card(qtbot, theme, entry)
    assert card.question is not None
    return card, card.question, told(card.answered)  # type: ignore[return-value] # what it sends


@pytest.mark.parametrize(("key", "choice"), [("A", "once"), ("D", "deny")])
def test_a_key_answers_once_the_card_has_the_focus(
    qtbot: QtBot, theme: Theme, key: str, choice: str
) -> None:
    card, question, answers = _asking(qtbot, theme)
    card.activateWindow()
    card.setFocus()
    qtbot.waitUntil(card.hasFocus, timeout=5000)
    assert question.keys.isVisible()
    QTest.keyClicks(card, key)
    assert answers == []  # it appeared just now
    question.arm()
    QTest.keyClicks(card, key, Qt.KeyboardModifier.ControlModifier)
    held = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key[f"Key_{key}"], Qt.KeyboardModifier.NoModifier, key, True
    )
    QApplication.sendEvent(card, held)
    assert answers == []
    QTest.keyClicks(card, key)
    QTest.keyClicks(card, key)
    assert [(call, answer.choice) for call, answer in answers] == [("1", choice)]


def test_no_key_answers_while_a_person_types(qtbot: QtBot, theme: Theme) -> None:
    card, question, answers = _asking(qtbot, theme)
    card.activateWindow()
    question.arm()
    question.more.click()
    for field in (question.reason, question.arguments.short, question.more):
        field.setFocus()
        qtbot.waitUntil(field.hasFocus, timeout=5000)
        QTest.keyClicks(field, "adADad")
    assert answers == []
    assert question.reason.text() == "adADad"
    assert not question.keys.isVisible()


def test_e_opens_the_form_and_then_letters_are_letters(qtbot: QtBot, theme: Theme) -> None:
    card, question, answers = _asking(qtbot, theme)
    card.activateWindow()
    card.setFocus()
    qtbot.waitUntil(card.hasFocus, timeout=5000)
    question.arm()
    QTest.keyClicks(card, "E")
    assert question.form is not None
    typing = QApplication.focusWidget()
    assert typing is not None
    assert question.form.isAncestorOf(typing)
    QTest.keyClicks(typing, "ad")
    card.setFocus()
    QTest.keyClicks(card, "A")
    assert answers == []


def test_a_card_takes_the_focus_only_while_it_asks(qtbot: QtBot, theme: Theme) -> None:
    card, _, _ = _asking(qtbot, theme)
    assert card.focusPolicy() == Qt.FocusPolicy.StrongFocus
    card.entry.question, card.entry.state = None, "done"
    card.refresh()
    assert card.focusPolicy() == Qt.FocusPolicy.NoFocus


def _seconds(card: NoticeCard) -> int:
    found = re.search(r"in (\d+) s", card.words.text())
    assert found is not None
    return int(found[1])


def test_a_wait_for_the_next_attempt_counts_down_and_goes(qtbot: QtBot, theme: Theme) -> None:
    notice = NoticeEntry("retry", "Busy.", time.monotonic() + 1000, 1)
    card = NoticeCard(theme, notice)
    qtbot.addWidget(card)
    card.show()
    notice.attempt, notice.due = 2, time.monotonic() + 400
    card.refresh()
    assert "Next attempt (2) in" in card.words.text()
    assert not card.settings.isVisible()
    assert _seconds(card) > 300
    notice.due -= 200
    qtbot.waitUntil(lambda: _seconds(card) <= 200, timeout=5000)
    notice.due -= 300
    qtbot.waitUntil(lambda: card.words.text().endswith("Trying again (2)…"), timeout=5000)
    notice.is_over = True
    card.refresh()
    assert not card.isVisible()


def test_stopped_is_a_quiet_word(qtbot: QtBot, theme: Theme) -> None:
    card = NoticeCard(theme, NoticeEntry("stopped"))
    qtbot.addWidget(card)
    card.show()
    assert (card.words.text(), card.icon.isVisible()) == ("Stopped.", False)


def test_a_question_is_shown_letter_by_letter(qtbot: QtBot, theme: Theme) -> None:
    card = UserCard(
        theme, UserEntry(GrowingText("**why** <b>?</b>"), (Image(png(4, 4), "image/png"),))
    )
    qtbot.addWidget(card)
    card.show()
    assert card.text.proses[0].toPlainText() == "**why** <b>?</b>"
    assert len(card.pictures.pictures) == 1
    assert card.accessibleName() == "You: **why** <b>?</b>"


def test_thoughts_are_folded_and_built_when_opened(qtbot: QtBot, theme: Theme) -> None:
    entry = ModelEntry(GrowingText("Yes"), GrowingText("Is it so?"))
    card = ModelCard(theme, entry)
    qtbot.addWidget(card)
    card.show()
    assert card.thinking is None
    QTest.mouseClick(card.fold, LEFT)
    assert card.thinking is not None
    assert card.thinking.proses[0].toPlainText() == "Is it so?"
    QTest.mouseClick(card.fold, LEFT)
    assert not card.thinking.isVisible()


def test_copy_takes_all_of_the_answer_as_it_was_written(qtbot: QtBot, theme: Theme) -> None:
    whole = "**a** " * 10_000
    card = ModelCard(theme, ModelEntry(GrowingText(whole)))
    qtbot.addWidget(card)
    card.show()
    QTest.mouseClick(card.copy, LEFT)
    assert QGuiApplication.clipboard().text() == whole


def test_while_it_arrives_there_is_nothing_to_copy(qtbot: QtBot, theme: Theme) -> None:
    entry = ModelEntry(GrowingText(), GrowingText("hm"), is_live=True)
    card = ModelCard(theme, entry)
    qtbot.addWidget(card)
    card.show()
    assert (card.fold.text(), card.copy.isVisible()) == ("Thinking…", False)
    entry.text.add("So")
    entry.is_live = False
    card.refresh()
    assert (card.fold.text(), card.copy.isVisible()) == ("Thoughts", True)


def test_a_link_is_only_offered(qtbot: QtBot, theme: Theme) -> None:
    card = ModelCard(theme, ModelEntry(GrowingText("[x](https://a.example)")))
    qtbot.addWidget(card)
    card.show()
    assert card.links is None
    card.text.link_activated.emit(QUrl("https://a.example"))
    assert card.links is not None
    assert card.links.link.text() == "https://a.example"


def test_a_question_is_edited_in_place_and_enter_sends_it(qtbot: QtBot, theme: Theme) -> None:
    card = UserCard(theme, UserEntry(GrowingText("old words"), number=0))
    qtbot.addWidget(card)
    card.show()
    sent = told(card.edited)
    assert not card.change.isEnabled()
    card.show_versions(None, can_change=True)
    QTest.mouseClick(card.change, LEFT)
    assert card.editor is not None
    assert not card.bubble.isVisible()
    QTest.keyClick(card.editor.edit, Qt.Key.Key_Escape)
    assert card.editor is None
    assert (card.bubble.isVisible(), sent) == (True, [])
    card.change.click()
    assert card.editor is not None
    card.editor.edit.set_text("  ")
    QTest.keyClick(card.editor.edit, Qt.Key.Key_Return)
    assert sent == []
    card.editor.edit.set_text("new words")
    QTest.keyClick(card.editor.edit, Qt.Key.Key_Return)
    assert sent == [(card.entry, "new words")]


def test_the_versions_of_a_question_are_counted_and_chosen(qtbot: QtBot, theme: Theme) -> None:
    card = UserCard(theme, UserEntry(GrowingText("words"), number=0))
    qtbot.addWidget(card)
    card.show()
    wanted = told(card.version_requested)
    card.show_versions(Versions((1,), 0), can_change=True)
    assert not card.version.isVisible()
    card.show_versions(Versions((1, 4, 6), 1), can_change=True)
    assert card.version.text() == "2 / 3"
    QTest.mouseClick(card.earlier, LEFT)
    QTest.mouseClick(card.later, LEFT)
    assert wanted == [(card.entry, 0), (card.entry, 2)]
    card.show_versions(Versions((1, 4, 6), 2), can_change=True)
    assert not card.later.isEnabled()
    card.show_versions(Versions((1, 4, 6), 1), can_change=False)
    assert not card.earlier.isEnabled()


def test_a_call_has_the_face_of_its_server_once_that_is_known(qtbot: QtBot, theme: Theme) -> None:
    entry = ToolCallEntry("1", "nothing", "", {}, state="waiting")
    card = _card(qtbot, theme, entry)
    assert card.face.isHidden()
    entry.key = "files:read"
    card.refresh()
    assert card.face.isVisible()
    assert card.face.pixmap().toImage() == face(theme, "files").toImage()
