from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.gui.results.saving import proposed_name, save_as

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.conftest import ExpectedLogs


@pytest.mark.parametrize(
    ("wanted", "mime", "name"),
    [
        ("", "image/png", "image.png"),
        ("../../etc/passwd", "", "passwd"),
        ("C:\\windows\\x.txt", "text/plain", "x.txt"),
        ("demo://a/report?x=/y", "text/plain; charset=utf-8", "report.txt"),
        ("..", "", "image"),
        ("a\nb<c>", "", "a_b_c_"),
        ("x" * 500, "", "x" * 80),
    ],
)
def test_a_server_proposes_no_more_than_a_harmless_name(wanted: str, mime: str, name: str) -> None:
    assert proposed_name(wanted, mime, "image") == name


def test_a_file_that_cannot_be_written_is_told_of(
    qtbot: QtBot, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("cannot save to")
    window = QWidget()
    qtbot.addWidget(window)
    dialog = save_as(window, "x.txt", lambda: b"x")
    dialog.fileSelected.emit(str(tmp_path / "missing" / "x.txt"))
    dialog.reject()
    box = window.findChildren(QMessageBox)[0]
    assert "x.txt was not saved" in box.text()
    assert box.textFormat() == Qt.TextFormat.PlainText
    box.close()
