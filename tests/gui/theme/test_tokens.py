from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel

from desktop.gui.theme import Theme, style
from desktop.gui.theme.tokens import COLOR_NAMES, DARK, LIGHT, Tokens, contrast, space, text_sizes

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def _color(label: QLabel) -> str:
    return label.palette().color(QPalette.ColorRole.WindowText).name()


def test_a_role_given_to_a_shown_widget_changes_its_look_at_once(
    qtbot: QtBot, theme: Theme
) -> None:
    label = QLabel("state")
    qtbot.addWidget(label)
    label.show()

    style(label, "danger")

    assert _color(label) == theme.color("danger").name()


def test_a_new_role_replaces_the_old_one(qtbot: QtBot, theme: Theme) -> None:
    label = QLabel("state")
    qtbot.addWidget(label)
    style(label, "danger", "mono")
    label.show()

    style(label, "success")

    assert label.property("role") == "success"
    assert _color(label) == theme.color("success").name()


@pytest.mark.parametrize("was_measured", [False, True])
def test_a_role_given_before_the_first_showing_counts(
    qtbot: QtBot, theme: Theme, was_measured: bool
) -> None:
    label = QLabel("state")
    qtbot.addWidget(label)
    if was_measured:
        label.ensurePolished()  # as a layout does that is asked for its size
    style(label, "muted")
    label.show()
    QApplication.sendPostedEvents()

    assert _color(label) == theme.color("muted").name()


BACKGROUNDS = ("surface", "rail", "card", "hover", "code")
TONES = ("accent", "success", "warning", "danger")
PAIRS = (
    *product(("text", "muted"), BACKGROUNDS),
    *product(TONES, ("surface", "card")),
    *((tone, f"{tone}_soft") for tone in TONES),
    *(("text", f"{tone}_soft") for tone in TONES),
    ("text", "pressed"),
    ("muted", "accent_soft"),
    ("accent_text", "accent"),
    ("accent_text", "accent_hover"),
    ("accent_text", "accent_pressed"),
    ("danger", "pressed"),
)
EDGES = tuple(product(("control_border", "focus"), ("surface", "card")))


def _contrast(tokens: Tokens, one: str, other: str) -> float:
    colors = tokens._asdict()
    return contrast(colors[one], colors[other])


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "background"), PAIRS)
def test_text_can_be_read_on_its_background(tokens: Tokens, text: str, background: str) -> None:
    assert _contrast(tokens, text, background) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("edge", "background"), EDGES)
def test_edges_of_controls_and_the_focus_can_be_seen(
    tokens: Tokens, edge: str, background: str
) -> None:
    assert _contrast(tokens, edge, background) >= 3


def test_every_colour_is_a_full_hexadecimal_one() -> None:
    values = [*LIGHT._asdict().values(), *DARK._asdict().values()]

    assert all(re.fullmatch("#[0-9a-f]{6}", value) for value in values)
    assert set(LIGHT._asdict()) == set(COLOR_NAMES)


def test_distances_are_steps_of_four_pixels() -> None:
    assert [space(1), space(2), space(4)] == [4, 8, 16]


def test_there_are_three_text_sizes_around_the_systems() -> None:
    sizes = text_sizes(10)

    assert sizes.small < sizes.body == 10 < sizes.title
