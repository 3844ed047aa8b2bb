from __future__ import annotations

import gc
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from desktop.gui.layouts import (
    BOTTOM,
    CENTER,
    LEFT,
    MIDDLE,
    RIGHT,
    STRETCH,
    TOP,
    Gap,
    InnerColumn,
    InnerRow,
    Stretch,
    in_column,
    in_row,
)
from desktop.gui.theme import space

if TYPE_CHECKING:
    from PySide6.QtCore import QRect, Qt
    from pytestqt.qtbot import QtBot


_SIZE = 400


@pytest.fixture
def target(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(_SIZE, _SIZE)
    return made


@pytest.fixture
def blocks(target: QWidget) -> list[QWidget]:
    """Four of one size, unless a share makes one larger."""
    made = [QWidget(target) for _ in range(4)]
    for block in made:
        block.setMinimumSize(20, 10)
    return made


def _places(target: QWidget, blocks: list[QWidget]) -> list[QRect]:
    target.show()
    return [block.geometry() for block in blocks]


def test_a_column_has_the_distances_of_the_grid(target: QWidget, blocks: list[QWidget]) -> None:
    first, second, third, _ = blocks
    in_column(target, first, (second, 1), third, margins=(1, 2, 3, 4), spacing=5)
    above, between, below, _ = _places(target, blocks)
    assert (above.left(), above.top()) == (space(1), space(2))
    assert _SIZE - above.right() - 1 == space(3)
    assert between.top() - above.bottom() - 1 == space(5)
    assert below.top() - between.bottom() - 1 == space(5)
    assert _SIZE - below.bottom() - 1 == space(4)
    assert above.height() == below.height() < between.height()


def test_a_row_begins_at_the_edge_with_two_steps_between(
    target: QWidget, blocks: list[QWidget]
) -> None:
    first, second, *_ = blocks
    in_row(target, first, (second, 1))
    left, right, *_ = _places(target, blocks)
    assert left.topLeft() == target.rect().topLeft()
    assert right.left() - left.right() - 1 == space(2)
    assert right.bottomRight() == target.rect().bottomRight()


def test_a_single_number_is_the_margin_on_all_sides(target: QWidget, blocks: list[QWidget]) -> None:
    in_column(target, blocks[0], margins=3)
    edge = space(3)
    assert _places(target, blocks)[0] == target.rect().adjusted(edge, edge, -edge, -edge)


def test_stretches_share_what_is_left_and_a_gap_comes_on_top(
    target: QWidget, blocks: list[QWidget]
) -> None:
    first, second, third, _ = blocks
    in_row(target, (first, LEFT), STRETCH, (second, LEFT), Gap(4), third, Stretch(3), spacing=0)
    one, two, three, _ = _places(target, blocks)
    assert three.left() - two.right() - 1 == space(4)
    before, after = two.left() - one.right() - 1, _SIZE - three.right() - 1
    assert before > 50
    assert after == pytest.approx(3 * before, abs=4)


@pytest.mark.parametrize(
    ("alignment", "edges"),
    [
        (LEFT, {"left"}),
        (RIGHT, {"right"}),
        (CENTER, {"middle"}),
        (TOP, {"top"}),
        (BOTTOM, {"bottom"}),
        (MIDDLE, {"center"}),
    ],
)
def test_an_aligned_part_keeps_its_size(
    target: QWidget, blocks: list[QWidget], alignment: Qt.AlignmentFlag, edges: set[str]
) -> None:
    in_column(target, (blocks[0], alignment), (blocks[1], 1, alignment), spacing=0)
    first, place, *_ = _places(target, blocks)
    room = target.rect()
    room.setTop(10)
    at = {
        "left": place.left() == room.left() and place.width() == 20,
        "right": place.right() == room.right() and place.width() == 20,
        "middle": place.center().x() == room.center().x() and place.width() == 20,
        "top": place.top() == room.top() and place.height() == 10,
        "bottom": place.bottom() == room.bottom() and place.height() == 10,
        "center": place.center().y() == room.center().y() and place.height() == 10,
    }
    assert {edge for edge, is_there in at.items() if is_there} == edges
    assert first.width() == place.width()


def test_boxes_stand_in_boxes(target: QWidget, blocks: list[QWidget]) -> None:
    first, second, third, fourth = blocks
    words = InnerColumn(second, (third, 1), margins=(2, 0, 0, 0), spacing=1)
    in_column(target, InnerRow(first, (words, 1), spacing=3), fourth, spacing=4)
    one, two, three, four = _places(target, blocks)
    assert two.left() - one.right() - 1 == space(3) + space(2)
    assert two.right() == three.right() == _SIZE - 1
    assert three.top() - two.bottom() - 1 == space(1)
    assert four.top() - three.bottom() - 1 == space(4)


def test_a_box_is_added_after_what_the_outer_one_holds(
    target: QWidget, blocks: list[QWidget]
) -> None:
    first, second, third, fourth = blocks
    column = in_column(target, first)
    in_row(column, second, third)
    in_column(column, fourth)
    one, two, three, four = _places(target, blocks)
    assert one.bottom() < two.top() == three.top()
    assert two.right() < three.left()
    assert two.bottom() < four.top()


def test_what_is_laid_out_lives_and_ends_with_its_widget() -> None:
    """Nothing else may have to hold the boxes or the parts, nor may they outlive the widget."""
    target = QWidget()
    in_column(target, QLabel("a"), InnerRow(QLabel("b"), (InnerColumn(QLabel("c")), 1)))
    in_row(in_column(target.findChildren(QLabel)[0]), QLabel("d"))
    gc.collect()
    labels = target.findChildren(QLabel)
    assert [label.text() for label in labels] == ["a", "d", "b", "c"]
    del target
    assert not any(isValid(label) for label in labels)


def test_a_part_is_in_the_window_before_the_next_one_is_added(target: QWidget) -> None:
    """Not only once all of an inner box is there: until then it would be a window of its own."""
    first, wrong = QLabel("first"), cast("QWidget", object())
    with pytest.raises(AttributeError):
        in_column(target, InnerRow(first, wrong))
    assert first.parentWidget() is target
