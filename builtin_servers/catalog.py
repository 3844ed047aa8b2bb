"""The built-in servers by name: no other name can be started. Imports none of them."""

from __future__ import annotations

import sys


class CatalogEntry:
    """The module of a built-in server, how it is shown before it runs, and its arguments.

    `usage` is empty for a server without arguments, whose module has a `SERVER`. The others have
    `make_server(arguments)`.
    """

    __slots__ = ("description", "module", "title", "usage")

    def __init__(self, module: str, title: str, description: str, usage: str = "") -> None:
        self.module = module
        self.title = title
        self.description = description
        self.usage = usage


_EVERYWHERE: dict[str, CatalogEntry] = {
    "calculator": CatalogEntry(
        "builtin_servers.calculator",
        "Calculator",
        "Adds, subtracts, multiplies, divides, raises to a power, evaluates expressions.",
    ),
    "time": CatalogEntry(
        "builtin_servers.clock",
        "Time",
        "Gives the time in any time zone and converts between zones.",
        "[--local-timezone ZONE]",
    ),
    "filesystem": CatalogEntry(
        "builtin_servers.filesystem",
        "Files",
        "Reads, searches, writes and edits files in the folders you choose.",
        "[--read-only] FOLDER...",
    ),
    "shell": CatalogEntry(
        "builtin_servers.shell",
        "Shell",
        "Runs a command with a time limit and ends everything it started.",
        "[--cwd FOLDER] [--limit SECONDS]",
    ),
    "fetch": CatalogEntry(
        "builtin_servers.fetch",
        "Fetch",
        "Fetches web pages as Markdown; never from this computer or a private network.",
        "[--allow-host HOST,...] [--allow-private] [--ignore-robots-txt] [--user-agent TEXT] "
        "[--proxy-url URL]",
    ),
    "memory": CatalogEntry(
        "builtin_servers.memory",
        "Memory",
        "Remembers entities, facts and relations across restarts.",
        "[--file FILE]",
    ),
    "sqlite": CatalogEntry(
        "builtin_servers.sqlite",
        "SQLite",
        "Queries a SQLite database; changes it only if you allow it.",
        "[--write] FILE",
    ),
}
_NOT_ON_WINDOWS = ("filesystem",)
"""Nothing there keeps a link from leading out of its folders."""


def offered(platform: str) -> dict[str, CatalogEntry]:
    """Those that can be had on a system: no other is offered, named or started there."""
    left_out = _NOT_ON_WINDOWS if platform == "win32" else ()
    return {name: entry for name, entry in _EVERYWHERE.items() if name not in left_out}


CATALOG = offered(sys.platform)


def is_left_out(name: str) -> bool:
    """Whether it comes with the app on other systems alone."""
    return name in _EVERYWHERE and name not in CATALOG
