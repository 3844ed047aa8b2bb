"""Labels of the Servers page: state, figures and errors of a server, purposes of the built-in ones.

Pure; must not know widgets. The purposes repeat the catalogue's English texts so that they can be
translated; a test keeps both equal.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QCoreApplication

from desktop.base.later_patterns import compile_later
from desktop.gui.translations import counted
from desktop.gui.widgets.styled_text import StyledText
from desktop.redaction.command_line import redact_command
from desktop.redaction.policy import redact_text

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig
    from desktop.processes.package_runners import PackageFetch
    from desktop.servers.connection import ServerConnection
    from desktop.servers.state import ServerState

translate = QCoreApplication.translate


def description_label(name: str) -> str:
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
                "Gives the time in any time zone and converts between zones.",
            )
        case "filesystem":
            return translate(
                "BuiltinServers",
                "Reads, searches, writes and edits files in the folders you choose.",
            )
        case "shell":
            return translate(
                "BuiltinServers",
                "Runs a command with a time limit and ends everything it started.",
            )
        case "fetch":
            return translate(
                "BuiltinServers",
                "Fetches web pages as Markdown; never from this computer or a private network.",
            )
        case "memory":
            return translate(
                "BuiltinServers",
                "Remembers entities, facts and relations across restarts.",
            )
        case "sqlite":
            return translate(
                "BuiltinServers",
                "Queries a SQLite database; changes it only if you allow it.",
            )
        case _:
            return ""


_SHORT = 160
_ANNOUNCED = compile_later(r"(?P<start>.*(?:\.(?= )|。))[^.。]*[:：]")
"""A line whose last sentence only announces the next lines, in either language."""


def state_label(connection: ServerConnection) -> StyledText:
    """The state of a server, as its switch and its connection together make it."""
    state = connection.state
    if not connection.is_enabled:
        is_ending = state.phase != "stopped"
        return (
            StyledText(translate("ServerWords", "Stopping…"), "warning")
            if is_ending
            else StyledText(translate("ServerWords", "Off"), "muted")
        )
    if state.next_attempt:
        return _away_label(state)
    if state.phase == "reconnecting":
        words = translate("ServerWords", "Reconnecting, {attempt} of {attempts}")
        return StyledText(words.format(attempt=state.attempt, attempts=state.attempts), "warning")
    if state.phase == "failed" and state.challenge is not None:
        return StyledText(translate("ServerWords", "Sign-in needed"), "warning")
    starting = translate("ServerWords", "Starting…")
    if state.phase == "starting" and (seconds := starting_seconds(connection)):
        words = translate("ServerWords", "Starting… {seconds} s")
        starting = words.format(seconds=seconds)
    shown: dict[str, StyledText] = {
        "stopped": StyledText(translate("ServerWords", "Stopped"), "muted"),
        "starting": StyledText(starting, "accent"),
        "connected": StyledText(translate("ServerWords", "Connected"), "success"),
        "failed": StyledText(translate("ServerWords", "Failed"), "danger"),
        "untrusted": _untrusted_label(connection),
    }
    return shown[state.phase]


def starting_seconds(connection: ServerConnection) -> int:
    """Whole seconds since it was told to start."""
    return int(time.monotonic() - connection.starting_since)


def start_label(connection: ServerConnection, fetch: PackageFetch | None) -> str:
    """What a start is at: a package that is fetched, or what the server says that is no message."""
    if fetch is None:
        noise = one_line(connection.output.noise)
        words = translate("ServerWords", "Writes to stdout what is no message: {line}")
        return words.format(line=noise) if noise else ""
    if fetch.is_downloading:
        words = translate("ServerWords", "{runner} is downloading {package}")
    else:
        words = translate("ServerWords", "{runner} is preparing {package}")
    return words.format(runner=fetch.runner, package=one_line(redact_text(fetch.package)))


def _untrusted_label(connection: ServerConnection) -> StyledText:
    """What of a server is to be agreed to before it is started."""
    if connection.config.transport == "stdio":
        words = (
            translate("ServerWords", "New command"),
            translate("ServerWords", "Changed command"),
        )
    else:
        words = (
            translate("ServerWords", "New address"),
            translate("ServerWords", "Changed address"),
        )
    return StyledText(words[0 if connection.state.is_new else 1], "warning")


def _away_label(state: ServerState) -> StyledText:
    """The state of a server at a URL that is tried again from time to time."""
    if state.phase == "failed":
        words = translate("ServerWords", "Failed, next attempt at {time}")
        return StyledText(words.format(time=state.next_attempt), "danger")
    words = translate("ServerWords", "Reconnecting, next attempt at {time}")
    return StyledText(words.format(time=state.next_attempt), "warning")


def transport_label(transport: Literal["stdio", "http", "sse"]) -> str:
    return {"stdio": "stdio", "http": "HTTP", "sse": "SSE"}[transport]


def tools_label(connection: ServerConnection) -> str:
    """How many tools it offers, and of how many where some are switched off; empty without any."""
    listed, offered = len(connection.listed), len(connection.tools)
    if not listed:
        return translate("ServerWords", "No tools") if connection.is_connected else ""
    if offered != listed:
        return counted(
            listed,
            translate("ServerWords", "{offered} of 1 tool"),
            translate("ServerWords", "{offered} of {count} tools"),
            offered=f"{offered:,}",
        )
    single = translate("ServerWords", "1 tool")
    return counted(listed, single, translate("ServerWords", "{count} tools"))


def memory_label(size: int) -> str:
    megabytes = size / 1_000_000
    return f"{megabytes:.1f} MB" if megabytes < 10 else f"{megabytes:,.0f} MB"


def cpu_label(cpu: float) -> str:
    """Per cent of one core."""
    return f"{cpu:.1f} %" if cpu < 10 else f"{cpu:,.0f} %"


def seconds_label(seconds: float) -> str:
    """A short span, such as a connect took."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def uptime_label(seconds: float) -> str:
    """A long span in its two largest units; minutes at least, so that it seldom changes."""
    minutes = int(seconds // 60)
    hours, days = minutes // 60, minutes // 1440
    if days:
        return translate("ServerWords", "{days} d {hours} h").format(days=days, hours=hours % 24)
    if hours:
        return translate("ServerWords", "{hours} h {minutes} min").format(
            hours=hours, minutes=minutes % 60
        )
    return (
        translate("ServerWords", "{minutes} min").format(minutes=minutes)
        if minutes
        else translate("ServerWords", "< 1 min")
    )


def split_error(error: str) -> tuple[str, str]:
    """Its first line, without the sentence that only announces the next ones; and the rest."""
    line, _, rest = error.strip().partition("\n")
    if found := _ANNOUNCED.fullmatch(line):
        start = found["start"]
        return start.strip(), f"{line[len(start) :].strip()}\n{rest}"
    return line, rest


def short_error(error: str) -> str:
    """Its first line, as `split_error` has it, on one line of limited length."""
    return one_line(split_error(error)[0])


def one_line(text: str) -> str:
    """Foreign text on one line, shortened to a limit."""
    line = " ".join(text[: _SHORT * 2].split())
    return line if len(line) <= _SHORT else f"{line[:_SHORT]}…"


def purpose_label(config: ServerConfig) -> str:
    """What distinguishes a server from others while it does not run."""
    purpose = description_label(config.name) if config.source == "builtin" else ""
    return purpose or target_label(config)


def target_label(config: ServerConfig) -> str:
    """The command line or the address, with what looks like a secret covered."""
    if config.transport != "stdio":
        return redact_text(config.url)
    return redact_command((*program(config), *config.args))


def program(config: ServerConfig) -> tuple[str, ...]:
    """What a terminal would start, before the arguments."""
    return ("mcp-desktop", "builtin", config.builtin) if config.builtin else (config.command,)
