"""What would become of another app's file, before it is written; for a connection, which kind.

Shows what was planned and hands exactly that on. Must not write anything itself.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
)

from desktop.base.errors import ConfigError
from desktop.features.gateway.address import USUAL_PORT, url_of
from desktop.features.gateway.entries.forms import HttpAccess
from desktop.gui import bridge
from desktop.gui.chat.arguments_view import CodePreview
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.question_dialog import QuestionDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.features.gateway.entries.client_files import PlannedChange
    from desktop.features.gateway.entries.forms import Access
    from desktop.gui.theme import Theme

_SIZE = space(160), space(110)
_DIFFERENCE_HEIGHT = space(45)


class AccessChoice(QFrame):
    """Whether the client starts the gateway, or is given an address and the token."""

    changed = Signal()

    def __init__(self, read_token: Callable[[], str]) -> None:
        """Args: read_token: makes the token if there is none; may raise `ConfigError`."""
        super().__init__()
        self._read_token = read_token
        self.port = QSpinBox()
        self.http = QRadioButton(self.tr("At an address, on port"))
        self.start = QRadioButton(self.tr("The app starts it (recommended)"))
        self.note = plain_label("", "muted", "small")
        self.port.setRange(1024, 65535)
        self.port.setValue(USUAL_PORT)
        self.port.setGroupSeparatorShown(False)
        self.start.setChecked(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        address = InnerRow(self.http, self.port, STRETCH)
        in_column(self, self.start, address, self.note, spacing=1)
        self.port.setAccessibleName(self.tr("Port"))
        self._show()
        self.http.toggled.connect(self._show)
        self.port.editingFinished.connect(self.changed)

    def access(self) -> Access | None:
        """What was chosen; None: the client starts it. Raises `ConfigError` without a token."""
        if self.start.isChecked():
            return None
        return HttpAccess(url_of(self.port.value()), self._read_token())

    def _show(self) -> None:
        is_http = self.http.isChecked()
        self.port.setEnabled(is_http)
        if is_http:
            words = self.tr(
                "Your token is written into the file. The app connects while this runs: {command}"
            )
            self.note.setText(words.format(command=f"mcp-desktop serve --http {self.port.value()}"))
        else:
            self.note.setText(
                self.tr("While this window is open, the app uses the servers that run here.")
            )
        style(self.note, "warning" if is_http else "muted", "small")
        self.changed.emit()


class ChangeDialog(QuestionDialog):
    """The lines of the file that change, and the yes that has them written."""

    agreed = Signal(object)
    """The `PlannedChange` that was shown."""
    planned = Signal()
    """What would change is shown, or why nothing can."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        question: str,
        file: str,
        plan: Callable[[Access | None], PlannedChange],
        choice: AccessChoice | None = None,
    ) -> None:
        """Args: plan: for a thread; raises `ConfigError` where the file cannot be changed."""
        body = QFrame()
        self.choice, self._plan = choice, plan
        self.change: PlannedChange | None = None
        self.difference = CodePreview(theme, "difference")
        self.difference.setMinimumHeight(_DIFFERENCE_HEIGHT)
        self.problem = plain_label("", "danger")
        column = in_column(body, spacing=3)
        if choice is not None:
            column.addWidget(choice)
        column.addWidget(self.problem)
        column.addWidget(self.difference, 1)
        super().__init__(parent, question, file, "", body)
        self.act.setText(self.tr("Write"))
        style(self.act, "primary")
        self.setWindowTitle(question)
        self.resize(*_SIZE)
        self._asked = 0
        self.accepted.connect(self._agree)
        if choice is not None:
            choice.changed.connect(self.show_plan)
        self.show_plan()

    def show_plan(self) -> None:
        """Plan the change anew, and show it."""
        self._asked += 1
        self.act.setEnabled(False)
        bridge.run(self, self._show(self._asked), self.tr("Reading the file"))

    def show_error(self, message: str) -> None:
        """What keeps the file from being changed; the bridge reports failures here, too."""
        self.change = None
        self.problem.setText(message)
        self.problem.show()
        self.difference.hide()
        self.act.setEnabled(False)
        self.planned.emit()

    async def _show(self, asked: int) -> None:
        try:
            access = self.choice.access() if self.choice is not None else None
            change = await asyncio.to_thread(self._plan, access)
        except ConfigError as error:
            self.show_error(spoken(str(error)))
            return
        if asked != self._asked:
            return
        self.change = change
        if change.is_empty:
            self.problem.setText(self.tr("The file is that way already."))
            style(self.problem, "muted")
        self.problem.setVisible(change.is_empty)
        self.difference.setVisible(not change.is_empty)
        self.difference.show_text(spoken(change.difference))
        self.act.setEnabled(not change.is_empty)
        self.planned.emit()

    def _agree(self) -> None:
        if self.change is not None:
            self.agreed.emit(self.change)
