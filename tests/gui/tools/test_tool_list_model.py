from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QListView, QStyleOptionViewItem

from desktop.gui.tools.tool_list_model import (
    TOOL_ROLE,
    ToolListDelegate,
    ToolListModel,
    hints_of,
)
from desktop.gui.widgets.two_line_rows import first_line
from desktop.values.tool_types import Annotations
from tests.gui.tools.fakes import tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import ColorName, Theme


@pytest.mark.parametrize(
    ("annotations", "words"),
    [
        (Annotations(), []),
        (Annotations(read_only=True, destructive=True), ["read-only"]),
        (Annotations(read_only=False), ["makes changes"]),
        (Annotations(destructive=True, idempotent=True), ["destructive", "safe to repeat"]),
        (Annotations(open_world=True), ["external access"]),
        (Annotations(open_world=False), ["local only"]),
    ],
)
def test_hints_are_words_and_silence_stays_silent(
    annotations: Annotations, words: list[str]
) -> None:
    assert [hint.words for hint in hints_of(annotations)] == words


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
    """Whether the lines of an icon, which are thin and soft, have about this colour."""
    wanted = theme.color(name)
    return any(_distance(QColor(color), wanted) < _SOFT for color in colors)


_SOFT = 60


def _distance(one: QColor, other: QColor) -> int:
    parts = (one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue())
    return sum(abs(a - b) for a, b in parts)


def test_hints_become_coloured_signs(theme: Theme, qtbot: QtBot) -> None:
    plain = painted_colors(theme, qtbot, Annotations())
    assert not has(theme, plain, "success")
    assert not has(theme, plain, "danger")
    assert has(theme, painted_colors(theme, qtbot, Annotations(read_only=True)), "success")
    destructive = painted_colors(theme, qtbot, Annotations(destructive=True))
    assert has(theme, destructive, "danger")


def test_a_read_only_tool_is_never_called_destructive(theme: Theme, qtbot: QtBot) -> None:
    colors = painted_colors(theme, qtbot, Annotations(read_only=True, destructive=True))
    assert not has(theme, colors, "danger")


def test_every_row_has_the_same_height(theme: Theme) -> None:
    model, delegate = ToolListModel(), ToolListDelegate(theme)
    model.replace([tool("a:b"), tool("a:c", description="long\n" * 100)])
    option = QStyleOptionViewItem()
    heights = {delegate.sizeHint(option, model.index(row)).height() for row in (0, 1)}
    assert len(heights) == 1


def test_rows_are_the_tools_in_their_order() -> None:
    model = ToolListModel()
    model.replace([tool("a:one"), tool("b:two")])
    assert model.rowCount() == 2
    assert model.index(1).data(TOOL_ROLE).key == "b:two"
    assert model.index(0).data() == "one"
    assert model.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "one, a"
    assert model.index(0).data(Qt.ItemDataRole.DecorationRole) is None


def test_a_tooltip_says_the_whole_name_and_its_server_and_is_never_markup() -> None:
    model = ToolListModel()
    model.replace([tool("files:read", description="<b>Reads</b>\nmore"), tool("a:b")])
    role = Qt.ItemDataRole.ToolTipRole
    assert model.index(0).data(role) == "files:read\n‹b>Reads‹/b>"
    assert model.index(1).data(role) == "a:b"
    reads = tool("a:c", annotations=Annotations(read_only=True))
    model.replace([reads])
    assert model.index(0).data(role) == "a:c\nread-only"


def test_appended_tools_leave_the_rows_above() -> None:
    model = ToolListModel()
    model.replace([tool("a:one")])
    inserted: list[tuple[int, int]] = []

    def note(_: QModelIndex, first: int, last: int) -> None:
        inserted.append((first, last))

    model.rowsInserted.connect(note)
    model.append([tool("a:two"), tool("a:three")])
    model.append([])
    assert inserted == [(1, 2)]
    assert model.index(2).data() == "three"


def test_a_row_is_found_by_key_even_with_colons_in_the_name() -> None:
    model = ToolListModel()
    model.replace([tool("a:one"), tool("a:x:y")])
    assert model.row_of("a:x:y") == 1
    assert model.row_of("b:one") == -1
    assert model.tool(7) is None
    assert model.index(7).data(TOOL_ROLE) is None


def test_the_first_line_is_plain_and_short() -> None:
    assert first_line("\n \n  Hello\tthere \x1b[31m\nmore") == "Hello there [31m"
    assert first_line("") == ""
    assert first_line("## Usage of **bold** `code`, 2 ** 3 and __init__") == (
        "Usage of bold code, 2 ** 3 and __init__"
    )
    assert len(first_line("x" * 10_000_000)) == 200


def test_the_view_lays_out_anew_only_for_other_rows() -> None:
    model = ToolListModel()
    one, two = tool("a:one"), tool("a:two")
    resets: list[bool] = []
    model.replace([one, two])
    model.modelReset.connect(lambda: resets.append(True))
    model.replace([one, two])
    assert resets == []
    model.replace([one, tool("a:two")])  # as a server lists it again
    model.replace([one])
    assert len(resets) == 2
