from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.config.providers import ProviderSettings
from desktop.errors import DesktopError
from desktop.gui.chat.model_choice import ModelChoice
from tests.gui.chat.conftest import LIMIT, told

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.chat.conftest import FakeProviders


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
    news = told(choice.chosen)
    choice.show_choice("scripted", "mine")
    assert (choice.value, news) == (("scripted", "mine"), [])
    QTest.keyClick(choice.provider, Qt.Key.Key_Down)
    assert news == [("other", "g-1")]


def test_a_model_can_be_typed(choice: ModelChoice) -> None:
    news = told(choice.chosen)
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


async def test_a_provider_that_does_not_answer_leaves_the_field(
    choice: ModelChoice, providers: FakeProviders
) -> None:
    choice.show_choice("scripted", "typed")
    providers.refusal = DesktopError("Not reached.")
    await _listed(choice)
    assert choice.fetch.isEnabled()
    assert choice.value == ("scripted", "typed")
