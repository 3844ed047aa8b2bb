from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.base.errors import DesktopError
from desktop.config.providers import ProviderSettings
from desktop.features.chat.gui.sampling_view import MAX_EDITORS, SamplingView, proposed_model
from desktop.gui.results.image import ImageCard
from desktop.servers.requests import BY_HAND, Declined, SamplingAnswer, ToolUse
from desktop.values.tool_types import Content, ToolDefinition
from tests.features.chat.agent.scripted import Scripted
from tests.features.chat.gui.conftest import FakeProviders
from tests.gui.requests.asked import prompt
from tests.gui.waiting import noted, turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.servers.requests import SamplingRequest

    Show = Callable[[SamplingRequest], SamplingView]

LEFT = Qt.MouseButton.LeftButton


class Model:
    """Answers what it is asked, as the one who asks says."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, SamplingRequest]] = []
        self.answer: SamplingAnswer | Exception = SamplingAnswer((Content("text", "42"),), "m-1")
        self.never = False

    async def __call__(self, provider: str, model: str, request: SamplingRequest) -> SamplingAnswer:
        self.asked.append((provider, model, request))
        if self.never:
            await asyncio.Event().wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def providers() -> FakeProviders:
    made = FakeProviders(Scripted([]))
    made.known["mine"] = ProviderSettings(
        name="mine", kind="openai", base_url="http://localhost:1", model="small"
    )
    return made


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, providers: FakeProviders, model: Model) -> Show:
    def make(request: SamplingRequest) -> SamplingView:
        view = SamplingView(theme, request, providers, model)
        qtbot.addWidget(view)
        view.show()
        view.answers.arm()
        return view

    return make


async def press(view: SamplingView, name: str) -> None:
    view.answers.arm()
    QTest.mouseClick(getattr(view, name), LEFT)
    await turns(5)


async def test_no_model_is_asked_before_a_click_nor_anything_sent_before_another(
    show: Show, model: Model
) -> None:
    view = show(prompt("a poem", system="Be brief."))
    answers = noted(view.answered)
    await turns(5)
    unasked = list(model.asked)
    await press(view, "ask")
    unsent = list(answers)
    await press(view, "send_answer")

    assert unasked == []
    assert model.asked == [("mine", "small", prompt("a poem", system="Be brief."))]
    assert unsent == []
    assert answers == [(SamplingAnswer((Content("text", "42"),), "m-1"),)]


async def test_what_the_person_corrects_is_what_the_model_gets(show: Show, model: Model) -> None:
    view = show(prompt("one", "two", "three", system="old"))
    editors = view.prompt.findChildren(type(view.prompt.system))
    next(editor for editor in editors if editor.toPlainText() == "three").setPlainText("3")
    view.prompt.system.setPlainText("new")
    view.prompt.tokens.setText("7")
    await press(view, "ask")

    assert model.asked[0][2] == prompt("one", "two", "3", system="new", max_tokens=7)


@pytest.mark.parametrize("limit", ["", "many", "0", "32001"])
async def test_a_limit_that_is_none_is_said_and_nobody_is_asked(
    show: Show, model: Model, limit: str
) -> None:
    view = show(prompt())
    view.prompt.tokens.setText(limit)
    await press(view, "ask")

    assert model.asked == []
    assert view.problem.isVisible()


async def test_the_answer_can_be_corrected_and_keeps_what_is_not_text(
    show: Show, model: Model
) -> None:
    use = ToolUse("t1", "look", {"at": "it"})
    model.answer = SamplingAnswer((Content("text", "wait"), use), "m-1", "toolUse")
    view = show(prompt(tools=(ToolDefinition("files", "look"),)))
    answers = noted(view.answered)
    await press(view, "ask")
    view.answer_text.setPlainText("look")
    await press(view, "send_answer")

    assert "look" in view.others.text()
    assert answers == [(SamplingAnswer((Content("text", "look"), use), "m-1", "toolUse"),)]


async def test_an_answer_can_be_written_by_hand(show: Show, model: Model) -> None:
    view = show(prompt())
    answers = noted(view.answered)
    await press(view, "by_hand")
    empty = view.send_answer.isEnabled()
    view.answer_text.setPlainText("Mine")
    await press(view, "send_answer")

    assert not empty
    assert answers == [(SamplingAnswer((Content("text", "Mine"),), BY_HAND),)]
    assert model.asked == []


async def test_it_can_be_refused(show: Show) -> None:
    view = show(prompt())
    answers = noted(view.answered)
    await press(view, "decline")

    assert answers == [(Declined(),)]


async def test_without_a_provider_it_is_by_hand_or_no(
    show: Show, providers: FakeProviders, model: Model
) -> None:
    providers.places["mine"] = "missing"
    view = show(prompt())
    await press(view, "ask")

    assert view.no_provider.isVisible()
    assert not view.ask.isEnabled()
    assert view.by_hand.isEnabled()
    assert model.asked == []


async def test_a_model_that_fails_is_said_and_can_be_asked_again(show: Show, model: Model) -> None:
    model.answer = DesktopError("mine is out of credit.")
    view = show(prompt())
    await press(view, "ask")
    said = view.problem.text()
    await press(view, "ask")

    assert "out of credit" in said
    assert len(model.asked) == 2


async def test_a_request_that_has_ended_asks_no_longer(show: Show, model: Model) -> None:
    model.never = True
    view = show(prompt())
    await press(view, "ask")
    asking = view.is_asking
    view.finish()
    await turns(5)

    assert asking
    assert not view.is_asking


async def test_a_hundred_messages_are_all_sent_and_the_last_can_be_edited(
    show: Show, model: Model
) -> None:
    request = prompt(*map(str, range(100)))
    view = show(request)
    editors = view.prompt.findChildren(type(view.prompt.system))
    await press(view, "ask")

    assert len(editors) == MAX_EDITORS + 2  # the system prompt, and what is before them
    assert model.asked[0][2] == request


async def test_a_picture_for_the_model_is_in_sight_and_sent(show: Show, model: Model) -> None:
    picture = Content("image", data=b"\x89PNG\r\n", mime="image/png")
    request = prompt("what is this?")
    (message,) = request.messages
    request = replace(request, messages=(replace(message, blocks=(*message.blocks, picture)),))
    view = show(request)
    card = view.prompt.findChild(ImageCard)
    await press(view, "ask")

    assert card is not None
    assert card.isVisible()
    assert model.asked[0][2] == request


def test_letters_that_cannot_be_seen_are_said(show: Show) -> None:
    assert "invisible characters" in show(prompt("pay\u200bme")).prompt.about.text()
    assert "cannot be seen" not in show(prompt("pay me")).prompt.about.text()


def test_the_model_that_a_server_hints_at_is_proposed(providers: FakeProviders) -> None:
    providers.known["anthropic"] = ProviderSettings(name="anthropic", kind="anthropic", model="c-4")

    hinted = proposed_model(prompt(hints=("C-",)), providers, ("mine", "big"))
    assert hinted == ("anthropic", "c-4")
    assert proposed_model(prompt(), providers, ("mine", "big")) == ("mine", "big")
    assert proposed_model(prompt(), providers, ("gone", "x")) == ("mine", "small")
    providers.places["mine"] = "missing"
    assert proposed_model(prompt(), providers, ("mine", "big")) == ("anthropic", "c-4")
