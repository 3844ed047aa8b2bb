from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton

from desktop.gui.widgets.labels import (
    MAX_LABEL_LENGTH,
    ElidedLabel,
    FactsLabel,
    description_label,
    plain_label,
    plain_line,
    selectable_label,
)
from tests.gui.form.conftest import labels

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from pytestqt.qtbot import QtBot


def test_no_text_is_markup_and_no_name_is_endless(qtbot: QtBot) -> None:
    for label in (plain_label("<b>x</b>"), plain_line("<b>x</b>")):
        qtbot.addWidget(label)
        assert label.textFormat() == Qt.TextFormat.PlainText
    line = plain_line("x" * 900)
    qtbot.addWidget(line)
    assert len(line.text()) < 80


def test_a_word_without_end_is_wrapped_and_sentences_are_as_they_were(qtbot: QtBot) -> None:
    label = plain_label("")
    qtbot.addWidget(label)
    for text in (f"see {'x' * 400}", r"see C:\Users" + r"\folder" * 30):
        label.setText(text)
        assert label.minimumSizeHint().width() < 300
        assert label.text() == text
    for text in ("A sentence of words.", "https://a.example/some/path/of/parts?x=1", "一句话" * 40):
        label.setText(text)
        assert QLabel.text(label) == text, "what Qt shows"


def test_what_is_copied_is_what_was_set(qtbot: QtBot) -> None:
    text = f"see {'x' * 40}\nand more"
    label = selectable_label(text)
    qtbot.addWidget(label)
    label.show()
    clipboard = QGuiApplication.clipboard()

    label.setFocus()
    for key in (Qt.Key.Key_A, Qt.Key.Key_C):
        clipboard.clear()
        QTest.keyClick(label, key, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == text

    label.setSelection(0, 0)
    assert menu_of(label) == {"Copy": False, "Select all": True}
    choose(label, "Select all")
    choose(label, "Copy")
    assert clipboard.text() == text
    for slot in ("copy()", "selectAll()"):
        assert label.metaObject().indexOfMethod(slot) >= 0, "the menu bar of macOS calls it"
    label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    assert not menu_of(label), "it may be that of what is around it"


def menu_of(label: QLabel) -> dict[str, bool]:
    """What its menu offers, and whether that can be chosen."""
    return {action.text(): action.isEnabled() for action in open_menu(label)}


def choose(label: QLabel, words: str) -> None:
    next(action for action in open_menu(label) if action.text() == words).trigger()


def open_menu(label: QLabel) -> list[QAction]:
    for before in label.findChildren(QMenu):
        before.setParent(None)
        before.close()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(label, QContextMenuEvent(reason, QPoint(1, 1), QPoint(1, 1)))
    return [action for menu in label.findChildren(QMenu) for action in menu.actions()]


def test_a_long_text_is_cut_until_asked_for(qtbot: QtBot) -> None:
    widget = description_label("word " * 2000)
    qtbot.addWidget(widget)
    widget.show()
    assert len(labels(widget)) <= MAX_LABEL_LENGTH + 1
    QTest.mouseClick(widget.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    assert len(labels(widget)) > 9000


def test_a_long_text_gives_way_and_is_whole_in_the_tooltip(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.show()
    label.show_text("a rather <b>long</b> name of a server")
    assert label.text().endswith("…")
    assert "name of a server" in label.toolTip()
    assert "<" not in label.toolTip()
    assert label.accessibleName().startswith("a rather")
    label.resize(2000, 20)
    assert not label.text().endswith("…")
    assert label.toolTip() == ""


def test_a_long_path_gives_way_in_its_middle(qtbot: QtBot) -> None:
    path = "/home/ann/" + "deep/" * 40 + "mcp.json"
    label = ElidedLabel(Qt.TextElideMode.ElideMiddle)
    label.show_text(path)
    qtbot.addWidget(label)
    label.resize(200, 20)
    label.show()

    assert "…" in label.text()
    assert label.text().endswith("json")
    assert (label.accessibleName(), label.toolTip()) == (path, path)


def test_of_facts_the_last_give_way_whole_and_words_are_cut(qtbot: QtBot) -> None:
    label = FactsLabel()
    qtbot.addWidget(label)
    label.show_facts(("14 tools", "12 MB", "PID 4711"))
    label.show()
    whole = label.sizeHint().width()
    label.resize(whole, 20)
    assert label.text() == "14 tools · 12 MB · PID 4711"
    assert label.toolTip() == ""
    label.resize(whole - 10, 20)
    assert label.text() == "14 tools · 12 MB …"
    assert label.toolTip() == "14 tools · 12 MB · PID 4711"
    label.show_facts(("HTTP", "https://a.rather.long.address.example/of/a/server"))
    assert label.text().startswith("HTTP · https://a")
    assert label.text().endswith("…")
