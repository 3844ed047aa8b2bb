"""What the built-in servers are for, in the language of the window.

The catalogue's own words are English and known without Qt; a test holds these equal to them.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def description_words(name: str) -> str:
    """The purpose of the built-in server `name`; empty where there is none of that name."""
    match name:
        case "calculator":
            return translate(
                "BuiltinServers",
                "Adds, subtracts, multiplies, divides, raises to a power, evaluates expressions.",
            )
        case "time":
            return translate(
                "BuiltinServers",
                "Tells the time in any time zone and converts times between zones.",
            )
        case _:
            return ""
