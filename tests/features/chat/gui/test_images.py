from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from desktop.features.chat.gui.images import MAX_SIDE, ImageRow, encode_picture, picture_of
from desktop.features.models.messages import Image
from desktop.gui.results.image import decode
from tests.gui.results.images import png

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_each_picture_can_be_taken_out(qtbot: QtBot, theme: Theme) -> None:
    row = ImageRow(is_removable=True)
    qtbot.addWidget(row)
    images = [Image(png(8, 8), "image/png"), Image(b"broken", "image/png")]
    removed: list[int] = []
    row.remove_requested.connect(removed.append)
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


def test_each_format_has_its_type() -> None:
    starts = {b"\xff\xd8\xff": "image/jpeg", b"GIF89a": "image/gif"}
    starts[b"RIFF\0\0\0\0WEBP"] = "image/webp"
    for start, mime in starts.items():
        made = picture_of(start + b"rest", "x")
        assert isinstance(made, Image)
        assert made.mime == mime


def test_a_pasted_picture_is_no_larger_than_a_model_sees() -> None:
    image = QImage(3 * MAX_SIDE, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    made = encode_picture(image)
    assert isinstance(made, Image)
    assert decode(made.data).size.width() == MAX_SIDE
