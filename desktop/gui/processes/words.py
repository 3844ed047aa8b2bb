"""What a process takes and how a server ended, in the words the page shows.

Pure value to text; must not know widgets.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

from desktop.gui.servers.labels import memory_words, uptime_words
from desktop.gui.translations import counted

if TYPE_CHECKING:
    from desktop.gui.theme import ColorName
    from desktop.processes.census import Group, Observed, Snapshot
    from desktop.processes.tracker import Closing


translate = QCoreApplication.translate


class Said(NamedTuple):
    """How something went, and the colour to say it in."""

    text: str
    color: ColorName


def process_cells(process: Observed) -> tuple[str, ...]:
    """One process as a row: process, PID, owner, age, CPU, memory."""
    state = state_words(process.state)
    return (
        f"{process.short}  ({state})" if state else process.short,
        str(process.pid),
        process.owner,
        uptime_words(process.age),
        cpu_words(process.cpu),
        memory_words(process.memory),
    )


def group_cells(group: Group) -> tuple[str, ...]:
    """All processes of one owner as a row."""
    oldest = max((process.age for process in group.processes), default=0.0)
    return (
        group.owner,
        "",
        count_words(group),
        uptime_words(oldest),
        cpu_words(group.cpu),
        memory_words(group.memory),
    )


def count_words(group: Group) -> str:
    shown = len(group.processes)
    if shown < group.count:
        words = translate("ProcessWords", "{shown} of {count} processes")
        return words.format(shown=shown, count=f"{group.count:,}")
    return _processes(shown)


def total_words(snapshot: Snapshot) -> str:
    """Everything in one line."""
    servers, count, app = len(snapshot.servers), snapshot.count, memory_words(snapshot.app.memory)
    if not servers:
        return translate("ProcessWords", "The app itself {app}").format(app=app)
    parts = (
        counted(
            servers,
            translate("ProcessWords", "1 server"),
            translate("ProcessWords", "{count} servers"),
        ),
        _processes(count),
        memory_words(snapshot.memory),
    )
    return translate("ProcessWords", "{servers}; the app itself {app}").format(
        servers=", ".join(parts), app=app
    )


def _processes(count: int) -> str:
    one = translate("ProcessWords", "1 process")
    return counted(count, one, translate("ProcessWords", "{count} processes"))


def cpu_words(cpu: float | None) -> str:
    """Per cent of one core; empty before there was a second look."""
    if cpu is None:
        return ""
    return f"{cpu:.1f} %" if cpu < 10 else f"{cpu:,.0f} %"


def state_words(state: str) -> str:
    """A state that a person should know of; the ordinary ones are not worth a word."""
    return {
        "zombie": translate("ProcessWords", "ended, not yet collected"),
        "disk-sleep": translate("ProcessWords", "waits for a device, cannot be ended"),
        "stopped": translate("ProcessWords", "stopped"),
        "tracing-stop": translate("ProcessWords", "stopped by a debugger"),
    }.get(state, "")


def end_words(how: Closing) -> Said:
    ends: dict[Closing, Said] = {
        "closed": Said(translate("ProcessWords", "Ended by itself"), "muted"),
        "forced": Said(translate("ProcessWords", "Ended by force"), "warning"),
        "left": Said(translate("ProcessWords", "Could not be ended"), "danger"),
    }
    return ends[how]


def clock_words(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))
