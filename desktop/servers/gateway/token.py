"""The token that a client of the HTTP gateway has to send, in a file for its owner alone.

It stays the same from run to run, so that clients keep working, until a person wants another one.
Must never be logged.
"""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from desktop.atomic_file import write_file
from desktop.damaged_files import checksum, logged_damages
from desktop.errors import ConfigError
from desktop.private_files import opener
from desktop.translatable import translatable

if TYPE_CHECKING:
    from pathlib import Path

FILE: Final = "gateway.token"
_SHAPE: Final = re.compile(r"[A-Za-z0-9_-]{32,128}")


_LENGTH: Final = 43 + 8
"""Characters of a token that was made here: its end is the check of the rest."""


def read_token(folder: Path, *, new: bool = False) -> str:
    """The token in the data folder; made where there is none, it is damaged, or `new`.

    Raises:
        ConfigError: the file cannot be read or written.
    """
    path = folder / FILE
    try:
        with suppress(FileNotFoundError), open(path, "rb", opener=opener) as file:
            token = file.read(1000).decode("ascii", "replace").strip()
            if _is_token(token) and not new:
                return token
            if not new:
                _say_damaged(path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be used: {error.strerror or error}.") from None
    secret = secrets.token_urlsafe(32)
    token = secret + checksum(secret.encode())
    write_file(path, f"{token}\n".encode())
    return token


def _is_token(text: str) -> bool:
    if _SHAPE.fullmatch(text) is None:
        return False
    return len(text) != _LENGTH or text.endswith(checksum(text[:-8].encode()))


def _say_damaged(path: Path) -> None:
    lost = translatable("Clients of the gateway over HTTP need its new token.")
    logged_damages().note(path, translatable("it has no token"), lost)
