"""A server that nobody agreed to: what it would run, beside what was agreed to, and the question.

The panel in the details shows all of it and requests the review; the dialog asks. Nothing is cut,
and hidden characters are written as escapes. Must not trust or start anything itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
)

from desktop.base.visible_text import mark_hidden
from desktop.config.imports.dangers import dangers_of
from desktop.gui.import_export.labels import warning_label
from desktop.gui.layouts import STRETCH, TOP, InnerColumn, InnerRow, in_row
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.text_editors import LaunchText

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtWidgets import QWidget

    from desktop.config.trust import LaunchDifference, UntrustedLaunch
    from desktop.gui.theme import ColorName, Theme

    Line = tuple[ColorName, str]

_PANEL_HEIGHT = space(45)
_SIZE = (space(170), space(110))
_INDENT = "    "


class _LineColours(QSyntaxHighlighter):
    """Each line in the colour that its number has."""

    def __init__(self, view: QPlainTextEdit, theme: Theme) -> None:
        super().__init__(view.document())
        self._theme = theme
        self.colours: list[ColorName] = []
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str, /) -> None:
        if (number := self.currentBlock().blockNumber()) < len(self.colours):
            form = QTextCharFormat()
            form.setForeground(self._theme.color(self.colours[number]))
            self.setFormat(0, len(text), form)


translate = QCoreApplication.translate


class LaunchDifferenceView(LaunchText):
    """A line for each thing that would be used, those that changed as they were and as they are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._colours = _LineColours(self, theme)
        self.setAccessibleName(self.tr("What this server runs or connects to"))

    def show_differences(
        self,
        untrusted: UntrustedLaunch,
        differences: Sequence[LaunchDifference],
        *,
        with_dangers: bool = False,
    ) -> None:
        """Show all of a server; below it, where that is asked, what should be looked at."""
        lines = [
            line
            for difference in differences
            for line in self._lines(difference, is_new=untrusted.is_new)
        ]
        if with_dangers:
            lines += self._dangers(untrusted)
        text = "\n".join(line for _, line in lines)
        if text != self.toPlainText():  # else the place it is scrolled to would be lost
            self._colours.colours = [colour for colour, _ in lines]
            self.setPlainText(text)

    def _lines(self, difference: LaunchDifference, *, is_new: bool) -> Iterator[Line]:
        place, before, now = difference.place, difference.before, difference.now
        if is_new or not difference.is_changed:
            yield ("text" if is_new else "muted"), f"{place}: {now}"
            return
        yield "text", f"{place}:"
        if before is not None:
            yield "muted", _INDENT + self.tr("Before: {value}").format(value=before)
        if now is None:
            yield "warning", _INDENT + self.tr("Now: nothing")
        else:
            yield "warning", _INDENT + self.tr("Now: {value}").format(value=now)
        if before == now:
            yield "warning", _INDENT + self.tr("The change is in a secret, which is hidden here.")

    def _dangers(self, untrusted: UntrustedLaunch) -> Iterator[Line]:
        found = list(dangers_of(untrusted.config))
        if found:
            yield "text", ""
        for danger in found:
            label = warning_label(danger)
            yield ("warning", f"! {label}") if danger.is_warning else ("muted", label)


class TrustPanel(QFrame):
    """In the details of a server: what would be started, and the way to the question."""

    review_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._untrusted: UntrustedLaunch | None = None
        self.heading, self.view, self.review = QLabel(), LaunchDifferenceView(theme), QPushButton()
        sign = QLabel()
        set_icon(theme, sign, "warning", "warning")
        style(self, "banner", "warning")
        style(self.heading, "heading", "warning")
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.heading.setWordWrap(True)
        self.view.setMaximumHeight(_PANEL_HEIGHT)
        self.review.clicked.connect(self.review_requested)
        buttons = InnerRow(STRETCH, self.review)
        column = InnerColumn(self.heading, self.view, buttons)
        in_row(self, (sign, TOP), (column, 1), margins=3, spacing=3)
        self._set_texts()

    def show_untrusted(
        self, untrusted: UntrustedLaunch | None, differences: Sequence[LaunchDifference]
    ) -> None:
        """Show a server, or hide where there is none."""
        self._untrusted = untrusted
        self.setVisible(untrusted is not None)
        if untrusted is not None:
            self.view.show_differences(untrusted, differences)
            self._set_texts()

    def _set_texts(self) -> None:
        self.review.setText(self.tr("Review and start…"))
        if self._untrusted is None or self._untrusted.is_new:
            words = self.tr("This server is new. It will not start until you approve it.")
        else:
            words = self.tr("This server has changed since you approved it. It was not started.")
        self.heading.setText(words)
        self.setAccessibleName(words)


class TrustDialog(QuestionDialog):
    """Whether to start a server with this."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        untrusted: UntrustedLaunch,
        differences: Sequence[LaunchDifference],
    ) -> None:
        name = mark_hidden(untrusted.config.name)
        self.view = LaunchDifferenceView(theme)
        self.view.show_differences(untrusted, differences, with_dangers=True)
        super().__init__(
            parent,
            _question(untrusted, name),
            translate(
                "TrustDialog",
                "It was added to the configuration file by hand or by another program. "
                "Programs run with all your permissions: read every line in full before "
                "you approve.",
            ),
            translate("TrustDialog", "Approve and start"),
            self.view,
        )
        self.untrusted = untrusted
        self.setWindowTitle(self.tr("Start “{name}”?").format(name=name))
        self.agree = self.act
        self.resize(*_SIZE)


def _question(untrusted: UntrustedLaunch, name: str) -> str:
    if untrusted.is_new:
        words = translate("TrustDialog", "“{name}” is new. Start it with this?")
    else:
        words = translate(
            "TrustDialog", "“{name}” has changed since you approved it. Start it with this?"
        )
    return words.format(name=name)
