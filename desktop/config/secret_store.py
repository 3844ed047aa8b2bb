"""The secrets of servers, in the keyring of the desktop: `${keyring:NAME}` in the config is one.

A file in the data folder lists their names, because a keyring cannot be asked for them; the values
are nowhere but in the keyring, and in memory once a server needed them. Must not know servers.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from desktop.base.damaged_files import OwnFile
from desktop.base.errors import ConfigError
from desktop.base.file_lock import FileLock, locked
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.keyring_access import (
    NoKeyringHereError,
    call_keyring,
    delete_from_keyring,
    no_keyring,
    read_keyring,
    write_keyring,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from desktop.base.damaged_files import Damages

SERVICE: Final = "mcp-desktop secrets"
MAX_LOCK_WAIT: Final = 2.0
MAX_SECRET_LENGTH: Final = 100_000
"""Characters; some keyrings keep less, and then say so."""
_NAME: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_.-]{0,199}")


def check_secret_name(name: str) -> str:
    """The name, as it may stand in `${keyring:NAME}`; raises `ConfigError`."""
    if _NAME.fullmatch(name) is None:
        raise ConfigError(
            translatable("{name!r} is not a valid name for a secret", name=name[:60]),
            remedy=translatable("Use letters, digits and . _ -, starting with a letter."),
        )
    return name


class SecretStore:
    """Reads, keeps and deletes secrets by name, off the loop."""

    def __init__(self, names_file: Path, damages: Damages | None = None) -> None:
        """Reads nothing yet.

        Args:
            names_file: where the names are listed.
            damages: tells a person of a damaged one.
        """
        self._names_file = names_file
        lost = translatable("The secrets are still in the keyring, but are not listed.")
        self._names = OwnFile(names_file, "names", list, lost, damages)
        self._known: dict[str, str] = {}
        self._session: set[str] = set()
        """Of those, what is nowhere else: there is no keyring."""

    @property
    def known(self) -> Mapping[str, str]:
        """The values that were read or kept in this run, by name."""
        return MappingProxyType(self._known)

    async def load(self, names: Iterable[str]) -> None:
        """Read these from the keyring; one that is not there is not in `known` either.

        Raises:
            KeyringError: the keyring did not answer.
        """
        for name in dict.fromkeys(names):
            found = await call_keyring(lambda name=name: read_keyring(SERVICE, name))
            if found is None and name not in self._session:
                self._known.pop(name, None)
            elif found is not None:
                self._known[name] = found[0]

    async def put(self, name: str, value: str, *, for_session: bool = False) -> bool:
        """Keep a secret, a new one or in place of an old one; whether the keyring has it.

        Args:
            name: as it stands in `${keyring:NAME}`.
            value: the secret.
            for_session: where there is no keyring, keep it until the app ends.

        Raises:
            ConfigError: it cannot have this name or value.
            KeyringError: it is not kept.
        """
        check_secret_name(name)
        if not value or len(value) > MAX_SECRET_LENGTH or "\0" in value:
            raise ConfigError(translatable("The secret {name} is empty or too long", name=name))

        def keep() -> None:
            write_keyring(SERVICE, name, value)
            if read_keyring(SERVICE, name) is None:  # some only pretend to be one
                raise no_keyring()
            self._change_names(lambda names: names | {name})

        try:
            await call_keyring(keep)
        except NoKeyringHereError:
            if not for_session:
                raise
            self._session.add(name)
        else:
            self._session.discard(name)
        self._known[name] = value
        return name not in self._session

    async def delete(self, name: str) -> None:
        """Take a secret out, if it is there. Raises `KeyringError`."""

        def drop() -> None:
            delete_from_keyring(SERVICE, name)
            self._change_names(lambda names: names - {name})

        if name not in self._session:
            await call_keyring(drop)
        self._session.discard(name)
        self._known.pop(name, None)

    def names(self) -> list[str]:
        """Of all that were kept, in order; empty where the list cannot be read."""
        names: object = (self._names.read().document or {}).get("names")
        found = cast("list[object]", names) if isinstance(names, list) else []
        return sorted({str(name) for name in found if _NAME.fullmatch(str(name))})

    def _change_names(self, change: Callable[[set[str]], set[str]]) -> None:
        lock = FileLock(self._names_file.with_name(f"{self._names_file.name}.lock"))
        try:
            with locked(lock, MAX_LOCK_WAIT):
                names = sorted(change(set(self.names())))
                self._names.write({"names": names})
        except OSError as error:
            raise ConfigError(
                translatable(
                    "{path} cannot be written: {error}", path=self._names_file, error=error
                )
            ) from error
