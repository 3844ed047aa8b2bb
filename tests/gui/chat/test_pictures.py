from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.chat.pictures import ImageRow
from desktop.llm.messages import Image
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

pytest_plugins = ("tests.gui.theme_fixture",)


def test_each_picture_can_be_taken_out(qtbot: QtBot, theme: Theme) -> None:
    row = ImageRow(is_removable=True)
    qtbot.addWidget(row)
    images = [Image(png(8, 8), "image/png"), Image(b"broken", "image/png")]
    removed: list[int] = []
    row.removed.connect(removed.append)
    row.show_images(images)
    assert row.pictures[1].image.text().startswith("image/png · 6 B")
    row.pictures[1].remove.click()
    assert removed == [1]
    row.show_images(())
    assert (row.pictures, row.isVisible()) == ([], False)


def test_pictures_of_a_sent_question_stay(qtbot: QtBot, theme: Theme) -> None:
    row = ImageRow()
    qtbot.addWidget(row)
    row.show_images([Image(png(8, 8), "image/png")])
    assert not row.pictures[0].remove.isVisible()
