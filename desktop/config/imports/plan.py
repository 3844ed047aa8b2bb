"""What an import would do: each server that was read, compared with those that exist.

A `ReadSource` and the store's servers in, a plan out; differences are worded without secrets. Must
not write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from desktop.config.imports.inputs import answer_inputs
from desktop.config.imports.translate import free_name
from desktop.config.launch_details import launch_details
from desktop.config.plain_secrets import move_secrets
from desktop.config.secrets import secrets_of
from desktop.redaction.command_line import redact_words
from desktop.redaction.policy import PLACEHOLDER, is_secret_name, redact_text
from desktop.redaction.redactor import Redaction
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping

    from desktop.config.imports.bundles import Bundle
    from desktop.config.imports.inputs import ImportInput
    from desktop.config.imports.reader import ReadServer, ReadSource, Source
    from desktop.config.imports.warnings import ImportWarning
    from desktop.config.launch_details import LaunchDetail
    from desktop.config.models import ServerConfig
    from desktop.config.plain_secrets import PlainSecret
    from desktop.config.store import ConfigStore

_MAX_VALUE_LENGTH = 200


class EntryDifference(Struct, frozen=True):
    """One place, as `env.TOKEN`, with what stands there now and in the other; '' is nothing."""

    place: str
    ours: str
    theirs: str

    @property
    def is_secret(self) -> bool:
        """Whether both values are covered and look the same."""
        return self.ours == self.theirs


def differences(ours: ServerConfig, theirs: ServerConfig) -> list[EntryDifference]:
    """How they are started or reached; name, switch, limits and rules are a person's own."""
    return [
        *_one("type", ours.transport, theirs.transport),
        *_one("builtin", ours.builtin, theirs.builtin),
        *_one("command", ours.command, theirs.command),
        *_arguments(ours.args, theirs.args),
        *_many("env", ours.env, theirs.env),
        *_one("cwd", ours.cwd or "", theirs.cwd or ""),
        *_one("url", ours.url, theirs.url),
        *_many("headers", ours.headers, theirs.headers),
        *_many("oauth", ours.oauth, theirs.oauth),
    ]


def _one(place: str, ours: str, theirs: str) -> Iterator[EntryDifference]:
    if ours != theirs:
        yield EntryDifference(place, _short(redact_text(ours)), _short(redact_text(theirs)))


def _arguments(ours: tuple[str, ...], theirs: tuple[str, ...]) -> Iterator[EntryDifference]:
    if ours != theirs:
        before, after = " ".join(redact_words(ours)), " ".join(redact_words(theirs))
        yield EntryDifference("args", _short(before), _short(after))


def _many(
    place: str, ours: Mapping[str, str], theirs: Mapping[str, str]
) -> Iterator[EntryDifference]:
    for name in dict.fromkeys((*ours, *theirs)):
        before, after = ours.get(name, ""), theirs.get(name, "")
        if ours.get(name) == theirs.get(name):
            continue
        if is_secret_name(name):
            yield EntryDifference(f"{place}.{name}", before and PLACEHOLDER, after and PLACEHOLDER)
        else:
            yield EntryDifference(
                f"{place}.{name}", _short(redact_text(before)), _short(redact_text(after))
            )


def _short(text: str) -> str:
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}…"


Status: TypeAlias = Literal["new", "same", "different", "invalid"]


class PlannedServer(Struct, frozen=True):
    """One server and what became of the comparison.

    `name` is the other client's, `target` what it would be called here: free at that moment. `ours`
    is the server it was compared with; for `same` it may have another name.
    """

    name: str
    target: str
    status: Status
    config: ServerConfig | None = None
    ours: str = ""
    scope: str = ""
    reason: str = ""
    differences: tuple[EntryDifference, ...] = ()
    findings: tuple[ImportWarning, ...] = ()
    details: tuple[LaunchDetail, ...] = ()
    """All that would be used, in full; empty without `config`."""
    inputs: tuple[ImportInput, ...] = ()
    """What is to be asked for, so that it can be started."""

    @property
    def can_be_imported(self) -> bool:
        return self.status in {"new", "different"}


class ImportPlan(Struct, frozen=True):
    """All servers of one source; `notices` are about the source as a whole."""

    source: Source
    servers: tuple[PlannedServer, ...]
    notices: tuple[str, ...] = ()
    bundle: Bundle | None = None
    """What has to be unpacked before the servers are written (`bundles.unpack`)."""

    def chosen(self, targets: Collection[str], *, enable: bool) -> list[ServerConfig]:
        """The servers with these targets, to be written: switched off unless `enable`."""
        return [
            server.config.changed(name=server.target, enabled=enable)
            for server in self.servers
            if server.config is not None and server.can_be_imported and server.target in targets
        ]

    def inputs(self, targets: Collection[str]) -> list[ImportInput]:
        """What the servers with these targets ask for, each question once."""
        chosen = [server for server in self.servers if server.target in targets]
        asked = [question for server in chosen if server.config for question in server.inputs]
        return list({question.id: question for question in asked}.values())

    def prepare(
        self,
        targets: Collection[str],
        *,
        enable: bool,
        answers: Mapping[str, str] = EMPTY,
        to_keyring: bool = False,
        taken: Collection[str] = (),
    ) -> tuple[list[ServerConfig], list[PlainSecret]]:
        """As `chosen`, with the answers in them; and the secrets that go to the keyring.

        Args:
            targets: of the servers to be written.
            enable: whether they are switched on.
            answers: to the questions, by id.
            to_keyring: whether secrets that stand there as plain text go there, too.
            taken: names that are in the keyring already.

        Raises:
            ConfigError: an answer cannot be used.
        """
        inputs = {server.target: server.inputs for server in self.servers}
        configs: list[ServerConfig] = []
        secrets: list[PlainSecret] = []
        for config in self.chosen(targets, enable=enable):
            config, asked = answer_inputs(config, inputs[config.name], answers)
            moved, found = move_secrets(config, taken) if to_keyring else (config, [])
            configs.append(moved)
            secrets += [*asked, *found]
        return configs, secrets


def make_plans(reads: Iterable[ReadSource], store: ConfigStore) -> list[ImportPlan]:
    """Compare with what `store` has now, and each source with those before it."""
    known = _Known(store)
    of_ours = {secret for config in store.servers.values() for secret in secrets_of(config)}
    plans: list[ImportPlan] = []
    for read in reads:
        origin = read.source.app.key if read.source.app is not None else ""
        secrets = Redaction(read.secrets | of_ours)
        planned = tuple(
            _with_details(known.compare(server, origin), secrets, is_own=read.is_own)
            for server in read.servers
        )
        plans.append(ImportPlan(read.source, planned, read.notices, read.bundle))
    return plans


def _with_details(server: PlannedServer, secrets: Redaction, *, is_own: bool) -> PlannedServer:
    if server.config is None:
        return server
    return replace(server, details=launch_details(server.config, secrets, is_own=is_own))


class _Known:
    """The servers that are there, and those that are planned meanwhile."""

    def __init__(self, store: ConfigStore) -> None:
        self._servers = dict(store.servers)
        self._taken = {*self._servers, *store.problems}
        self._by_way: dict[Hashable, str] = {}
        for config in self._servers.values():
            self._by_way.setdefault(_way(config), config.name)

    def compare(self, server: ReadServer, origin: str) -> PlannedServer:
        made = PlannedServer(
            server.name,
            server.name,
            "invalid",
            scope=server.scope,
            findings=server.findings,
            inputs=server.inputs,
        )
        if (config := server.config) is None:
            return replace(made, reason=str(server.error))
        made = replace(made, config=config)
        ours = self._servers.get(config.name)
        if ours is not None and _way(ours) == _way(config):
            return replace(made, status="same", target=ours.name, ours=ours.name)
        if twin := self._by_way.get(_way(config)):
            return replace(made, status="same", target=twin, ours=twin)
        target = free_name(config.name, self._taken, origin)
        self._add(config.changed(name=target))
        if ours is None or ours.source == "builtin":
            return replace(made, status="new", target=target)
        found = tuple(differences(ours, config))
        return replace(made, status="different", target=target, ours=ours.name, differences=found)

    def _add(self, config: ServerConfig) -> None:
        self._taken.add(config.name)
        self._servers[config.name] = config
        self._by_way.setdefault(_way(config), config.name)


def _way(config: ServerConfig) -> Hashable:
    """How it is started or reached; name, switch, limits and rules are a person's own."""
    return (
        *(config.transport, config.builtin, config.command, config.args, config.cwd, config.url),
        *(frozenset(values.items()) for values in (config.env, config.headers, config.oauth)),
    )
