"""The app's log lines, by level and text, without the secrets of any server."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from desktop.diagnostics.logs import LogBuffer
from desktop.gui.activity.page import LogsView
from desktop.gui.activity.server_messages import keep_server_message
from desktop.redaction.redactor import Redaction
from desktop.servers.server_log import LogMessage
from tests.gui.activity.conftest import once

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def log(logs: LogBuffer, level: int, text: str, name: str = "desktop.part") -> None:
    logs.handle(logging.LogRecord(name, level, "", 0, text, (), None))


@pytest.fixture
def logs() -> LogBuffer:
    return LogBuffer()


@pytest.fixture
def view(logs: LogBuffer, theme: Theme, settings: QSettings, qtbot: QtBot) -> LogsView:
    made = LogsView(theme, logs, lambda: Redaction(["t0ken"]), settings)
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    return made


async def test_lines_come_while_it_is_seen(view: LogsView, logs: LogBuffer) -> None:
    assert view.text.toPlainText() == ""
    log(logs, logging.INFO, "hello t0ken")
    await once(view.text.textChanged, lambda: "hello" in view.text.toPlainText())
    assert "INFO     desktop.part: hello ‹redacted›" in view.text.toPlainText()


def test_levels_and_text_choose_lines(
    view: LogsView, logs: LogBuffer, settings: QSettings, theme: Theme, qtbot: QtBot
) -> None:
    for level, text in ((logging.INFO, "one"), (logging.WARNING, "two"), (logging.ERROR, "three")):
        log(logs, level, text)
    view.level.setCurrentIndex(1)
    assert [line.split()[-1] for line in view.text.toPlainText().splitlines()] == ["two", "three"]
    view.filter.setText("THREE")
    assert [line.split()[-1] for line in view.text.toPlainText().splitlines()] == ["three"]
    again = LogsView(theme, logs, Redaction, settings)
    qtbot.addWidget(again)
    assert again.level.currentIndex() == 1


def test_lines_are_copied_and_cleared(view: LogsView, logs: LogBuffer) -> None:
    log(logs, logging.INFO, "one")
    view.copy.click()
    assert "one" in QApplication.clipboard().text()
    view.clear.click()
    assert view.text.toPlainText() == ""


def test_lines_of_servers_and_of_the_app_can_be_told_apart(view: LogsView, logs: LogBuffer) -> None:
    log(logs, logging.INFO, "ours")
    keep_server_message(logs, "files", LogMessage("alert", "disk", "theirs"))
    view.look()
    assert "ALERT    server files disk: theirs" in view.text.toPlainText()
    for source, words in (("app", "ours"), ("servers", "theirs")):
        view.source.setFocus()
        view.source.setCurrentIndex(view.source.findData(source))
        assert [line.split()[-1] for line in view.text.toPlainText().splitlines()] == [words]
