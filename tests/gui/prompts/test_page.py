"""Prompts of a real server, filled in, looked at and copied."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit

from desktop.gui.activity.page import ActivityPage
from desktop.gui.prompts.page import PromptsPage, PromptView, conversation_text
from desktop.history.records import Summary
from desktop.values.prompt_types import Prompt, PromptArgument, PromptMessage
from desktop.values.tool_types import Content
from tests.gui.offers import offering_core, seen
from tests.gui.waiting import happens

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Theme

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    async with offering_core(tmp_path) as made:
        yield made


@pytest.fixture
async def view(window: MainWindow, core: Core) -> PromptView:
    """That of the server's one prompt."""
    window.show_page("prompts")
    page = window.page("prompts")
    assert isinstance(page, PromptsPage)
    while not page.list.shown:
        await happens(page.refreshed)
    page.list.activated.emit("offers:greet")
    assert isinstance(page.view, PromptView)
    return page.view


async def got(view: PromptView, **values: str) -> None:
    view.form.fill(values)
    QTest.mouseClick(view.get_button, LEFT)
    await happens(view.got)


async def test_nothing_is_sent_while_a_required_argument_is_missing(
    view: PromptView, core: Core
) -> None:
    QTest.mouseClick(view.get_button, LEFT)

    assert view.form.problem.text() == "Missing: who"
    assert "prompts/get" not in await seen(core)


async def test_the_messages_of_the_server_are_shown_with_who_says_them(view: PromptView) -> None:
    await got(view, who="Ada")
    texts = [each.toPlainText() for each in view.messages.findChildren(QPlainTextEdit)]

    assert view.messages.isVisible()
    assert texts[0] == "Hello Ada"
    assert not view.error.isVisible()


async def test_the_text_can_be_copied(view: PromptView) -> None:
    await got(view, who="Ada")
    QTest.mouseClick(view.copy, LEFT)
    assert QApplication.clipboard().text() == "User: Hello Ada\n\nAssistant: inside"


async def test_a_prompt_that_fails_says_why(view: PromptView, core: Core) -> None:
    await core.service.connection("offers").disconnect()
    await got(view, who="Ada")

    assert view.error.isVisible()
    assert not view.messages.isVisible()


async def test_the_server_proposes_values(view: PromptView) -> None:
    field = view.form.fields[0]
    proposed = await view.propose(field.argument.name, "A", {"tone": "kind"})

    assert list(proposed) == ["Aa", "Ab", "tone=kind", "greet"]


async def test_a_prompt_of_the_history_is_opened_with_its_arguments(
    window: MainWindow, core: Core
) -> None:
    window.show_page("activity")
    activity = window.page("activity")
    assert isinstance(activity, ActivityPage)
    summary = Summary(1, "offers:greet", datetime.now(UTC), 0.1, "person", "done", "", "", "prompt")
    activity.open_offer_requested.emit(summary, {"who": "Ada", "tone": 3})
    page = window.page("prompts")
    assert isinstance(page, PromptsPage)
    while page.view is None:  # its server has to list it first
        await happens(page.refreshed)
    assert isinstance(page.view, PromptView)

    assert page.view.form.values() == {"who": "Ada", "tone": "3"}
    assert page.list.current_key == "offers:greet"


async def test_letters_that_nobody_sees_are_marked(core: Core, theme: Theme, qtbot: QtBot) -> None:
    argument = PromptArgument("a\u202eb", description="c\u200bd")
    prompt = Prompt("offers", "e\u202ef", description="g\u200bh", arguments=(argument,))
    made = PromptView(theme, core.service.connection("offers"), prompt)
    qtbot.addWidget(made)
    shown = "\n".join(label.text() for label in made.findChildren(QLabel))

    assert {"a⟨U+202E⟩b", "c⟨U+200B⟩d", "e⟨U+202E⟩f", "g⟨U+200B⟩h"} <= set(shown.split("\n"))


def test_a_prompt_of_the_user_alone_is_their_text() -> None:
    hello, there = (PromptMessage("user", Content("text", text)) for text in ("Hello", "there"))
    picture = PromptMessage("user", Content("image", data=b"x", mime="image/png"))

    assert conversation_text([hello, picture, there]) == "Hello\n\nthere"
