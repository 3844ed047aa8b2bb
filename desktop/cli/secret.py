"""`secret`: keeps, lists and deletes what `${keyring:NAME}` stands for in the config.

A value is typed unseen or piped in: never an argument, which every program of this machine can
read. Must not print one.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser, open_store
from desktop.cli.output import layout, plain

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore

_NOTES = """\
`${keyring:NAME}` in a server's env, headers, args or url is replaced by the secret from the keyring
of this desktop when the server starts. `list` shows the stored names and the servers that use them.

examples:
  mcp-desktop secret set github.GITHUB_TOKEN
  pass show github | mcp-desktop secret set github.GITHUB_TOKEN
  mcp-desktop secret list
  mcp-desktop secret delete github.GITHUB_TOKEN"""
_HEADER: Final = ("NAME", "KEPT", "USED BY")


class SecretOptions(Options):
    """What `secret` is told."""

    action: str = ""
    name: str | None = None


def run(args: list[str], console: Console) -> int:
    parser = make_parser("secret", COMMANDS["secret"], _NOTES)
    parser.add_argument("action", metavar="set|list|delete", choices=("set", "list", "delete"))
    parser.add_argument("name", metavar="NAME", nargs="?", help="as in ${keyring:NAME}")
    options = parser.parse(args, SecretOptions())
    import asyncio  # not for --help

    from desktop.config.secret_store import SecretStore, check_secret_name

    secrets = SecretStore(options.paths.secret_names)
    if options.action == "list":
        return _list(secrets, open_store(options), console)
    if options.name is None:
        raise UsageError(
            "NAME is missing.", remedy=f"Use: mcp-desktop secret {options.action} NAME"
        )
    name = check_secret_name(options.name)
    if options.action == "set":
        asyncio.run(secrets.put(name, _typed(name)))
        said = f"{name} was stored. Refer to it in the config as ${{keyring:{name}}}."
    else:
        asyncio.run(secrets.delete(name))
        said = f"{name} was deleted."
    console.note(said)
    if console.as_json:
        console.document({"name": name, "kept": options.action == "set"})
    return Exit.DONE


def _typed(name: str) -> str:
    from desktop.config.secret_store import MAX_SECRET_LENGTH

    if sys.stdin.isatty():
        import getpass

        return getpass.getpass(f"{name}: ")
    return sys.stdin.read(MAX_SECRET_LENGTH + 2).removesuffix("\n").removesuffix("\r")


def _list(secrets: SecretStore, store: ConfigStore, console: Console) -> int:
    import asyncio

    from desktop.config.variables import secrets_in

    used: dict[str, list[str]] = {name: [] for name in secrets.names()}
    for config in store.servers.values():
        for name in secrets_in(config):
            used.setdefault(name, []).append(config.name)
    asyncio.run(secrets.load(used))
    found: list[dict[str, Any]] = [
        {"name": name, "kept": name in secrets.known, "servers": servers}
        for name, servers in sorted(used.items())
    ]
    if console.as_json:
        console.document({"secrets": found})
        return Exit.DONE
    rows = [
        [each["name"], "yes" if each["kept"] else "no", plain(", ".join(each["servers"]) or "-")]
        for each in found
    ]
    if not rows:
        console.note("No secret is stored and no server refers to one.")
        return Exit.DONE
    header, *lines = layout(_HEADER, rows, console.width)
    console.write(console.paint(header, "bold"))
    console.write("\n".join(lines))
    return Exit.DONE
