"""`import`: shows what another client's servers would become here, and after a yes adds them.

Without an argument it lists the clients that were found. Nothing is started, fetched or run, and no
other client's file is changed; without a terminal and without --yes nothing is changed at all. No
secret is printed: values are masked or left out.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desktop.cli.commands import COMMANDS
from desktop.cli.options import PROGRAM, Exit, Options, make_parser, open_store
from desktop.cli.output import layout, plain
from desktop.config.imports.bundles import unpack
from desktop.config.imports.clients import APPS, ClientLocations, app_named
from desktop.config.imports.packages import is_link
from desktop.config.imports.plan import make_plans
from desktop.config.imports.reader import Source, discover, found_of, read_address, read_source
from desktop.config.imports.warnings import finding_words
from desktop.errors import ConfigError, UsageError
from desktop.paths import find_paths
from desktop.redaction.command_line import redact_command
from desktop.redaction.policy import redact_text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.cli.output import Colour, Console
    from desktop.config.imports.clients import App
    from desktop.config.imports.plan import ImportPlan, PlannedServer
    from desktop.config.imports.reader import DetectedClient, ReadSource
    from desktop.config.models import AppSettings, ServerConfig
    from desktop.config.store import ConfigStore

_HEADER: Final = ("APP", "SERVERS", "NEW", "FILE")
_COLOURS: dict[str, Colour] = {
    "new": "green",
    "same": "dim",
    "different": "yellow",
    "invalid": "red",
}


def print_found(
    found: Sequence[DetectedClient], plans: Sequence[ImportPlan], console: Console
) -> None:
    """A table of the clients that have servers here, and how to go on."""
    if not found:
        console.write("No other client's servers were found. A file: mcp-desktop import FILE")
        return
    counts = {id(plan.source): _count_new(plan) for plan in plans}
    rows = [
        [
            client.source.app.key if client.source.app is not None else "",
            str(client.count) if client.read is not None else "-",
            str(counts[id(client.read.source)]) if client.read is not None else "-",
            plain(str(client.source.path)),
        ]
        for client in found
    ]
    header, *lines = layout(_HEADER, rows, console.width)
    console.write(console.paint(header, "bold"))
    console.write("\n".join(lines))
    for error in (client.error for client in found if client.error):
        console.note("\n" + plain(error))
    console.note("\nTo see one and take it over: mcp-desktop import APP")


def found_to_json(
    found: Sequence[DetectedClient], plans: Sequence[ImportPlan]
) -> list[dict[str, Any]]:
    counts = {id(plan.source): _count_new(plan) for plan in plans}
    return [
        {
            "app": client.source.app.key if client.source.app is not None else None,
            "file": str(client.source.path),
            "servers": client.count,
            "new": counts.get(id(client.read.source), 0) if client.read is not None else 0,
            "error": client.error or None,
        }
        for client in found
    ]


def print_plan(plan: ImportPlan, targets: Collection[str], console: Console) -> None:
    """Each server with its state, and what a person should know of it, indented below."""
    title = plan.source.label
    if plan.source.path is not None:
        title += f"  {plan.source.path}"
    console.write(console.paint(plain(title), "bold"))
    for notice in plan.notices:
        console.write(f"  {notice}")
    for server in plan.servers:
        mark = "+" if server.can_be_imported and server.target in targets else " "
        state = console.paint(_state_label(server), _COLOURS[server.status])
        name = plain(server.name).replace("\n", " ")
        console.write(f"{mark} {name}  {state}  {plain(_command_label(server.config))}".rstrip())
        for line in _detail_lines(server):
            console.write(f"      {plain(line)}")
    console.write("")


def plan_to_json(plan: ImportPlan, targets: Collection[str]) -> dict[str, Any]:
    source = plan.source
    return {
        "app": source.app.key if source.app is not None else None,
        "file": str(source.path) if source.path is not None else None,
        "notices": list(plan.notices),
        "servers": [_server_to_json(server, server.target in targets) for server in plan.servers],
    }


def _server_to_json(server: PlannedServer, is_chosen: bool) -> dict[str, Any]:
    config = server.config
    return {
        "name": server.name,
        "target": server.target if server.can_be_imported else None,
        "status": server.status,
        "chosen": is_chosen and server.can_be_imported,
        "sameAs": server.ours or None,
        "project": server.scope or None,
        "reason": server.reason or None,
        "transport": config.transport if config is not None else None,
        "runs": _command_label(config) or None,
        "differences": [
            {"place": difference.place, "ours": difference.ours, "theirs": difference.theirs}
            for difference in server.differences
        ],
        "findings": [
            {"kind": finding.kind, "place": finding.place, "message": finding_words(finding)}
            for finding in server.findings
        ],
    }


def _state_label(server: PlannedServer) -> str:
    if server.status == "same":
        return (
            "there already"
            if server.ours == server.name
            else f"there already as {plain(server.ours)}"
        )
    if server.status == "different":
        return f"differs from yours (would be {plain(server.target)})"
    return (
        server.status
        if server.target == server.name or server.status == "invalid"
        else f"new, as {plain(server.target)}"
    )


def _detail_lines(server: PlannedServer) -> list[str]:
    lines = [server.reason] if server.reason else []
    if server.scope:
        lines.append(f"for the project {server.scope}")
    for difference in server.differences:
        what = (
            "another value"
            if difference.is_secret
            else f"{difference.ours or '(nothing)'} -> {difference.theirs or '(nothing)'}"
        )
        lines.append(f"{difference.place}: {what}")
    if server.status != "same":
        lines += [
            f"{'! ' if finding.is_warning else ''}{finding_words(finding)}"
            for finding in server.findings
        ]
    return [line.replace("\n", " ") for line in lines]


def _command_label(config: ServerConfig | None) -> str:
    """How it is started or reached."""
    if config is None:
        return ""
    if config.transport == "stdio":
        return redact_command((config.command, *config.args))[:300]
    return redact_text(config.url)[:300]


def _count_new(plan: ImportPlan) -> int:
    return sum(server.status == "new" for server in plan.servers)


_NOTES = f"""\
FILE is any client's config (JSON, TOML, YAML), a server.json, a bundle's manifest; LINK an install
link. APP is one of: {", ".join(app.key for app in APPS[:8])},
{", ".join(app.key for app in APPS[8:])}.

Servers that are there already are left alone; one that differs is added under another name if it is
named with --server. All arrive switched off, unless --enable. The file as it was is kept as .bak.

examples:
  mcp-desktop import
  mcp-desktop import cursor
  mcp-desktop import claude-desktop --server github --yes
  mcp-desktop import ./mcp.json --enable --yes"""


class ImportOptions(Options):
    """What `import` is told."""

    source: str | None = None
    server: list[str] | None = None
    enable: bool = False
    yes: bool = False


@dataclass(frozen=True, slots=True)
class _Import:
    """Plans, and what of them is to be written."""

    plans: list[ImportPlan]
    targets: frozenset[str]
    enable: bool

    @property
    def configs(self) -> list[ServerConfig]:
        return [
            config
            for plan in self.plans
            for config in plan.chosen(self.targets, enable=self.enable)
        ]


def run(args: list[str], console: Console) -> int:
    options = _parse(args)
    store = open_store(options)
    places = _locations(options)
    if options.source is None:
        return _list_found(store, places, console)
    reads = _read(options.source, places, store.settings, console)
    plans = make_plans(reads, store)
    wanted = _Import(plans, _targets(plans, options.server), options.enable)
    for plan in plans if not console.as_json else ():
        print_plan(plan, wanted.targets, console)
    backup, is_applied = _apply(wanted, store, options, console)
    if console.as_json:
        console.document(
            {
                "plans": [plan_to_json(plan, wanted.targets) for plan in plans],
                "applied": is_applied,
                "config": str(store.path),
                "backup": str(backup) if backup is not None else None,
            }
        )
    return Exit.DONE


def _locations(options: ImportOptions) -> ClientLocations:
    bundles = find_paths(options.config, options.data_dir).bundles
    return ClientLocations.here(project=Path.cwd(), bundles=bundles)


def _parse(args: list[str]) -> ImportOptions:
    parser = make_parser("import", COMMANDS["import"], _NOTES)
    parser.add_argument("source", metavar="FILE|APP|LINK", nargs="?", help="without: what is found")
    parser.add_argument("--server", metavar="NAME", action="append", help="only this one; again")
    parser.add_argument("--enable", action="store_true", help="switch the new servers on")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    return parser.parse(args, ImportOptions())


def _list_found(store: ConfigStore, places: ClientLocations, console: Console) -> int:
    found = discover(places, store.settings)
    reads = [client.read for client in found if client.read is not None]
    plans = [make_plans([read], store)[0] for read in reads]
    if console.as_json:
        console.document({"found": found_to_json(found, plans)})
    else:
        print_found(found, plans, console)
    return Exit.DONE


def _read(
    what: str, places: ClientLocations, settings: AppSettings, console: Console
) -> list[ReadSource]:
    """All that is meant by `what`; raises `ConfigError` where there is nothing to read."""
    if is_link(what):
        return [read_address(what, places, settings)]
    path = Path(what).expanduser()
    app = app_named(what)
    if app is None or path.is_file():
        if not what or not (path.suffix or path.exists() or "/" in what):
            known = ", ".join(known_app.key for known_app in APPS)
            raise UsageError(
                f"{plain(what)!r} is neither a file nor an app.", remedy=f"Apps: {known}."
            )
        return [read_source(Source(path.absolute()), places, settings)]
    return _read_app(app, places, settings, console)


def _read_app(
    app: App, places: ClientLocations, settings: AppSettings, console: Console
) -> list[ReadSource]:
    found = list(found_of(app, places, settings))
    reads = [client.read for client in found if client.read is not None]
    errors = [client.error for client in found if client.error]
    if not reads:
        looked = "\n".join(f"  {path}" for path in places.files_of(app))
        message = errors[0] if errors else f"No servers of {app.title} were found"
        raise ConfigError(message, remedy="" if errors else f"Looked at:\n{looked}")
    for error in errors:
        console.note(plain(error))
    return reads


def _targets(plans: list[ImportPlan], names: list[str] | None) -> frozenset[str]:
    """The servers to add: the new ones, or those that a person named."""
    everything = [server for plan in plans for server in plan.servers]
    if names is None:
        return frozenset(server.target for server in everything if server.status == "new")
    chosen: list[PlannedServer] = []
    for name in names:
        matching = [server for server in everything if name in (server.name, server.target)]
        if not matching:
            there = ", ".join(server.name for server in everything[:20])
            raise UsageError(
                f"There is no server {plain(name)!r} in it.", remedy=f"It has: {there}."
            )
        chosen += matching
    for server in chosen:
        if server.status == "invalid":
            raise UsageError(
                f"Server {plain(server.name)!r} cannot be imported: {plain(server.reason)}"
            )
    return frozenset(server.target for server in chosen if server.can_be_imported)


def _apply(
    wanted: _Import, store: ConfigStore, options: ImportOptions, console: Console
) -> tuple[Path | None, bool]:
    """Write what was agreed to; where the file as it was is kept, and whether anything was done."""
    configs = wanted.configs
    if not configs:
        console.note("Nothing to import: nothing was changed.")
        return None, False
    if not options.yes and not _agreed(configs, store, console):
        return None, False
    for plan in wanted.plans:
        if plan.bundle is not None and plan.chosen(wanted.targets, enable=False):
            unpack(plan.bundle)
            console.note(f"Unpacked into {plain(str(plan.bundle.folder))}")
    backup = store.add_servers(configs)
    state = "on" if options.enable else "off"
    console.note(f"{_servers_label(configs)} added to {plain(str(store.path))}, switched {state}.")
    if backup is not None:
        console.note(f"To undo: the file as it was is {plain(str(backup))}")
    return backup, True


def _agreed(configs: list[ServerConfig], store: ConfigStore, console: Console) -> bool:
    names = ", ".join(config.name for config in configs)
    if console.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        console.note(f"Nothing was changed. Again with --yes it would add: {plain(names)}")
        return False
    console.note(f"Add {plain(names)} to {plain(str(store.path))}? [y/N]")
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return True
    console.note(f"Nothing was changed. {PROGRAM} import --help says how to choose.")
    return False


def _servers_label(configs: list[ServerConfig]) -> str:
    return "1 server" if len(configs) == 1 else f"{len(configs)} servers"
