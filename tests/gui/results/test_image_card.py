from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from desktop.gui.results.image_card import ImageCanvas, ImageCard
from desktop.tools.result import Content
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


async def shown(card: ImageCard, qtbot: QtBot) -> None:
    qtbot.addWidget(card)
    card.show()
    await asyncio.wait_for(card.settled.wait(), 5)


async def test_the_image_is_shown_with_its_facts(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", data=png(40, 30), mime="image/png"))
    await shown(card, qtbot)
    assert card.canvas.image.size() == QSize(40, 30)
    assert "image/png" in card.caption.text()
    assert "40 × 30" in card.caption.text()
    assert card.canvas.accessibleName() == card.caption.text()


async def test_what_cannot_be_shown_says_why_and_can_be_saved(qtbot: QtBot, tmp_path: Path) -> None:
    card = ImageCard(Content("image", data=b"<svg/>", mime="image/svg+xml"))
    await shown(card, qtbot)
    assert "not drawn" in card.caption.text()
    QTest.mouseClick(card.save, Qt.MouseButton.LeftButton)
    dialog = card.findChildren(QFileDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "x.svg"))
    dialog.reject()
    assert (tmp_path / "x.svg").read_bytes() == b"<svg/>"


def test_an_image_shrinks_to_the_width_but_never_grows(qtbot: QtBot) -> None:
    canvas = ImageCanvas()
    qtbot.addWidget(canvas)
    canvas.show_image(QImage(200, 100, QImage.Format.Format_RGB32), "an image")
    assert canvas.heightForWidth(100) == 50
    assert canvas.heightForWidth(1000) == 100
    assert canvas.sizeHint() == QSize(200, 100)
    assert not canvas.grab().isNull()
