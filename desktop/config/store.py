"""The one owner of the config file: what it says now, and every change a person makes to it.

A change is applied to the file as it is at that moment, so an edit made outside is kept; where both
touched the same server it is refused. A failed save changes nothing, in the file or in memory.
Comments cannot be kept by a writer of JSON: before the first rewrite of a file with comments it is
copied to `NAME.bak` beside it.

What of the app's own file was not written here, or not as it stands there now, is `untrusted`: a
person has to agree to it before it is started (`desktop.config.trust`). What is added or replaced
here is a person's own act, and so are `MCP_SERVERS` and a file that they name for this run, as it
stands there then; unless another user could have written that.
"""

from __future__ import annotations

import logging
import os
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.atomic_file import exposure, keep_backup, read_file, write_file
from desktop.base.errors import ConfigError
from desktop.base.file_lock import FolderLock, locked
from desktop.base.signals import Signal
from desktop.base.translatable import join_and, translatable
from desktop.config import editor, gateway, providers
from desktop.config.document import Document, JsonObject, parse, render
from desktop.config.editor import migrate, refuse_newer
from desktop.config.effective import EffectiveConfig, add_other_servers, build_catalog
from desktop.config.models import SandboxProposal, ServerConfig
from desktop.config.parser import find_entries
from desktop.config.secrets import machine_secrets, secrets_of
from desktop.config.spellings import SPELLINGS
from desktop.config.trust import key_of
from desktop.redaction.redactor import Redaction

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    from desktop.config.editor import RemovedEntry
    from desktop.config.gateway import GatewaySettings
    from desktop.config.launch_details import Launched
    from desktop.config.models import AppSettings
    from desktop.config.providers import ProviderSettings
    from desktop.config.trust import (
        LaunchDifference,
        TrustFile,
        UntrustedError,
        UntrustedLaunch,
    )

logger = logging.getLogger(__name__)
ProposeSandbox: TypeAlias = "Callable[[ServerConfig], SandboxProposal]"
"""What sandbox a server is offered that was not written here."""

MAX_LOCK_WAIT = 2.0
"""Seconds for another run of the app that saves at the same time; it takes milliseconds."""


class RemovedServer(Struct, frozen=True):
    """A server that was taken out of the file, and whether it had been agreed to."""

    entry: RemovedEntry
    is_agreed: bool


class ConfigStore:
    """Servers and settings of one config file; every change is written at once."""

    def __init__(
        self,
        path: Path,
        environ: Mapping[str, str] = os.environ,
        builtins: Sequence[ServerConfig] = (),
        trust: TrustFile | None = None,
        *,
        is_named: bool = False,
        propose_sandbox: ProposeSandbox | None = None,
    ) -> None:
        """Args: path: the file, which need not exist. builtins: listed last, off until switched.

        trust: what a person agreed to; without it all that the file says is trusted.
        is_named: the person named this file for this run.
        propose_sandbox: for servers that come from elsewhere; None where there are no sandboxes.
        """
        self.path = path
        self._propose_sandbox = propose_sandbox
        self.error: ConfigError | None = None
        self.exposure: ConfigError | None = None
        """Why somebody else could change the file, as it was when it was read."""
        self.changed: Signal[[]] = Signal()
        self._environ = environ
        self._builtins = tuple(builtins)
        self._trust, self._is_named = trust, is_named
        self._given: dict[str, ServerConfig] = {}
        self._untrusted: dict[str, UntrustedLaunch] = {}
        self._document: Document = Document()
        self._catalog = EffectiveConfig()

    def sandbox_for(self, config: ServerConfig) -> SandboxProposal:
        """What sandbox a server is offered that came from elsewhere."""
        if self._propose_sandbox is None:
            return SandboxProposal()
        return self._propose_sandbox(config)

    def try_sandbox(self) -> None:
        """Find out whether there can be one: for a thread, as the system may take seconds to say.

        What proposes them keeps the answer.
        """
        self.sandbox_for(ServerConfig.checked(name="any", command="any"))

    def give(self, servers: Iterable[ServerConfig]) -> None:
        """Add servers for this run, in place of others of their names; the file has none of it."""
        self._given = {each.name: each.model_copy(update={"source": "given"}) for each in servers}
        if self._given:
            self._catalog.put_first(self._given)
            self._find_untrusted()

    @property
    def servers(self) -> Mapping[str, ServerConfig]:
        """Every usable server: those of this run, the file's, the environment's, the built-in."""
        return MappingProxyType(self._catalog.servers)

    @property
    def problems(self) -> Mapping[str, ConfigError]:
        """What is wrong with which server; one that is not in `servers` cannot be used."""
        return MappingProxyType(self._catalog.problems)

    @property
    def remarks(self) -> Mapping[str, tuple[str, ...]]:
        """By server, what of its entry is not used, or not yet what it should be."""
        return MappingProxyType(self._catalog.remarks)

    @property
    def notices(self) -> tuple[ConfigError, ...]:
        """What is wrong, but with no one server: a setting, `MCP_SERVERS`, a reason not to save."""
        return tuple(self._catalog.notices)

    @property
    def refused(self) -> tuple[ConfigError, ...]:
        """What of `MCP_SERVERS` is not used because it is wrong."""
        return tuple(self._catalog.refused)

    @property
    def untrusted(self) -> Mapping[str, UntrustedLaunch]:
        """What of the file nobody agreed to as it is now, by name: servers, and `provider:NAME`.

        Neither is started or asked.
        """
        return MappingProxyType(self._untrusted)

    @property
    def trust_problem(self) -> ConfigError | None:
        """Why it is not known what a person agreed to; then all of the file is untrusted."""
        return self._trust.problem if self._trust is not None else None

    def refusal(self, config: Launched) -> UntrustedError | None:
        """Why this server must not be started, or this provider not asked; None where it may be.

        A config that is not what the file says comes from the caller, who answers for it.
        """
        found = self._untrusted.get(key_of(config))
        if found is None or not found.is_about(config):
            return None
        return found.refusal(self._known_secrets())

    def differences(self, name: str) -> list[LaunchDifference]:
        """All that an untrusted server would be started with, beside what was agreed to."""
        found = self._untrusted.get(name)
        return [] if found is None else found.differences(self._known_secrets())

    def agree(self, configs: Iterable[Launched]) -> None:
        """A person has seen all that these are started or reached with, and agreed to it.

        Raises:
            ConfigError: that cannot be kept, so that it is asked again at the next start.
        """
        configs = list(configs)
        try:
            if self._trust is not None and configs:
                self._trust.put(configs)
        finally:
            self._find_untrusted()
            self.changed.send()

    @property
    def is_first_start(self) -> bool:
        """Whether all that the file says counts as agreed to, and that is not kept yet."""
        return self._trust is not None and self._trust.is_missing and self.error is None

    def keep_adopted(self) -> None:
        """Keep what counts as agreed to since the first start. For a thread; never raises."""
        try:
            if self._trust is not None and self.is_first_start:
                self._trust.keep_adopted()
        except ConfigError as error:
            logger.warning("what is trusted is not kept: %s", error)

    @property
    def settings(self) -> AppSettings:
        return self._catalog.settings

    @property
    def providers(self) -> Mapping[str, ProviderSettings]:
        """The model providers by name: those of the file, then the known ones."""
        return MappingProxyType(self._catalog.providers)

    @property
    def gateway(self) -> GatewaySettings:
        """Which servers each client of the gateway is offered."""
        return self._catalog.gateway

    def load(self) -> None:
        """Read the file. What is wrong with its content is in `error`; it is never changed."""
        self._load(is_named=self._is_named)

    def _load(self, *, is_named: bool) -> None:
        self.error, self.exposure = None, exposure(self.path)
        try:
            document = self._read() or Document()
            catalog = self._build(document)
            if reason := _reason_not_to_write(document):
                catalog.notices.append(reason)
        except ConfigError as error:
            self.error = error
            document, catalog = Document(), EffectiveConfig()
            add_other_servers(catalog, {}, self._environ, self._builtins)
            catalog.put_first(self._given)
        self._document, self._catalog = document, catalog
        if self._trust is not None:
            self._trust.read()
            if self._trust.is_missing and self.error is None:
                self._trust.adopt(self._decided())
            elif is_named and self.error is None and self.exposure is None:
                self._trust.trust_for_this_run(self._decided())
        self._find_untrusted()

    def is_stale(self) -> bool:
        """Whether another program has written the file, or another run what was agreed to.

        A file that is gone says nothing: what was read of it counts on.
        """
        if self._trust is not None and self._trust.is_stale():
            return True
        try:
            document = self._read()
        except ConfigError as error:
            return str(error) != str(self.error)
        return document is not None and document.text != self._document.text

    def reload(self, *, is_named: bool = False) -> None:
        """Read the file again and tell everyone.

        Args:
            is_named: the person has named it once more, if they ever did: as it is now.
        """
        self._load(is_named=is_named and self._is_named)
        self.changed.send()

    def written(self, name: str) -> object:
        """A copy of a server's entry as it stands in the file, to show one that has a problem."""
        return deepcopy(find_entries(self._document.data).get(name))

    def mentions(self, text: str) -> bool:
        """Whether `text` stands anywhere in the file, also in a comment or a wrong entry."""
        return text in self._document.text

    def add_server(self, config: ServerConfig) -> None:
        """Write a new server; its name must be free."""
        self._add([config], keep=False)

    def add_servers(self, configs: Sequence[ServerConfig]) -> Path | None:
        """Write several new servers in one save: all of them or none; their names must be free.

        Returns where the file as it was before is kept; None where there was none.
        """
        return self._add(configs, keep=True)

    def _add(self, configs: Sequence[ServerConfig], *, keep: bool) -> Path | None:
        def edit(data: JsonObject, catalog: EffectiveConfig) -> None:
            for config in configs:
                _require_free(config.name, catalog, find_entries(data))
                editor.put_server(data, config.name, None, config, catalog.settings)

        return self._save(edit, agreed=[config.name for config in configs], keep=keep)

    def replace_server(self, name: str, config: ServerConfig) -> None:
        """Write a server of the file anew, under another name if it has one; order is kept."""

        def edit(data: JsonObject, catalog: EffectiveConfig) -> None:
            entries = find_entries(data)
            self._require_own(name, catalog, entries)
            if config.name != name:
                _require_free(config.name, catalog, entries)
            old = catalog.servers.get(name)
            editor.put_server(data, name, old, config, catalog.settings)

        self._save(edit, agreed=[config.name], gone=[name])

    def remove_server(self, name: str) -> RemovedServer:
        """Take a server out of the file, a wrong one too. Returns what `restore_server` takes."""
        removed: list[RemovedEntry] = []
        is_agreed = name not in self._untrusted

        def edit(data: JsonObject, catalog: EffectiveConfig) -> None:
            self._require_own(name, catalog, find_entries(data))
            removed.append(editor.drop_server(data, name))

        self._save(edit, gone=[name])
        return RemovedServer(removed[0], is_agreed)

    def restore_server(self, removed: RemovedServer) -> None:
        """Undo a removal: the same entry in the same place, agreed to as far as it was before."""

        def edit(data: JsonObject, catalog: EffectiveConfig) -> None:
            _require_free(removed.entry.name, catalog, find_entries(data))
            editor.put_back(data, removed.entry)

        self._save(edit, agreed=[removed.entry.name] if removed.is_agreed else [])

    def set_enabled(self, name: str, enabled: bool) -> None:
        """Switch a server on or off, wherever it is configured."""
        agreed: list[str] = []

        def edit(data: JsonObject, catalog: EffectiveConfig) -> None:
            config = catalog.usable(name)
            if config.enabled == enabled:
                return
            if config.source == "file":
                editor.put_enabled(find_entries(data)[name], enabled)
                return
            editor.put_override(data, name, "enabled", enabled)
            # The switch alone is the person's, and not what somebody else has written beside it.
            if name not in self._untrusted and config == self._catalog.servers.get(name):
                agreed.append(name)

        self._save(edit, agreed=agreed, gone=agreed)

    def set_arguments(self, name: str, arguments: Sequence[str]) -> None:
        """Start a built-in server that is not in the file with these from now on."""
        self._save(
            lambda data, _: editor.put_override(data, name, "args", list(arguments)),
            agreed=[name],
            gone=[name],
        )

    def set_tool_enabled(self, server: str, tool: str, enabled: bool) -> None:
        """Offer a tool of a server or not."""

        def edit(data: JsonObject, catalog: EffectiveConfig) -> None:
            config = catalog.usable(server)
            if config.offers(tool) == enabled:
                return
            others = [name for name in config.disabled_tools if name != tool]
            changes = {"disabled_tools": others if enabled else [*others, tool]}
            if enabled and config.enabled_tools and tool not in config.enabled_tools:
                changes["enabled_tools"] = [*config.enabled_tools, tool]
            for key, tools in changes.items():
                if config.source == "file":
                    editor.put_tool_names(find_entries(data)[server], key, tools)
                else:
                    editor.put_override(data, server, SPELLINGS[key][0], tools)

        self._save(edit)

    def update_settings(self, **changes: object) -> None:
        """Change settings by their names in `AppSettings`."""

        def edit(data: JsonObject, catalog: EffectiveConfig) -> None:
            editor.put_settings(data, changes, catalog.settings.changed(**changes))

        self._save(edit)

    def set_client_servers(self, client: str, servers: Sequence[str] | None) -> None:
        """Offer these servers to a client of the gateway; None for all."""
        self._save(lambda data, _: gateway.put_client(data, client, servers))

    def set_provider(self, settings: ProviderSettings) -> None:
        """Write a model provider, new or changed."""
        agreed = [key_of(settings)]
        self._save(lambda data, _: providers.put_provider(data, settings), agreed=agreed)

    def remove_provider(self, name: str) -> None:
        """Take a model provider out of the file; the known ones are there without it."""
        gone = f"provider:{name}"
        self._save(lambda data, _: providers.drop_provider(data, name), gone=[gone])

    def _read(self) -> Document | None:
        content = read_file(self.path)
        if content is None:
            return None
        document = parse(content, str(self.path)) if content.strip() else Document()
        return replace(document, data=migrate(document.data))

    def _save(
        self,
        edit: Callable[[JsonObject, EffectiveConfig], None],
        *,
        keep: bool = False,
        agreed: Sequence[str] = (),
        gone: Sequence[str] = (),
    ) -> Path | None:
        """Apply `edit` to the file as it is now and write it, or raise and change nothing.

        Args:
            edit: changes the JSON it is given.
            keep: keep the file as it was in any case; returns where.
            agreed: the servers that a person has written by this: they may be started.
            gone: the servers that are not there any more.
        """
        with self._alone():
            document, catalog, backup = self._apply(edit, keep=keep)
        is_news = self.error is not None or document.data != self._document.data
        self.error, self._document, self._catalog = None, document, catalog
        is_news |= self._agree(agreed, gone)
        if is_news:
            self.changed.send()
        return backup

    def _decided(self) -> list[Launched]:
        """What the file says how to start or reach, the app's own where it says so of them."""
        servers = [
            config
            for config in self._catalog.servers.values()
            if config.source == "file"
            or (config.source == "builtin" and (config.args or config.enabled))
        ]
        return servers + [each for each in self._catalog.providers.values() if each.other_origin]

    def _find_untrusted(self) -> bool:
        """Compare the file with what was agreed to; returns whether anything is another way now."""
        before, trust = self._untrusted, self._trust
        judged = [trust.judge(config) for config in self._decided()] if trust is not None else []
        self._untrusted = {each.key: each for each in judged if each is not None}
        return before.keys() != self._untrusted.keys()

    def _agree(self, names: Sequence[str], gone: Sequence[str]) -> bool:
        """Trust what a person has just written; returns whether more or fewer are trusted now."""
        written = [config for config in self._decided() if key_of(config) in names]
        if self._trust is not None and (written or gone):
            try:
                self._trust.put(written, gone)
            except ConfigError as error:  # the server is saved; it is asked about again
                logger.warning("what is trusted is not kept: %s", error)
        return self._find_untrusted()

    def _known_secrets(self) -> Redaction:
        """What this machine knows as secrets, but not by what an untrusted server says."""
        trusted = [config for name, config in self.servers.items() if name not in self._untrusted]
        found = machine_secrets(self._environ)
        return Redaction(found.union(*map(secrets_of, trusted)))

    @contextmanager
    def _alone(self) -> Generator[None]:
        """Keep other runs of this app from saving between what is read here and what is written."""
        with ExitStack() as stack:
            try:
                folder = Path(os.path.realpath(self.path)).parent
                stack.enter_context(locked(FolderLock(folder), MAX_LOCK_WAIT))
            except TimeoutError:
                raise ConfigError(
                    translatable(
                        "Another program is writing {path}; nothing was saved",
                        path=self.path,
                    ),
                    remedy=translatable("Try the change again."),
                ) from None
            except OSError:  # no locks there, or no folder: writing says what is wrong with it
                pass
            yield

    def _apply(
        self, edit: Callable[[JsonObject, EffectiveConfig], None], *, keep: bool
    ) -> tuple[Document, EffectiveConfig, Path | None]:
        # A file that is gone is written again from what was read of it: nothing is lost.
        document = self._read() or self._document
        if reason := _reason_not_to_write(document):
            raise reason
        catalog = self._catalog
        if document.data != self._document.data:  # another program has written the file
            catalog = self._build(document)
        data = deepcopy(document.data)
        edit(data, catalog)
        backup = None
        if data != document.data:
            document, backup = self._write(document, data, keep=keep)
            catalog = self._build(document)
        return document, catalog, backup

    def _build(self, document: Document) -> EffectiveConfig:
        catalog = build_catalog(document, self._environ, self._builtins)
        catalog.put_first(self._given)
        return catalog

    def _write(
        self, before: Document, data: JsonObject, *, keep: bool
    ) -> tuple[Document, Path | None]:
        editor.stamp_version(data)
        try:
            content = render(data, like=before.text).encode()
        except (UnicodeEncodeError, ValueError) as error:
            raise ConfigError(
                translatable("The change cannot be written as JSON: {error}", error=error)
            ) from None
        after = parse(content, str(self.path))
        backup = None
        if (keep or before.has_comments) and (kept := read_file(self.path)) is not None:
            backup = keep_backup(self.path, kept)
        write_file(self.path, content)
        return after, backup

    def _require_own(self, name: str, catalog: EffectiveConfig, entries: JsonObject) -> None:
        """Refuse to overwrite what is not in the file, or changed there since it was read."""
        config = catalog.servers.get(name)
        if config is not None and config.source != "file":
            origin = {
                "environment": "MCP_SERVERS",
                "given": translatable("the command line"),
            }.get(config.source, translatable("the app itself"))
            raise ConfigError(
                translatable(
                    'Server "{name}" comes from {origin}; it can be switched on and off here, '
                    "but not edited",
                    name=name,
                    origin=origin,
                )
            )
        loaded = find_entries(self._document.data)
        if name not in entries and name not in loaded:
            raise ConfigError(
                translatable('Server "{name}" is not in {path}', name=name, path=self.path)
            )
        if entries.get(name) != loaded.get(name):
            raise ConfigError(
                translatable(
                    'Another program changed server "{name}" in {path}; nothing was saved',
                    name=name,
                    path=self.path,
                ),
                remedy=translatable("Reload the configuration, then try again."),
            )


def _reason_not_to_write(document: Document) -> ConfigError | None:
    """Why a save would lose something: keys that stand twice, or a newer version's file."""
    try:
        refuse_newer(document.data)
    except ConfigError as error:
        return error
    for path, lines in document.duplicates.items():
        places = join_and(str(line) for line in lines)
        return ConfigError(
            translatable(
                'The key "{path}" appears twice in the file (lines {places}); saving would '
                "lose one of them",
                path=path[-1],
                places=places,
            ),
            line=lines[-1],
            remedy=translatable(
                "Remove or rename one of them, then reload. Nothing is saved until then."
            ),
        )
    return None


def _require_free(name: str, catalog: EffectiveConfig, entries: JsonObject) -> None:
    config = catalog.servers.get(name)
    if name in entries or (config is not None and config.source != "builtin"):
        raise ConfigError(
            translatable('A server named "{name}" already exists', name=name),
            remedy=translatable("Choose another name."),
        )
