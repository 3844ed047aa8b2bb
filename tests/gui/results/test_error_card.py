from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from desktop.gui.results.error_card import ErrorCard, error_label, remedy_label
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_message_code_and_remedy_are_plain_words(theme: Theme, qtbot: QtBot) -> None:
    card = ErrorCard(theme)
    qtbot.addWidget(card)
    card.show_error(ToolError("MCPError", "<b>gone</b>", ErrorCode.UNREACHABLE))
    assert card.message.text() == "<b>gone</b>"
    assert card.message.textFormat() == Qt.TextFormat.PlainText
    assert card.code.text() == "Server unreachable · server_unreachable · MCPError"
    assert "restart" in card.remedy.text()


def test_a_message_without_end_is_cut(theme: Theme, qtbot: QtBot) -> None:
    card = ErrorCard(theme)
    qtbot.addWidget(card)
    card.show_error(ToolError("E", "x" * 10_000_000, ErrorCode.CANCELLED))
    assert len(card.message.text()) < 500
    assert len(card.details.toPlainText()) < 5_000
    assert card.remedy.isHidden()


def test_a_word_that_is_wider_than_the_card_is_seen_whole(theme: Theme, qtbot: QtBot) -> None:
    card = ErrorCard(theme)
    qtbot.addWidget(card)
    message = f"no row {'k' * 200} there"
    card.show_error(ToolError("E", message, ErrorCode.TOOL_ERROR))
    card.resize(400, 400)
    card.show()
    assert card.message.text() == message
    assert card.minimumSizeHint().width() < 400
    assert card.message.height() >= card.message.heightForWidth(card.message.width())


@pytest.mark.parametrize("code", list(ErrorCode))
def test_every_code_is_known(code: ErrorCode) -> None:
    has_no_remedy = code in {ErrorCode.DENIED, ErrorCode.CANCELLED}
    assert bool(remedy_label(code)) is not has_no_remedy
    assert error_label(code)


def test_what_a_server_said_last_keeps_its_lines(theme: Theme, qtbot: QtBot) -> None:
    card = ErrorCard(theme)
    qtbot.addWidget(card)
    message = "It ended (exit code 3).\nTraceback:\n  <b>x</b>"
    card.show_error(ToolError("ServerError", message, ErrorCode.UNREACHABLE))
    assert card.message.text() == "It ended (exit code 3)."
    assert card.details.toPlainText() == "Traceback:\n  <b>x</b>"
    card.show_error(ToolError("ServerError", "Short.", ErrorCode.UNREACHABLE))
    assert card.details.isHidden()
