"""`serve`: the gateway. Offers the enabled servers to other programs as one MCP server.

Over stdio it belongs to the program that started it and ends with it, and so do its servers; where
a window or a daemon has them running, that serves the client (see `ATTACH`), and this is not run.
With `--http` (`serve_http`) it serves any number of clients on this machine that have the token.
The config is followed while it runs. Also writes its own entry into the files of other clients
(`client_setup`). Decides nothing about what is offered.
"""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from desktop.base.errors import UsageError
from desktop.base.tasks import spawn
from desktop.cli.commands import ATTACH, COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import add_no_attach, make_parser
from desktop.cli.recorder import add_record, recording
from desktop.cli.runner import CommandPlan, enabled_servers, run_core
from desktop.features.gateway.cli.serve_options import ServeOptions

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.gateway.server.gateway import Gateway

_NOTES = """\
--install writes the entry that starts it into a client's own file and keeps a copy of that file;
--uninstall takes the entry out again. --clients lists the clients. In another client it is
  {"mcpServers": {"mcp-desktop": {"command": "mcp-desktop", "args": ["serve"]}}}

While the window or the daemon is open, it serves the client with the servers that it has running,
over HTTP, too; else, and with --no-attach, the client has servers of its own. If the window closes,
this ends (exit code 3) and can be started again.

Tools are named as models are sent them (mcp__SERVER__TOOL). A client is offered every server that
is switched on and approved, or those that the configuration names for it:
  {"mcpDesktop": {"gateway": {"clients": {"cursor*": {"servers": ["files", "git"]}}}}}

With --http the address is http://127.0.0.1:PORT/mcp. A client has to send the header
"Authorization: Bearer TOKEN"; the token is kept in gateway.token in the data folder, for you alone.
The port is open as long as this runs.

exit codes:
  0 the client left   2 wrong usage or config (nothing started)
  3 the window or daemon that served it was closed   130 interrupted

examples:
  mcp-desktop serve --install cursor --dry-run
  mcp-desktop serve --install cursor
  mcp-desktop serve
  mcp-desktop serve --http 7777
  mcp-desktop serve --http 7777 --new-token"""
FOLLOW_EVERY = 1.0
"""Seconds between two looks at whether the config file has changed."""


def run(args: list[str], console: Console) -> int:
    options = _read(args)
    if options.clients or options.install or options.uninstall:
        from desktop.features.gateway.cli.client_setup import set_up

        return set_up(options, console)
    if options.http is not None:
        for name in ATTACH:
            if (code := import_module(name).serve_attached(args, options, console)) is not None:
                return code

    async def serve(core: Core, _: list[ServerConfig]) -> int:
        return await _Serving(options, console, core).run()

    return run_core(options, CommandPlan(enabled_servers, serve))


def _read(args: list[str]) -> ServeOptions:
    parser = make_parser("serve", COMMANDS["serve"], _NOTES)
    parser.add_argument(
        "--http", metavar="PORT", type=int, help="serve over HTTP on loopback; 0 takes a free port"
    )
    parser.add_argument(
        "--new-token", action="store_true", help="make another token; the old one is refused"
    )
    parser.add_argument(
        "--client", metavar="NAME", default="", help="the client this is for; its entry says so"
    )
    setup = parser.add_argument_group("entries in other clients' files")
    what = setup.add_mutually_exclusive_group()
    what.add_argument("--clients", action="store_true", help="list the clients on this machine")
    what.add_argument("--install", metavar="CLIENT", help="write the entry into a client's file")
    what.add_argument("--uninstall", metavar="CLIENT", help="take it out again")
    setup.add_argument("--dry-run", action="store_true", help="show the change, write nothing")
    add_no_attach(parser)
    add_record(parser)
    options = parser.parse(args, ServeOptions())
    if options.dry_run and not (options.install or options.uninstall):
        raise UsageError("--dry-run is for --install and --uninstall.")
    if options.http is not None and not 0 <= options.http <= 65535:
        raise UsageError("--http must be a port, 0 to 65535.")
    if options.new_token and (options.http is None or options.install):
        raise UsageError("--new-token is for --http.")
    return options


class _Serving:
    """One run of the command."""

    def __init__(self, options: ServeOptions, console: Console, core: Core) -> None:
        self._options = options
        self._console = console
        self._core = core

    async def run(self) -> int:
        with recording(self._core, self._options.record, self._console):
            await self._offer()
        return Exit.DONE

    async def _offer(self) -> None:
        from desktop.features.gateway.client_gateways import ClientGateways

        core = self._core
        gateways = ClientGateways(core)
        core.requests.answerer = gateways.questions.answer
        core.follow_store()
        following = spawn(_follow_file(core.store), "follow the config file")
        try:
            async with gateways.open(self._options.client) as gateway:
                await self._serve(gateway)
        finally:
            following.cancel()
            core.requests.answerer = None
            gateways.close()

    async def _serve(self, gateway: Gateway) -> None:
        if self._options.http is None:
            from desktop.features.gateway.server.stdio import serve_stdio

            await serve_stdio(gateway)
            return
        from desktop.features.gateway.cli.serve_http import serve_alone

        await serve_alone(gateway, self._options, self._core.paths.data, self._console)


async def _follow_file(store: ConfigStore) -> None:
    """Read the file again when somebody has changed it, or agreed to it: the window, an editor."""
    while True:
        await asyncio.sleep(FOLLOW_EVERY)
        if await asyncio.to_thread(store.is_stale):
            store.reload()
