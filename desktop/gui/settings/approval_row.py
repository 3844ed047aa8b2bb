"""One decided tool in the settings: what becomes of its calls, in words, and how to change it.

Asks for changes and makes none: the row follows what is kept, and a change that failed is undone by
showing it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from desktop.agent.approvals import is_shell
from desktop.gui.theme import space, style
from desktop.gui.widgets.highlighters import require_focus_for_wheel
from desktop.gui.widgets.labels import ElidedLabel, plain_label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.agent.approvals import Approval, Rule
    from desktop.gui.theme import Role

_LONGEST = 200
_WIDTH = space(32)
_RULES: tuple[Rule, ...] = ("always", "ask", "never")
"""In this order no arrow key passes "always" on its way between the other two."""


class ApprovalRow(QFrame):
    """The tool `server:tool` and what was decided about it."""

    rule_wanted = Signal(str, str)
    """Its key, and "always", "ask" or "never"."""
    forget_wanted = Signal(str)

    def __init__(self, key: str, approval: Approval, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key, self._approval = key, approval
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.show_text(printable(key))
        self.meaning = plain_label("")
        self.choice, self.forget = QComboBox(), QPushButton()
        for rule in _RULES:
            self.choice.addItem("", rule)
        self._lay_out()
        self._translate()
        self.choice.activated.connect(self._ask_for_rule)
        self.forget.clicked.connect(lambda: self.forget_wanted.emit(self.key))

    def show_approval(self, approval: Approval) -> None:
        """Follow what is kept by now."""
        self._approval = approval
        words, tone = self._words()
        self.meaning.setText(words)
        style(self.meaning, tone, "small")
        with QSignalBlocker(self.choice):
            self.choice.setCurrentIndex(_RULES.index(approval.rule))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _ask_for_rule(self) -> None:
        if (rule := self.choice.currentData()) != self._approval.rule:
            self.rule_wanted.emit(self.key, rule)

    def _words(self) -> tuple[str, Role]:
        """What becomes of a call, which is not the rule alone."""
        match self._approval.rule:
            case "never":
                return self.tr("Never runs; the model is told so."), "danger"
            case "ask":
                return self.tr("Asks before each call."), "muted"
            case "always" if is_shell(self.key):
                words = self.tr("Asks before each call all the same: nothing allows a shell.")
                return words, "warning"
            case "always" if not self._approval.hash:
                words = self.tr("Asks all the same: which version was allowed is not known.")
                return words, "warning"
            case "always":
                return self.tr("Runs without asking until its server changes it."), "success"

    def _lay_out(self) -> None:
        style(self.name, "mono")
        style(self.forget, "link")
        self.choice.setFixedWidth(_WIDTH)
        require_focus_for_wheel(self.choice)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.name)
        words.addWidget(self.meaning)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        row.addLayout(words, 1)
        row.addWidget(self.choice, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.forget, 0, Qt.AlignmentFlag.AlignVCenter)

    def _translate(self) -> None:
        texts = self.tr("Always allow"), self.tr("Ask"), self.tr("Never allow")
        for index, text in enumerate(texts):
            self.choice.setItemText(index, text)
        self.forget.setText(self.tr("Forget"))
        name = printable(self.key)
        self.choice.setAccessibleName(self.tr("Calls of {tool}").format(tool=name))
        self.forget.setAccessibleName(f"{self.forget.text()} {name}")
        self.show_approval(self._approval)


def printable(key: str) -> str:
    """A name on one line, without letters that turn or hide what is beside them."""
    letters = key if len(key) <= _LONGEST else f"{key[:_LONGEST]}…"
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in letters)
