"""Tells by its first bytes what a picture or document is, whatever a server calls it.

A provider refuses the whole conversation for one picture that is not what it says, so this asks
the bytes. Decodes nothing.
"""

from __future__ import annotations

from typing import Final

IMAGES: Final = ("image/png", "image/jpeg", "image/gif", "image/webp")
PDF: Final = "application/pdf"
LARGEST: Final = 3_900_000
"""Bytes of one medium: 5 MiB of base64, above which Anthropic refuses a picture."""
_STARTS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", PDF),
)


def real_type(content: bytes) -> str:
    """The media type that the first bytes tell, or "" where they tell none of those we send."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _STARTS if content.startswith(start)), "")
