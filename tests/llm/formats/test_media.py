"""What a medium is by its first bytes."""

from __future__ import annotations

import pytest

from desktop.llm.formats.media import real_type


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n...", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0WAVE", ""),
        (b"%PDF-1.7", "application/pdf"),
        (b"<svg/>", ""),
        (b"", ""),
    ],
)
def test_the_bytes_say_what_it_is(content: bytes, kind: str) -> None:
    assert real_type(content) == kind
