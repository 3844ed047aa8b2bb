from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.config.store import ConfigStore
from desktop.gui.servers.problems_view import ConfigErrorsView
from tests.gui.servers.conftest import note

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def show(text: str, tmp_path: Path, theme: Theme, qtbot: QtBot) -> ConfigErrorsView:
    path = tmp_path / "mcp.json"
    path.write_text(text, encoding="utf-8")
    store = ConfigStore(path, {})
    store.load()
    view = ConfigErrorsView(theme)
    qtbot.addWidget(view)
    view.show_problems(store)
    return view


def test_without_problems_there_is_nothing(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    assert show("{}", tmp_path, theme, qtbot).isHidden()


def test_each_bad_entry_has_buttons_of_its_own(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    text = '{"mcpServers": {"one": {"args": []}, "two": {"command": 3}}}'
    view = show(text, tmp_path, theme, qtbot)
    asked = list[str]()
    view.edit_asked.connect(partial(note, asked, "edit"))
    view.remove_asked.connect(partial(note, asked, "remove"))
    for card in view.cards:
        for button in card.findChildren(QPushButton):
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == ["edit one", "remove one", "edit two", "remove two"]


def test_the_words_of_a_problem_are_plain_text(tmp_path: Path, theme: Theme, qtbot: QtBot) -> None:
    text = json.dumps({"mcpServers": {"<b>x</b>": {"args": []}}})
    view = show(text, tmp_path, theme, qtbot)
    labels = [label for label in view.findChildren(QLabel) if label.text()]
    assert any("<b>x</b>" in label.text() for label in labels)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)


def test_a_file_with_many_bad_entries_stays_a_short_list(
    tmp_path: Path, theme: Theme, qtbot: QtBot
) -> None:
    entries = ", ".join(f'"bad {n}": {{}}' for n in range(500))
    view = show(f'{{"mcpServers": {{{entries}}}}}', tmp_path, theme, qtbot)
    assert len(view.cards) <= 20
