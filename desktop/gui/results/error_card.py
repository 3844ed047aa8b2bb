"""Why a call has no result: what happened, the error code, and what to do about it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QSizePolicy,
    QWidget,
)

from desktop.gui.layouts import TOP, InnerColumn, in_row
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import selectable_label
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.values.tool_types import ErrorCode, ToolError

_MAX_LENGTH = 4_000
_MAX_HEADING_LENGTH = 300
_MAX_LINES = 6


class ErrorCard(QFrame):
    """The message of a failed call; selectable, plain text, bounded.

    The first line stands out; what follows (exit code, last lines of the server) keeps its lines.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "banner", "danger")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        icon = QLabel(self)
        set_icon(theme, icon, "error", "danger")
        self.message = selectable_label("", "danger", "heading")
        self.details = WrappedTextEditor(self)
        self.details.setReadOnly(True)
        self.details.setFont(theme.mono_font())
        self.details.setAccessibleName(self.tr("Details of the error"))
        self.remedy = selectable_label("")
        self.code = selectable_label("", "small", "muted")
        style(self.details, "well")
        words = InnerColumn(self.message, self.details, self.remedy, self.code, spacing=1)
        in_row(self, (icon, TOP), (words, 1), margins=(3, 2, 3, 2), spacing=3)

    def show_error(self, error: ToolError) -> None:
        message = spoken(error.message)[:_MAX_LENGTH].strip() or error.type
        heading, _, rest = message.partition("\n")
        if len(heading) > _MAX_HEADING_LENGTH:
            heading, rest = heading[:_MAX_HEADING_LENGTH] + "…", message
        self.message.setText(heading)
        self._show_details(rest.strip("\n"))
        known = (error_label(error.code), error.code.value, error.type[:80])
        self.code.setText(" · ".join(part for part in known if part))
        remedy = remedy_label(error.code)
        self.remedy.setText(remedy)
        self.remedy.setVisible(bool(remedy))

    def _show_details(self, text: str) -> None:
        self.details.setPlainText(text)
        self.details.setVisible(bool(text))
        wide = len(text) // 80  # lines that are wrapped
        lines = min(_MAX_LINES, text.count("\n") + 1 + wide)
        self.details.setFixedHeight(lines * self.details.fontMetrics().lineSpacing() + space(5))


def error_label(code: ErrorCode) -> str:
    """What kind of failure it is, in words."""
    match code:
        case ErrorCode.NOT_FOUND:
            return QCoreApplication.translate("ErrorCode", "No such tool")
        case ErrorCode.INVALID_ARGUMENTS:
            return QCoreApplication.translate("ErrorCode", "Invalid arguments")
        case ErrorCode.DENIED:
            return QCoreApplication.translate("ErrorCode", "Not approved")
        case ErrorCode.TOOL_ERROR:
            return QCoreApplication.translate("ErrorCode", "The tool failed")
        case ErrorCode.UNREACHABLE:
            return QCoreApplication.translate("ErrorCode", "Server unreachable")
        case ErrorCode.TIMEOUT:
            return QCoreApplication.translate("ErrorCode", "Time limit")
        case ErrorCode.CANCELLED:
            return QCoreApplication.translate("ErrorCode", "Cancelled")
        case ErrorCode.PROTOCOL:
            return QCoreApplication.translate("ErrorCode", "Protocol error")
        case ErrorCode.INTERNAL:
            return QCoreApplication.translate("ErrorCode", "Internal error")


def remedy_label(code: ErrorCode) -> str:
    """The next step for each kind of failure, empty where there is none to name."""
    match code:
        case ErrorCode.NOT_FOUND:
            return QCoreApplication.translate(
                "Remedy", "Switch its server on, or choose another tool."
            )
        case ErrorCode.INVALID_ARGUMENTS:
            return QCoreApplication.translate(
                "Remedy", "Nothing was sent. Correct the fields listed."
            )
        case ErrorCode.UNREACHABLE:
            return QCoreApplication.translate(
                "Remedy", "Check the server's output on the Servers page, then restart it."
            )
        case ErrorCode.TIMEOUT:
            return QCoreApplication.translate(
                "Remedy", "Run it again, or give the server a longer limit in its settings."
            )
        case ErrorCode.PROTOCOL:
            return QCoreApplication.translate(
                "Remedy", "The server violated the protocol; see its log."
            )
        case ErrorCode.TOOL_ERROR:
            return QCoreApplication.translate(
                "Remedy", "The tool reported this error. Change the arguments and run it again."
            )
        case ErrorCode.INTERNAL:
            return QCoreApplication.translate("Remedy", "This is a bug in the app; see its log.")
        case ErrorCode.DENIED | ErrorCode.CANCELLED:
            return ""
