from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.base.errors import DesktopError
from desktop.config.providers import ProviderSettings
from desktop.features.chat.gui.providers_section import ProvidersSection
from desktop.gui.widgets.question_dialog import QuestionDialog
from tests.features.chat.agent.scripted import Scripted
from tests.features.chat.gui.conftest import FakeProviders, until
from tests.gui.waiting import arm
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.features.chat.gui.providers_section import ProviderRow
    from desktop.gui.theme import Theme


@pytest.fixture
def providers() -> FakeProviders:
    made = FakeProviders(Scripted([]))
    made.known["openai"] = ProviderSettings(name="openai", kind="openai")
    made.known["mine"] = ProviderSettings(name="mine", kind="openai", base_url="https://x.example")
    made.places = {"openai": "environment", "mine": "missing"}
    return made


@pytest.fixture
async def section(qtbot: QtBot, theme: Theme, providers: FakeProviders) -> ProvidersSection:
    made = ProvidersSection(theme, providers)
    qtbot.addWidget(made)
    made.show()
    return made


async def _tested(row: ProviderRow) -> None:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    row.tested.connect(lambda: done.set_result(None))
    row.test.click()
    await asyncio.wait_for(done, LIMIT)


async def test_each_provider_says_where_its_key_is(section: ProvidersSection) -> None:
    first, second = section.rows
    assert first.place.text() == "Key from the environment (OPENAI_API_KEY)"
    assert (second.place.text(), second.edit.text()) == ("No key", "Enter key…")
    assert first.remove.isHidden()
    assert not second.remove.isHidden()


async def test_testing_asks_for_the_models(section: ProvidersSection) -> None:
    await _tested(section.rows[0])
    assert section.rows[0].below.text() == "Connected. Models: 1, such as scripted-1."


async def test_a_test_that_fails_says_why(
    section: ProvidersSection, providers: FakeProviders
) -> None:
    providers.refusal = DesktopError("The key is wrong.", remedy="Enter another one.")
    await _tested(section.rows[1])
    assert section.rows[1].below.text() == "The key is wrong.\nEnter another one."
    assert section.rows[1].test.isEnabled()


async def test_removing_asks_first(section: ProvidersSection, providers: FakeProviders) -> None:
    dialog = section.remove_provider("mine")
    dialog.cancel.click()
    assert "mine" in providers.known
    section.rows[1].remove.click()
    dialog = section.remove_provider("mine")
    dialog.act.click()
    await until(providers.changed, lambda: "mine" not in providers.known)
    assert [row.name for row in section.rows] == ["openai"]


async def test_a_keyring_that_fails_is_said(
    section: ProvidersSection, providers: FakeProviders
) -> None:
    providers.problem = "The keyring is locked."
    providers.changed.send()
    assert section.problem.isVisible()
    assert section.problem.text() == "The keyring is locked."


async def test_add_and_edit_open_the_dialog(section: ProvidersSection) -> None:
    for dialog in (section.add_provider(), section.edit_provider("mine")):
        assert dialog.isVisible()
        dialog.reject()


async def test_keys_typed_while_a_provider_is_tested_do_not_remove_it(
    section: ProvidersSection, providers: FakeProviders
) -> None:
    row = section.rows[1]
    section.activateWindow()
    assert QTest.qWaitForWindowActive(section)
    row.edit.setFocus()
    QTest.keyClick(row.edit, Qt.Key.Key_Tab)
    assert row.test.hasFocus()
    arm(row.remove)
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    row.tested.connect(lambda: done.set_result(None))
    QTest.keyClick(row.test, Qt.Key.Key_Space)
    assert not row.remove.hasFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Space):
        QTest.keyClick(QApplication.focusWidget() or section, key)
    await asyncio.wait_for(done, LIMIT)
    assert section.findChildren(QuestionDialog) == []
