"""`import`: shows what another client's servers would become here, and after a yes adds them.

Without an argument it lists the clients that were found. Nothing is started, fetched or run, and no
other client's file is changed; without a terminal and without --yes nothing is changed at all. No
secret of this machine is printed. All that would be used is printed, never cut: the terminal wraps
it.
"""

from __future__ import annotations

import getpass
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec import Struct

from desktop.base.errors import ConfigError, UsageError
from desktop.base.visible_text import escape_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import PROGRAM, Options, add_new_sandbox, make_parser, open_store
from desktop.cli.output import layout, plain
from desktop.config.imports.bundles import unpack
from desktop.config.imports.clients import APPS, ClientLocations, app_named
from desktop.config.imports.packages import is_link
from desktop.config.imports.plan import make_plans
from desktop.config.imports.reader import Source, discover, found_of, read_address, read_source
from desktop.config.imports.warnings import finding_words
from desktop.config.models import SandboxProposal, sandbox_words
from desktop.config.variables import secrets_in

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from desktop.cli.output import Colour, Console
    from desktop.config.imports.clients import App
    from desktop.config.imports.inputs import ImportInput
    from desktop.config.imports.plan import ImportPlan, PlannedServer
    from desktop.config.imports.reader import DetectedClient, ReadSource
    from desktop.config.keyring_access import KeyringError
    from desktop.config.models import AppSettings, ServerConfig
    from desktop.config.plain_secrets import PlainSecret
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
        console.write(
            "No servers of other clients were found. Import a file: mcp-desktop import FILE"
        )
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
    console.note("\nTo review and import one: mcp-desktop import APP")


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
        console.write(f"{mark} {name}  {state}  {plain(_command_label(server))}".rstrip())
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
        "runs": _command_label(server) or None,
        "uses": [{"place": detail.place, "value": detail.value} for detail in server.details],
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
            else f"already added as {plain(server.ours)}"
        )
    if server.status == "different":
        return f"differs from yours (would be added as {plain(server.target)})"
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
        lines += [f"{detail.place}: {detail.value}" for detail in server.details[1:]]
        lines += [
            f"{'! ' if finding.is_warning else ''}{finding_words(finding)}"
            for finding in server.findings
        ]
    return [line.replace("\n", " ") for line in lines]


def _command_label(server: PlannedServer) -> str:
    """How it is started or reached, in full."""
    return server.details[0].value if server.details else ""


def _count_new(plan: ImportPlan) -> int:
    return sum(server.status == "new" for server in plan.servers)


SecretPlace: TypeAlias = Literal["keyring", "plain"]
_NOTES = f"""\
FILE is a client's config (JSON, TOML, YAML), a server.json or a bundle's manifest; LINK an install
link. APP is one of: {", ".join(app.key for app in APPS[:8])},
{", ".join(app.key for app in APPS[8:])}.

Servers you already have are left alone; one that differs is added under another name if you choose
it with --server. Imported servers are off unless --enable is given. The previous file is kept as
.bak. Plain-text secrets move to the keyring of this desktop and the config refers to them;
--secrets plain copies them as they are. Values that the other app prompts for are asked on a
terminal or given with --input (except secrets); otherwise set them as variables.

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
    secrets: SecretPlace | None = None
    input: list[str] | None = None


class _Import(Struct, frozen=True):
    """Plans, and what of them is to be written."""

    plans: list[ImportPlan]
    targets: frozenset[str]
    enable: bool
    answers: Mapping[str, str]

    @property
    def inputs(self) -> list[ImportInput]:
        asked = [question for plan in self.plans for question in plan.inputs(self.targets)]
        return list({question.id: question for question in asked}.values())

    def prepare(
        self, answers: Mapping[str, str], taken: Collection[str], *, to_keyring: bool
    ) -> tuple[list[ServerConfig], list[PlainSecret]]:
        """What is to be written, and what is to be kept in the keyring."""
        configs: list[ServerConfig] = []
        secrets: list[PlainSecret] = []
        for plan in self.plans:
            some, found = plan.prepare(
                self.targets,
                enable=self.enable,
                answers=answers,
                to_keyring=to_keyring,
                taken=taken,
            )
            configs += some
            secrets += found
        return configs, secrets


def run(args: list[str], console: Console) -> int:
    options = _parse(args)
    store = open_store(options)
    places = _locations(options)
    if options.source is None:
        return _list_found(store, places, console)
    reads = _read(options.source, places, store.settings, console)
    plans = make_plans(reads, store)
    targets = _targets(plans, options.server)
    wanted = _Import(plans, targets, options.enable, _given_answers(options))
    _refuse_unknown_answers(wanted)
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
    bundles = options.paths.bundles
    return ClientLocations.here(project=Path.cwd(), bundles=bundles)


def _parse(args: list[str]) -> ImportOptions:
    parser = make_parser("import", COMMANDS["import"], _NOTES)
    parser.add_argument("source", metavar="FILE|APP|LINK", nargs="?", help="default: list all")
    parser.add_argument("--server", metavar="NAME", action="append", help="repeatable")
    parser.add_argument("--enable", action="store_true", help="switch the new servers on")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--secrets",
        metavar="keyring|plain",
        choices=("keyring", "plain"),
        help="where to keep secrets",
    )
    parser.add_argument(
        "--input",
        metavar="ID=VALUE",
        action="append",
        help="a value the other app prompts for; repeatable",
    )
    add_new_sandbox(parser)
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
                f"It contains no server named {plain(name)!r}.", remedy=f"Available: {there}."
            )
        chosen += matching
    for server in chosen:
        if server.status == "invalid":
            raise UsageError(
                f"Server {plain(server.name)!r} cannot be imported: {plain(server.reason)}"
            )
    return frozenset(server.target for server in chosen if server.can_be_imported)


def _given_answers(options: ImportOptions) -> dict[str, str]:
    answers: dict[str, str] = {}
    for word in options.input or ():
        name, assigned, value = word.partition("=")
        if not assigned or not name:
            raise UsageError("--input has no =.", remedy="Use --input ID=VALUE.")
        answers[name] = value
    return answers


def _refuse_unknown_answers(wanted: _Import) -> None:
    """A secret in an argument could be read by every program of this machine."""
    inputs = {question.id: question for question in wanted.inputs}
    for name in wanted.answers:
        if name not in inputs:
            known = ", ".join(inputs) or "nothing"
            raise UsageError(f"{plain(name)!r} is not requested.", remedy=f"Requested: {known}.")
        if inputs[name].is_secret:
            raise UsageError(
                f"{plain(name)!r} is a secret and cannot be passed as an argument.",
                remedy="Leave it out and enter it when prompted on a terminal.",
            )


def _apply(
    wanted: _Import, store: ConfigStore, options: ImportOptions, console: Console
) -> tuple[Path | None, bool]:
    """Write what was agreed to; where the file as it was is kept, and whether anything was done."""
    configs, _ = wanted.prepare({}, (), to_keyring=False)
    if not configs:
        console.note("Nothing to import.")
        return None, False
    if not options.yes and not _agreed(configs, store, console):
        return None, False
    answers = {**wanted.answers, **_asked_answers(wanted, options, console)}
    configs = _keep_secrets(wanted, answers, store, options, console)
    for plan in wanted.plans:
        if plan.bundle is not None and plan.chosen(wanted.targets, enable=False):
            unpack(plan.bundle)
            console.note(f"Unpacked into {plain(str(plan.bundle.folder))}")
    configs = [_sandboxed(config, store, options, console) for config in configs]
    backup = store.add_servers(configs)
    state = "on" if options.enable else "off"
    console.note(f"{_servers_label(configs)} added to {plain(str(store.path))}, switched {state}.")
    if backup is not None:
        console.note(f"Backup of the previous file: {plain(str(backup))}")
    return backup, True


def _sandboxed(
    config: ServerConfig, store: ConfigStore, options: ImportOptions, console: Console
) -> ServerConfig:
    """The server as it is added, in what was chosen or is proposed; says which."""
    chosen = options.chosen_sandbox
    proposed = store.sandbox_for(config) if chosen is None else SandboxProposal(chosen)
    config = config.sandboxed(proposed.sandbox)
    if config.sandbox.is_on:
        words = f"in a sandbox, may touch {sandbox_words(config.sandbox)} (see --sandbox)"
        console.note(f"{plain(config.name)}: {plain(words)}")
    elif proposed.why:
        console.note(f"{plain(config.name)}: without a sandbox. {plain(proposed.why)}")
    return config


def _asked_answers(wanted: _Import, options: ImportOptions, console: Console) -> dict[str, str]:
    """What a person types; nothing where nobody can."""
    if options.yes or not sys.stdin.isatty():
        return {}
    answers: dict[str, str] = {}
    for question in wanted.inputs:
        if question.id in wanted.answers:
            continue
        words = plain(escape_hidden(question.description))
        choices = (
            f" ({', '.join(map(escape_hidden, question.choices))})" if question.choices else ""
        )
        if question.is_secret:
            answers[question.id] = getpass.getpass(f"{words}: ")
            continue
        default = f" [{escape_hidden(question.default)}]" if question.default else ""
        choices = plain(choices) if question.choices else ""
        console.note(f"{words}{choices}{plain(default)}:")
        answers[question.id] = sys.stdin.readline().strip()
    return answers


def _keep_secrets(
    wanted: _Import,
    answers: Mapping[str, str],
    store: ConfigStore,
    options: ImportOptions,
    console: Console,
) -> list[ServerConfig]:
    """Put what is secret into the keyring; returns what is written then.

    Raises:
        KeyringError: it does not keep them. Nothing was written.
    """
    import asyncio  # not for --help, nor for an import without secrets

    from desktop.config.keyring_access import KeyringError
    from desktop.config.secret_store import SecretStore

    taken = {name for config in store.servers.values() for name in secrets_in(config)}
    configs, secrets = wanted.prepare(answers, taken, to_keyring=options.secrets != "plain")
    if not secrets:
        return configs
    kept = SecretStore(options.paths.secret_names)
    try:
        for secret in secrets:
            asyncio.run(kept.put(secret.name, secret.value))
    except KeyringError as error:
        if not options.yes and _wants_plain_text(error, console):
            inputs = {question.id for question in wanted.inputs if not question.is_secret}
            known = {name: answer for name, answer in answers.items() if name in inputs}
            return wanted.prepare(known, taken, to_keyring=False)[0]
        raise KeyringError(
            f"{error.args[0]} Nothing was added.",
            remedy="To copy the secrets into the config file as plain text: --secrets plain",
        ) from None
    names = ", ".join(secret.name for secret in secrets)
    console.note(f"Stored in the keyring instead of the file: {plain(names)}")
    return configs


def _wants_plain_text(error: KeyringError, console: Console) -> bool:
    console.note(f"{error.args[0]} Copy the secrets into the config file as plain text? [y/N]")
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _agreed(configs: list[ServerConfig], store: ConfigStore, console: Console) -> bool:
    names = ", ".join(config.name for config in configs)
    if console.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        console.note(f"Nothing was changed. With --yes it would add: {plain(names)}")
        return False
    console.note(f"Add {plain(names)} to {plain(str(store.path))}? [y/N]")
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return True
    console.note(f"Nothing was changed. {PROGRAM} import --help says how to choose.")
    return False


def _servers_label(configs: list[ServerConfig]) -> str:
    return "1 server" if len(configs) == 1 else f"{len(configs)} servers"
