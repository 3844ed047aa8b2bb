"""The approvals in the settings: the read-only switch, and a row for each decided tool.

Requests changes and shows the outcome: a change that failed is undone by showing the row again.
Approvals can change elsewhere (a chat, the terminal), so they are read again whenever it is shown.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.layouts import LEFT, MIDDLE, InnerColumn, InnerRow, in_column, in_row
from desktop.gui.settings.rows import SectionCard, SettingRow
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import ElidedLabel, plain_label
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.switch import Switch
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel
from desktop.tools.approvals import is_shell

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtGui import QShowEvent

    from desktop.gui.theme import Role
    from desktop.tools.approvals import Approval, Approvals, Rule

_MAX_LENGTH = 200
_WIDTH = space(32)
_RULES: tuple[Rule, ...] = ("always", "ask", "never")
"""In this order no arrow key passes "always" on the way between the other two."""


class ApprovalRow(QFrame):
    """The tool `server:tool` and what was decided about it."""

    rule_requested = Signal(str, str)
    """Its key, and "always", "ask" or "never"."""
    forget_requested = Signal(str)

    def __init__(self, key: str, approval: Approval, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key, self._approval = key, approval
        self.name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.name.show_text(printable(key))
        self.meaning = plain_label("")
        self.choice = QComboBox()
        self.forget = QPushButton(self.tr("Forget"))
        for rule in _RULES:
            self.choice.addItem("", rule)
        self._lay_out()
        texts = self.tr("Always allow"), self.tr("Ask"), self.tr("Never allow")
        for index, text in enumerate(texts):
            self.choice.setItemText(index, text)
        name = printable(self.key)
        self.choice.setAccessibleName(self.tr("Calls of {tool}").format(tool=name))
        self.forget.setAccessibleName(f"{self.forget.text()} {name}")
        self.show_approval(self._approval)
        self.choice.activated.connect(self._ask_for_rule)
        self.forget.clicked.connect(lambda: self.forget_requested.emit(self.key))

    def show_approval(self, approval: Approval) -> None:
        """Show the decision as it is stored now."""
        self._approval = approval
        text, tone = self._rule_label()
        self.meaning.setText(text)
        style(self.meaning, tone, "small")
        with QSignalBlocker(self.choice):
            self.choice.setCurrentIndex(_RULES.index(approval.rule))

    def _ask_for_rule(self) -> None:
        if (rule := self.choice.currentData()) != self._approval.rule:
            self.rule_requested.emit(self.key, rule)

    def _rule_label(self) -> tuple[str, Role]:
        """What happens to a call; that depends on more than the rule."""
        match self._approval.rule:
            case "never":
                return self.tr("Never runs. The model is notified."), "danger"
            case "ask":
                return self.tr("Asks before each call."), "muted"
            case "always" if is_shell(self.key):
                words = self.tr("Always asks: shell commands cannot be allowed in advance.")
                return words, "warning"
            case "always" if not self._approval.hash:
                words = self.tr("Asks again: the approved version is unknown.")
                return words, "warning"
            case "always":
                return self.tr("Runs without asking until the server changes it."), "success"

    def _lay_out(self) -> None:
        style(self.name, "mono", "row")
        self.name.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        style(self.forget, "link")
        self.choice.setFixedWidth(_WIDTH)
        require_focus_for_wheel(self.choice)
        guard_focus(self.choice, self.forget)
        words = InnerColumn(self.name, self.meaning, spacing=0)
        in_row(self, (words, 1), (self.choice, MIDDLE), (self.forget, MIDDLE))


def printable(key: str) -> str:
    """A name on one line, with a mark for what a person would not see in it."""
    return mark_hidden(key if len(key) <= _MAX_LENGTH else f"{key[:_MAX_LENGTH]}…")


PAGE = 40
"""Rows that are made at a time."""


class ApprovalsSection(SectionCard):
    """The switch for read-only tools, then a row for each decision."""

    refreshed = Signal()
    """The stored decisions are shown, or why one could not be changed."""

    def __init__(self, approvals: Approvals) -> None:
        super().__init__()
        self._approvals = approvals
        self._order = asyncio.Lock()  # else the first of two quick changes could win
        self._failure = ""
        self._shown = PAGE
        self.rows: list[ApprovalRow] = []
        self.read_only = Switch()
        self._read_only_row = SettingRow(self.read_only)
        self.note = plain_label("", "muted", "small")
        self._heading = plain_label(self.tr("Saved approvals"))
        self.problem = plain_label("", "warning", "small")
        self.more = QPushButton()
        self.forget_all = QPushButton(self.tr("Forget all…"))
        self._list = QVBoxLayout()
        self._lay_out()
        self.set_title(self.tr("Approvals"))
        self._read_only_row.set_text(
            self.tr("Run tools marked read-only without asking"),
            self.tr(
                "Servers mark their own tools; the marks are not verified. Shell commands "
                "always ask."
            ),
        )
        self.read_only.switch_requested.connect(self._allow_read_only)
        self.forget_all.clicked.connect(self.ask_to_forget_all)
        self.more.clicked.connect(self._show_more)
        bridge.connect(self, approvals.changed, self.refresh)

    def refresh(self) -> None:
        """Show the decisions as they are stored now."""
        decided = self._approvals.all()
        self.read_only.setChecked(self._approvals.allows_read_only)
        self._show_rows({key: decided[key] for key in sorted(decided)[: self._shown]})
        self._show_notes(len(decided))
        self.refreshed.emit()

    def ask_to_forget_all(self) -> QuestionDialog:
        """Ask, and only then take all decisions back."""
        dialog = QuestionDialog(
            self,
            self.tr("Forget all saved approvals?"),
            self.tr("Each tool asks again at its next call, unless the switch lets it run."),
            self.tr("Forget all"),
        )
        dialog.setWindowTitle(self.tr("Forget all approvals"))
        forget = self._approvals.forget_all
        dialog.accepted.connect(bridge.if_alive(self, lambda section: section._change(forget)))
        dialog.open()
        return dialog

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def changeEvent(self, event: QEvent, /) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isVisible():
            self.refresh()  # a decision may have come from the terminal meanwhile
        super().changeEvent(event)

    def _allow_read_only(self, allowed: bool) -> None:
        self._change(lambda: self._approvals.allow_read_only(allowed))

    def _set_rule(self, key: str, rule: Rule) -> None:
        self._change(lambda: self._approvals.set_rule(key, rule))

    def _forget(self, key: str) -> None:
        self._change(lambda: self._approvals.forget(key))

    def _change(self, change: Callable[[], Awaitable[None]]) -> None:
        bridge.run(self, self._keep(change), self.tr("Change an approval"))

    async def _keep(self, change: Callable[[], Awaitable[None]]) -> None:
        async with self._order:
            try:
                await change()
                self._failure = ""
            except DesktopError as error:
                self._failure = str(error)
        self.refresh()

    def _show_more(self) -> None:
        self._shown += PAGE
        first_new = len(self.rows)
        self.refresh()
        self.rows[min(first_new, len(self.rows) - 1)].name.setFocus()

    def _show_rows(self, decided: dict[str, Approval]) -> None:
        """Rows that stay keep their widget: one may have the focus."""
        left = self._row_with_focus()
        for row in [row for row in self.rows if row.key not in decided]:
            self._take_out(row)
        known = {row.key: row for row in self.rows}
        self.rows = [known.get(key) or ApprovalRow(key, decided[key]) for key in decided]
        for at, row in enumerate(self.rows):
            if row.key in known:
                row.show_approval(decided[row.key])
            else:
                row.rule_requested.connect(self._set_rule)
                row.forget_requested.connect(self._forget)
                self._list.insertWidget(at, row)
                row.show()  # the layout would show it later, but it may get the focus now
        self._order_keys()
        if left is not None and not any(row.key == left[1] for row in self.rows):
            # Onto the name, not onto a control: the next key must not forget that one, too.
            at = min(left[0], len(self.rows) - 1)
            (self.rows[at].name if self.rows else self).setFocus()

    def _order_keys(self) -> None:
        """Tab goes down the list in its order, whenever the rows were made."""
        before: QWidget = self.forget_all
        for row in self.rows:
            QWidget.setTabOrder(before, row.name)
            QWidget.setTabOrder(row.name, row.choice)
            QWidget.setTabOrder(row.choice, row.forget)
            before = row.forget
        QWidget.setTabOrder(before, self.more)

    def _row_with_focus(self) -> tuple[int, str] | None:
        focused = QApplication.focusWidget()
        for at, row in enumerate(self.rows):
            if focused is not None and row.isAncestorOf(focused):
                return at, row.key
        return None

    def _take_out(self, row: ApprovalRow) -> None:
        self.rows.remove(row)
        self._list.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _show_notes(self, count: int) -> None:
        problem = "\n".join(filter(None, (self._failure, spoken(self._approvals.problem))))
        self.problem.setText(problem[:1000])
        self.problem.setVisible(bool(problem))
        self.note.setText(self._note(count))
        self.note.setVisible(bool(count) or not self._approvals.problem)
        self.forget_all.setVisible(count > 0)
        hidden = count - len(self.rows)
        self.more.setText(self.tr("Show more ({count})").format(count=hidden))
        self.more.setVisible(hidden > 0)

    def _note(self, count: int) -> str:
        if count:
            return self.tr("A saved approval overrides the switch above.")
        if self._approvals.allows_read_only:
            return self.tr("No saved approvals yet. The first call of every other tool asks.")
        return self.tr("No saved approvals yet. The first call of each tool asks.")

    def _lay_out(self) -> None:
        for button in (self.forget_all, self.more):
            style(button, "link")
        guard_focus(self.read_only, self.forget_all)
        words = InnerColumn(self._heading, self.note, spacing=0)
        head = InnerRow((words, 1), (self.forget_all, MIDDLE), spacing=3)
        inside = QFrame()
        self._list.setSpacing(space(3))
        in_column(inside, head, self.problem, self._list, (self.more, LEFT), spacing=3)
        self.add(self._read_only_row)
        self.add(inside)
