from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextDocument, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.widgets.json_highlighter import MAX_LINE_LENGTH, JsonHighlighter
from desktop.gui.widgets.text_editors import cursor_position, set_cursor_position
from desktop.gui.widgets.visibility import batch_layout
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_the_cursor_goes_back_to_its_place_or_to_the_end(qtbot: QtBot) -> None:
    for widget in (QLineEdit("text"), QPlainTextEdit("text")):
        qtbot.addWidget(widget)
        for position, then in ((2, 2), (99, 4)):
            set_cursor_position(widget, position)
            assert cursor_position(widget) == then


def test_what_holds_no_text_has_no_cursor(qtbot: QtBot) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    set_cursor_position(button, 3)
    assert (cursor_position(button), cursor_position(None)) == (0, 0)


def test_layouts_wait_and_then_make_room_for_all(qtbot: QtBot) -> None:
    window, inner = QWidget(), QWidget()
    qtbot.addWidget(window)
    outer, column = QVBoxLayout(window), QVBoxLayout(inner)
    outer.addWidget(inner)
    labels = [QLabel("text") for _ in range(3)]
    for label in labels:
        column.addWidget(label)
        label.hide()
    window.show()
    before = inner.sizeHint().height()
    with batch_layout(labels):
        assert not (outer.isEnabled())
        assert not (column.isEnabled())
        for label in labels:
            label.show()
    qtbot.waitUntil(lambda: inner.sizeHint().height() > before)
    assert outer.isEnabled()
    assert column.isEnabled()


def test_layouts_go_on_after_a_failure(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column, label = QVBoxLayout(window), QLabel()
    column.addWidget(label)
    with pytest.raises(RuntimeError), batch_layout([label]):
        raise RuntimeError
    assert column.isEnabled()


def _turn_wheel(widget: QWidget) -> bool:
    """Turn it one notch over `widget`; whether the widget took it."""
    center = QPointF(widget.rect().center())
    event = QWheelEvent(
        center,
        QPointF(widget.mapToGlobal(center)),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_a_field_that_is_scrolled_past_keeps_its_value(qtbot: QtBot) -> None:
    field = QSpinBox()
    qtbot.addWidget(field)
    require_focus_for_wheel(field)
    field.clearFocus()

    assert not _turn_wheel(field)
    assert field.value() == 0


def test_a_field_with_the_focus_follows_the_wheel(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    field = QSpinBox(parent=host)
    require_focus_for_wheel(field)
    with qtbot.waitActive(host):
        host.show()
        host.activateWindow()
    field.setFocus()
    _turn_wheel(field)

    assert field.value() == 1


def colors(text: str, theme: Theme) -> list[str]:
    document = QTextDocument(text)
    highlighter = JsonHighlighter(document, theme)
    highlighter.rehighlight()
    formats: list[Any] = document.firstBlock().layout().formats()
    return [span.format.foreground().color().name() for span in formats]


def test_keys_texts_numbers_and_words_have_their_colours(theme: Theme) -> None:
    expected = [theme.color(name).name() for name in ("accent", "success", "accent", "warning")]
    assert colors('{"a": "x\\"y", "b": -1.5e3}', theme) == expected


def test_a_line_of_megabytes_is_left_alone(theme: Theme) -> None:
    assert colors('"a"' * MAX_LINE_LENGTH, theme) == []
