"""Banners at start-up about earlier runs: processes they left behind, and crash reports.

Ends no process and sends no report; what becomes of a report is the person's choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit

from desktop.gui.layouts import in_column
from desktop.gui.shutdown import shortened
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from desktop.diagnostics.crash_reports import CrashReports
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Theme
    from desktop.processes.orphan_cleanup import CleanedProcess

translate = QCoreApplication.translate


def show_swept(window: MainWindow, swept: Sequence[CleanedProcess]) -> None:
    """Put up a banner for what was ended and one for what could not be; none for nothing."""
    if ended := [process for process in swept if process.ended]:
        window.show_banner("swept", "info", f"{_ended_label(len(ended))} {_names(ended)}")
    if left := [process for process in swept if not process.ended]:
        words = translate("PreviousRun", "Left over from a previous run and could not be stopped:")
        window.show_banner("not swept", "error", f"{words} {_names(left)}")


def offer_restart(window: MainWindow, restart: Callable[[], object]) -> None:
    """Say that another language was chosen, and offer the start from which it counts."""
    words = translate("Restart", "The new language takes effect at the next start.")
    banner = window.show_banner("language", "info", words)
    banner.add_action(translate("Restart", "Restart now"), restart)


def show_damages(window: MainWindow, sentences: Sequence[str]) -> None:
    """Put up one banner for all damaged files: with one each, some would push out the others."""
    lines = [spoken(sentence) for sentence in sentences[-MAX_SENTENCES:]]
    if left := len(sentences) - len(lines):
        words = translate(
            "DamagedFiles", "Damaged files that the log of the app lists: {count} more."
        )
        lines.append(words.format(count=left))
    window.show_banner("damaged", "warning", "\n".join(lines))


def _ended_label(count: int) -> str:
    one = translate("PreviousRun", "1 process left over from a previous run was stopped:")
    many = translate("PreviousRun", "{count} processes left over from a previous run were stopped:")
    return counted(count, one, many)


def _names(swept: Sequence[CleanedProcess]) -> str:
    return shortened([f"{process.owner} (PID {process.pid})" for process in swept])


MAX_SENTENCES = 3
"""About damaged files in one banner; more are in the log."""
KEY = "crash"
_SIZE = (space(190), space(130))
_MAX_REPORT_LENGTH = 200_000
"""Characters; no report of ours is longer."""


def offer(window: MainWindow, theme: Theme, reports: CrashReports) -> None:
    """Put up a banner for the reports that nobody was offered yet; none for nothing."""
    if not (new := reports.new()):
        return
    if len(new) == 1:
        words = translate("CrashOffer", "The app crashed last time. A report is available.")
    else:
        words = translate("CrashOffer", "The app crashed earlier. {count} reports are available.")
    banner = window.show_banner(KEY, "warning", words.format(count=len(new)))
    text = "\n\n".join(map(_read, new))

    def delete() -> None:
        reports.delete(reports_kept)
        window.banners.remove(KEY)

    # Whatever is done with the banner, these were offered: they are not brought up again.
    reports_kept = reports.offered(new)
    banner.add_action(
        translate("CrashOffer", "Show"), lambda: ReportDialog(window, theme, text).open()
    )
    banner.add_action(translate("CrashOffer", "Copy"), lambda: _copy(text))
    banner.add_action(translate("CrashOffer", "Delete"), delete)


class ReportDialog(QDialog):
    """The text of a report, to be read and copied."""

    def __init__(self, parent: QWidget, theme: Theme, text: str) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Crash report"))
        note = plain_label(
            self.tr(
                "The report stays on this computer. Anything that looks like a secret was removed."
            ),
            "muted",
        )
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(theme.mono_font())
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Crash report"))
        style(self.text, "well", "mono", "small")
        # Not the standard buttons: they bring the platform's icons.
        box = QDialogButtonBox()
        self.copy = box.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.shut = box.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        self.copy.clicked.connect(lambda: _copy(text))
        box.rejected.connect(self.reject)
        in_column(self, note, self.text, box, margins=(5, 5, 5, 4), spacing=3)
        self.resize(*_SIZE)
        self.shut.setDefault(True)  # only now: outside a dialog it has no effect


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _read(report: Path) -> str:
    try:
        return report.read_text(encoding="utf-8", errors="replace")[:_MAX_REPORT_LENGTH]
    except OSError as error:
        return str(error)
