"""A question before something that cannot be undone. Does nothing itself but ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox

from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WIDTH = space(105)


class QuestionDialog(QDialog):
    """One question and what a yes means; Cancel is the default, so a stray Enter does nothing."""

    def __init__(
        self,
        parent: QWidget,
        question: str,
        meaning: str,
        action: str,
        body: QWidget | None = None,
    ) -> None:
        """Args: action: what the button that says yes is called.

        body: what is to be read first; it grows with the dialog, which is then no warning in red.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.question = plain_label(question, "heading")
        self.meaning = plain_label(meaning, "muted")
        # Not the standard buttons: they bring the platform's icons.
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        self.act = box.addButton(action, roles.AcceptRole)
        self.cancel = box.addButton(self.tr("Cancel"), roles.RejectRole)
        style(self.act, "danger" if body is None else "primary")
        guard_focus(self.act)
        box.accepted.connect(self.accept)
        box.rejected.connect(self.reject)
        self.column = column = in_column(
            self, self.question, self.meaning, margins=(5, 5, 5, 4), spacing=3
        )
        if body is not None:
            column.addWidget(body, 1)
        column.addWidget(box)
        if body is None:
            self.setFixedWidth(_WIDTH)
            self.resize(_WIDTH, column.totalHeightForWidth(_WIDTH))  # Qt would guess it higher
        self.cancel.setDefault(True)  # only now: outside a dialog neither has an effect
        self.cancel.setFocus()
