from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QStringListModel
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QListView

from desktop.gui.theme import space
from desktop.gui.widgets.row_layout import Badge, TwoLineRow, row_places
from desktop.gui.widgets.two_line_rows import TwoLineDelegate, show_two_line_rows

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


class _Rows(TwoLineDelegate):
    def row_of(self, index: QModelIndex | QPersistentModelIndex) -> TwoLineRow:
        badges = (Badge("MMMMMM", "success"),) if index.row() else ()
        return TwoLineRow("", "", "█" * 60, badges)


def _inked_lines(image: QImage, room: QRect) -> list[int]:
    """Lines of a picture in which not every pixel is like the first."""
    background = image.pixelColor(room.left(), room.top())
    return [
        y
        for y in range(room.top(), room.bottom())
        if any(image.pixelColor(x, y) != background for x in range(room.left(), room.right()))
    ]


def test_a_sign_stands_at_the_same_place_whatever_the_name(theme: Theme) -> None:
    font = QFont()
    metrics, room = QFontMetrics(font), QRect(0, 0, 240, 45)
    sign = Badge("read-only", "success", "lock")
    places = {
        row_places(TwoLineRow(name, "", "words", (sign,)), room, metrics, metrics).badges[0].x()
        for name in ("short", "a_name_that_is_much_too_long_for_its_line" * 2)
    }
    assert len(places) == 1
    long = TwoLineRow("name" * 40, "", "words", (sign,))
    assert row_places(long, room, metrics, metrics).text.width() > 200


def test_a_pill_does_not_touch_the_second_line(qtbot: QtBot, theme: Theme) -> None:
    view = QListView()
    qtbot.addWidget(view)
    delegate = _Rows(theme, view)
    view.setModel(QStringListModel(["without", "with"], view))
    show_two_line_rows(view, delegate, theme)
    view.resize(300, 120)
    with qtbot.waitExposed(view):
        view.show()
    image = view.viewport().grab().toImage()
    plain, row = (view.visualRect(view.model().index(at, 0)) for at in range(2))
    strip = QRect(row.right() - space(8), row.top() + 1, space(3), row.height() - 2)
    below = QRect(strip.left(), plain.top() + 1, strip.width(), plain.height() - 2)
    text = [y - plain.top() for y in _inked_lines(image, below)]
    inked = [y - row.top() for y in _inked_lines(image, strip)]
    gap = [y for y in range(inked[0], inked[-1]) if y not in inked]
    assert text, "the second line is drawn"
    assert gap, f"the pill and the second line touch: {inked}"
