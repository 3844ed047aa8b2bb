"""Labels of the Activity page: calls, steps and messages. Pure; must not know widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime

from desktop.base.visible_text import mark_hidden
from desktop.gui.widgets.formatting import format_duration, format_size
from desktop.gui.widgets.styled_text import origin_label
from desktop.servers.message_log import BY_HAND
from desktop.servers.transport.stderr_log import plain

if TYPE_CHECKING:
    from desktop.servers.message_log import RecordedMessage

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


def sender_label(message: RecordedMessage) -> str:
    """Its direction; of what a person sent by hand, that they did."""
    label = direction_label(message.direction)
    if message.direction == "sent" and message.call_id.startswith(BY_HAND):
        return f"{label} · {origin_label('person')}"
    return label


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
        f"{sender_label(message)} · {kind_label(message.kind)}",
        method_label(message),
        message.server,
        f"id {id_label(message)}" if message.id is not None else "",
        format_size(message.size),
        format_duration(message.duration) if message.duration is not None else "",
        time_label(message.at),
    ]
    return "  ·  ".join(word for word in words if word)
