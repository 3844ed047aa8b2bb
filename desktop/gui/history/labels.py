"""How a call went, when and on whose behalf, in the words the views show.

Pure value to text; must not know widgets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop.history.records import DONE
from desktop.tool_types import ErrorCode

if TYPE_CHECKING:
    from datetime import datetime

    from desktop.gui.theme import ColorName
    from desktop.history.records import LastRun, Place, Record

translate = QCoreApplication.translate


class Said(NamedTuple):
    """How something went, and the colour to say it in."""

    text: str
    color: ColorName


def outcome_words(outcome: str) -> Said:
    """`done`, or the code of an error."""
    if outcome == DONE:
        return Said(translate("HistoryWords", "Success"), "success")
    words: dict[str, Said] = {
        ErrorCode.TOOL_ERROR: Said(translate("HistoryWords", "Tool error"), "danger"),
        ErrorCode.TIMEOUT: Said(translate("HistoryWords", "Time limit"), "danger"),
        ErrorCode.UNREACHABLE: Said(translate("HistoryWords", "No server"), "danger"),
        ErrorCode.PROTOCOL: Said(translate("HistoryWords", "Protocol error"), "danger"),
        ErrorCode.INTERNAL: Said(translate("HistoryWords", "Internal error"), "danger"),
        ErrorCode.NOT_FOUND: Said(translate("HistoryWords", "No such tool"), "warning"),
        ErrorCode.INVALID_ARGUMENTS: Said(translate("HistoryWords", "Not sent"), "warning"),
        ErrorCode.DENIED: Said(translate("HistoryWords", "Denied"), "warning"),
        ErrorCode.CANCELLED: Said(translate("HistoryWords", "Cancelled"), "muted"),
    }
    return words.get(outcome, Said(outcome, "danger"))


def last_run_words(run: LastRun | None) -> Said:
    """How a saved call went last."""
    if run is None:
        return Said(translate("HistoryWords", "Not run yet"), "muted")
    if run.outcome == "passed":
        return Said(translate("HistoryWords", "Passed"), "success")
    if run.outcome == "unreachable":
        return Said(translate("HistoryWords", "No server"), "danger")
    if run.outcome == "timeout":
        return Said(translate("HistoryWords", "Time limit"), "danger")
    return Said(translate("HistoryWords", "Failed"), "danger")


def origin_words(origin: str) -> str:
    return {
        "person": translate("HistoryWords", "You"),
        "agent": translate("HistoryWords", "Agent"),
        "terminal": translate("HistoryWords", "Terminal"),
    }.get(origin, origin)


def moment_words(at: datetime) -> str:
    """The time of day; before today with the date."""
    local = QDateTime.fromSecsSinceEpoch(int(at.timestamp()))
    is_today = local.date() == QDateTime.currentDateTime().date()
    return QLocale().toString(local, "HH:mm:ss" if is_today else "yyyy-MM-dd HH:mm")


def place_words(place: Place) -> str:
    """`items[0].name`, as validation prints it."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def notes(record: Record) -> list[str]:
    """What a person should know of what was kept: nothing that is missing looks whole."""
    from desktop.gui.widgets.formatting import format_size

    found: list[str] = []
    if record.hidden:
        places = ", ".join(map(place_words, record.hidden))
        text = translate("HistoryWords", "Not kept, because it looks like a secret: {places}")
        found.append(text.format(places=places))
    for part, size in record.cut.items():
        text = translate("HistoryWords", "Not kept whole: {part}, {size}")
        found.append(text.format(part=part, size=format_size(size)))
    return found
