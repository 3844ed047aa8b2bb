from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFileOpenEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop.gui.opening import handed_over, take_drops, take_files

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

LINK = "mcp-desktop://import?config=e30"


def mime(*urls: QUrl, text: str = "") -> QMimeData:
    made = QMimeData()
    if urls:
        made.setUrls(list(urls))
    else:
        made.setText(text)
    return made


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (mime(QUrl.fromLocalFile("/a b.json")), "/a b.json"),
        (mime(QUrl(LINK)), LINK),
        (mime(text=f" {LINK}\n"), LINK),
        (mime(QUrl("https://example.com/x.json")), ""),
        (mime(QUrl.fromLocalFile("/a"), QUrl.fromLocalFile("/b")), ""),
        (mime(text="some words"), ""),
        (mime(text="x" * 200_000), ""),
    ],
)
def test_one_file_or_one_install_link_is_taken(given: QMimeData, what: str) -> None:
    assert handed_over(given) == what


def test_a_drop_on_the_window_is_handed_on_and_others_are_not(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    opened: list[str] = []
    take_drops(widget, opened.append)
    data = mime(QUrl.fromLocalFile("/a.json"))
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(1, 1), Qt.DropAction.CopyAction, data, button, none)
    QApplication.sendEvent(widget, enter)
    assert enter.isAccepted()
    assert opened == []
    drop = QDropEvent(QPointF(1, 1), Qt.DropAction.CopyAction, data, button, none)
    QApplication.sendEvent(widget, drop)
    assert opened == ["/a.json"]
    words = mime(text="words")
    QApplication.sendEvent(
        widget, QDropEvent(QPointF(1, 1), Qt.DropAction.CopyAction, words, button, none)
    )
    assert opened == ["/a.json"]


def test_what_the_system_asks_to_open_is_handed_on(qtbot: QtBot, qapp: QApplication) -> None:
    owner = QObject()
    opened: list[str] = []
    take_files(qapp, owner, opened.append)
    QApplication.sendEvent(qapp, QFileOpenEvent("/a.json"))
    QApplication.sendEvent(qapp, QFileOpenEvent(QUrl(LINK)))
    assert opened == ["/a.json", LINK]
    owner.deleteLater()
