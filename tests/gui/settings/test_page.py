from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QPushButton

from desktop import __version__
from desktop.base.paths import Paths
from desktop.config.store import ConfigStore
from desktop.gui.settings.page import SettingsPage
from desktop.gui.settings.rows import SectionCard
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def store(tmp_path: Path) -> ConfigStore:
    made = ConfigStore(tmp_path / "config" / "mcp.json", {})
    made.load()
    return made


@pytest.fixture
def page(qtbot: QtBot, store: ConfigStore, theme: Theme, tmp_path: Path) -> SettingsPage:
    made = SettingsPage(store, theme, Paths(store.path, tmp_path / "data"))
    qtbot.addWidget(made)
    made.show()
    return made


class _Section(SectionCard):
    """One with a button, as tall as all that is seen at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.button = QPushButton("press")
        self.button.setFixedHeight(400)
        self.add(self.button)


def test_a_search_leaves_the_sections_that_have_the_words(
    qtbot: QtBot, store: ConfigStore, theme: Theme, tmp_path: Path
) -> None:
    page = SettingsPage(store, theme, Paths(store.path, tmp_path / "data"), [_Section])
    qtbot.addWidget(page)
    page.show()
    for words, rows in (("dark MODE", page.theme), ("connecting", page.connect_timeout)):
        page.search.clear()
        QTest.keyClicks(page.search, words)
        assert rows.isVisible()
        assert sum(card.isVisible() for card in page.findChildren(SectionCard)) == 1
    page.search.clear()
    QTest.keyClicks(page.search, "press")
    assert [card for card in page.findChildren(_Section) if card.isVisible()]
    QTest.keyClicks(page.search, "no such thing")
    assert not any(card.isVisible() for card in page.findChildren(SectionCard))
    assert "No setting has these words." in _seen(page)
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert all(card.isVisible() for card in page.findChildren(SectionCard))


def test_a_wide_page_names_its_sections_and_a_click_goes_there(
    qtbot: QtBot, store: ConfigStore, theme: Theme, tmp_path: Path
) -> None:
    page = SettingsPage(store, theme, Paths(store.path, tmp_path / "data"), [_Section])
    qtbot.addWidget(page)
    page.resize(1100, 500)
    page.show()
    assert page.section(_Section) is not None
    links = page.section_list.findChildren(QPushButton)
    assert page.section_list.names[:2] == ["Appearance", "Limits"]
    assert page.section_list.names[-1] == "About"
    assert links[0].isChecked()

    QTest.mouseClick(links[-2], Qt.MouseButton.LeftButton)
    files = page.paths[0]
    top = files.mapTo(page.viewport(), QPoint(0, 0)).y()
    assert 0 <= top < page.viewport().height()
    assert sum(link.isChecked() for link in links) == 1

    QTest.keyClicks(page.search, "dark")
    assert page.section_list.names == ["Appearance"]
    page.resize(700, 500)
    assert page.section_list.isHidden()


def _seen(page: SettingsPage) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


async def test_sections_come_one_a_turn_below_what_is_seen_and_in_the_order_of_tab(
    qtbot: QtBot, store: ConfigStore, theme: Theme, tmp_path: Path
) -> None:
    paths = Paths(store.path, tmp_path / "data")
    page = SettingsPage(store, theme, paths, [_Section, _Section])
    qtbot.addWidget(page)
    page.resize(800, 500)
    page.show()
    content = page.language.window()
    seen = [page.language, page.theme, page.call_timeout, page.notify]
    places = {control: control.mapTo(content, QPoint()) for control in seen}
    assert page.findChildren(_Section) == []
    assert not page.paths[0].isVisible()
    counts: set[int] = set()
    while not page.paths[0].isVisible():
        await turns(1)
        now = {control: control.mapTo(content, QPoint()) for control in seen}
        assert [*now.values()] == [*places.values()]
        counts.add(len(page.findChildren(_Section)))
    assert counts == {1, 2}
    first, second = page.findChildren(_Section)
    tops = [each.mapTo(content, QPoint()).y() for each in (page.connect_timeout, first, second)]
    tops.append(page.paths[0].mapTo(content, QPoint()).y())
    assert tops == sorted(tops)
    first.button.setFocus()
    page.focusNextChild()
    assert page.focusWidget() is second.button
    page.focusNextChild()
    assert page.paths[0].isAncestorOf(page.focusWidget())


def test_a_section_that_is_asked_for_is_made_at_once(
    qtbot: QtBot, store: ConfigStore, theme: Theme, tmp_path: Path
) -> None:
    page = SettingsPage(store, theme, Paths(store.path, tmp_path / "data"), [_Section])
    qtbot.addWidget(page)
    page.show()
    made = page.section(_Section)
    assert made is not None
    assert made.isVisible()
    assert page.paths[0].isVisible()
    assert page.section(_Section) is made


def _break(store: ConfigStore) -> None:
    """From now on nothing can be saved: the folder of the file is a file."""
    store.path.parent.write_text("in the way", encoding="utf-8")


def test_a_chosen_theme_is_saved_at_once(
    qtbot: QtBot, page: SettingsPage, store: ConfigStore
) -> None:
    page.theme.setFocus()
    QTest.keyClick(page.theme, Qt.Key.Key_Down)
    QTest.keyClick(page.theme, Qt.Key.Key_Down)

    assert store.settings.theme == "dark"
    assert "dark" in json.dumps(json.loads(store.path.read_text(encoding="utf-8")))


def test_a_chosen_language_is_saved_at_once(
    qtbot: QtBot, page: SettingsPage, store: ConfigStore
) -> None:
    QTest.keyClick(page.language, Qt.Key.Key_End)

    assert store.settings.language == "zh_CN"


def test_notifications_are_switched_off_and_on(page: SettingsPage, store: ConfigStore) -> None:
    assert page.notify.isChecked()
    QTest.mouseClick(page.notify, Qt.MouseButton.LeftButton)
    assert (store.settings.notify, page.notify.isChecked()) == (False, False)
    QTest.keyClick(page.notify, Qt.Key.Key_Space)
    assert (store.settings.notify, page.notify.isChecked()) == (True, True)


def test_a_typed_limit_is_saved_with_return(
    qtbot: QtBot, page: SettingsPage, store: ConfigStore
) -> None:
    page.call_timeout.selectAll()
    QTest.keyClicks(page.call_timeout, "45")
    QTest.keyClick(page.call_timeout, Qt.Key.Key_Return)

    assert store.settings.call_timeout == 45


def test_the_limits_of_a_question_are_saved(
    qtbot: QtBot, page: SettingsPage, store: ConfigStore
) -> None:
    for box, typed in ((page.chat_turns, "40"), (page.chat_seconds, "600")):
        box.selectAll()
        QTest.keyClicks(box, typed)
        QTest.keyClick(box, Qt.Key.Key_Return)

    assert (store.settings.chat_turns, store.settings.chat_seconds) == (40, 600)


def test_leaving_a_limit_as_it_is_writes_nothing(
    qtbot: QtBot, page: SettingsPage, store: ConfigStore
) -> None:
    QTest.keyClick(page.connect_timeout, Qt.Key.Key_Return)

    assert not store.path.exists()


def test_a_failed_save_is_said_and_taken_back(
    qtbot: QtBot, page: SettingsPage, store: ConfigStore
) -> None:
    _break(store)
    QTest.keyClick(page.theme, Qt.Key.Key_Down)

    assert len(page.errors) == 1
    assert page.theme.currentData() == "system"
    assert store.settings.theme == "system"


def test_the_error_goes_with_the_next_save_that_works(
    qtbot: QtBot, page: SettingsPage, store: ConfigStore
) -> None:
    _break(store)
    QTest.keyClick(page.theme, Qt.Key.Key_Down)
    store.path.parent.unlink()
    QTest.keyClick(page.theme, Qt.Key.Key_Down)

    assert page.errors == ()
    assert store.settings.theme == "light"


def test_a_change_from_elsewhere_is_shown(page: SettingsPage, store: ConfigStore) -> None:
    store.update_settings(theme="dark", call_timeout=7)

    assert page.theme.currentData() == "dark"
    assert page.call_timeout.value() == 7


async def test_what_a_section_has_to_save_is_saved_or_the_page_says_why_not(
    qtbot: QtBot, store: ConfigStore, theme: Theme, tmp_path: Path
) -> None:
    page = SettingsPage(store, theme, Paths(store.path, tmp_path / "data"), [_Section])
    qtbot.addWidget(page)
    section = page.section(_Section)
    assert section is not None
    section.save_requested.emit({"call_timeout": -1})
    assert "callTimeout" in page.errors[0]
    section.save_requested.emit({"call_timeout": 7})
    assert (page.errors, store.settings.call_timeout) == ((), 7)


def test_the_version_and_the_licences_are_there(page: SettingsPage) -> None:
    text = "\n".join(label.text() for label in page.findChildren(QLabel))

    assert __version__ in text
    assert "LGPL-3.0" in text


def test_every_control_has_an_accessible_name(page: SettingsPage) -> None:
    controls = [*page.findChildren(QComboBox), *page.findChildren(QAbstractSpinBox)]

    assert all(control.accessibleName() for control in controls)


def test_the_wheel_over_a_control_scrolls_the_page_and_changes_nothing(
    page: SettingsPage,
) -> None:
    controls = [*page.findChildren(QComboBox), *page.findChildren(QAbstractSpinBox)]

    assert all(control.focusPolicy() == Qt.FocusPolicy.StrongFocus for control in controls)
