"""Media types: of some bytes by what they begin with, never by a name or a label.

What is done with the type is the caller's to decide. Must not import Qt or decode anything.
"""

from __future__ import annotations

from typing import Final

APP: Final = "text/html;profile=mcp-app"
"""That of an MCP App; the specification of 2026-01-26 has no other."""
PDF: Final = "application/pdf"
_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", PDF),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
)
_RIFF: Final = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
_TAG_HEADER: Final = 10
"""Bytes of the header of an ID3v2 tag (id3.org, "ID3v2 header")."""


def detect_media_type(content: bytes) -> str:
    """The media type of a picture, a sound or a PDF; "" for everything else.

    A playlist or a video is none of these: what plays one may fetch what is named in it.
    """
    if content[:4] == b"RIFF":
        return _RIFF.get(content[8:12], "")
    for start, kind in _SIGNATURES:
        if content.startswith(start):
            return kind
    return "audio/mpeg" if _is_mpeg_frame(content, _after_tag(content)) else ""


def _after_tag(content: bytes) -> int:
    """Where the sound begins: players skip a tag, and what follows it must be sound."""
    if content[:3] != b"ID3" or len(content) < _TAG_HEADER:
        return 0
    size = 0
    for byte in content[6:_TAG_HEADER]:
        size = size << 7 | byte & 0x7F
    return _TAG_HEADER + size


def _is_mpeg_frame(content: bytes, at: int) -> bool:
    """The header of a layer I to III frame (ISO/IEC 11172-3, 2.4.1.3)."""
    header = content[at : at + 4]
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE0 != 0xE0:
        return False
    version, layer, rate = header[1] >> 3 & 3, header[1] >> 1 & 3, header[2] >> 4
    return version != 1 and layer != 0 and rate not in {0, 15}
