"""The keys of model providers: in the keyring of the desktop, or in the environment.

A key belongs to a name and an origin: a provider that moves takes none along. Never in the config
file, a log or an error.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop.base.ascii_text import in_ascii
from desktop.base.translatable import translatable
from desktop.config.keyring_access import (
    KEYRING_LIMIT,
    KeyringError,
    NoKeyringHereError,
    call_keyring,
    delete_from_keyring,
    read_keyring,
    write_keyring,
)
from desktop.config.providers import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.config.providers import ProviderSettings
    from desktop.config.trust import UntrustedError

KeySource: TypeAlias = Literal["keyring", "environment", "session"]
SERVICE: Final = "mcp-desktop"


@dataclass(frozen=True, slots=True)
class Key:
    """A key and its source; `where` is the name of the variable, or of the keyring."""

    value: str = field(repr=False)
    place: KeySource
    where: str


def variables(provider: ProviderSettings) -> tuple[str, ...]:
    """The environment variables that may hold its key; the first one that is set is used.

    The key of OpenAI is OpenAI's: another server with its API has a variable of its own name, or
    none where that is OpenAI's.
    """
    if not provider.other_origin:
        return KINDS[provider.kind].variables
    name = in_ascii(provider.name)
    own = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").upper() + "_API_KEY"
    return () if any(own in kind.variables for kind in KINDS.values()) else (own,)


def _account(provider: ProviderSettings) -> str:
    """What its key is kept under in the keyring."""
    origin = provider.other_origin
    return f"{provider.name}@{origin}" if origin else provider.name


def _no_refusal(_: ProviderSettings) -> None:
    return None


class Keys:
    """Finds, stores and deletes keys by provider. A key from the keyring is kept in memory."""

    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        limit: float = KEYRING_LIMIT,
        refuse: Callable[[ProviderSettings], UntrustedError | None] = _no_refusal,
    ) -> None:
        """Read nothing yet.

        Args:
            environ: where keys may be.
            limit: seconds that the keyring may take; a person may have to unlock it.

            refuse: says which provider nobody agreed to.
        """
        self._environ, self._refuse = environ, refuse
        self._limit = limit
        self._known: dict[str, Key] = {}

    async def find(self, provider: ProviderSettings) -> Key | None:
        """The key of the environment, else the one that was stored; None without either.

        In this order, so that a person with a variable is never asked to unlock a keyring.

        Raises:
            UntrustedError: nobody agreed to where the provider is: it must not be asked.
            KeyringError: the environment has none and the keyring did not answer.
        """
        if (refusal := self._refuse(provider)) is not None:
            raise refusal
        account = _account(provider)
        known = self._from_environment(provider) or self._known.get(account)
        if known is not None:
            return known
        kept = await call_keyring(lambda: _read(provider.name, account), self._limit)
        if kept is None:
            return None
        found = self._known[account] = Key(kept[0], "keyring", kept[1])
        return found

    async def store(
        self, provider: ProviderSettings, value: str, *, for_session: bool = False
    ) -> None:
        """Put a key into the keyring; where there is none and it is so wanted, into memory alone.

        Raises `KeyringError`: it is not kept.
        """
        key = value.strip()
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise KeyringError(translatable("A key is one word of letters, digits and signs."))
        account = _account(provider)
        self._known.pop(account, None)
        try:
            await call_keyring(lambda: write_keyring(SERVICE, account, key), self._limit)
        except NoKeyringHereError:
            if not for_session:
                raise
            self._known[account] = Key(key, "session", "")

    async def delete(self, provider: ProviderSettings) -> None:
        """Take the key out of the keyring, if it is there. Raises `KeyringError`."""
        account = _account(provider)
        known = self._known.pop(account, None)
        if known is None or known.place != "session":
            await call_keyring(lambda: delete_from_keyring(SERVICE, account), self._limit)

    def _from_environment(self, provider: ProviderSettings) -> Key | None:
        for name in variables(provider):
            if value := self._environ.get(name, "").strip():
                return Key(value, "environment", name)
        return None


def _read(name: str, account: str) -> tuple[str, str] | None:
    """The kept key; one that an earlier version kept by name alone is bound to this origin now."""
    kept = read_keyring(SERVICE, account)
    if kept is not None or account == name or name in KINDS:
        return kept
    if (kept := read_keyring(SERVICE, name)) is not None:
        write_keyring(SERVICE, account, kept[0])
        delete_from_keyring(SERVICE, name)
    return kept
