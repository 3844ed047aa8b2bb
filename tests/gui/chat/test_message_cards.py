from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop.agent.events import ApprovalQuestion, ApprovalResponse
from desktop.gui.chat.entries import ModelEntry, NoticeEntry, ToolCallEntry, UserEntry
from desktop.gui.chat.markdown_text import GrowingText
from desktop.gui.chat.message_cards import CallCard, CollapseButton, ModelCard, NoticeCard, UserCard
from desktop.llm.messages import Image
from desktop.tool_types import Content, ErrorCode, ToolDefinition, ToolResult, failed
from tests.gui.chat.conftest import told
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


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
    assert card.arguments.toPlainText() == '{\n  "a": 1\n}'
    assert len(card.result.feed.parts) == 1
    QTest.mouseClick(card.fold, LEFT)
    assert not card.result.isVisible()


def test_what_could_not_be_read_is_shown_as_it_was_written(qtbot: QtBot, theme: Theme) -> None:
    result = failed("X", "No such tool.", ErrorCode.NOT_FOUND)
    entry = ToolCallEntry("1", "nothing", text="{broken", state="failed", result=result)
    card = _card(qtbot, theme, entry)
    assert card.title.accessibleName() == "nothing"
    assert not card.open_in_tools.isEnabled()
    card.fold.click()
    assert card.arguments is not None
    assert card.arguments.toPlainText() == "{broken"


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


def test_a_retry_is_told_anew_each_time(qtbot: QtBot, theme: Theme) -> None:
    notice = NoticeEntry("retry", "Busy.", 1.0, 1)
    card = NoticeCard(theme, notice)
    qtbot.addWidget(card)
    card.show()
    notice.attempt, notice.seconds = 2, 4.0
    card.refresh()
    assert "(2) in 4 s" in card.words.text()
    assert not card.settings.isVisible()


def test_stopped_is_a_quiet_word(qtbot: QtBot, theme: Theme) -> None:
    card = NoticeCard(theme, NoticeEntry("stopped"))
    qtbot.addWidget(card)
    card.show()
    assert (card.words.text(), card.icon.isVisible()) == ("Stopped.", False)


def test_a_question_is_shown_letter_by_letter(qtbot: QtBot, theme: Theme) -> None:
    card = UserCard(UserEntry(GrowingText("**why** <b>?</b>"), (Image(png(4, 4), "image/png"),)))
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
