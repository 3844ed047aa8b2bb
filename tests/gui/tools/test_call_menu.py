from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from desktop.config.models import ServerConfig
from desktop.gui.form.schema_form import SchemaForm
from desktop.gui.tools.call_menu import FORMS, ArgumentClipboard, CallMenu, call_text
from desktop.gui.widgets.inline_notice import InlineNotice
from tests.gui.tools.fakes import TEXT_SCHEMA, tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import ToolDefinition

ECHO = tool("one:echo", TEXT_SCHEMA)
COPIED_SERVER = ServerConfig(name="one", transport="stdio", command="server")


def test_each_form_is_what_its_reader_wants() -> None:
    arguments = {"text": "hi"}
    assert json.loads(call_text("arguments", ECHO, arguments, None)) == arguments
    assert json.loads(call_text("request", ECHO, arguments, None))["params"]["name"] == "echo"
    assert call_text("command", ECHO, arguments, None) == "mcp-desktop call one:echo text=hi"
    assert 'TOOL = "echo"' in call_text("python", ECHO, arguments, COPIED_SERVER)


def test_a_program_needs_to_know_the_server() -> None:
    with pytest.raises(ValueError, match="not in the config"):
        call_text("python", ECHO, {}, None)


LEFT = Qt.MouseButton.LeftButton
SERVER = ServerConfig(name="one", transport="stdio", command="server", env={"KEY": "hush"})


@dataclass
class Desk:
    """A form, a notice, and the exchange between them and the clipboard."""

    owner: QWidget
    form: SchemaForm
    notice: InlineNotice
    exchange: ArgumentClipboard

    def says(self) -> str:
        return "" if self.notice.isHidden() else self.notice.words.text()


@dataclass
class Call:
    tool: ToolDefinition
    form: SchemaForm


@pytest.fixture
def desk(theme: Theme, qtbot: QtBot) -> Desk:
    owner = QWidget()
    qtbot.addWidget(owner)
    call = Call(tool("one:echo", TEXT_SCHEMA), SchemaForm(TEXT_SCHEMA, theme, owner))
    notice = InlineNotice(theme, "accent", owner)
    owner.show()
    QApplication.clipboard().setText("before")
    exchange = ArgumentClipboard(call, {"one": SERVER}.get, notice, owner)
    return Desk(owner, call.form, notice, exchange)


def clipboard() -> str:
    return QApplication.clipboard().text()


def test_a_call_is_copied_as_what_it_is_for(desk: Desk, qtbot: QtBot) -> None:
    desk.form.set_value({"text": "it's"})
    with qtbot.waitSignal(desk.exchange.copied):
        desk.exchange.copy("arguments")
    assert json.loads(clipboard()) == {"text": "it's"}
    desk.exchange.copy("python")
    assert 'TOOL = "echo"' in clipboard()
    assert "hush" not in clipboard()


def test_what_cannot_be_read_is_not_copied_and_says_so(desk: Desk) -> None:
    desk.form.show_json()
    desk.form.json.set_text("{oh")
    desk.exchange.copy("arguments")
    assert clipboard() == "before"
    assert "invalid JSON" in desk.says()
    assert desk.exchange.arguments() is None


def test_what_cannot_be_written_says_why(desk: Desk) -> None:
    desk.form.set_value({"text": "x" * 200_000})
    desk.exchange.copy("command")
    assert clipboard() == "before"
    assert "too long for a command line" in desk.says()


def test_a_pasted_call_fills_the_form_and_can_be_taken_back(desk: Desk) -> None:
    desk.form.set_value({"text": "mine"})
    QApplication.clipboard().setText('{"name": "other", "arguments": {"text": "theirs"}}')
    desk.exchange.paste()
    assert desk.form.value() == {"text": "theirs"}
    assert desk.says() == "Pasted from a call of other."
    QTest.mouseClick(desk.notice.action, LEFT)
    assert desk.form.value() == {"text": "mine"}
    assert desk.says() == ""


@pytest.mark.parametrize(
    ("copied", "words"),
    [
        ("{oh", "not valid JSON: line 1, column 2"),
        ("[1]", "does not contain a JSON object"),
        ("", "not valid JSON"),
    ],
)
def test_what_was_copied_and_is_no_call_changes_nothing(
    desk: Desk, copied: str, words: str
) -> None:
    desk.form.set_value({"text": "mine"})
    QApplication.clipboard().setText(copied)
    desk.exchange.paste()
    assert desk.form.value() == {"text": "mine"}
    assert words in desk.says()


def test_text_that_is_not_json_yet_comes_back_too(desk: Desk) -> None:
    desk.form.show_json()
    desk.form.json.set_text('{"text": ')
    desk.exchange.fill({"text": "history"})
    assert desk.form.value() == {"text": "history"}
    desk.exchange.put_back()
    assert desk.form.json.text == '{"text": '


def test_nothing_is_offered_back_where_there_was_nothing(desk: Desk) -> None:
    desk.exchange.fill({"text": "history"})
    assert desk.says() == ""
    desk.exchange.clear()
    assert desk.says() == "Form cleared."
    desk.exchange.put_back()
    assert desk.form.value() == {"text": "history"}


CONTROL = Qt.KeyboardModifier.ControlModifier
BOTH = CONTROL | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


@pytest.fixture
def menu(page: QWidget, theme: Theme, qtbot: QtBot) -> CallMenu:
    made = CallMenu(theme, page, page)
    QVBoxLayout(page).addWidget(made)
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    page.setFocus()
    return made


def test_every_entry_and_every_key_asks_for_its_thing(page: QWidget, menu: CallMenu) -> None:
    asked: list[str] = []
    menu.copy_requested.connect(asked.append)
    menu.paste_requested.connect(lambda: asked.append("paste"))
    menu.save_requested.connect(lambda: asked.append("save"))
    menu.history_requested.connect(lambda: asked.append("history"))
    menu.offer(has_server=True, has_save=True, has_history=True)
    for form in FORMS:
        menu.copy_actions[form].trigger()
    assert asked == list(FORMS)
    for key, held in (
        (Qt.Key.Key_C, BOTH),
        (Qt.Key.Key_V, BOTH),
        (Qt.Key.Key_S, CONTROL),
        (Qt.Key.Key_H, CONTROL),
    ):
        QTest.keyClick(page, key, held)
    assert asked[len(FORMS) :] == ["arguments", "paste", "save", "history"]


def test_what_cannot_be_done_is_not_offered(page: QWidget, menu: CallMenu) -> None:
    saved: list[None] = []
    menu.save_requested.connect(lambda: saved.append(None))
    menu.offer(has_server=False, has_save=False, has_history=False)
    assert not menu.copy_actions["python"].isEnabled()
    assert not menu.save.isVisible()
    assert not menu.history.isVisible()
    QTest.keyClick(page, Qt.Key.Key_S, CONTROL)
    assert saved == []


def test_the_menus_ask_what_can_be_done_before_they_open(menu: CallMenu, qtbot: QtBot) -> None:
    for button in (menu.copy_button, menu.more_button):
        assert button.accessibleName()
        with qtbot.waitSignal(menu.offer_requested):
            button.menu().popup(button.mapToGlobal(button.rect().bottomLeft()))
        button.menu().hide()
