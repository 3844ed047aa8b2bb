from __future__ import annotations

import struct
import zlib

import pytest

from desktop.gui.results.image_decoding import SHOWN_SIDE, decode
from tests.gui.results.images import png


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def bomb(side: int) -> bytes:
    """A PNG of few bytes that says it is huge."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0" * 1000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def test_an_image_is_decoded_with_its_size() -> None:
    decoded = decode(png(30, 20))
    assert decoded.image is not None
    assert (decoded.size.width(), decoded.size.height(), decoded.reason) == (30, 20, "")


def test_a_wide_image_is_kept_no_larger_than_a_screen_can_show() -> None:
    decoded = decode(png(SHOWN_SIDE * 2, 100))
    assert decoded.image is not None
    assert (decoded.image.width(), decoded.image.height()) == (SHOWN_SIDE, 50)
    assert decoded.size.width() == SHOWN_SIDE * 2


def test_an_image_that_claims_to_be_huge_is_not_decoded() -> None:
    decoded = decode(bomb(60_000))
    assert decoded.image is None
    assert "60000 × 60000" in decoded.reason


@pytest.mark.parametrize(
    "content",
    [
        b"not an image",
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///x"/></svg>',
    ],
)
def test_what_is_no_raster_image_is_not_drawn(content: bytes) -> None:
    decoded = decode(content)
    assert decoded.image is None
    assert "not drawn" in decoded.reason


def test_only_the_first_of_several_pictures_is_shown_and_that_is_said() -> None:
    head = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
    picture = b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00"
    assert decode(head + picture + b"\x3b").reason == ""
    decoded = decode(head + picture * 2 + b"\x3b")
    assert decoded.image is not None
    assert "first of several" in decoded.reason


def test_a_damaged_image_says_so() -> None:
    decoded = decode(png(300, 200)[:90])
    assert decoded.image is None
    assert "damaged" in decoded.reason
