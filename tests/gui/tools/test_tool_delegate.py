from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListView, QStyleOptionViewItem

from desktop.gui.tools.tool_delegate import ToolListDelegate
from desktop.gui.tools.tool_list_model import ToolListModel
from desktop.tool_types import Annotations
from tests.gui.tools.fakes import tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import ColorName, Theme


def painted_colors(theme: Theme, qtbot: QtBot, annotations: Annotations) -> set[str]:
    view, model = QListView(), ToolListModel()
    qtbot.addWidget(view)
    model.setParent(view)
    model.replace([tool("server:name", annotations=annotations, description="<b>x</b>\nmore")])
    view.setModel(model)
    view.setItemDelegate(ToolListDelegate(theme, view))
    view.resize(400, 100)
    image = view.grab().toImage()
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return {QColor(image.pixel(x, y)).name() for x, y in points}


def has(theme: Theme, colors: set[str], name: ColorName) -> bool:
    return theme.color(name).name() in colors


def test_hints_become_coloured_badges(theme: Theme, qtbot: QtBot) -> None:
    plain = painted_colors(theme, qtbot, Annotations())
    assert not has(theme, plain, "success_soft")
    assert not has(theme, plain, "danger_soft")
    assert has(theme, painted_colors(theme, qtbot, Annotations(read_only=True)), "success_soft")
    destructive = painted_colors(theme, qtbot, Annotations(destructive=True))
    assert has(theme, destructive, "danger_soft")


def test_a_read_only_tool_is_never_called_destructive(theme: Theme, qtbot: QtBot) -> None:
    colors = painted_colors(theme, qtbot, Annotations(read_only=True, destructive=True))
    assert not has(theme, colors, "danger_soft")


def test_every_row_has_the_same_height(theme: Theme) -> None:
    model, delegate = ToolListModel(), ToolListDelegate(theme)
    model.replace([tool("a:b"), tool("a:c", description="long\n" * 100)])
    option = QStyleOptionViewItem()
    heights = {delegate.sizeHint(option, model.index(row)).height() for row in (0, 1)}
    assert len(heights) == 1
