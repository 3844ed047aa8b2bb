from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication

from desktop.gui.results.link_bar import LinkBar

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_it_is_there_once_a_link_is_offered(qtbot: QtBot) -> None:
    bar = LinkBar()
    qtbot.addWidget(bar)
    assert bar.isHidden()
    bar.offer(QUrl("https://a.example/" + "x" * 5000))
    assert not bar.isHidden()
    assert len(bar.link.text()) == 2000
    bar.copy_link.click()
    assert QGuiApplication.clipboard().text() == bar.link.text()
    bar.close_link.click()
    assert bar.isHidden()


def test_only_the_web_can_be_opened(qtbot: QtBot) -> None:
    bar = LinkBar()
    qtbot.addWidget(bar)
    for target, opens in (("https://a", True), ("file:///x", False), ("javascript:x", False)):
        bar.offer(QUrl(target))
        assert bar.open_link.isEnabled() is opens
