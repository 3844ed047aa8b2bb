from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.importing.server_tree import ServerTree
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.config.imports.plan import ImportPlan
    from desktop.gui.theme import Theme
    from tests.gui.importing.conftest import Plan

pytest_plugins = ("tests.gui.theme_fixture",)


def shown(qtbot: QtBot, theme: Theme, plan: tuple[object, ImportPlan | None]) -> ServerTree:
    tree = ServerTree(theme)
    qtbot.addWidget(tree)
    assert plan[1] is not None
    tree.show_plan(plan[1])
    tree.show()
    return tree


def test_the_new_ones_are_checked_at_first(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    tree = shown(qtbot, theme, plan())
    assert tree.checked == {"new", "we-ird"}
    tree.set_checked(2, True)
    assert tree.checked == {"new", "we-ird", "differs-2"}


def test_space_checks_and_arrows_move(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    tree = shown(qtbot, theme, plan())
    chosen = noted(tree.chosen)
    QTest.keyClick(tree, Qt.Key.Key_Space)
    assert tree.checked == {"we-ird"}
    QTest.keyClick(tree, Qt.Key.Key_Down)
    QTest.keyClick(tree, Qt.Key.Key_Space)  # the same as ours: there is nothing to check
    assert tree.checked == {"we-ird"}
    assert [getattr(one, "name", None) for (one,) in chosen] == ["same"]


def test_states_are_said_in_the_colours_of_the_theme(
    qtbot: QtBot, theme: Theme, plan: Plan
) -> None:
    tree = shown(qtbot, theme, plan())
    item = tree.topLevelItem(3)
    assert item is not None
    assert item.text(1) == "Cannot be used"
    light = item.foreground(1).color()
    assert light == theme.color("danger")
    theme.set_scheme("dark")
    assert item.foreground(1).color() == theme.color("danger") != light


def test_as_many_servers_as_are_read_are_shown(qtbot: QtBot, theme: Theme, plan: Plan) -> None:
    many = plan({f"s{n}": {"command": "x", "args": [str(n)]} for n in range(500)})
    tree = shown(qtbot, theme, many)
    assert len(tree.checked) == 500
