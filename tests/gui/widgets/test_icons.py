from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import QLabel, QToolButton

from desktop.base.paths import resources
from desktop.gui.widgets.icons import icon, pixmap, set_icon

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


NAMES = sorted(file.stem for file in (resources() / "icons").glob("*.svg"))


def _tints(image: QImage) -> set[str]:
    """The colours of the opaque pixels."""
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    colors = (image.pixelColor(x, y) for x, y in points)
    return {color.name() for color in colors if color.alpha() == 255}


def _distance(one: QColor, other: QColor) -> int:
    red, green, blue = (
        one.red() - other.red(),
        one.green() - other.green(),
        one.blue() - other.blue(),
    )
    return max(abs(red), abs(green), abs(blue))


@pytest.mark.parametrize("name", NAMES)
def test_an_icon_is_drawn_in_the_asked_tint_alone(theme: Theme, name: str) -> None:
    tint = theme.color("danger")
    found = _tints(pixmap(theme, name, "danger", size=96).toImage())

    assert tint.name() in found
    assert all(_distance(QColor(other), tint) <= 2 for other in found)  # rounding where lines cross


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_stands_on_the_grid_of_24_and_names_no_colour(name: str) -> None:
    root = ElementTree.parse(resources() / "icons" / f"{name}.svg").getroot()

    assert root.get("viewBox") == "0 0 24 24"
    assert {root.get("stroke"), root.get("fill")} == {"currentColor", "none"}


def test_a_button_is_tinted_anew_when_the_theme_changes(qtbot: QtBot, theme: Theme) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    set_icon(theme, button, "play", "accent", size=48)
    theme.set_scheme("dark")

    assert _tints(button.icon().pixmap(48, 48).toImage()) == {theme.color("accent").name()}


def test_a_label_shows_another_icon_when_asked_again(qtbot: QtBot, theme: Theme) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    set_icon(theme, label, "check", "success", size=48)
    first = label.pixmap().toImage()
    set_icon(theme, label, "error", "danger", size=48)

    assert label.pixmap().toImage() != first
    assert _tints(label.pixmap().toImage()) == {theme.color("danger").name()}


def test_a_checked_button_has_its_own_tint(theme: Theme) -> None:
    made = icon(theme, "stop", "muted", on="accent", size=48)

    on = made.pixmap(QSize(48, 48), QIcon.Mode.Normal, QIcon.State.On)
    assert _tints(on.toImage()) == {theme.color("accent").name()}


def test_a_destroyed_button_is_tinted_no_more(qtbot: QtBot, theme: Theme) -> None:
    button = QToolButton()
    set_icon(theme, button, "play")
    with qtbot.waitSignal(button.destroyed):
        button.deleteLater()

    theme.set_scheme("dark")  # a call into the destroyed button would raise
