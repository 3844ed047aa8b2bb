from __future__ import annotations

import pytest

from desktop.gui.results.audio_sniffing import audio_format
from tests.gui.results.sounds import wav

FRAME = b"\xff\xfb\x90\x00" + bytes(100)
PLAYLIST = b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"


def tag(size: int) -> bytes:
    return b"ID3\x04\x00\x00" + bytes([0, 0, size >> 7, size & 0x7F]) + bytes(size)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (wav(0.01), "wav"),
        (b"OggS" + bytes(20), "ogg"),
        (b"fLaC" + bytes(20), "flac"),
        (FRAME, "mp3"),
        (tag(300) + FRAME, "mp3"),
    ],
)
def test_plain_audio_is_known_by_its_bytes(content: bytes, name: str) -> None:
    assert audio_format(content) == name


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
        b"<?xml version='1.0'?>",
    ],
)
def test_playlists_and_the_rest_are_not_handed_to_a_player(content: bytes) -> None:
    assert audio_format(content) is None
