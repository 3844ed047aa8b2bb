from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.results.status_line import StatusLine
from desktop.tool_types import Content, ErrorCode, ToolError, ToolResult

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_success_with_time_and_size(qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    content = (Content("text", "abc"), Content("image", data=b"12345"))
    line.show_result(ToolResult(success=True, content=content, execution_time=0.0421))
    assert line.outcome.text() == "Success"
    assert line.facts.text().startswith("42 ms · 8 B · 20")


def test_an_error_is_a_word_and_a_code(qtbot: QtBot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_result(ToolResult(success=False, error=ToolError("E", "m", ErrorCode.TIMEOUT)))
    assert line.outcome.text() == "Error: Time limit"
    line.show_result(ToolResult(success=False))
    assert line.outcome.text() == "Error"
