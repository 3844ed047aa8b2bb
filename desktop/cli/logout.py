"""`logout`: takes the sign-in of a server out of the keyring, and has it revoked where that is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from desktop.base.errors import ConfigError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, run_core
from desktop.config.keyring_access import KeyringError

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.core import Core

_NOTES = """\
Deletes the tokens and revokes them if the server supports it; a token that was not revoked stays
valid until it expires. The server is not started.

exit codes:
  0 signed out, or nobody was signed in   1 the keyring still has it   2 wrong usage or config

example:
  mcp-desktop logout issues"""


class LogoutOptions(Options):
    """What `logout` is told."""

    server: str


def run(args: list[str], console: Console) -> int:
    parser = make_parser("logout", COMMANDS["logout"], _NOTES)
    parser.add_argument(
        "server", metavar="SERVER", help="name of the server, even if it was removed"
    )
    options = parser.parse(args, LogoutOptions())
    plan = CommandPlan(lambda _: [], lambda core, _: _sign_out(core, options.server, console))
    return run_core(options, plan)


async def _sign_out(core: Core, server: str, console: Console) -> int:
    sign_ins, config = core.service.sign_ins, core.store.servers.get(server)
    with suppress(ConfigError):  # one that lacks a variable is signed out all the same
        config = core.launcher.expanded(config) if config is not None else None
    was_in = await sign_ins.store.load(server) is not None
    try:
        was_revoked = await sign_ins.sign_out(server, config)
    except KeyringError as error:
        console.note(plain(str(error)))
        return Exit.TOOL_ERROR
    if console.as_json:
        console.document({"server": server, "was_signed_in": was_in, "revoked": was_revoked})
    elif not was_in:
        console.write(plain(f"Not signed in to {server}."))
    else:
        how = (
            "and the token was revoked"
            if was_revoked
            else "but the token stays valid until it expires"
        )
        console.write(plain(f"Signed out of {server}, {how}."))
    return Exit.DONE
