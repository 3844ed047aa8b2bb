from __future__ import annotations

import asyncio
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.base.errors import DesktopError
from desktop.config.providers import ProviderSettings
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.header import ChatHeader, ModelChoice
from desktop.features.chat.llm.tool_choice import ToolChoice
from tests.features.chat.gui.conftest import setup, told
from tests.gui.waiting import happens
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.features.chat.agent.session_info import ChatSettings
    from desktop.features.chat.gui.chats import Chats
    from desktop.gui.theme import Theme
    from tests.features.chat.gui.conftest import FakeProviders


@pytest.fixture
def choice(qtbot: QtBot, theme: Theme, providers: FakeProviders) -> ModelChoice:
    providers.known["other"] = ProviderSettings(name="other", kind="gemini", model="g-1")
    made = ModelChoice(theme, providers)
    qtbot.addWidget(made)
    return made


async def _listed(choice: ModelChoice) -> None:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    choice.listed.connect(lambda: done.set_result(None))
    choice.fetch.click()
    await asyncio.wait_for(done, LIMIT)


def test_another_provider_brings_its_own_model(choice: ModelChoice) -> None:
    news = told(choice.model_requested)
    choice.show_choice("scripted", "mine")
    assert (choice.value, news) == (("scripted", "mine"), [])
    QTest.keyClick(choice.provider, Qt.Key.Key_Down)
    assert news == [("other", "g-1")]


def test_a_model_can_be_typed(choice: ModelChoice) -> None:
    news = told(choice.model_requested)
    choice.show_choice("scripted", "")
    assert choice.value == ("scripted", "scripted-1")
    line = choice.model.lineEdit()
    assert line is not None
    line.setText("new-model")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert news == [("scripted", "new-model")]


async def test_the_provider_is_asked_for_its_models(choice: ModelChoice) -> None:
    choice.show_choice("scripted", "typed")
    await _listed(choice)
    assert [choice.model.itemText(at) for at in range(choice.model.count())] == ["scripted-1"]
    assert choice.value == ("scripted", "typed")


async def test_the_models_are_there_when_a_provider_is_chosen_with_the_current_one_marked(
    choice: ModelChoice, providers: FakeProviders
) -> None:
    providers.known["other"] = ProviderSettings(name="other", kind="openai", model="scripted-1")
    providers.changed.send()
    choice.provider.setCurrentText("other")
    choice.provider.activated.emit(choice.provider.currentIndex())
    await happens(choice.listed)
    assert (choice.model.count(), choice.model.currentIndex()) == (1, 0)
    assert choice.model.currentText() == "scripted-1"
    assert not choice.model.view().isVisible()


async def test_a_provider_that_does_not_answer_leaves_the_field(
    choice: ModelChoice, providers: FakeProviders
) -> None:
    choice.show_choice("scripted", "typed")
    providers.refusal = DesktopError("Not reached.")
    await _listed(choice)
    assert choice.fetch.isEnabled()
    assert choice.value == ("scripted", "typed")


async def test_it_says_what_the_tools_cost_and_changes_the_setup(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(theme, desk.providers, core.registry, lambda: {"time": "tells it"})
    qtbot.addWidget(head)
    head.show()
    chat = desk.new(setup())
    told: list[ChatSettings] = []
    head.setup_changed.connect(told.append)
    counted = asyncio.Event()
    head.counted.connect(counted.set)
    head.resize(1000, 50)
    head.show_chat(chat)
    assert head.fold.text() == "Tools: 2"
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.fold.text().startswith("Tools: 2 · about ")
    head.fold.click()
    assert head.panel.isVisible()
    assert head.panel.budget.meter.words.text().endswith("tokens · an estimate")
    head.panel.off.click()
    assert told[-1].choice == ToolChoice("off")
    chat.choose(told[-1])
    counted.clear()
    head.show_chat(chat)
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.fold.text() == "Tools: 0"


async def test_a_narrow_line_keeps_its_title_and_has_the_tokens_in_the_tooltip(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(theme, desk.providers, core.registry, dict)
    qtbot.addWidget(head)
    head.resize(622, 50)  # in a window of 900 pixels
    head.show()
    counted = asyncio.Event()
    head.counted.connect(counted.set)
    chat = desk.new(setup())
    chat.title = "Best-selling books"
    head.show_chat(chat)
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.title.text() == "Best-selling books"
    assert head.fold.text() == "Tools: 2"
    assert head.fold.toolTip().startswith("Tools: 2 · about ")
    head.open_tools()
    assert head.minimumSizeHint().width() < 602  # else the list beside it gives way
    head.resize(900, 50)
    assert head.fold.text() == head.fold.toolTip()


async def test_in_the_smallest_window_the_title_has_a_line_of_its_own(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(theme, desk.providers, core.registry, dict)
    qtbot.addWidget(head)
    head.show_chat(desk.new(setup()))
    head.show()
    for width, is_above in ((439, True), (622, False), (439, True)):
        head.resize(width, 90)
        await asyncio.sleep(0)
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        places = [part.geometry() for part in (head.title, head.model, head.fold)]
        assert not any(one.intersects(two) for one, two in combinations(places, 2))
        assert (places[0].bottom() < places[1].top()) is is_above
        model = head.model.model.geometry()
        assert not model.intersects(head.model.fetch.geometry())


async def test_tools_are_counted_when_the_line_comes_into_sight(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(theme, desk.providers, core.registry, dict)
    qtbot.addWidget(head)
    head.resize(900, 50)
    head.show_chat(desk.new(setup()))
    assert head.fold.text() == "Tools: 2"
    head._soon.stop()  # pyright: ignore[reportPrivateUsage] as long ago
    counted = asyncio.Event()
    head.counted.connect(counted.set)
    head.show()
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.fold.text().startswith("Tools: 2 · about ")


async def test_another_conversation_is_not_shown_with_the_count_of_the_last(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(theme, desk.providers, core.registry, dict)
    qtbot.addWidget(head)
    head.show()
    counted = asyncio.Event()
    head.counted.connect(counted.set)
    head.show_chat(desk.new(setup()))
    await asyncio.wait_for(counted.wait(), LIMIT)

    head.show_chat(desk.new(setup(choice=ToolChoice("off"))))

    assert head.fold.text() == "Tools: 0"
    counted.clear()
    await asyncio.wait_for(counted.wait(), LIMIT)
    assert head.fold.text() == "Tools: 0"


async def test_a_built_in_server_is_given_another_folder_than_the_config_gives(
    qtbot: QtBot, theme: Theme, desk: Chats, core: Core
) -> None:
    head = ChatHeader(
        theme,
        desk.providers,
        core.registry,
        lambda: {"filesystem": "files"},
        configured=lambda name: ("/configured",) if name == "filesystem" else (),
    )
    qtbot.addWidget(head)
    head.show()
    told: list[ChatSettings] = []
    head.setup_changed.connect(told.append)
    head.show_chat(desk.new(setup(builtins=(Builtin("filesystem"),))))
    head.fold.click()
    (row,) = head.panel.rows
    assert "/configured" in row.words.text()

    row.take("/mine")

    assert told[-1].builtins == (Builtin("filesystem", ("/mine",)),)


def test_where_a_provider_of_ones_own_is_stands_beside_its_name(
    qtbot: QtBot, theme: Theme, providers: FakeProviders
) -> None:
    providers.known["mine"] = ProviderSettings(
        name="mine", kind="openai", base_url="http://localhost:11434/v1", model="qwen3:14b"
    )
    made = ModelChoice(theme, providers)
    qtbot.addWidget(made)
    made.show_choice("mine", "qwen3:14b")
    made.resize(made.minimumSizeHint())
    made.show()
    assert made.host.geometry().right() < made.model.geometry().left()
    made.resize(600, made.height())
    assert made.host.text() == "localhost:11434"
