"""The built-in servers by name: the only names that can be started. Imports none of them."""

from __future__ import annotations


class CatalogEntry:
    """Where a built-in server is, and how it is shown before it runs."""

    __slots__ = ("description", "module", "title")

    def __init__(self, module: str, title: str, description: str) -> None:
        self.module = module
        self.title = title
        self.description = description


CATALOG: dict[str, CatalogEntry] = {
    "calculator": CatalogEntry(
        "builtin_servers.calculator",
        "Calculator",
        "Adds, subtracts, multiplies, divides, raises to a power, evaluates expressions.",
    ),
    "time": CatalogEntry(
        "builtin_servers.clock",
        "Time",
        "Tells the time in any time zone and converts times between zones.",
    ),
}
