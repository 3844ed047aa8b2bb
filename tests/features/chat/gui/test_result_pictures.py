"""Pictures of a result are seen in the conversation: few, small, and all of them on request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.chat.gui import call_card
from desktop.features.chat.gui.call_card import MAX_PICTURES, CallCard, ResultPictures
from desktop.features.chat.gui.entries import ToolCallEntry
from desktop.values.tool_types import Content, ToolResult
from tests.gui.results.images import png
from tests.patience import LIMIT

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def result(*data: bytes) -> ToolResult:
    return ToolResult(True, content=tuple(Content("image", data=d, mime="image/png") for d in data))


async def test_a_picture_is_shown_small_in_the_card(qtbot: QtBot, theme: Theme) -> None:
    entry = ToolCallEntry("1", "x", "s:t", state="done", result=result(png(2000, 1000)))
    card = CallCard(theme, entry)
    qtbot.addWidget(card)
    card.show()
    await _settled(card.pictures)
    (picture,) = card.pictures.pictures
    assert (picture.pixmap().width(), picture.pixmap().height()) == (320, 160)
    assert picture.isVisible()
    assert "2000 × 1000" in picture.accessibleName()
    QTest.mouseClick(card.pictures, Qt.MouseButton.LeftButton)
    assert card.fold.isChecked()
    assert not card.pictures.isVisible()
    card.fold.click()
    assert picture.isVisible()


async def test_few_are_shown_and_what_is_no_picture_is_said(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_card, "MAX_BYTES", 1_000_000)
    pictures = ResultPictures()
    qtbot.addWidget(pictures)
    large = b"\x89PNG" + b"\0" * 1_000_001
    pictures.show_result(result(b"junk", large, *[png(8, 8)] * MAX_PICTURES))
    await _settled(pictures)
    assert len(pictures.pictures) == MAX_PICTURES
    assert pictures.pictures[0].text() != ""
    assert pictures.pictures[1].pixmap().width() == 8
    assert pictures.rest.text() == "2 more in Details"
    assert pictures.minimumSizeHint().width() == 0
    assert pictures.sizeHint().width() < 600


def test_without_pictures_there_is_nothing(qtbot: QtBot) -> None:
    pictures = ResultPictures()
    qtbot.addWidget(pictures)
    pictures.show_result(ToolResult(True, "x", content=(Content("text", "x"),)))
    assert pictures.isHidden()
    assert not pictures.has_any


async def _settled(pictures: ResultPictures) -> None:
    done = asyncio.Event()
    pictures.settled.connect(done.set)
    async with asyncio.timeout(LIMIT):
        await done.wait()
