"""What some bytes are is seen from them alone."""

from __future__ import annotations

import pytest

from desktop.values.media_types import detect_media_type

FRAME = b"\xff\xfb\x90\x00" + bytes(100)
PLAYLIST = b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"


def tag(size: int) -> bytes:
    return b"ID3\x04\x00\x00" + bytes([0, 0, size >> 7, size & 0x7F]) + bytes(size)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n...", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0WAVEfmt ", "audio/wav"),
        (b"OggS" + bytes(20), "audio/ogg"),
        (b"fLaC" + bytes(20), "audio/flac"),
        (FRAME, "audio/mpeg"),
        (tag(300) + FRAME, "audio/mpeg"),
        (b"%PDF-1.7", "application/pdf"),
    ],
)
def test_the_bytes_say_what_it_is(content: bytes, kind: str) -> None:
    assert detect_media_type(content) == kind


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"ID3",
        PLAYLIST,
        tag(300) + PLAYLIST,  # a player skips the tag and would read the list
        b"RIFF\0\0\0\0AVI " + bytes(20),
        b"\xff\xff\xff\xff",
        b"\0\0\0\x20ftypM4A ",
        b"<svg/>",
        b"GIF8",
    ],
)
def test_playlists_videos_and_the_rest_are_of_no_known_type(content: bytes) -> None:
    assert detect_media_type(content) == ""
