"""What an import would do: each server that was read, held against those that are there already.

Pure: a `ReadSource` and a store's present state in, a plan out. Must not write anything.

In what two servers differ, in words that hold no secret. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop.config.imports.translate import free_name
from desktop.redaction.detect import HIDDEN, covered_arguments, covered_text, is_secret

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping

    from desktop.config.imports.reader import ReadServer, ReadSource, Source
    from desktop.config.imports.warnings import ImportWarning
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class EntryDifference:
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
    ]


def _one(place: str, ours: str, theirs: str) -> Iterator[EntryDifference]:
    if ours != theirs:
        yield EntryDifference(place, _short(covered_text(ours)), _short(covered_text(theirs)))


def _arguments(ours: tuple[str, ...], theirs: tuple[str, ...]) -> Iterator[EntryDifference]:
    if ours != theirs:
        before, after = " ".join(covered_arguments(ours)), " ".join(covered_arguments(theirs))
        yield EntryDifference("args", _short(before), _short(after))


def _many(
    place: str, ours: Mapping[str, str], theirs: Mapping[str, str]
) -> Iterator[EntryDifference]:
    for name in dict.fromkeys((*ours, *theirs)):
        before, after = ours.get(name, ""), theirs.get(name, "")
        if ours.get(name) == theirs.get(name):
            continue
        if is_secret(name):
            yield EntryDifference(f"{place}.{name}", before and HIDDEN, after and HIDDEN)
        else:
            yield EntryDifference(
                f"{place}.{name}", _short(covered_text(before)), _short(covered_text(after))
            )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


Status: TypeAlias = Literal["new", "same", "different", "invalid"]


@dataclass(frozen=True, slots=True)
class PlannedServer:
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

    @property
    def can_be_imported(self) -> bool:
        return self.status in {"new", "different"}


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All servers of one source; `notices` are about the source as a whole."""

    source: Source
    servers: tuple[PlannedServer, ...]
    notices: tuple[str, ...] = ()

    def chosen(self, targets: Collection[str], *, enable: bool) -> list[ServerConfig]:
        """The servers with these targets, to be written: switched off unless `enable`."""
        return [
            one.config.changed(name=one.target, enabled=enable)
            for one in self.servers
            if one.config is not None and one.can_be_imported and one.target in targets
        ]


def make_plans(reads: Iterable[ReadSource], store: ConfigStore) -> list[ImportPlan]:
    """Compare with what `store` has now, and each source with those before it."""
    known = _Known(store)
    plans: list[ImportPlan] = []
    for read in reads:
        origin = read.source.app.key if read.source.app is not None else ""
        planned = tuple(known.compare(one, origin) for one in read.servers)
        plans.append(ImportPlan(read.source, planned, read.notices))
    return plans


class _Known:
    """The servers that are there, and those that are planned meanwhile."""

    def __init__(self, store: ConfigStore) -> None:
        self._servers = dict(store.servers)
        self._taken = {*self._servers, *store.problems}
        self._by_way: dict[Hashable, str] = {}
        for config in self._servers.values():
            self._by_way.setdefault(_way(config), config.name)

    def compare(self, one: ReadServer, origin: str) -> PlannedServer:
        made = PlannedServer(one.name, one.name, "invalid", scope=one.scope, findings=one.findings)
        if (config := one.config) is None:
            return replace(made, reason=str(one.error))
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
        *(frozenset(config.env.items()), frozenset(config.headers.items())),
    )
