"""`export`: prints the servers as another client's file has them, or writes a new file.

Secrets are left out unless asked for. Starts nothing, overwrites nothing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.base.atomic_file import write_file
from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser, open_store
from desktop.cli.output import plain, to_json
from desktop.config.export import FORMATS, Format, export_servers

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.export import MaskedValue
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore

_NOTES = """\
Prints to stdout without a FILE (or with -). Anything that looks like a secret is replaced by
${NAME} and listed on stderr. Exports the servers of your file; built-in ones only if named.

examples:
  mcp-desktop export
  mcp-desktop export --server github --server files team.json
  mcp-desktop export --format vscode .vscode/mcp.json"""


class ExportOptions(Options):
    """What `export` is told."""

    file: str = "-"
    server: list[str] | None = None
    format: Format = "mcpServers"
    with_secrets: bool = False


def run(args: list[str], console: Console) -> int:
    parser = make_parser("export", COMMANDS["export"], _NOTES)
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="the file to write")
    parser.add_argument(
        "--server", metavar="NAME", action="append", help="only this server; repeatable"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="mcpServers", help="the client's format"
    )
    parser.add_argument("--with-secrets", action="store_true", help="include secrets as plain text")
    options = parser.parse(args, ExportOptions())
    store = open_store(options)
    configs = _chosen(store, options.server)
    export = export_servers(configs, options.format, with_secrets=options.with_secrets)
    if options.file != "-":
        _write(Path(options.file).expanduser(), export.data)
    if console.as_json:
        console.document(_to_document(options.file, export.data, export.replaced))
    elif options.file == "-":
        console.write(to_json(export.data))
    else:
        count = "1 server" if len(configs) == 1 else f"{len(configs)} servers"
        console.write(f"{count} written to {plain(options.file)}")
    _note_secrets(export.replaced, console)
    return Exit.DONE


def _chosen(store: ConfigStore, names: list[str] | None) -> list[ServerConfig]:
    if names is None:
        return [server for server in store.servers.values() if server.source != "builtin"]
    for name in names:
        if name in store.problems and name not in store.servers:
            raise store.problems[name]
        if name not in store.servers:
            there = ", ".join(store.servers)
            raise UsageError(f"No server is named {plain(name)!r}.", remedy=f"Available: {there}.")
    return [store.servers[name] for name in dict.fromkeys(names)]


def _write(path: Path, data: dict[str, Any]) -> None:
    if os.path.lexists(path):
        raise UsageError(
            f"{path} already exists.", remedy="Choose a new file; nothing was written."
        )
    write_file(path, (to_json(data) + "\n").encode())


def _to_document(file: str, data: dict[str, Any], replaced: list[MaskedValue]) -> dict[str, Any]:
    secrets = [
        {"server": secret.server, "place": secret.place, "variable": secret.variable}
        for secret in replaced
    ]
    return {"file": None if file == "-" else file, "config": data, "replaced": secrets}


def _note_secrets(replaced: list[MaskedValue], console: Console) -> None:
    if not replaced:
        return
    console.note(
        "\nSecrets were left out (--with-secrets includes them). "
        "Set these variables where the file is used:"
    )
    for secret in replaced:
        console.note(plain(f"  ${{{secret.variable}}}  for {secret.place} of {secret.server}"))
