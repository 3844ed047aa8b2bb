"""The token that a client of the HTTP gateway has to send, in a file for its owner alone.

It stays the same from run to run, so that clients keep working, until a person wants another one.
Must never be logged.
"""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from desktop.base.atomic_file import write_file
from desktop.base.damaged_files import Damages, checksum
from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.private_files import opener
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

logger = logging.getLogger(__name__)

FILE: Final = "gateway.token"
_SHAPE: Final = compile_later(r"[A-Za-z0-9_-]{32,128}")


_MARK: Final = "mcpd_"
"""Begins a token that was made here; its end is the check of the rest."""
_LENGTH: Final = len(_MARK) + 43 + 8


def read_token(
    folder: Path, *, new: bool = False, say: Callable[[str], object] = logger.warning
) -> str:
    """The token in the data folder; made where there is none, it is damaged, or `new`.

    Args:
        folder: the data folder.
        new: make another one.
        say: is given a sentence about a damaged one.

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
                _say_damaged(path, say)
    except OSError as error:
        raise ConfigError(f"{path} cannot be used: {error.strerror or error}.") from None
    secret = _MARK + secrets.token_urlsafe(32)
    token = secret + checksum(secret.encode())
    write_file(path, f"{token}\n".encode())
    return token


def _is_token(text: str) -> bool:
    if _SHAPE.fullmatch(text) is None:
        return False
    if len(text) != _LENGTH and _MARK not in text:  # of an earlier version, or a person's own
        return True
    return len(text) == _LENGTH and text.endswith(checksum(text[:-8].encode()))


def _say_damaged(path: Path, say: Callable[[str], object]) -> None:
    damages = Damages()
    damages.follow(say)
    lost = translatable("Clients of the gateway over HTTP need its new token.")
    damages.note(path, translatable("it has no token"), lost)
