"""Starts one built-in server in this process: what `mcp-desktop builtin NAME` runs.

The process must be able to import `builtin_servers`; the standard library is all else it needs.
"""

from __future__ import annotations

import os
import signal
import sys

from builtin_servers.catalog import CATALOG

UNKNOWN_NAME = 2


def run(name: str) -> int:
    """Serve `name` over stdio; returns the exit code once the client has left."""
    if name not in CATALOG:
        known = ", ".join(CATALOG)
        sys.stderr.write(f"unknown built-in server {name[:100]!r}; there are {known}\n")
        return UNKNOWN_NAME
    leave_on_signals()
    from importlib import import_module

    module = import_module(CATALOG[name].module)
    from builtin_servers.kernel import serve

    return serve(module.SERVER)


def leave_on_signals() -> None:
    """End at once on both: nothing is buffered, no state is kept, a client waits for the exit."""
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, _leave)


def _leave(signum: int, _: object) -> None:
    os._exit(130 if signum == signal.SIGINT else 0)
