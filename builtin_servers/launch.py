"""Starts one built-in server in this process: what `mcp-desktop builtin NAME` runs.

Needs nothing but `builtin_servers` and the standard library.
"""

from __future__ import annotations

import os
import signal
import sys

from builtin_servers.catalog import CATALOG, is_left_out
from builtin_servers.framework.tool import ArgumentError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from builtin_servers.framework.tool import BuiltinServer

WRONG_USAGE = 2


def run(name: str, arguments: Sequence[str] = ()) -> int:
    """Serve `name` over stdio; returns the exit code once the client has left."""
    leave_on_signals()
    try:
        server = make_server(name, arguments)
    except ArgumentError as error:
        sys.stderr.write(f"{error}\n")
        return WRONG_USAGE
    if server.on_serve is not None:
        server.on_serve()
    from builtin_servers.framework.server_loop import serve

    return serve(server)


def make_server(name: str, arguments: Sequence[str] = ()) -> BuiltinServer:
    """The server called `name`, set up with its arguments.

    Raises:
        ArgumentError: There is no such server, or it does not take these arguments.
    """
    if is_left_out(name):
        raise ArgumentError(
            f"{name} is not here: on Windows, links could lead out of its folders. "
            f"Use @modelcontextprotocol/server-{name} instead."
        )
    if name not in CATALOG:
        known = ", ".join(CATALOG)
        raise ArgumentError(f"unknown built-in server {name[:100]!r}; there are {known}")
    from importlib import import_module

    entry = CATALOG[name]
    module = import_module(entry.module)
    if entry.usage:
        try:
            return module.make_server(arguments)
        except ArgumentError as error:
            usage = f"usage: mcp-desktop builtin {name} {entry.usage}"
            raise ArgumentError(f"{name}: {error}\n{usage}") from error
    if arguments:
        raise ArgumentError(f"{name}: takes no arguments, but was given {len(arguments)}")
    return module.SERVER


def leave_on_signals() -> None:
    """Exit at once on SIGTERM and SIGINT: nothing is buffered, and the client is waiting."""
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, _leave)


def _leave(signum: int, _: object) -> None:
    os._exit(130 if signum == signal.SIGINT else 0)
