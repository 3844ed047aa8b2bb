"""What an import would do: each server that was read, held against those that are there already.

Pure: a `ReadSource` and a store's present state in, a plan out. Must not write anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from desktop.config.imports.differences import Difference, differences
from desktop.config.imports.naming import free_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from desktop.config.imports.findings import Finding
    from desktop.config.imports.reading import ReadServer, ReadSource, Source
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore

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
    differences: tuple[Difference, ...] = ()
    findings: tuple[Finding, ...] = ()

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
    servers = dict(store.servers)
    taken = {*servers, *store.problems}
    plans: list[ImportPlan] = []
    for read in reads:
        origin = read.source.app.key if read.source.app is not None else ""
        planned: list[PlannedServer] = []
        for one in read.servers:
            made = _compare(one, servers, taken, origin)
            planned.append(made)
            if made.config is not None and made.can_be_imported:
                taken.add(made.target)
                servers[made.target] = made.config.changed(name=made.target)
        plans.append(ImportPlan(read.source, tuple(planned), read.notices))
    return plans


def _compare(
    one: ReadServer, servers: Mapping[str, ServerConfig], taken: set[str], origin: str
) -> PlannedServer:
    config = one.config
    if config is None:
        return PlannedServer(
            one.name, one.name, "invalid", None, "", one.scope, str(one.error), (), one.findings
        )
    if twin := _twin(config, servers):
        return PlannedServer(one.name, twin, "same", config, twin, one.scope, "", (), one.findings)
    target = free_name(config.name, taken, origin)
    ours = servers.get(config.name)
    is_known = ours is not None and ours.source != "builtin"
    return PlannedServer(
        one.name,
        target,
        "different" if is_known else "new",
        config,
        ours.name if ours is not None and is_known else "",
        one.scope,
        "",
        tuple(differences(ours, config)) if ours is not None and is_known else (),
        one.findings,
    )


def _twin(config: ServerConfig, servers: Mapping[str, ServerConfig]) -> str:
    """The server that is started or reached in the very same way; the one of its name first."""
    names = [config.name, *servers] if config.name in servers else list(servers)
    return next((name for name in names if not differences(servers[name], config)), "")
