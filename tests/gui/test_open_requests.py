from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QObject, QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop.gui.open_requests import handed_over, started_with, take_drops, take_files
from tests.gui.drag_and_drop import drag_over, drop

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
        (mime(QUrl("https://example.com/mcp")), "https://example.com/mcp"),
        (mime(text="npx -y some-server"), "npx -y some-server"),
        (mime(text='{"a": {"command": "x"}}'), '{"a": {"command": "x"}}'),
        (mime(QUrl("https://github.com/a/b")), ""),
        (mime(QUrl.fromLocalFile("/a"), QUrl.fromLocalFile("/b")), ""),
        (mime(text="words"), ""),
        (mime(text="x" * 200_000), ""),
    ],
)
def test_one_file_one_link_or_one_text_of_a_server_is_taken(given: QMimeData, what: str) -> None:
    assert handed_over(given) == what


@pytest.mark.parametrize(
    ("word", "what"),
    [
        ("file:///a%20b/mcp.json", "/a b/mcp.json"),
        ("/a b/mcp.json", "/a b/mcp.json"),
        ("x/../mcp.json", str(Path.cwd() / "mcp.json")),
        ("~/mcp.json", str(Path.home() / "mcp.json")),
        (LINK, LINK),
        ("https://example.com/x.json", "https://example.com/x.json"),
    ],
)
def test_a_start_is_given_a_path_a_url_or_a_link(word: str, what: str) -> None:
    assert started_with(word) == what


def test_a_file_with_a_colon_is_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my:mcp.json").touch()
    assert started_with("my:mcp.json") == str(tmp_path / "my:mcp.json")


def test_a_drop_on_the_window_is_handed_on_and_others_are_not(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    opened: list[str] = []
    take_drops(widget, opened.append)
    data = mime(QUrl.fromLocalFile("/a.json"))
    assert drag_over(widget, data)
    assert opened == []
    (target,) = widget.findChildren(QLabel)
    assert target.text() == "Drop it here to add the server"
    drop(widget, data)
    assert target.isHidden()
    assert not drag_over(widget, mime(text="words"))
    assert opened == ["/a.json"]
    drop(widget, mime(text="words"))
    assert opened == ["/a.json"]


def test_what_the_system_asks_to_open_is_handed_on(qtbot: QtBot, qapp: QApplication) -> None:
    owner = QObject()
    opened: list[str] = []
    take_files(qapp, owner, opened.append)
    QApplication.sendEvent(qapp, QFileOpenEvent("/a.json"))
    QApplication.sendEvent(qapp, QFileOpenEvent(QUrl(LINK)))
    assert opened == ["/a.json", LINK]
    owner.deleteLater()
