from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop.base.paths import resources
from desktop.gui.theme import style
from desktop.gui.theme.focus_rings import FocusRings
from desktop.gui.theme.stylesheet import build_stylesheet
from desktop.gui.theme.tokens import DARK, LIGHT, ROLES, repolish, text_sizes

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Role, Scheme, Theme


def _sheet(dark: bool = False) -> str:
    return build_stylesheet(DARK if dark else LIGHT, text_sizes(10), ["Mono"], "/marks")


def test_every_role_has_a_look_and_every_look_a_role() -> None:
    assert set(re.findall(r'role~="([a-z]+)"', _sheet())) == set(ROLES)


def test_every_colour_comes_from_the_tokens() -> None:
    assert set(re.findall("#[0-9a-f]{6}", _sheet())) <= set(LIGHT._asdict().values())
    assert set(re.findall("#[0-9a-f]{6}", _sheet(dark=True))) <= set(DARK._asdict().values())


def test_no_name_is_left_unfilled() -> None:
    assert "$" not in _sheet()


def test_whatever_takes_the_keyboard_shows_the_focus() -> None:
    focused = " ".join(re.findall(r"([^{}]*):focus", _sheet()))

    for widget in ("QPushButton", "QToolButton", "QLineEdit", "QComboBox", "QAbstractSpinBox"):
        assert widget in focused
    for widget in ("QCheckBox", "QRadioButton", "QPlainTextEdit", "QAbstractItemView", "QTabBar"):
        assert widget in focused


def _states(sheet: str, state: str) -> str:
    return " ".join(re.findall(rf"([^{{}}]*):{state}", sheet))


def test_whatever_is_clicked_shows_the_pointer_and_the_press() -> None:
    hovered, pressed = _states(_sheet(), "hover"), _states(_sheet(), "pressed")

    for widget in ("QPushButton", "QToolButton", "QComboBox", "QCheckBox", "QRadioButton"):
        assert widget in hovered
    for role in ("primary", "danger", "flat", "rail", "link", "segment", "switch"):
        assert f'role~="{role}"' in hovered
        assert f'role~="{role}"' in pressed
    for widget in ("QPushButton", "QToolButton", "up-button", "QScrollBar::handle", "QCheckBox"):
        assert widget in pressed


def test_what_cannot_be_clicked_does_not_look_as_if_it_could() -> None:
    disabled = _states(_sheet(), "disabled")

    for role in ("primary", "danger", "link"):
        assert f'role~="{role}"' in disabled


def test_pictures_of_the_style_sheet_are_there_for_light_and_dark() -> None:
    named = set(re.findall(r"/marks/([a-z-]+\.svg)", _sheet()))

    assert len(named) > 8
    for folder in ("light", "dark"):
        there = {file.name for file in (resources() / "icons" / folder).iterdir()}
        assert named <= there


@pytest.mark.parametrize("count", [1, 3, 10])
def test_a_combo_box_shows_all_its_entries(qtbot: QtBot, count: int) -> None:
    box = QComboBox()
    qtbot.addWidget(box)
    box.addItems(["简体中文", "English", "Dark", *map(str, range(7))][:count])
    with qtbot.waitExposed(box):
        box.show()
    box.showPopup()
    view = box.view()
    rows = [view.visualRect(view.model().index(row, 0)) for row in range(count)]
    assert view.viewport().rect().contains(rows[0])
    assert view.viewport().rect().contains(rows[-1])
    parts = [child.metaObject().className() for child in view.window().children()]
    assert "QComboBoxPrivateScroller" not in parts  # the arrows that covered half of the last row
    box.hidePopup()


def test_a_focused_combo_box_shows_its_text_whole(qtbot: QtBot) -> None:
    box = QComboBox()
    qtbot.addWidget(box)
    box.addItem("Claude, Cursor, Cline, LM Studio (mcpServers)")
    box.adjustSize()
    with qtbot.waitActive(box):
        box.show()
        box.activateWindow()
    box.setFocus()
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    parts = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(parts[0], option, parts[1], box)
    assert box.hasFocus()
    assert room.width() >= box.fontMetrics().horizontalAdvance(box.currentText())


def test_a_link_stands_under_the_words_around_it_with_the_focus_too(
    qtbot: QtBot, theme: Theme
) -> None:
    link = QPushButton("Choose a file…")
    qtbot.addWidget(link)
    style(link, "link")
    link.show()
    size = link.sizeHint()
    assert size.width() - link.fontMetrics().horizontalAdvance(link.text()) <= 8
    link.setProperty("ring", True)
    repolish(link)
    assert link.sizeHint() == size


def test_tabs_without_room_scroll_and_the_chosen_one_is_seen_whole(qtbot: QtBot) -> None:
    tabs = QTabBar()
    qtbot.addWidget(tabs)
    for title in ("Arguments", "Input schema", "Output schema", "What the model sees"):
        tabs.addTab(title)
    tabs.resize(300, tabs.sizeHint().height())
    with qtbot.waitExposed(tabs):
        tabs.show()
    buttons = [button for button in tabs.findChildren(QToolButton) if button.isVisible()]
    assert len(buttons) == 2
    assert min(button.width() for button in buttons) >= 20  # no stubs: a finger finds them
    room = min(button.x() for button in buttons)
    for _ in range(3):
        QTest.keyClick(tabs, Qt.Key.Key_Right)
    seen = tabs.tabRect(3)
    assert seen.left() >= 0
    assert seen.right() <= room


def test_the_ring_is_for_the_keyboard_and_goes_with_a_click(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    rings = FocusRings(qapp)
    around = QWidget()
    qtbot.addWidget(around)
    row = QHBoxLayout(around)
    one, other = QPushButton("One"), QPushButton("Other")
    for each in (one, other):
        row.addWidget(each)
    with qtbot.waitActive(around):
        around.show()
        around.activateWindow()
    other.setFocus()
    calm = _seen(one)

    QTest.mouseClick(one, Qt.MouseButton.LeftButton)
    qapp.sendEvent(one, QEvent(QEvent.Type.Leave))
    clicked = _seen(one)
    QTest.keyClick(one, Qt.Key.Key_Tab)
    QTest.keyClick(other, Qt.Key.Key_Backtab)

    assert one.hasFocus()
    assert clicked[LIGHT.focus] == calm[LIGHT.focus]
    assert _seen(one)[LIGHT.focus] > calm[LIGHT.focus] + 2 * one.width()
    rings.deleteLater()


_KINDS: tuple[tuple[Role, ...], ...] = (("chip", "choice"), ("chip",), ("segment",))


def _seen(button: QPushButton) -> Counter[str]:
    """How often each colour is there, in a button without words."""
    image = button.grab().toImage()
    size = image.size()
    return Counter(
        image.pixelColor(x, y).name() for x in range(size.width()) for y in range(size.height())
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("roles", _KINDS)
def test_what_has_the_focus_does_not_look_as_if_it_were_chosen(
    qtbot: QtBot, qapp: QApplication, theme: Theme, scheme: Scheme, roles: tuple[Role, ...]
) -> None:
    """A neutral ring is the focus, a fill is the choice; both can be seen at once."""
    theme.set_scheme(scheme)
    rings = FocusRings(qapp)
    tokens = DARK if scheme == "dark" else LIGHT
    around = QWidget()
    qtbot.addWidget(around)
    row = QHBoxLayout(around)
    button, other = QPushButton(), QPushButton("Other")
    for each in (button, other):
        each.setCheckable(True)
        each.setMinimumWidth(80)
        style(each, *roles)
        row.addWidget(each)
    with qtbot.waitActive(around):
        around.show()
        around.activateWindow()
    seen: dict[tuple[bool, bool], Counter[str]] = {}
    for is_focused in (False, True):
        (button if is_focused else other).setFocus()
        for is_chosen in (False, True):
            button.setChecked(is_chosen)
            seen[is_focused, is_chosen] = _seen(button)
    ring = 2 * button.width()  # pixels: half of a ring two pixels wide, without its corners
    for (is_focused, _), colors in seen.items():
        assert (colors[tokens.focus] > ring) is is_focused
    fills = [colors.most_common(1)[0][0] for colors in seen.values()]
    assert fills[0] == fills[2] != fills[1] == fills[3]
    assert seen[True, False][tokens.accent] == 0
    rings.deleteLater()
