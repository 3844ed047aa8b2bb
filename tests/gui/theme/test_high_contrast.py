from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QColor, QPalette

from desktop.gui.theme.tokens import (
    COLOR_NAMES,
    DARK,
    LIGHT,
    SystemColors,
    contrast,
    contrasting_tokens,
    is_dark,
    is_high_contrast,
)
from tests.gui.theme.test_tokens import EDGES, PAIRS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

    from desktop.gui.theme import Theme

DESKTOPS = {
    "GNOME": SystemColors("#ffffff", "#000000", "#ffffff", "#000000", "#0000ee", "#6c6c6c"),
    "GNOME inverse": SystemColors("#000000", "#ffffff", "#000000", "#ffffff", "#88aaff", "#9a9a9a"),
    "Aquatic": SystemColors("#202020", "#ffffff", "#202020", "#8ee3f0", "#75e9fc", "#a6a6a6"),
    "Desert": SystemColors("#fffaef", "#3d3d3d", "#fffaef", "#903909", "#1c5e75", "#676767"),
    "Dusk": SystemColors("#2d3236", "#ffffff", "#2d3236", "#a1bfde", "#70ebde", "#a6a6a6"),
    "Night sky": SystemColors("#000000", "#ffffff", "#000000", "#d6b4fd", "#8080ff", "#a6a6a6"),
    "weak": SystemColors("#888888", "#999999", "#777777", "#808080", "#7f7f7f", "#888888"),
}
NAMED = [name for name in DESKTOPS if name != "weak"]


@pytest.mark.parametrize("desktop", NAMED)
@pytest.mark.parametrize(("text", "background"), PAIRS)
def test_every_text_has_seven_to_one(desktop: str, text: str, background: str) -> None:
    colors = contrasting_tokens(DESKTOPS[desktop])._asdict()
    assert contrast(colors[text], colors[background]) >= 7


@pytest.mark.parametrize("desktop", NAMED)
def test_edges_and_the_focus_are_seen_and_the_desktops_own_colours_stay(desktop: str) -> None:
    system = DESKTOPS[desktop]
    tokens = contrasting_tokens(system)
    colors = tokens._asdict()
    assert all(contrast(colors[edge], colors[behind]) >= 4.5 for edge, behind in EDGES)
    assert (tokens.surface, tokens.text, tokens.card) == system[:3]
    assert set(colors) == set(COLOR_NAMES)


def test_a_desktop_that_falls_short_gets_the_best_there_is() -> None:
    tokens = contrasting_tokens(DESKTOPS["weak"])
    assert (tokens.surface, tokens.text) == ("#888888", "#000000")
    assert not is_dark(tokens)


def test_black_on_white_is_a_sign_and_an_ordinary_palette_is_none() -> None:
    assert is_high_contrast(DESKTOPS["GNOME"])
    assert not is_high_contrast(
        SystemColors("#efefef", "#000000", "#ffffff", "#308cc6", "#0000ff", "#bebebe")
    )
    for tokens in (LIGHT, DARK):
        plain = (tokens.surface, tokens.text, tokens.card, tokens.accent, tokens.accent)
        assert not is_high_contrast(SystemColors(*plain, tokens.disabled))


def _palette(colors: SystemColors) -> QPalette:
    palette, roles = QPalette(), QPalette.ColorRole
    named = (roles.Window, roles.WindowText, roles.Base, roles.Highlight, roles.Link)
    for role, color in zip(named, colors, strict=False):
        palette.setColor(role, QColor(color))
    return palette


@pytest.fixture
def system_theme(theme: Theme) -> Iterator[Theme]:
    ordinary = QPalette(_palette(SystemColors("#efefef", "#000000", "#ffffff", *["#000000"] * 3)))
    theme.set_scheme("system")
    yield theme
    theme.use_contrast(ordinary, is_wanted=False)
    assert not theme.is_high_contrast


def test_the_window_takes_the_colours_of_a_high_contrast_desktop(
    qapp: QApplication, system_theme: Theme
) -> None:
    system_theme.use_contrast(_palette(DESKTOPS["Night sky"]), is_wanted=False)
    assert system_theme.is_high_contrast
    assert system_theme.is_dark
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == "#000000"
    assert "#ffffff" in qapp.styleSheet()
    system_theme.use_contrast(_palette(DESKTOPS["Desert"]), is_wanted=True)
    assert system_theme.color("text").name() == "#3d3d3d"
    assert not system_theme.is_dark


def test_a_theme_that_a_person_chose_goes_first(system_theme: Theme) -> None:
    system_theme.use_contrast(_palette(DESKTOPS["Night sky"]), is_wanted=True)
    system_theme.set_scheme("light")
    assert system_theme.tokens is LIGHT
    system_theme.set_scheme("system")
    assert system_theme.color("surface").name() == "#000000"


def test_asking_the_desktop_of_these_tests_changes_nothing(
    qapp: QApplication, theme: Theme
) -> None:
    before = qapp.palette().color(QPalette.ColorRole.Window).name()
    theme.look_at_contrast()
    assert not theme.is_high_contrast
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == before
