from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.history.diff_view import DiffView
from desktop.history.diff import DiffLine, Part

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import ColorName, Theme

pytest_plugins = ("tests.gui.theme_fixture",)
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
