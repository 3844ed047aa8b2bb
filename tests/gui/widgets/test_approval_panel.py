from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from desktop.gui.widgets.approval_panel import ApprovalPanel
from desktop.gui.widgets.arguments_view import CodePreview
from desktop.gui.widgets.bounded_text import MAX_SHOWN_LENGTH
from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse
from desktop.values.tool_types import Annotations, ToolDefinition

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_arguments_are_exact_json(qtbot: QtBot, theme: Theme) -> None:
    view = CodePreview(theme, "json")
    qtbot.addWidget(view)
    view.show_arguments({"text": "<b>x</b>", "n": 1.0})
    assert view.toPlainText() == '{\n  "text": "<b>x</b>",\n  "n": 1.0\n}'
    assert view.isReadOnly()
    view.show_arguments({})
    assert view.toPlainText() == "{}"


def test_what_is_too_long_is_cut_and_told(qtbot: QtBot, theme: Theme) -> None:
    view = CodePreview(theme, "json")
    qtbot.addWidget(view)
    view.show_text("x" * (MAX_SHOWN_LENGTH + 5))
    assert view.toPlainText().endswith("… 5 more characters")


def test_it_is_as_high_as_its_lines_up_to_a_limit(qtbot: QtBot, theme: Theme) -> None:
    view = CodePreview(theme, "json")
    qtbot.addWidget(view)
    heights: list[int] = []
    for lines in (1, 5, 50, 500):
        view.show_text("\n".join(["line"] * lines))
        heights.append(view.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_added_and_removed_lines_have_their_colours(qtbot: QtBot, theme: Theme) -> None:
    view = CodePreview(theme, "difference")
    qtbot.addWidget(view)
    view.show_text(" same\n-old\n+new")
    found = [
        [form.format.foreground().color().name() for form in block.layout().formats()]
        for block in (view.document().findBlockByNumber(at) for at in range(3))
    ]
    assert found == [[], [theme.color("danger").name()], [theme.color("success").name()]]
    assert view.accessibleName() == "Difference"


LEFT = Qt.MouseButton.LeftButton
SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}
TOOL = ToolDefinition(
    "files",
    "delete",
    description="Deletes <b>a file</b>.",
    input_schema=SCHEMA,
    annotations=Annotations(destructive=True),
)


def _panel(
    qtbot: QtBot, theme: Theme, **more: object
) -> tuple[ApprovalPanel, list[ApprovalResponse]]:
    question = ApprovalQuestion("1", TOOL, {"path": "/tmp/x"}, **more)  # type: ignore[arg-type]
    panel = ApprovalPanel(theme, question)
    qtbot.addWidget(panel)
    panel.show()
    answers: list[ApprovalResponse] = []
    panel.answered.connect(answers.append)
    return panel, answers


@pytest.mark.parametrize("choice", ["once", "always", "deny", "never"])
def test_each_button_is_one_answer(qtbot: QtBot, theme: Theme, choice: str) -> None:
    panel, answers = _panel(qtbot, theme)
    panel.arm()
    panel.more.click()
    button = getattr(panel, choice)
    assert isinstance(button, QPushButton)
    QTest.mouseClick(button, LEFT)
    QTest.mouseClick(button, LEFT)
    assert [answer.choice for answer in answers] == [choice]


def test_for_a_moment_after_it_appeared_nothing_is_an_answer(qtbot: QtBot, theme: Theme) -> None:
    panel, answers = _panel(qtbot, theme)
    QTest.mouseClick(panel.once, LEFT)
    assert answers == []
    qtbot.waitUntil(lambda: panel.is_armed, timeout=5000)
    QTest.mouseClick(panel.once, LEFT)
    assert [answer.choice for answer in answers] == ["once"]


def test_it_takes_no_focus_and_has_no_default(qtbot: QtBot, theme: Theme) -> None:
    panel, _ = _panel(qtbot, theme)
    buttons = panel.findChildren(QPushButton)
    assert not any(button.isDefault() or button.autoDefault() for button in buttons)
    assert not any(button.hasFocus() for button in buttons)


def test_the_exact_arguments_and_what_the_server_says_are_plain_text(
    qtbot: QtBot, theme: Theme
) -> None:
    panel, _ = _panel(qtbot, theme)
    assert (panel.line.text(), panel.line.isVisible()) == ("path: /tmp/x", True)
    assert panel.line.textFormat() == Qt.TextFormat.PlainText
    panel.more.click()
    assert panel.arguments.short.toPlainText() == '{\n  "path": "/tmp/x"\n}'
    assert panel.arguments.isVisible()
    assert panel.accessibleName() == "Approval for files:delete"


def test_a_reason_is_told_with_the_denial(qtbot: QtBot, theme: Theme) -> None:
    panel, answers = _panel(qtbot, theme)
    panel.arm()
    QTest.keyClicks(panel.reason, "not that one")
    QTest.keyClick(panel.reason, Qt.Key.Key_Return)
    assert answers == [ApprovalResponse("deny", None, "not that one")]


def test_corrected_arguments_are_the_answer(qtbot: QtBot, theme: Theme) -> None:
    panel, answers = _panel(qtbot, theme)
    panel.arm()
    panel.edit.click()
    assert panel.form is not None
    panel.form.set_value({"path": "/tmp/y"})
    panel.once.click()
    assert answers == [ApprovalResponse("once", {"path": "/tmp/y"})]


def test_wrong_arguments_are_not_sent_and_said(qtbot: QtBot, theme: Theme) -> None:
    panel, answers = _panel(qtbot, theme)
    panel.arm()
    panel.edit.click()
    assert panel.form is not None
    panel.form.set_value({})
    panel.once.click()
    assert answers == []
    assert panel.problem.isVisible()
    panel.deny.click()
    assert [answer.choice for answer in answers] == ["deny"]


def test_a_changed_tool_shows_what_is_different(qtbot: QtBot, theme: Theme) -> None:
    panel, _ = _panel(qtbot, theme, difference='-"Reads a file."\n+"Deletes a file."')
    assert panel.difference.toPlainText() == '-"Reads a file."\n+"Deletes a file."'


def test_always_is_not_offered_where_it_cannot_be(qtbot: QtBot, theme: Theme) -> None:
    panel, _ = _panel(qtbot, theme, can_always=False)
    panel.more.click()
    assert (panel.never.isVisible(), panel.always.isVisible()) == (True, False)
