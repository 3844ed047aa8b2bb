from __future__ import annotations

import pytest

from desktop.gui.results.kinds import Place, place_of, text_of
from desktop.tool_types import Content


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (Content("text", "x"), "text"),
        (Content("image", data=b"x", mime="image/png"), "image"),
        (Content("image", data=b"<svg/>", mime="image/svg+xml; charset=utf-8"), "other"),
        (Content("audio", data=b"x"), "audio"),
        (Content("resource", data=b"x", mime="Image/PNG"), "image"),
        (Content("resource", data=b"x", mime="audio/wav"), "audio"),
        (Content("resource", text="x", mime="image/png"), "other"),
        (Content("resource", data=b"x"), "other"),
        (Content("link", uri="x:y", mime="image/png"), "other"),
    ],
)
def test_each_block_has_its_place(content: Content, place: Place) -> None:
    assert place_of(content) == place


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (Content("resource", text="x"), "x"),
        (Content("resource", data="ü".encode(), mime="text/plain"), "ü"),
        (Content("resource", data=b"{}", mime="application/ld+json"), "{}"),
        (Content("image", data=b"<svg/>", mime="image/svg+xml"), "<svg/>"),
        (Content("resource", data=b"\xff", mime="text/plain"), ""),
        (Content("resource", data=b"x", mime="application/zip"), ""),
    ],
)
def test_a_text_sent_as_bytes_is_a_text(content: Content, text: str) -> None:
    assert text_of(content) == text
