"""Which facts of a server the details show, in words. Pure; must not know widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.gui.servers import words

if TYPE_CHECKING:
    from desktop.gui.servers.usage import ProcessUsage
    from desktop.servers.connection import ServerConnection

translate = QCoreApplication.translate


def known_facts(
    connection: ServerConnection, usage: ProcessUsage | None
) -> tuple[dict[str, str], dict[str, str]]:
    """The long facts, a line each, and the short ones."""
    config = connection.config
    is_program = config.transport == "stdio"
    long = {
        translate("ServerFacts", "Command")
        if is_program
        else translate("ServerFacts", "Address"): words.target_words(config)
    }
    if config.cwd:
        long[translate("ServerFacts", "Folder")] = config.cwd
    short = {translate("ServerFacts", "Transport"): words.transport_words(config.transport)}
    if connection.is_connected and (said := _said(connection)):
        long[translate("ServerFacts", "Says it is")] = words.one_line(said)
    short |= _of_session(connection)
    if (pid := connection.pid) is not None:
        short[translate("ServerFacts", "PID")] = str(pid)
    if usage is not None:
        short[translate("ServerFacts", "Memory")] = words.memory_words(usage.memory)
        short[translate("ServerFacts", "Running for")] = words.uptime_words(usage.seconds)
    return long, short


def _said(connection: ServerConnection) -> str:
    about = connection.about
    return " ".join(part for part in (about.title or about.name, about.version) if part)


def _of_session(connection: ServerConnection) -> dict[str, str]:
    seconds = connection.state.connect_seconds
    if not connection.is_connected or seconds is None:
        return {}
    about = connection.about
    facts = {
        translate("ServerFacts", "Protocol"): about.protocol,
        translate("ServerFacts", "Ready in"): words.seconds_words(seconds),
    }
    return {name: value for name, value in facts.items() if value}
