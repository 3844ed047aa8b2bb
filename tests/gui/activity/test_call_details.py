"""One call in full: running, done, or with a result that is not kept any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.activity.call_details import CallDetails
from desktop.redaction.redactor import Redaction
from desktop.tool_types import ToolResult
from tests.gui.activity.calls import Made

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def details(theme: Theme, qtbot: QtBot) -> CallDetails:
    made = CallDetails(theme, lambda _: Redaction(["t0ken"]))
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show()
    return made


def test_a_call_is_followed_to_its_result(details: CallDetails) -> None:
    made = Made()
    call = made.start(secret="t0ken", a=1)
    (recent,) = made.recent.calls.values()
    details.show_call(recent)
    assert details.no_result.text() == "It is still running."
    assert '"a": 1' in details.arguments.editor.toPlainText()
    assert "t0ken" not in details.arguments.editor.toPlainText()
    made.finish(call, ToolResult(success=True, output="it is t0ken"))
    details.show_call(recent)
    assert details.result.text.editor.toPlainText() == "it is ‹redacted›"
    assert details.state.text() == "Done"


def test_a_result_that_made_room_is_told(details: CallDetails) -> None:
    recent = Made().whole()
    recent.result, recent.dropped = None, True
    details.show_call(recent)
    assert "made room" in details.no_result.text()


def test_opened_again_it_gives_the_arguments_as_they_were(details: CallDetails) -> None:
    wanted: list[tuple[str, object]] = []

    def note(key: str, arguments: object) -> None:
        wanted.append((key, arguments))

    details.open_call.connect(note)
    details.open_again()
    details.show_call(Made().whole(secret="t0ken"))
    details.open_in_tools.click()
    assert wanted == [("server:tool", {"secret": "t0ken"})]
    details.show_call(None)
    assert not details.splitter.isVisible()
