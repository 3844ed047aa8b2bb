"""Which commands and addresses a person has agreed to, kept in one private file.

A server of the config file is started, and a provider asked, only as it was when the person agreed:
another program that writes that file cannot make this app run anything, or send anything anywhere.
Of a data folder without the file, as an earlier version left it, everything that is configured
counts as agreed to, once. A file that cannot be read counts as agreed to nothing. It holds hashes,
and texts without secrets to compare with. Must not decide which changes are the person's own: the
store does.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import asdict

from desktop.base.damaged_files import VERSION, OwnFile
from desktop.base.errors import ConfigError
from desktop.base.file_lock import FileLock, locked
from desktop.base.translatable import translatable
from desktop.config.document import as_object
from desktop.config.launch_details import (
    LaunchPart,
    launch_details,
    launch_fingerprint,
    launch_parts,
)
from desktop.config.models import ServerConfig
from desktop.config.providers import origin_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping
    from pathlib import Path

    from desktop.base.damaged_files import Damages
    from desktop.config.document import JsonObject
    from desktop.config.launch_details import Launched
    from desktop.config.providers import ProviderSettings
    from desktop.redaction.redactor import Redaction

MAX_LOCK_WAIT: Final = 2.0
"""Seconds for another run of the app that writes the file at the same time."""


_ON: Final = "+on"
"""Ends what was agreed to of a built-in server that a person has switched on."""


def key_of(config: Launched) -> str:
    """What it is called in the file; no server has a colon in its name."""
    return config.name if isinstance(config, ServerConfig) else f"provider:{config.name}"


def stands_for(config: Launched) -> str:
    """All that is agreed to: its fingerprint, and that one of the app's own servers is on."""
    switch = _ON if _is_own_switched_on(config) else ""
    return launch_fingerprint(config) + switch


def _is_own_switched_on(config: Launched) -> bool:
    return isinstance(config, ServerConfig) and config.source == "builtin" and config.enabled


class UntrustedError(ConfigError):
    """Not started or not asked: nobody agreed to it (`is_new`), or to what it has become."""

    def __init__(self, message: str, *, is_new: bool, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.is_new = is_new


class TrustedLaunch(Struct, frozen=True):
    """What a person agreed to: the fingerprint that counts, and the parts to compare with."""

    launch: str
    parts: Mapping[str, LaunchPart] = field(default_factory=dict[str, LaunchPart])


class LaunchDifference(Struct, frozen=True):
    """One detail as it was agreed to, and as it is now; None where there is none.

    `before` has no secrets. Where both look the same although `is_changed`, they are hidden.
    """

    place: str
    before: str | None
    now: str | None
    is_changed: bool


class UntrustedLaunch(Struct, frozen=True):
    """A server or provider as it is configured; `before` was agreed to, None for a new one."""

    config: Launched
    before: TrustedLaunch | None = None

    @property
    def is_new(self) -> bool:
        return self.before is None

    @property
    def key(self) -> str:
        """Its name, with `provider:` in front of that of a provider."""
        return key_of(self.config)

    @property
    def identity(self) -> tuple[str, str]:
        """What is asked about: another change of it has another one."""
        return self.key, stands_for(self.config)

    def is_about(self, config: Launched) -> bool:
        """Whether this is what `config` starts or asks, on or off."""
        return launch_fingerprint(config) == launch_fingerprint(self.config)

    @property
    def _was_on(self) -> bool:
        return self.before is not None and self.before.launch.endswith(_ON)

    def differences(self, known: Redaction) -> list[LaunchDifference]:
        """Every detail in full, the command or the address first, then those that are gone.

        Args:
            known: the secrets of this machine, which are covered.
        """
        before = dict(self.before.parts) if self.before is not None else {}
        now = launch_parts(self.config)
        found: list[LaunchDifference] = []
        # Not as the person's own: to hide what looks secret could hide the code that was put in.
        for detail in launch_details(self.config, known, is_own=False):
            old = before.get(detail.place)
            is_changed = old is None or old.hash != now[detail.place].hash
            shown = old.shown if old is not None else None
            found.append(LaunchDifference(detail.place, shown, detail.value, is_changed))
        if _is_own_switched_on(self.config) and not self._was_on:
            found.append(LaunchDifference("enabled", None, "true", True))
        gone = [place for place in before if place not in now]
        return found + [LaunchDifference(place, before[place].shown, None, True) for place in gone]

    def refusal(self, known: Redaction) -> UntrustedError:
        """Why it is not started or asked, with the command or the address, and what to do."""
        if not isinstance(self.config, ServerConfig):
            return self._provider_refusal(self.config)
        name, first = self.config.name, self.differences(known)[0]
        values = {"name": name, "now": first.now or "", "before": first.before or ""}
        if self.is_new:
            words = translatable('Server "{name}" is new and not approved yet: {now}', **values)
        elif first.is_changed:
            words = translatable(
                'Server "{name}" has changed since you approved it.\nNow: {now}\nBefore: {before}',
                **values,
            )
        else:
            words = translatable(
                'Server "{name}" starts or connects differently than you approved: {now}',
                **values,
            )
        remedy = translatable(
            "It was not started. Review and approve it with: mcp-desktop trust {name}", name=name
        )
        return UntrustedError(words, is_new=self.is_new, remedy=remedy)

    def _provider_refusal(self, config: ProviderSettings) -> UntrustedError:
        words = translatable(
            'Provider "{name}" is at {host} now, and not approved yet: it would be sent your '
            "conversations and your key for it",
            name=config.name,
            host=origin_of(config.base_url),
        )
        remedy = translatable(
            "Nothing was sent. Review and approve it with: mcp-desktop trust {name}",
            name=self.key,
        )
        return UntrustedError(words, is_new=self.is_new, remedy=remedy)


class TrustFile:
    """What was agreed to for one config file; one file in the data folder serves them all."""

    def __init__(
        self,
        path: Path,
        config: Path,
        damages: Damages | None = None,
        *,
        trusts_all: bool = False,
    ) -> None:
        """Reads nothing yet.

        Args:
            path: where it is.
            config: the config file; its servers are known by its path.
            damages: tells a person of a damaged file.
            trusts_all: the person said that of this run.
        """
        self._trusts_all = trusts_all
        self._path, self._config = path, os.path.realpath(config)
        lost = translatable(
            "No server of the configuration file starts until you approve it again."
        )
        self._file = OwnFile(path, "configs", dict, lost, damages)
        self._servers: dict[str, TrustedLaunch] = {}
        self._for_this_run: dict[str, str] = {}
        self._adopted: tuple[Launched, ...] = ()
        self.problem: ConfigError | None = None
        """Why the file could not be read, to be told."""
        self.is_missing = True
        """Whether there is none yet: nobody was ever asked."""

    def read(self) -> None:
        """Read the file again."""
        was_there = not self.is_missing
        document, problem = self._file.read()
        self._adopted = ()
        if was_there and document is None and not problem:
            problem = translatable(
                "{file} is gone while the app runs. What you approved counts until it ends.",
                file=self._path,
            )
        else:
            self._servers = _servers(document or {}, self._config)
        self.problem = ConfigError(problem) if problem else None
        self.is_missing = document is None and not problem

    def is_stale(self) -> bool:
        """Whether another run has written the file meanwhile."""
        document, _ = self._file.read()
        return document is not None and _servers(document, self._config) != self._servers

    def judge(self, config: Launched) -> UntrustedLaunch | None:
        """What nobody agreed to as it is now; None where a person did."""
        key, now = key_of(config), stands_for(config)
        agreed = self._servers.get(key)
        if self._trusts_all or now in {agreed and agreed.launch, self._for_this_run.get(key)}:
            return None
        return UntrustedLaunch(config, agreed)

    def adopt(self, configs: Iterable[Launched]) -> None:
        """Count these as agreed to; `keep_adopted` writes them, and so does the next `put`."""
        self._adopted = tuple(configs)
        self._servers = {
            key_of(config): TrustedLaunch(stands_for(config)) for config in self._adopted
        }

    def trust_for_this_run(self, configs: Iterable[Launched]) -> None:
        """Count these as agreed to, and keep nothing of it."""
        self._for_this_run = {key_of(config): stands_for(config) for config in configs}

    def keep_adopted(self) -> None:
        """Write what was adopted, unless another run of the app has done so. For a thread.

        Raises:
            ConfigError: it cannot be written.
        """
        adopted = _agreed(self._adopted)
        with _alone(self._path):
            if self._file.read() == (None, ""):
                self._write({"version": VERSION}, adopted)
        self.is_missing, self._adopted = False, ()

    def put(self, configs: Iterable[Launched], gone: Iterable[str] = ()) -> None:
        """Agree to these servers as they are, and forget those that are gone.

        Raises:
            ConfigError: it cannot be written; until the file is read again it counts all the same.
        """
        new, adopted = _agreed(configs), _agreed(self._adopted)
        left = set(gone) - new.keys()
        self._servers = _merged({**self._servers, **adopted}, new, left)
        with _alone(self._path):
            document, _ = self._file.read()
            there = self._servers if document is None else _servers(document, self._config)
            merged = _merged({**adopted, **there}, new, left)
            self._write(document or {"version": VERSION}, merged)
        self.problem, self.is_missing, self._adopted = None, False, ()

    def _write(self, document: JsonObject, servers: Mapping[str, TrustedLaunch]) -> None:
        configs = as_object(document.get("configs")) or {}
        configs[self._config] = {name: _to_json(entry) for name, entry in servers.items()}
        self._file.write({**document, "configs": configs})


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """Keep other runs of the app from writing meanwhile, where the file system has locks."""
    with ExitStack() as stack:
        try:
            stack.enter_context(
                locked(FileLock(path.with_name(f"{path.name}.lock")), MAX_LOCK_WAIT)
            )
        except TimeoutError:
            raise ConfigError(
                translatable("Another program is writing {path}", path=path),
                remedy=translatable("Try the change again."),
            ) from None
        except OSError:  # no locks there, or no folder: writing says what is wrong with it
            pass
        yield


def _agreed(configs: Iterable[Launched]) -> dict[str, TrustedLaunch]:
    return {
        key_of(config): TrustedLaunch(stands_for(config), launch_parts(config))
        for config in configs
    }


def _merged(
    before: Mapping[str, TrustedLaunch], new: Mapping[str, TrustedLaunch], gone: set[str]
) -> dict[str, TrustedLaunch]:
    return {name: entry for name, entry in before.items() if name not in gone} | dict(new)


def _servers(document: JsonObject, config: str) -> dict[str, TrustedLaunch]:
    """Tolerant: an entry that is damaged counts as none."""
    configs = as_object(document.get("configs")) or {}
    found: dict[str, TrustedLaunch] = {}
    for name, value in (as_object(configs.get(config)) or {}).items():
        entry = as_object(value)
        if entry is not None and isinstance(launch := entry.get("launch"), str):
            found[name] = TrustedLaunch(launch, _parts(entry))
    return found


def _to_json(entry: TrustedLaunch) -> JsonObject:
    return {
        "launch": entry.launch,
        "parts": {place: asdict(part) for place, part in entry.parts.items()},
    }


def _parts(entry: JsonObject) -> dict[str, LaunchPart]:
    parts: dict[str, LaunchPart] = {}
    for place, value in (as_object(entry.get("parts")) or {}).items():
        part = as_object(value) or {}
        parts[place] = LaunchPart(str(part.get("shown", "")), str(part.get("hash", "")))
    return parts
