"""A change of language reaches each widget, whatever its Qt class; other changes do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QToolButton, QWidget

from desktop.gui.widgets.banner import Banner
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


class _Frame(Retranslated, QFrame):
    languages = 0

    def retranslate(self) -> None:
        self.languages += 1


class _Line(Retranslated, QLineEdit):
    languages = 0

    def retranslate(self) -> None:
        self.languages += 1


@pytest.mark.parametrize("make", [_Frame, _Line])
def test_only_a_change_of_language_sets_the_texts_again(
    qtbot: QtBot, make: type[_Frame | _Line]
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    widget = make(window)
    for change in (QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LanguageChange):
        QApplication.sendEvent(widget, QEvent(change))
    assert widget.languages == 1


def test_the_qt_class_hears_of_its_changes_too(qtbot: QtBot) -> None:
    line = _Line()
    qtbot.addWidget(line)
    line.setText("a long text")
    narrow = line.sizeHint().height()
    font = line.font()
    font.setPointSize(font.pointSize() * 4)
    line.setFont(font)
    assert line.sizeHint().height() > narrow


def test_a_banner_is_dismissed_in_the_language_of_now(qtbot: QtBot, theme: Theme) -> None:
    banner = Banner(theme, "info", "Saved")
    qtbot.addWidget(banner)
    dismiss = banner.findChild(QToolButton)
    assert dismiss is not None
    dismiss.setToolTip("the language before")
    QApplication.sendEvent(banner, QEvent(QEvent.Type.LanguageChange))
    assert dismiss.toolTip() == banner.tr("Dismiss")
