"""Tells by its first bytes whether something is audio that may be handed to a player.

A player's library reads playlists too, and those name files and addresses to fetch; so a label of
the server is not enough. Must not import Qt.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

AudioFormat: TypeAlias = Literal["wav", "mp3", "ogg", "flac"]

_TAG = 10  # bytes of the header of an ID3v2 tag (id3.org, "ID3v2 header")


def audio_format(content: bytes) -> AudioFormat | None:
    """The format of plain audio; None for everything else, also for playlists and video."""
    if content[:4] == b"RIFF" and content[8:12] == b"WAVE":
        return "wav"
    if content[:4] == b"OggS":
        return "ogg"
    if content[:4] == b"fLaC":
        return "flac"
    return "mp3" if _is_mpeg_frame(content, _after_tag(content)) else None


def _after_tag(content: bytes) -> int:
    """Where the audio begins: the library skips a tag, and what follows it must be audio."""
    if content[:3] != b"ID3" or len(content) < _TAG:
        return 0
    size = 0
    for byte in content[6:_TAG]:
        size = size << 7 | byte & 0x7F
    return _TAG + size


def _is_mpeg_frame(content: bytes, at: int) -> bool:
    """The header of a layer I to III frame (ISO/IEC 11172-3, 2.4.1.3)."""
    header = content[at : at + 4]
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE0 != 0xE0:
        return False
    version, layer, rate = header[1] >> 3 & 3, header[1] >> 1 & 3, header[2] >> 4
    return version != 1 and layer != 0 and rate not in {0, 15}
