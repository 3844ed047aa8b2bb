"""The catalogue for whoever shows it: search, look at an entry, add it, see updates and take them.

    catalogue = Catalogue(store, SecretStore(paths.secret_names))
    page = await catalogue.search("weather")
    entry = page.entries[0]
    plan = catalogue.plan(entry, entry.ways[0], {"API_KEY": "..."})
    await catalogue.add(plan)

Asks the registry only when one of these is called, and starts no server: what is added is off.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.errors import ConfigError
from desktop.base.translatable import join_list, translatable
from desktop.config.imports.bundles import remove_bundle_of, unpack
from desktop.config.imports.plan import differences
from desktop.config.imports.server_json import BUNDLE
from desktop.config.secrets import machine_secrets, secrets_of
from desktop.config.variables import secrets_in
from desktop.features.catalogue.bundle import (
    fits_here,
    is_loopback,
    open_bundle,
    remove_folder,
    unpacked_way,
)
from desktop.features.catalogue.entry import CatalogueError
from desktop.features.catalogue.install import (
    make_installation,
    reason_not_installable,
    recover_answers,
    suggest_name,
)
from desktop.redaction.redactor import Redaction
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from pathlib import Path

    from desktop.config.imports.plan import EntryDifference
    from desktop.config.imports.server_json import Answers, ServerInput, Way
    from desktop.config.models import Sandbox, ServerConfig
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore
    from desktop.features.catalogue.bundle import FetchedBundle
    from desktop.features.catalogue.download import Progress
    from desktop.features.catalogue.entry import CatalogueEntry, CataloguePage
    from desktop.features.catalogue.install import Installation
    from desktop.features.catalogue.registry_client import RegistryClient

logger = logging.getLogger(__name__)
MAX_UPDATES: Final = 100
"""Servers that are looked up at once."""
_AT_ONCE: Final = 4


class Update(Struct, frozen=True):
    """What the registry has for a server that was added from it.

    `problem` says why there is nothing to take; without one the version is another one.
    """

    server: str
    installed: str
    entry: CatalogueEntry | None = None
    way: Way | None = None
    answers: Answers = field(default_factory=dict[str, "str | list[str]"])
    """What the server was given, to be used again."""
    differences: tuple[EntryDifference, ...] = ()
    """How it would be started or reached then; the person's own changes among them."""
    wanted: tuple[ServerInput, ...] = ()
    """What the new version requires and the server does not have."""
    problem: str = ""

    @property
    def is_offered(self) -> bool:
        return self.entry is not None and self.way is not None and not self.problem

    @property
    def version(self) -> str:
        """The newest; empty where it is not known."""
        return self.entry.version if self.entry is not None else ""


class Catalogue:
    """One registry, that of the settings, and the servers of one config."""

    def __init__(
        self,
        store: ConfigStore,
        secrets: SecretStore | None = None,
        environ: Mapping[str, str] = os.environ,
        bundles: Path | None = None,
    ) -> None:
        """Args: secrets: keeps what is secret; None: that stands in the config file.

        bundles: where bundles are unpacked; None: they are not downloaded.
        """
        self.store, self._secrets, self._environ = store, secrets, environ
        self._bundles = bundles

    @property
    def address(self) -> str:
        return self.store.settings.catalogue_url

    @property
    def mirror(self) -> str:
        """What stands before the address of a file that is downloaded; empty for nothing."""
        return self.store.settings.download_mirror

    @property
    def can_keep(self) -> bool:
        """Whether there is a place for secrets."""
        return self._secrets is not None

    @property
    def installed(self) -> dict[str, ServerConfig]:
        """The servers that were added from a catalogue, by their names here."""
        found = self.store.servers.items()
        return {name: config for name, config in found if config.catalogue.get("name")}

    async def search(self, words: str, cursor: str = "") -> CataloguePage:
        """A page of what matches, by its name or description. Raises `CatalogueError`."""
        registry = await self._open()
        try:
            page = await registry.search(" ".join(words.split()), cursor)
        finally:
            await registry.close()
        active = tuple(
            entry for entry in page.entries if entry.status != "deleted" and entry.is_latest
        )
        # One that leads to itself would be asked for ever.
        return replace(page, entries=active, cursor="" if page.cursor == cursor else page.cursor)

    async def show(self, name: str) -> CatalogueEntry:
        """The newest version of a server, by its whole name. Raises `CatalogueError`."""
        registry = await self._open()
        try:
            return await registry.show(name)
        finally:
            await registry.close()

    async def fetch(self, way: Way, progress: Progress) -> FetchedBundle:
        """Download the bundle of a way, check its hash, and read what it runs and asks for.

        Nothing is unpacked. Whoever asks `discard`s the packed file in the end.

        Args:
            way: a packed one; a person agreed to the download.
            progress: gets bytes that are here, and all of them, 0 where that is not known.

        Raises:
            CatalogueError: it cannot be downloaded, or is another file than the entry names.
            ConfigError: it may not be downloaded, is no bundle, or cannot be used here.
        """
        if reason := reason_not_installable(way):
            raise ConfigError(reason)
        if self._bundles is None:
            raise ConfigError(translatable("There is no folder for bundles here."))
        if is_loopback(way.identifier) and not is_loopback(self.address):
            raise ConfigError(
                translatable(
                    "It would ask an address of this computer, and its registry is elsewhere."
                )
            )
        from desktop.features.catalogue.download import download  # brings httpx2

        file = await download(way, self._bundles, progress, mirror=self.mirror)
        try:
            return await asyncio.to_thread(_open_checked, file, way, self._bundles)
        except BaseException:
            with suppress(OSError):
                file.unlink()
            raise

    async def remove_replaced(self, before: ServerConfig) -> None:
        """Remove the files that a server had before its update, unless the config names them."""
        if self._bundles is not None:
            await asyncio.to_thread(remove_bundle_of, before, self._bundles, self.store.mentions)

    async def open_update(self, update: Update, fetched: FetchedBundle) -> Update:
        """An update to a bundle, once that is here: with the values that the server has."""
        config = self.store.servers.get(update.server)
        if config is None or update.entry is None or self._bundles is None:
            return update
        before = await asyncio.to_thread(unpacked_way, config, fetched.way, self._bundles)
        answers = recover_answers(before or fetched.way, config)
        keys = {asked.key for asked in fetched.way.inputs}
        kept = {key: answer for key, answer in answers.items() if key in keys}
        return self._offer(config, update.entry, fetched.way, kept)

    def plan(
        self,
        entry: CatalogueEntry,
        way: Way,
        answers: Answers,
        *,
        name: str = "",
        server: str = "",
        to_keyring: bool = True,
        sandbox: Sandbox | None = None,
    ) -> Installation:
        """What adding it would write, or with `server`, what bringing that one up to date would.

        Args:
            entry: what to add.
            way: one of its ways.
            answers: to the inputs of the way, by key.
            name: what it is to be called here; without one, one is found.
            server: the server here that this is an update of.
            to_keyring: whether its secrets go there.
            sandbox: in which a new one starts; None: in the one that is proposed for it.

        Raises:
            ConfigError: it cannot be added, or not so.
        """
        servers = self.store.servers
        if not server:
            self._require_free(name)
        name = server or name or suggest_name(entry, {*servers, *self.store.problems})
        of_ours = {secret for config in servers.values() for secret in secrets_of(config)}
        known = {secret for secret in of_ours if "${" not in secret}  # a reference is none
        return make_installation(
            entry,
            way,
            answers,
            name=name,
            registry=self.address,
            settings=self.store.settings,
            known=Redaction(known | machine_secrets(self._environ)),
            to_keyring=to_keyring and self.can_keep,
            taken={kept for config in servers.values() for kept in secrets_in(config)},
            current=servers[server] if server else None,
            sandboxed=lambda made: made.sandboxed(sandbox or self.store.sandbox_for(made).sandbox),
        )

    def _require_free(self, name: str) -> None:
        """Before a secret is kept for it; a built-in server may be replaced, as in the file."""
        known = self.store.servers.get(name)
        if name in self.store.problems or (known is not None and known.source != "builtin"):
            raise ConfigError(
                translatable('A server named "{name}" already exists', name=name),
                remedy=translatable("Choose another name."),
            )

    async def add(
        self, plan: Installation, *, server: str = "", fetched: FetchedBundle | None = None
    ) -> str:
        """Keep the secrets, then write the server; returns its name here.

        Args:
            plan: nothing of it may be unanswered.
            server: where it is an update, the one to be written anew.
            fetched: the bundle that it runs from, unpacked first.

        Raises:
            KeyringError: a secret is not kept; nothing was written.
            ConfigError: the config cannot be written.
        """
        _require_answers(plan)
        before = self.store.servers.get(server)
        async with self.unpacked(fetched):
            if self._secrets is not None:
                for secret in plan.secrets:
                    await self._secrets.put(secret.name, secret.value)
            name = self.write(plan, server=server)
        if before is not None:
            await self.remove_replaced(before)
        return name

    @asynccontextmanager
    async def unpacked(self, fetched: FetchedBundle | None) -> AsyncGenerator[None]:
        """A bundle is unpacked inside, and after it, unless it fails.

        Raises:
            ConfigError: it cannot be unpacked; nothing of it stays.
        """
        if fetched is None:
            yield
            return
        was_there = fetched.bundle.is_unpacked
        await asyncio.to_thread(unpack, fetched.bundle)
        try:
            yield
        except BaseException:
            if not was_there:
                await asyncio.to_thread(remove_folder, fetched.bundle)
            raise
        fetched.discard()

    def write(self, plan: Installation, *, server: str = "") -> str:
        """As `add`, for whoever has kept the secrets already."""
        _require_answers(plan)
        if server:
            self.store.replace_server(server, plan.config)
        else:
            self.store.add_server(plan.config)
        return plan.config.name

    async def updates(self) -> list[Update]:
        """What there is for the servers of this registry: first those with a newer version.

        Raises:
            CatalogueError: the registry cannot be asked for any of them.
        """
        servers = dict(list(self.installed.items())[:MAX_UPDATES])
        if not servers:
            return []
        registry = await self._open()
        turns = asyncio.Semaphore(_AT_ONCE)
        failures: list[CatalogueError] = []

        async def look_up(name: str, config: ServerConfig) -> Update | None:
            if (elsewhere := config.catalogue.get("registry", self.address)) != self.address:
                problem = translatable("It was added from {address}.", address=elsewhere)
                return Update(name, config.catalogue.get("version", ""), problem=problem)
            async with turns:
                try:
                    entry = await registry.show(config.catalogue["name"])
                except CatalogueError as error:
                    failures.append(error)
                    installed = config.catalogue.get("version", "")
                    return Update(name, installed, problem=str(error))
            return self._compare(name, config, entry)

        try:
            found = await asyncio.gather(*(look_up(name, servers[name]) for name in servers))
        finally:
            await registry.close()
        if failures and len(failures) == len(servers):
            raise failures[0]
        updates = [update for update in found if update is not None]
        return sorted(updates, key=lambda update: not update.is_offered)

    def _compare(self, name: str, config: ServerConfig, entry: CatalogueEntry) -> Update | None:
        """None where the newest version is the one that is here."""
        installed = config.catalogue.get("version", "")
        if entry.status == "deleted":
            problem = translatable("The registry has removed this server: look at it again.")
            return Update(name, installed, entry, problem=problem)
        if entry.version == installed:
            if entry.status == "active":
                return None
            problem = translatable("Its publisher no longer maintains this server.")
            return Update(name, installed, entry, problem=problem)
        way = _same_way(entry.ways, config)
        if way is None:
            problem = translatable("The new version cannot be used the same way.")
            return Update(name, installed, entry, problem=problem)
        if way.is_packed:
            return Update(name, installed, entry, way)
        return self._offer(config, entry, way, recover_answers(way, config))

    def _offer(
        self, config: ServerConfig, entry: CatalogueEntry, way: Way, answers: Answers
    ) -> Update:
        """The update with what it changes."""
        name, installed = config.name, config.catalogue.get("version", "")
        try:
            plan = self.plan(entry, way, answers, server=name)
        except ConfigError as error:
            return Update(name, installed, entry, way, answers, problem=str(error))
        # What is newly required is told as such, and not as the variable in its place.
        new = {f"${{{asked.variable}}}" for asked in plan.unanswered}
        changes = tuple(
            change for change in differences(config, plan.config) if change.theirs not in new
        )
        return Update(name, installed, entry, way, answers, changes, plan.unanswered)

    async def _open(self) -> RegistryClient:
        await asyncio.to_thread(self.store.try_sandbox)  # before a plan proposes one
        return await asyncio.to_thread(_open_registry, self.address)


def _open_checked(file: Path, way: Way, folder: Path) -> FetchedBundle:
    fetched = open_bundle(file, way, folder)
    if reason := reason_not_installable(fetched.way):
        raise ConfigError(reason)
    return fetched


def _require_answers(plan: Installation) -> None:
    if plan.unanswered:
        names = join_list(asked.key for asked in plan.unanswered)
        raise ConfigError(translatable("Still needed: {names}", names=names))


def _open_registry(address: str) -> RegistryClient:
    from desktop.features.catalogue.registry_client import (
        RegistryClient,  # brings httpx2, and certificates
    )

    return RegistryClient(address)


def _same_way(ways: Sequence[Way], config: ServerConfig) -> Way | None:
    """The way that the server was added by: of its kind, and of its package where there are two."""
    kind = config.catalogue.get("kind", "")
    usable = [way for way in ways if way.kind == kind and not reason_not_installable(way)]
    if kind == BUNDLE:  # its file has another name in each version
        return min(usable, key=lambda way: not fits_here(way), default=None)
    named = [way for way in usable if recover_answers(way, config) or _runs(way, config)]
    return next(iter(named or usable), None)


def _runs(way: Way, config: ServerConfig) -> bool:
    if way.is_remote:
        return config.url == "".join(way.url.fill(EMPTY, lambda _: ""))
    return any(word.startswith(way.identifier) for word in config.args)
