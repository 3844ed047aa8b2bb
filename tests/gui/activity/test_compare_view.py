from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.activity.compare_view import CompareView, DiffView
from desktop.history.diff import DiffLine, Part
from tests.history.calls import ended, record_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import ColorName, Theme
    from desktop.history.records import FinishedCall, Record


PART = Part(
    (
        DiffLine("gap", ""),
        DiffLine("same", "a"),
        DiffLine("removed", "- b"),
        DiffLine("added", "<b>c</b>"),
        DiffLine("added", ""),
    )
)


@pytest.fixture
def diff_view(qtbot: QtBot, theme: Theme) -> DiffView:
    made = DiffView(theme)
    qtbot.addWidget(made)
    made.show_part(PART)
    return made


def grounds(diff_view: DiffView, theme: Theme) -> list[str]:
    names: dict[str, ColorName] = {
        theme.color("danger_soft").name(): "danger_soft",
        theme.color("success_soft").name(): "success_soft",
    }
    blocks = [diff_view.document().findBlockByNumber(n) for n in range(diff_view.blockCount())]
    found = [block.blockFormat().background().color().name() for block in blocks]
    return [names.get(name, "") for name in found]


def test_each_line_has_its_sign_and_text_as_it_is(diff_view: DiffView) -> None:
    assert diff_view.toPlainText().splitlines() == ["⋯", "  a", "- - b", "+ <b>c</b>", "+ "]
    assert diff_view.isReadOnly()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_went_and_what_came_have_their_colours(
    diff_view: DiffView, theme: Theme, scheme: str
) -> None:
    theme.set_scheme("dark" if scheme == "dark" else "light")
    assert grounds(diff_view, theme) == ["", "", "danger_soft", "success_soft", "success_soft"]


def test_another_part_takes_its_place(diff_view: DiffView, theme: Theme) -> None:
    diff_view.show_part(Part((DiffLine("same", "only"),)))
    assert diff_view.toPlainText() == "  only"
    assert grounds(diff_view, theme) == [""]


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> CompareView:
    made = CompareView(theme)
    qtbot.addWidget(made)
    return made


def record(number: int, finished: FinishedCall) -> Record:
    return record_of(finished, number)


def tabs(view: CompareView) -> list[str]:
    return [view.tabs.tabText(index) for index in range(view.tabs.count())]


async def test_the_earlier_call_is_what_was_whichever_is_given_first(view: CompareView) -> None:
    older, newer = record(1, ended("s:old", output="a")), record(2, ended("s:new", output="b"))
    await view.show_records(newer, older)
    assert view.output.toPlainText() == "- a\n+ b"
    assert view.title.text().index("s:old") < view.title.text().index("s:new")
    assert tabs(view) == ["Output"]
    assert view.note.text() == "The arguments are the same; the results differ."


async def test_only_parts_that_differ_have_a_tab(view: CompareView) -> None:
    one = record(1, ended(arguments={"a": 1}, structured={"n": 1}))
    other = record(2, ended(arguments={"a": 2}, structured={"n": 2}))
    await view.show_records(one, other)
    assert tabs(view) == ["Structured content", "Arguments"]
    assert view.note.text() == "Arguments and results differ."


async def test_two_calls_without_a_difference_say_so(view: CompareView) -> None:
    await view.show_records(record(1, ended()), record(2, ended()))
    assert tabs(view) == []
    assert "same arguments and the same result" in view.note.text()


async def test_parts_that_were_left_out_are_said(view: CompareView) -> None:
    await view.show_records(record(1, ended(output="a\n" * 9000)), record(2, ended(output="b")))
    assert "first 4,000 lines" in view.note.text()
