"""The keys of model providers: in the keyring of the desktop, or in the environment.

Never in the config file, a log or an error.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop.base.translatable import translatable
from desktop.config.keyring_access import (
    KEYRING_LIMIT,
    KeyringError,
    call_keyring,
    delete_from_keyring,
    read_keyring,
    write_keyring,
)
from desktop.config.providers import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.providers import ProviderSettings

KeySource: TypeAlias = Literal["keyring", "environment"]
SERVICE: Final = "mcp-desktop"


@dataclass(frozen=True, slots=True)
class Key:
    """A key and its source; `where` is the name of the variable, or of the keyring."""

    value: str = field(repr=False)
    place: KeySource
    where: str


def variables(provider: ProviderSettings) -> tuple[str, ...]:
    """The environment variables that may hold its key; the first one that is set is used.

    The key of OpenAI is OpenAI's: another server with its API has a variable of its own name.
    """
    if not provider.is_compatible:
        return KINDS[provider.kind].variables
    return (re.sub(r"\W+", "_", provider.name, flags=re.ASCII).upper() + "_API_KEY",)


class Keys:
    """Finds, stores and deletes keys by provider. A key from the keyring is kept in memory."""

    def __init__(
        self, environ: Mapping[str, str] = os.environ, limit: float = KEYRING_LIMIT
    ) -> None:
        """Args: limit: seconds that the keyring may take; a person may have to unlock it."""
        self._environ = environ
        self._limit = limit
        self._known: dict[str, Key] = {}

    async def find(self, provider: ProviderSettings) -> Key | None:
        """The key of the environment, else the one that was stored; None without either.

        In this order, so that a person with a variable is never asked to unlock a keyring.

        Raises:
            KeyringError: the environment has none and the keyring did not answer.
        """
        known = self._from_environment(provider) or self._known.get(provider.name)
        if known is not None:
            return known
        kept = await call_keyring(lambda: read_keyring(SERVICE, provider.name), self._limit)
        if kept is None:
            return None
        found = self._known[provider.name] = Key(kept[0], "keyring", kept[1])
        return found

    async def store(self, provider: ProviderSettings, value: str) -> None:
        """Put a key into the keyring. Raises `KeyringError`."""
        key = value.strip()
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise KeyringError(translatable("A key is one word of letters, digits and signs."))
        await call_keyring(lambda: write_keyring(SERVICE, provider.name, key), self._limit)
        self._known.pop(provider.name, None)

    async def delete(self, provider: ProviderSettings) -> None:
        """Take the key out of the keyring, if it is there. Raises `KeyringError`."""
        await call_keyring(lambda: delete_from_keyring(SERVICE, provider.name), self._limit)
        self._known.pop(provider.name, None)

    def _from_environment(self, provider: ProviderSettings) -> Key | None:
        for name in variables(provider):
            if value := self._environ.get(name, "").strip():
                return Key(value, "environment", name)
        return None
