from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.results.bytes_card import MAX_SHOWN_BYTES, BytesCard, hex_lines
from desktop.values.tool_types import Content
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

PDF = b"%PDF-1.4 small"


class Viewer:
    """Notes what it is to show, and how it was stored."""

    def __init__(self) -> None:
        self.shown: list[tuple[Path, bytes, int]] = []
        self.asked = asyncio.Event()

    def __call__(self, file: Path) -> bool:
        self.shown.append((file, file.read_bytes(), file.parent.stat().st_mode & 0o777))
        self.asked.set()
        return True


def test_bytes_are_shown_as_numbers_and_letters() -> None:
    assert hex_lines(b"Hi\n\xff" + b"x" * 13) == (
        "00000000  48 69 0a ff 78 78 78 78 78 78 78 78 78 78 78 78  Hi..xxxxxxxxxxxx\n"
        "00000010  78                                               x"
    )


def test_many_bytes_are_cut_and_told(qtbot: QtBot, theme: Theme) -> None:
    card = BytesCard(theme, Content("resource", data=b"\0" * (MAX_SHOWN_BYTES + 5)))
    qtbot.addWidget(card)

    assert card.hex.blockCount() == MAX_SHOWN_BYTES // 16
    assert "5 more bytes" in card.rest.text()
    assert card.open.isHidden()


async def test_a_pdf_is_opened_by_a_click_alone_from_a_private_copy_that_goes(
    theme: Theme,
) -> None:
    viewer = Viewer()
    card = BytesCard(theme, Content("resource", data=PDF, name="../x.exe"), show_file=viewer)
    card.show()
    before = list(viewer.shown)
    QTest.mouseClick(card.open, Qt.MouseButton.LeftButton)
    async with asyncio.timeout(LIMIT):
        await viewer.asked.wait()
    ((file, content, mode),) = viewer.shown
    card.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    assert before == []
    assert (file.name, content, mode) == ("resource.pdf", PDF, 0o700)
    assert not file.parent.exists()
