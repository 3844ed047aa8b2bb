"""Labels of the Activity page: calls, steps and messages. Pure; must not know widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime

from desktop.gui.widgets.formatting import format_duration, format_size
from desktop.gui.widgets.styled_text import StyledText
from desktop.servers.stderr_log import plain
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.redaction.redactor import Redaction
    from desktop.servers.message_log import RecordedMessage
    from desktop.tools.call_log import LoggedCall

translate = QCoreApplication.translate
_MAX_LENGTH = 200
"""Characters of a name in a list."""


def time_label(at: float) -> str:
    """The time of day, with milliseconds, of seconds since the epoch."""
    return QDateTime.fromMSecsSinceEpoch(round(at * 1000)).toString("HH:mm:ss.zzz")


def one_line(text: str) -> str:
    """A name from a server for one row of a list."""
    return mark_hidden(" ".join(plain(text[: 2 * _MAX_LENGTH]).split())[:_MAX_LENGTH])


def direction_label(direction: str) -> str:
    """An arrow away from us or towards us, and the word for it."""
    if direction == "sent":
        return "→ " + translate("ActivityWords", "Sent")
    return "← " + translate("ActivityWords", "Received")


def kind_label(kind: str) -> str:
    """The kind of a message, as JSON-RPC calls it."""
    return {
        "request": translate("ActivityWords", "Request"),
        "response": translate("ActivityWords", "Response"),
        "notification": translate("ActivityWords", "Notification"),
        "error": translate("ActivityWords", "Error"),
        "unreadable": translate("ActivityWords", "Unreadable"),
    }[kind]


def method_label(message: RecordedMessage) -> str:
    """Its method and subject, or those of the request that it answers; else empty."""
    text = (
        f"{message.method[:_MAX_LENGTH]}  {message.subject}" if message.subject else message.method
    )
    return one_line(message.redaction.text(text[: 2 * _MAX_LENGTH]))


def id_label(message: RecordedMessage) -> str:
    """Its id, a number or a text."""
    return (
        ""
        if message.id is None
        else one_line(message.redaction.text(str(message.id)[:_MAX_LENGTH]))
    )


def message_label(message: RecordedMessage) -> str:
    """Everything but its body, in one line."""
    words = [
        f"{direction_label(message.direction)} · {kind_label(message.kind)}",
        method_label(message),
        message.server,
        f"id {id_label(message)}" if message.id is not None else "",
        format_size(message.size),
        format_duration(message.duration) if message.duration is not None else "",
        time_label(message.at),
    ]
    return "  ·  ".join(word for word in words if word)


def call_state_label(call: LoggedCall) -> StyledText:
    """The state of a running call, or how it ended."""
    if call.is_running:
        return StyledText(translate("ActivityWords", "Running"), "accent")
    outcomes: dict[str, StyledText] = {
        "success": StyledText(translate("ActivityWords", "Done"), "success"),
        "tool_error": StyledText(translate("ActivityWords", "Tool error"), "danger"),
        "tool_not_found": StyledText(translate("ActivityWords", "No such tool"), "danger"),
        "invalid_arguments": StyledText(translate("ActivityWords", "Not sent"), "warning"),
        "denied": StyledText(translate("ActivityWords", "Denied"), "warning"),
        "server_unreachable": StyledText(translate("ActivityWords", "Not reached"), "danger"),
        "timeout": StyledText(translate("ActivityWords", "Timed out"), "danger"),
        "cancelled": StyledText(translate("ActivityWords", "Cancelled"), "warning"),
        "protocol_error": StyledText(translate("ActivityWords", "Protocol error"), "danger"),
    }
    return outcomes.get(call.outcome, StyledText(translate("ActivityWords", "Failed"), "danger"))


def tool_label(call: LoggedCall, redaction: Callable[[str], Redaction]) -> str:
    """The key of the tool that was called."""
    server = call.call.key.partition(":")[0]
    return one_line(redaction(server).text(call.call.key[: 2 * _MAX_LENGTH]))


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
