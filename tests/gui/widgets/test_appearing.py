from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.gui.theme.tokens import MOTION_MS
from desktop.gui.widgets.appearing import Veil, appear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def moving(theme: Theme) -> Iterator[Theme]:
    theme.motion.choose(True)
    yield theme
    theme.motion.choose(False)


@pytest.fixture
def card(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    column = QVBoxLayout(made)
    column.addWidget(QPushButton("Run"))
    made.resize(200, 100)
    made.show()
    return made


def veils(widget: QWidget) -> list[Veil]:
    return [veil for veil in widget.findChildren(Veil) if veil.isVisible()]


def test_a_card_fades_in_and_is_then_as_it_would_have_been(
    moving: Theme, card: QWidget, qtbot: QtBot
) -> None:
    whole = card.grab().toImage()
    appear(moving, card)

    assert card.grab().toImage() != whole
    qtbot.waitUntil(lambda: not veils(card))
    assert card.grab().toImage() == whole


def test_nothing_moves_for_longer_than_an_eye_blinks(moving: Theme, card: QWidget) -> None:
    appear(moving, card)

    assert veils(card)[0].fading.duration() == MOTION_MS <= 150


def test_what_appears_can_be_clicked_at_once(moving: Theme, card: QWidget) -> None:
    button = card.findChildren(QPushButton)[0]
    clicks: list[str] = []
    button.clicked.connect(lambda: clicks.append("run"))
    appear(moving, card)

    below = card.childAt(button.geometry().center())
    assert below is button
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert clicks == ["run"]


def test_what_appears_again_has_one_veil(moving: Theme, card: QWidget) -> None:
    appear(moving, card)
    appear(moving, card)

    assert len(veils(card)) == 1


def test_nothing_moves_where_no_motion_is_wanted_or_nobody_looks(
    moving: Theme, card: QWidget
) -> None:
    card.hide()
    appear(moving, card)
    card.show()
    moving.motion.choose(False)
    appear(moving, card)

    assert veils(card) == []
