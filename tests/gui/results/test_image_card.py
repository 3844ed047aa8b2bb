from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from desktop.gui.results.image_card import ImageCard
from desktop.gui.results.saving import SaveDialog
from desktop.tool_types import Content
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton


async def shown(card: ImageCard, qtbot: QtBot) -> None:
    qtbot.addWidget(card)
    card.resize(300, 200)
    card.show()
    await asyncio.wait_for(card.settled.wait(), 5)


async def test_the_image_is_shown_with_its_facts(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", data=png(40, 30), mime="image/png", name="a.png"))
    await shown(card, qtbot)
    assert card.area.canvas.image.size() == QSize(40, 30)
    assert card.caption.text().startswith("a.png · image/png · ")
    assert card.caption.text().endswith("40 × 30")
    assert card.area.accessibleName() == card.caption.text()


async def test_it_is_zoomed_and_fitted_by_buttons(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", data=png(900, 30), mime="image/png"))
    await shown(card, qtbot)
    assert card.fit.isChecked()
    QTest.mouseClick(card.actual, LEFT)
    assert (card.zoom.text(), card.actual.isChecked()) == ("100 %", True)
    QTest.mouseClick(card.larger, LEFT)
    assert card.zoom.text() == "125 %"
    QTest.mouseClick(card.smaller, LEFT)
    QTest.mouseClick(card.smaller, LEFT)
    assert card.zoom.text() == "80 %"
    QTest.mouseClick(card.fit, LEFT)
    assert card.fit.isChecked()


async def test_the_image_is_copied(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", data=png(40, 30)))
    await shown(card, qtbot)
    QTest.mouseClick(card.copy, LEFT)
    assert QGuiApplication.clipboard().image().size() == QSize(40, 30)


async def test_what_cannot_be_shown_says_why_and_can_be_saved(qtbot: QtBot, tmp_path: Path) -> None:
    card = ImageCard(Content("image", data=b"no image", mime="image/png"))
    await shown(card, qtbot)
    assert "not drawn" in card.caption.text()
    assert not card.fit.isVisible()
    QTest.mouseClick(card.save, LEFT)
    dialog = card.findChildren(SaveDialog)[0]
    dialog.fileSelected.emit(str(tmp_path / "x.png"))
    dialog.reject()
    assert dialog.writing is not None
    await asyncio.wait_for(dialog.writing, 5)
    assert (tmp_path / "x.png").read_bytes() == b"no image"


async def test_an_image_that_was_not_kept_says_so(qtbot: QtBot) -> None:
    card = ImageCard(Content("image", mime="image/png"))
    await shown(card, qtbot)
    assert "is not here" in card.caption.text()
    assert not card.save.isVisible()
