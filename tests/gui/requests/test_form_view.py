from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.gui.requests.form_view import FormView
from desktop.gui.widgets.bounded_text import MAX_SHOWN_LENGTH
from desktop.servers.requests import Accepted, ServerRequests
from desktop.tools.validation import find_misfits
from tests.gui.requests.asked import form
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from desktop.servers.requests import ElicitationRequest

    Show = Callable[[ElicitationRequest], FormView]

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def show(qtbot: QtBot, theme: Theme) -> Show:
    requests = ServerRequests(find_misfits)

    def make(request: ElicitationRequest) -> FormView:
        view = FormView(theme, request, lambda answer: requests.misfits(request, answer))
        qtbot.addWidget(view)
        view.show()
        view.answers.arm()
        return view

    return make


def fill(view: FormView, content: dict[str, Any]) -> None:
    assert view.form is not None
    view.form.set_value(content)
    view.form.reveal_issues()


def test_the_defaults_of_the_server_are_filled_in_and_can_be_kept(show: Show) -> None:
    view = show(form())
    answers = noted(view.answered)
    assert view.form is not None
    value = view.form.value()
    fill(view, value | {"name": "Ada"})
    QTest.mouseClick(view.accept, LEFT)

    assert value == {"seats": 2}
    assert answers == [(Accepted({"name": "Ada", "seats": 2}),)]


def test_accept_can_be_pressed_only_while_the_content_fits(show: Show) -> None:
    view = show(form())
    states = [view.accept.isEnabled()]
    for content in ({"name": "Ada"}, {"name": "Ada", "seats": 0}, {"name": "Ada", "seats": 1}):
        fill(view, content)
        states.append(view.accept.isEnabled())

    assert states == [False, True, False, True]


def test_ctrl_enter_sends_nothing_that_does_not_fit(show: Show) -> None:
    view = show(form())
    answers = noted(view.answered)
    assert view.form is not None
    view.form.run_requested.emit()

    assert answers == []
    assert view.problem.isVisible()


@pytest.mark.parametrize("count", [12, 60])
def test_all_fields_of_a_form_are_seen_at_once_unless_there_are_far_too_many(
    show: Show, count: int
) -> None:
    fields = {"name": {"type": "string"}} | {f"more{n}": {"type": "string"} for n in range(count)}
    view = show(form({"type": "object", "properties": fields, "required": ["name"]}))
    assert view.form is not None
    shown = view.form.fields
    rows = [shown.row_at((name,)) for name in fields]
    is_folded = count > 40
    assert sum(row is not None and not row.isHidden() for row in rows) == (
        1 if is_folded else count + 1
    )
    assert (shown.fold_button is not None) is is_folded


def test_a_field_that_asks_for_a_password_is_warned_of(show: Show) -> None:
    secret = show(form({"type": "object", "properties": {"password": {"type": "string"}}}))
    plain = show(form())

    assert "“password” looks like a password" in secret.warning.label.text()
    assert secret.warning.isVisible()
    assert not plain.warning.isVisible()


def test_the_message_is_plain_bounded_text_without_hidden_letters(show: Show) -> None:
    view = show(form(message="<b>Pay</b> \u202enow"))
    long = show(form(message="x" * (MAX_SHOWN_LENGTH + 7)))

    assert view.message.toPlainText() == "<b>Pay</b> ⟨U+202E⟩now"
    assert long.message.toPlainText().endswith("… 7 more characters")


def test_letters_that_nobody_sees_are_marked_in_what_a_field_says(show: Show) -> None:
    field = {"type": "string", "title": "a\u202eb", "description": "c\u200bd"}
    view = show(form({"type": "object", "properties": {"x": field}}))
    labels = view.findChildren(QLabel)
    shown = "\n".join(f"{label.text()}\n{label.toolTip()}" for label in labels)

    assert "a⟨U+202E⟩b" in shown
    assert "c⟨U+200B⟩d" in shown
    assert "\u202e" not in shown


def test_a_form_without_fields_is_a_yes_or_no(show: Show) -> None:
    view = show(form({"type": "object", "properties": {}}, "Delete all?"))
    answers = noted(view.answered)
    QTest.mouseClick(view.accept, LEFT)

    assert view.form is None
    assert answers == [(Accepted({}),)]
