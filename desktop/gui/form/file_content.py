"""Reads a file that a person picked, up to a limit, as text that fits into JSON. Imports no Qt."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Final

from desktop.errors import DesktopError
from desktop.translatable import translatable

LARGEST: Final = 20_000_000
"""Bytes; four thirds of it travel as base64 in one message."""


class FileContentError(DesktopError):
    """The file cannot be sent; the message says why and what to do."""


def read_base64(path: str) -> str:
    """The content of a file as base64.

    Raises:
        FileContentError: it cannot be read, or is larger than `LARGEST`.
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise FileContentError(
            translatable(
                "{path} cannot be read: {strerror}", path=file.name, strerror=error.strerror
            )
        ) from error
    if len(content) > LARGEST:
        raise FileContentError(
            translatable(
                "{name} is larger than {size}, the most that can be sent in a call",
                name=file.name,
                size=size_of(LARGEST),
            )
        )
    return base64.b64encode(content).decode("ascii")


def decoded_size(text: str) -> int:
    """Bytes that a base64 text stands for, without decoding it."""
    return len(text) * 3 // 4 - text[-2:].count("=")


def size_of(count: int) -> str:
    """A number of bytes in a few characters: `1.2 MB`."""
    size, unit = float(count), "B"
    for unit in ("B", "kB", "MB"):
        if size < 1000 or unit == "MB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
