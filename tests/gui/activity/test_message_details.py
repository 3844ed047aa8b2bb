"""One message in full; nothing chosen is said in words. More: test_messages_view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.activity.message_details import MessageDetails
from tests.gui.activity.conftest import line

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageLog, MessageRecorder

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def details(theme: Theme, qtbot: QtBot) -> MessageDetails:
    made = MessageDetails(theme)
    qtbot.addWidget(made)
    made.resize(900, 300)
    made.show()
    return made


def test_a_message_and_the_way_to_its_answer(
    details: MessageDetails, traffic: MessageLog, tap: MessageRecorder
) -> None:
    assert not details.text.isVisible()
    tap.note("sent", line(id=1, method="ping"))
    wanted: list[int] = []
    details.wanted.connect(wanted.append)
    details.follow()
    details.show_message(traffic.after(0)[0], 2)
    assert "ping" in details.facts.accessibleName()
    assert '"method": "ping"' in details.text.editor.toPlainText()
    details.partner.click()
    assert wanted == [2]
    details.show_message(None, None)
    assert not details.text.isVisible()
