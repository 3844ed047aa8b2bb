from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from desktop.base.errors import ConfigError
from desktop.config.models import ServerConfig
from desktop.gui.import_export.inputs_view import PathLine
from desktop.gui.servers.form_fields import (
    ArgumentsEdit,
    FormLine,
    SecondsBox,
    by_field,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_number_is_shown_without_needless_digits_and_keeps_its_fraction(qtbot: QtBot) -> None:
    box = SecondsBox(600)
    qtbot.addWidget(box)
    box.setValue(30)
    assert box.text() == "30 s"
    box.setValue(1.25)
    assert box.text() == "1.25 s"
    assert box.value() == 1.25
    box.setValue(9999)
    assert box.value() == 600


def test_the_wheel_over_it_scrolls_the_form_and_changes_nothing(qtbot: QtBot) -> None:
    box = SecondsBox(600)
    qtbot.addWidget(box)
    box.setValue(30)
    event = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, 120),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, event)
    assert box.value() == 30
    assert not event.isAccepted()


def test_a_folder_is_picked_without_blocking(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    field = PathLine(theme, is_file=False)
    qtbot.addWidget(field)
    field.show()
    QTest.mouseClick(field.pick, Qt.MouseButton.LeftButton)
    picker = field.findChild(QFileDialog)
    assert picker is not None
    picker.fileSelected.emit(str(tmp_path))
    picker.reject()
    assert field.text == str(tmp_path)


def test_untouched_arguments_come_back_as_they_were_and_are_all_seen(qtbot: QtBot) -> None:
    edit = ArgumentsEdit()
    qtbot.addWidget(edit)
    edit.show()
    edit.show_arguments(tuple("--an-argument-that-is-wider-than-the-box" * 9 for _ in range(6)))
    assert edit.verticalScrollBar().maximum() == 0
    edit.show_arguments(("a\nb", "", " c "))
    assert edit.arguments() == ("a\nb", "", " c ")
    edit.setPlainText("x\n\ny z")
    assert edit.arguments() == ("x", "y z")


FIELDS = frozenset({"name", "command", "url", "timeout", "connect_timeout", "env"})


def test_each_sentence_goes_to_the_field_it_begins_with() -> None:
    with pytest.raises(ConfigError) as caught:
        ServerConfig.checked(
            name="", transport="stdio", command="x", timeout=0, connect_timeout=9999, env={"": "v"}
        )
    found, rest = by_field(caught.value, FIELDS)
    assert set(found) == {"name", "timeout", "connect_timeout", "env"}
    assert "seconds" in rest


def test_what_its_transport_needs_stands_at_that_field() -> None:
    with pytest.raises(ConfigError) as caught:
        ServerConfig.checked(name="a", transport="stdio")
    found, _ = by_field(caught.value, FIELDS)
    assert found == {"command": "must name the program to start"}


def test_what_concerns_no_field_is_said_of_the_whole() -> None:
    error = ConfigError("/a/b cannot be written: disk full", remedy="Free some space.")
    assert by_field(error, FIELDS) == ({}, "/a/b cannot be written: disk full\nFree some space.")


def test_an_error_takes_the_place_of_the_hint_and_gives_it_back(qtbot: QtBot) -> None:
    edit = QLineEdit()
    field = FormLine(edit)
    qtbot.addWidget(field)
    field.set_text("Name", "any word")
    assert edit.accessibleName() == "Name"
    assert edit.accessibleDescription() == "any word"
    field.set_error("must not be empty")
    assert field.error == "Must not be empty"
    assert edit.property("role") == "invalid"
    assert edit.accessibleDescription() == "Must not be empty"
    field.set_error("")
    assert field.error == ""
    assert edit.property("role") == ""
