from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from desktop.gui.widgets.banner import MAX_BANNERS, MAX_TEXT, BannerArea

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def area(qtbot: QtBot, theme: Theme) -> Iterator[BannerArea]:
    host = QWidget()
    qtbot.addWidget(host)
    made = BannerArea(theme)
    made.setParent(host)
    host.show()
    yield made
    host.close()


def test_without_news_there_is_no_area(area: BannerArea) -> None:
    assert not area.isVisible()


@pytest.mark.parametrize("word", ["x" * 300, "C:\\Users" + "\\folder" * 30])
def test_a_long_word_or_path_makes_the_window_no_wider(area: BannerArea, word: str) -> None:
    area.show_banner("config", "error", f"{word} is broken.")
    assert area.minimumSizeHint().width() < 500


def test_a_dismissed_banner_goes_and_the_area_with_it(qtbot: QtBot, area: BannerArea) -> None:
    banner = area.show_banner("config", "error", "The file is broken.")
    QTest.mouseClick(banner.findChildren(QToolButton)[-1], Qt.MouseButton.LeftButton)

    assert area.messages == ()
    assert not area.isVisible()


def test_news_under_the_same_key_replaces_the_old(area: BannerArea) -> None:
    area.show_banner("config", "error", "Line 3 is broken.")
    area.show_banner("config", "error", "Line 4 is broken.")

    assert area.messages == ("Line 4 is broken.",)


def test_a_late_dismissal_leaves_the_newer_banner(qtbot: QtBot, area: BannerArea) -> None:
    old = area.show_banner("config", "error", "Line 3 is broken.")
    area.show_banner("config", "error", "Line 4 is broken.")
    old.dismissed.emit()

    assert area.messages == ("Line 4 is broken.",)


def test_the_oldest_goes_where_there_are_too_many(area: BannerArea) -> None:
    for number in range(MAX_BANNERS + 1):
        area.show_banner(str(number), "info", f"News {number}")

    assert area.messages == ("News 1", "News 2", "News 3")


def test_the_action_button_does_what_it_says(qtbot: QtBot, area: BannerArea) -> None:
    done: list[str] = []
    button = area.show_banner("config", "error", "Broken.").add_action(
        "Open file", lambda: done.append("opened")
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    assert done == ["opened"]


def test_the_text_of_others_is_plain_and_bounded(area: BannerArea) -> None:
    banner = area.show_banner("x", "warning", "<b>" + "a" * 5000)
    texts = [label for label in banner.findChildren(QLabel) if label.text()]

    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in texts)
    assert max(len(label.text()) for label in texts) == MAX_TEXT + 1
