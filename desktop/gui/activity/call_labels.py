"""Labels of the history: outcome, time, origin, and notes on what was not kept.

Pure; must not know widgets.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop.base.visible_text import mark_hidden
from desktop.gui.translations import listed
from desktop.gui.widgets.formatting import format_duration
from desktop.gui.widgets.styled_text import StyledText, origin_label
from desktop.history.records import DONE, FAILED
from desktop.values.tool_types import ErrorCode, json_path

if TYPE_CHECKING:
    from datetime import datetime

    from desktop.history.records import LastRun, Outcome, Record, Summary

translate = QCoreApplication.translate
RUNNING: Final = "running"
WAITING: Final = "waiting"
"""Outcomes of calls that have not ended: sent, or not approved yet."""
_TELLING_WAIT = 0.1
"""Seconds; below it nobody was asked: a decision of before allowed the call."""


def outcome_label(outcome: str) -> StyledText:
    """`done`, the code of an error, or what a call that has not ended does."""
    if outcome == DONE:
        return StyledText(translate("HistoryWords", "Success"), "success")
    if outcome in (RUNNING, WAITING):
        return _unfinished_label(outcome)
    words: dict[str, StyledText] = {
        ErrorCode.TOOL_ERROR: StyledText(translate("HistoryWords", "Tool error"), "danger"),
        ErrorCode.TIMEOUT: StyledText(translate("HistoryWords", "Time limit"), "danger"),
        ErrorCode.UNREACHABLE: StyledText(translate("HistoryWords", "No server"), "danger"),
        ErrorCode.PROTOCOL: StyledText(translate("HistoryWords", "Protocol error"), "danger"),
        ErrorCode.INTERNAL: StyledText(translate("HistoryWords", "Internal error"), "danger"),
        ErrorCode.NOT_FOUND: StyledText(translate("HistoryWords", "No such tool"), "warning"),
        ErrorCode.INVALID_ARGUMENTS: StyledText(translate("HistoryWords", "Not sent"), "warning"),
        ErrorCode.DENIED: StyledText(translate("HistoryWords", "Denied"), "warning"),
        ErrorCode.CANCELLED: StyledText(translate("HistoryWords", "Cancelled"), "muted"),
        FAILED: StyledText(translate("HistoryWords", "Failed"), "danger"),
    }
    return words.get(outcome, StyledText(outcome, "danger"))


def _unfinished_label(outcome: str) -> StyledText:
    if outcome == WAITING:
        return StyledText(translate("HistoryWords", "Needs approval"), "warning")
    return StyledText(translate("HistoryWords", "Running"), "accent")


def who_label(call: Summary) -> str:
    """Who made a call; of a model its name, where it is known."""
    return mark_hidden(call.model) or origin_label(call.origin)


def who_in_full(call: Summary) -> str:
    """Who made a call, and the model behind it."""
    model = mark_hidden(call.model)
    return f"{origin_label(call.origin)} · {model}" if model else origin_label(call.origin)


def duration_label(call: Summary) -> str:
    """How long it took; a dash for a call that was never sent."""
    return format_duration(call.duration) if call.duration else "–"


def wait_label(seconds: float) -> str:
    """How long a call waited for an approval; empty where it was none worth telling."""
    if seconds < _TELLING_WAIT:
        return ""
    text = translate("HistoryWords", "waited {time} for approval")
    return text.format(time=format_duration(seconds))


def made_at(call: Summary) -> datetime:
    """When the call was made: a wait for an approval comes after that."""
    return call.at - timedelta(seconds=call.approval_wait)


def short_time_label(at: datetime) -> str:
    """As `time_label`, for a narrow column: without seconds and year where they tell nothing."""
    local = QDateTime.fromSecsSinceEpoch(int(at.timestamp()))
    today = QDateTime.currentDateTime().date()
    if local.date() == today:
        return QLocale().toString(local, "HH:mm:ss")
    is_this_year = local.date().year() == today.year()
    return QLocale().toString(local, "MM-dd HH:mm" if is_this_year else "yyyy-MM-dd")


def call_sentence(call: Summary) -> str:
    """All that a row of the list says, in one line: for a tooltip, and for who hears it."""
    words = [
        call_label(call),
        who_in_full(call),
        time_label(made_at(call)),
        outcome_label(call.outcome).text,
        format_duration(call.duration) if call.duration else "",
        wait_label(call.approval_wait),
    ]
    return " · ".join(word for word in words if word)


def call_label(call: Summary) -> str:
    """What was called: `server:tool`, or what was asked of which server besides tools."""
    if call.kind == "tool":
        return mark_hidden(call.key)
    what = {
        "resource": translate("HistoryWords", "Resource"),
        "prompt": translate("HistoryWords", "Prompt"),
    }[call.kind]
    server, _, name = call.key.partition(":")
    return f"{what} · {mark_hidden(server)} · {mark_hidden(name)}"


def last_run_label(run: LastRun | None) -> StyledText:
    """The outcome of a saved call's last run."""
    if run is None:
        return StyledText(translate("HistoryWords", "Not run yet"), "muted")
    return saved_outcome_label(run.outcome)


def saved_outcome_label(outcome: Outcome) -> StyledText:
    """How a saved call went."""
    if outcome == "passed":
        return StyledText(translate("HistoryWords", "Passed"), "success")
    if outcome == "unreachable":
        return StyledText(translate("HistoryWords", "No server"), "danger")
    if outcome == "timeout":
        return StyledText(translate("HistoryWords", "Time limit"), "danger")
    if outcome == "skipped":
        return StyledText(translate("HistoryWords", "Skipped"), "warning")
    return StyledText(translate("HistoryWords", "Failed"), "danger")


def time_label(at: datetime) -> str:
    """The time of day, with the date if it was not today."""
    local = QDateTime.fromSecsSinceEpoch(int(at.timestamp()))
    is_today = local.date() == QDateTime.currentDateTime().date()
    return QLocale().toString(local, "HH:mm:ss" if is_today else "yyyy-MM-dd HH:mm")


def record_notes(record: Record) -> list[str]:
    """What was not stored of a call, so that nothing incomplete looks complete."""
    from desktop.gui.widgets.formatting import format_size

    notes: list[str] = []
    if record.hidden:
        places = listed(map(json_path, record.hidden))
        text = translate("HistoryWords", "Not kept because it looks like a secret: {places}")
        notes.append(text.format(places=places))
    for part, size in record.cut.items():
        text = translate("HistoryWords", "Kept only in part: {part}, {size}")
        notes.append(text.format(part=part, size=format_size(size)))
    return notes


def step_label(step: str) -> str:
    """One step of a call; an unknown step keeps its own name."""
    return {
        "started": translate("ActivityWords", "Started"),
        "found": translate("ActivityWords", "Tool found"),
        "parsed": translate("ActivityWords", "Arguments read"),
        "validated": translate("ActivityWords", "Arguments checked"),
        "unchecked": translate("ActivityWords", "Sent without validation"),
        "refused": translate("ActivityWords", "Refused"),
        "asked": translate("ActivityWords", "Asked for approval"),
        "approved": translate("ActivityWords", "Approved"),
        "denied": translate("ActivityWords", "Denied"),
        "waiting": translate("ActivityWords", "Waiting"),
        "sent": translate("ActivityWords", "Sent"),
        "progress": translate("ActivityWords", "Progress"),
        "answered": translate("ActivityWords", "Answered"),
        "checked": translate("ActivityWords", "Result checked"),
        "finished": translate("ActivityWords", "Finished"),
    }.get(step, step)
