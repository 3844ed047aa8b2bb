from __future__ import annotations

import re

from desktop.gui.theme.stylesheet import build_stylesheet
from desktop.gui.theme.tokens import DARK, LIGHT, ROLES, text_sizes


def _sheet(dark: bool = False) -> str:
    return build_stylesheet(DARK if dark else LIGHT, text_sizes(10), "Mono", "/marks")


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
