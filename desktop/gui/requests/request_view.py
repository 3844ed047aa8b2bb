"""What the views of all kinds of requests have in common: their texts, warnings and answers.

No answer is a default button, takes the focus by itself or counts in the first moment. Must not
send an answer anywhere: `answered` announces it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from desktop.base.visible_text import mark_hidden_text
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.theme import style
from desktop.gui.widgets.armed_buttons import ArmedButtons
from desktop.gui.widgets.bounded_text import BoundedText
from desktop.gui.widgets.labels import plain_label
from desktop.servers.requests import Declined, Dismissed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QScrollArea

    from desktop.gui.theme import Role, Theme

MESSAGE_LINES = 8


class WarningBox(QFrame):
    """Sentences to read before answering."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "banner", "warning")
        self.label = plain_label("", "warning")
        self._column = in_column(self, self.label, margins=(3, 2, 3, 2), spacing=1)
        self.hide()

    def show_sentences(self, sentences: Sequence[str]) -> None:
        """Show these instead; nothing where there are none."""
        self.label.setText("\n".join(sentences))
        self.setVisible(bool(sentences))


class RequestView(QWidget):
    """The body of one request; `answered` has the `Answer`."""

    answered = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.flexible: QWidget | None = None
        """What gets the height that is left, and scrolls."""
        self.message = server_text()
        self.warning = WarningBox(self)
        self.problem = plain_label("", "danger")
        self.problem.hide()
        self.decline = QPushButton(self.tr("Decline"), self)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.message.setAccessibleName(self.tr("What the server says"))
        self.decline.setToolTip(self.tr("Reply no to the server"))
        self.cancel.setToolTip(self.tr("Close without an answer"))
        self.column = in_column(self, self.message, self.warning, spacing=3)
        self.decline.clicked.connect(lambda: self.send(Declined()))
        self.cancel.clicked.connect(lambda: self.send(Dismissed()))

    def finish_layout(self, *yes: QPushButton) -> None:
        """Put the answers below what is there: `yes` first, then the refusals at the right."""
        if yes:
            style(yes[0], "primary")
        self.answers = ArmedButtons(self, *yes, self.decline, self.cancel)
        self.column.addWidget(self.problem)
        in_row(self.column, *yes, STRETCH, self.decline, self.cancel)

    def wanted_height(self) -> int:
        """What `flexible` would take if there were room for all of it."""
        return 0

    def show_message(self, text: str) -> None:
        """Show what the server says; nothing where it says nothing."""
        self.message.show_text(mark_hidden_text(text))
        self.message.setVisible(bool(text.strip()))

    def show_problem(self, words: str) -> None:
        """Say why an answer was not sent."""
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def send(self, answer: object) -> None:
        """Announce an answer, if answers count by now."""
        if self.answers.is_armed:
            self.show_problem("")
            self.answered.emit(answer)

    def finish(self) -> None:
        """The request waits no longer: what is here can only be read."""
        self.answers.finish()


def server_text(*roles: Role) -> BoundedText:
    """A read-only text of the server in the width of the panel."""
    return BoundedText(*(roles or ("well",)), lines=MESSAGE_LINES)


def height_of(area: QScrollArea) -> int:
    """What is in it would be as high as this."""
    inside: QWidget | None = area.widget()
    return inside.sizeHint().height() if inside is not None else 0
