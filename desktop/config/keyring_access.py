"""The keyring of the desktop: keys of model providers, and secrets of servers.

`keyring` is imported on first use; a keyring may wait for a person to unlock it, so each call runs
in a thread of its own and has a time limit. No value is ever in an error or a log.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

T = TypeVar("T")
KEYRING_LIMIT: Final = 30.0
"""Seconds that the keyring may take; a person may have to unlock it."""


class KeyringError(DesktopError):
    """The keyring of the desktop is not there, is locked, or does not answer."""


class NoKeyringHereError(KeyringError):
    """There is none, so that nothing can be kept in it."""


async def has_keyring() -> bool:
    """Whether there is one; a locked one is."""

    def look() -> bool:
        import keyring
        from keyring.backends import fail, null

        return not isinstance(keyring.get_keyring(), fail.Keyring | null.Keyring)

    return await call_keyring(look)


async def call_keyring(operation: Callable[[], T], limit: float = KEYRING_LIMIT) -> T:
    """Run one of the functions below in a thread.

    Raises:
        KeyringError: it failed, or took longer than `limit` seconds.
    """
    try:
        async with asyncio.timeout(limit):
            return await asyncio.get_running_loop().run_in_executor(_OwnThread(), operation)
    except TimeoutError:
        raise KeyringError(
            translatable("The keyring did not respond within {limit:g} seconds.", limit=limit),
            remedy=translatable("Unlock it, or set the key in the environment."),
        ) from None


class _OwnThread(Executor):
    """A thread that does not keep the app from ending, even if the keyring never returns."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        outcome: Future[T] = Future()

        def run() -> None:
            if not outcome.set_running_or_notify_cancel():
                return
            try:
                outcome.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - raised where the outcome is awaited
                outcome.set_exception(error)

        Thread(target=run, name="keyring", daemon=True).start()
        return outcome


def read_keyring(service: str, name: str) -> tuple[str, str] | None:
    """A value and the name of the keyring that has it; None also where there is no keyring."""
    import keyring
    from keyring.errors import NoKeyringError

    with _keyring_errors("read"):
        try:
            value = keyring.get_password(service, name)
        except NoKeyringError:
            return None
        return (value, keyring.get_keyring().name) if value else None


def write_keyring(service: str, name: str, value: str) -> None:
    import keyring

    with _keyring_errors("written to"):
        keyring.set_password(service, name, value)


def delete_from_keyring(service: str, name: str) -> None:
    """Take a value out, if it is there."""
    import keyring

    with _keyring_errors("written to"):
        if keyring.get_password(service, name) is not None:
            keyring.delete_password(service, name)


def no_keyring() -> NoKeyringHereError:
    return NoKeyringHereError(
        translatable("This desktop has no keyring to store keys in."),
        remedy=translatable("Set the key in the environment instead."),
    )


@contextmanager
def _keyring_errors(what: str) -> Generator[None]:
    """Errors of a backend, by their class alone: their text may hold the key."""
    from keyring.errors import NoKeyringError

    try:
        yield
    except NoKeyringError:
        raise no_keyring() from None
    except Exception as error:  # noqa: BLE001 - backends raise what their platform raises
        message = f"The keyring could not be {what} ({type(error).__name__})."
        remedy = translatable("Set the key in the environment instead.")
        raise KeyringError(message, remedy=remedy) from None
