"""The keys of model providers: in the keyring of the desktop, or in the environment.

Never in the config file, a log or an error. `keyring` is imported on first use; a keyring may wait
for a person to unlock it, so each call runs in a thread of its own and has a time limit.
"""

from __future__ import annotations

import asyncio
import os
import re
import threading
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from desktop.errors import DesktopError
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from desktop.config.providers import ProviderSettings

T = TypeVar("T")
KeySource: TypeAlias = Literal["keyring", "environment"]
SERVICE: Final = "mcp-desktop"
_VARIABLES: Final = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}


class KeyringError(DesktopError):
    """The keyring of the desktop is not there, is locked, or does not answer."""


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
    if not provider.is_own_server:
        return _VARIABLES[provider.kind]
    return (re.sub(r"\W+", "_", provider.name, flags=re.ASCII).upper() + "_API_KEY",)


class Keys:
    """Finds, stores and deletes keys by provider. A key from the keyring is kept in memory."""

    def __init__(self, environ: Mapping[str, str] = os.environ, limit: float = 30.0) -> None:
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
        found = await self._call(lambda: _read(provider.name))
        if found is not None:
            self._known[provider.name] = found
        return found

    async def store(self, provider: ProviderSettings, value: str) -> None:
        """Put a key into the keyring. Raises `KeyringError`."""
        key = value.strip()
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise KeyringError(translatable("A key is one word of letters, digits and signs."))
        await self._call(lambda: _write(provider.name, key))
        self._known.pop(provider.name, None)

    async def delete(self, provider: ProviderSettings) -> None:
        """Take the key out of the keyring, if it is there. Raises `KeyringError`."""
        await self._call(lambda: _delete(provider.name))
        self._known.pop(provider.name, None)

    def _from_environment(self, provider: ProviderSettings) -> Key | None:
        for name in variables(provider):
            if value := self._environ.get(name, "").strip():
                return Key(value, "environment", name)
        return None

    async def _call(self, operation: Callable[[], T]) -> T:
        try:
            async with asyncio.timeout(self._limit):
                return await _in_thread(operation)
        except TimeoutError:
            raise KeyringError(
                translatable(
                    "The keyring did not answer within {limit:g} seconds.", limit=self._limit
                ),
                remedy=translatable("Unlock it, or set the key in the environment."),
            ) from None


async def _in_thread(operation: Callable[[], T]) -> T:
    """Run in a thread that does not keep the app from ending, even if the keyring never returns."""
    result: Future[T] = Future()

    def ask() -> None:
        result.set_running_or_notify_cancel()
        try:
            result.set_result(operation())
        except KeyringError as error:
            result.set_exception(error)

    threading.Thread(target=ask, name="keyring", daemon=True).start()
    return await asyncio.wrap_future(result)


def _read(name: str) -> Key | None:
    import keyring
    from keyring.errors import NoKeyringError

    with _keyring_errors("read"):
        try:
            value = keyring.get_password(SERVICE, name)
        except NoKeyringError:
            return None
        return Key(value, "keyring", keyring.get_keyring().name) if value else None


def _write(name: str, value: str) -> None:
    import keyring

    with _keyring_errors("written to"):
        keyring.set_password(SERVICE, name, value)


def _delete(name: str) -> None:
    import keyring

    with _keyring_errors("written to"):
        if keyring.get_password(SERVICE, name) is not None:
            keyring.delete_password(SERVICE, name)


@contextmanager
def _keyring_errors(what: str) -> Generator[None]:
    """Errors of a backend, by their class alone: their text may hold the key."""
    from keyring.errors import NoKeyringError

    remedy = "Set the key in the environment instead."
    try:
        yield
    except NoKeyringError:
        message = "This desktop has no keyring that can keep a key."
        raise KeyringError(message, remedy=remedy) from None
    except Exception as error:  # noqa: BLE001 - backends raise what their platform raises
        message = f"The keyring could not be {what} ({type(error).__name__})."
        raise KeyringError(message, remedy=remedy) from None
