"""The token that a client of the HTTP gateway has to send, in a file for its owner alone.

It stays the same from run to run, so that clients keep working, until a person wants another one.
Must never be logged.
"""

from __future__ import annotations

import os
import re
import secrets
from typing import TYPE_CHECKING, Final

from desktop.errors import ConfigError
from desktop.private_files import open_private

if TYPE_CHECKING:
    from pathlib import Path

FILE: Final = "gateway.token"
_SHAPE: Final = re.compile(r"[A-Za-z0-9_-]{32,128}")


def read_token(folder: Path, *, new: bool = False) -> str:
    """The token in the data folder; made where there is none, it is no token, or `new`.

    Raises:
        ConfigError: the file cannot be read or written.
    """
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = open_private(path, os.O_RDWR | os.O_CREAT)
        with os.fdopen(descriptor, "r+", encoding="utf-8", errors="replace") as file:
            token = file.read(1000).strip()
            if new or not _SHAPE.fullmatch(token):
                token = secrets.token_urlsafe(32)
                file.seek(0)
                file.truncate()
                file.write(f"{token}\n")
    except OSError as error:
        raise ConfigError(f"{path} cannot be used: {error.strerror or error}.") from None
    return token
