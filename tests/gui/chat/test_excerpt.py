from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.chat.excerpt import LONGEST, CodePreview

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


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
    view.show_text("x" * (LONGEST + 5))
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
