"""What a second start says to the first window: one line, `raise`, and what it was started with.

How the line gets there is the subject of `instance_socket` and `instance_pipe`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAX_ANSWER_TIME = 1.0
"""Seconds for one attempt to reach the first window."""
MAX_REQUEST_TIME = 2.0
"""Seconds until a caller who sends no whole line is disconnected."""
MAX_REQUEST_SIZE = 70_000
"""Bytes of a line; the longest install link that is read is shorter."""
REPLY = b"ok\n"
_RAISE = b"raise"


class WrongRequestError(Exception):
    """Somebody else is at the other end: no start says this."""


def name_of(folder: Path) -> str:
    """What a data folder is known by where its path cannot be used."""
    import hashlib  # 4 ms, and few need it

    return f"mcp-desktop-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"


def encode_request(opened: str) -> bytes:
    """Args: opened: left out where it has a line feed, which would end the request early."""
    text = opened.encode(errors="replace") if "\n" not in opened else b""
    return b" ".join(part for part in (_RAISE, text) if part) + b"\n"


def read_request(received: bytes) -> str | None:
    """What the other start was to open, or ''; None as long as its line is not whole.

    Raises:
        WrongRequestError: it is no request.
    """
    line, end, _ = received.partition(b"\n")
    word, _, text = line.partition(b" ")
    if not _RAISE.startswith(received[: len(_RAISE)]) or (end and word != _RAISE):
        raise WrongRequestError
    if not end and len(received) >= MAX_REQUEST_SIZE:
        raise WrongRequestError
    return text.decode(errors="replace") if end else None
