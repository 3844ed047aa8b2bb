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
        case "filesystem":
            return translate(
                "BuiltinServers",
                "Reads, searches, writes and edits files, in the folders it is given alone.",
            )
        case "shell":
            return translate(
                "BuiltinServers",
                "Runs one command at a time limit and ends everything that the command started.",
            )
        case "fetch":
            return translate(
                "BuiltinServers",
                "Fetches web pages as Markdown; never from this computer or a private network.",
            )
        case "memory":
            return translate(
                "BuiltinServers",
                "Remembers things, what is known of them and how they relate, across restarts.",
            )
        case "sqlite":
            return translate(
                "BuiltinServers",
                "Looks into a SQLite database, and changes it only where that is allowed.",
            )
        case _:
            return ""
