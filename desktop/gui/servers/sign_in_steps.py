"""The steps of one sign-in: each request with its answer, and what the specification wants there.

Only shows; secrets were taken out where the steps were made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.servers.labels import one_line, seconds_label
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import WrappedTextEditor

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.oauth.attempt import SignInAttempt
    from desktop.servers.oauth.steps import SignInStep, StepKind

translate = QCoreApplication.translate
_SIZE = (space(210), space(140))


def step_label(kind: StepKind) -> str:
    """What a step is for."""
    match kind:
        case "challenge":
            return translate("SignInSteps", "The server refused")
        case "resource":
            return translate("SignInSteps", "Metadata of the server")
        case "server":
            return translate("SignInSteps", "Metadata of the sign-in")
        case "register":
            return translate("SignInSteps", "Register this app")
        case "browser":
            return translate("SignInSteps", "Sign-in page")
        case "answer":
            return translate("SignInSteps", "Back from the browser")
        case "token":
            return translate("SignInSteps", "Get the tokens")
        case "device":
            return translate("SignInSteps", "Request a device code")


def step_text(step: SignInStep) -> str:
    """All of a step, for reading and copying."""
    head = f"{step_label(step.kind)}\n{step.method} {step.url} {step.status or ''}".strip()
    parts = [
        (translate("SignInSteps", "Problem"), spoken(step.problem)),
        (translate("SignInSteps", "Expected"), spoken(step.expected)),
        (translate("SignInSteps", "Sent"), step.sent),
        (translate("SignInSteps", "Received"), step.received),
    ]
    shown = [
        f"{name}:\n" + "\n".join(map(mark_hidden, text.splitlines()))
        for name, text in parts
        if text
    ]
    return "\n\n".join([head, *shown])


class SignInStepsDialog(QDialog):
    """A line for each step, the chosen one whole below; the one that failed is chosen first."""

    def __init__(self, parent: QWidget, theme: Theme, attempt: SignInAttempt) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._attempt = theme, attempt
        self.problem = plain_label("", "danger")
        self.list, self.whole = QTreeWidget(), WrappedTextEditor()
        self._set_up()
        box = QDialogButtonBox()
        self.copy = box.addButton(self.tr("Copy all"), QDialogButtonBox.ButtonRole.ActionRole)
        self.end = box.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text))
        box.rejected.connect(self.reject)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.list)
        splitter.addWidget(self.whole)
        splitter.setSizes([_SIZE[1] // 2, _SIZE[1] // 2])
        in_column(self, self.problem, (splitter, 1), box, margins=4, spacing=3)
        self.resize(*_SIZE)
        bridge.connect(self, attempt.changed, self._refresh)
        self._refresh()
        self.end.setDefault(True)  # only now: outside a dialog it has no effect
        self.list.setFocus()

    @property
    def text(self) -> str:
        """All steps, for a report; without secrets."""
        steps = "\n\n".join(step_text(step) for step in self._attempt.steps)
        return f"{self._attempt.problem}\n\n{steps}".strip()

    def _set_up(self) -> None:
        self.setWindowTitle(
            self.tr("Sign-in to “{name}”").format(name=mark_hidden(self._attempt.server))
        )
        self.list.setHeaderLabels(
            [self.tr("Step"), self.tr("Request"), self.tr("Answer"), self.tr("Time")]
        )
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAccessibleName(self.tr("Steps of the sign-in"))
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.list.currentItemChanged.connect(lambda: self._show_step())
        self.whole.setReadOnly(True)
        self.whole.setTabChangesFocus(True)
        self.whole.setAccessibleName(self.tr("The chosen step"))
        style(self.whole, "well", "mono")

    def _refresh(self) -> None:
        steps = self._attempt.steps
        for step in steps[self.list.topLevelItemCount() :]:
            self.list.addTopLevelItem(self._line(step))
        self.problem.setText(spoken(self._attempt.problem))
        self.problem.setVisible(bool(self._attempt.problem))
        if self.list.currentItem() is None and steps:
            wrong = [number for number, step in enumerate(steps) if step.is_wrong]
            chosen = wrong[-1] if wrong else len(steps) - 1
            if (item := self.list.topLevelItem(chosen)) is not None:
                self.list.setCurrentItem(item)

    def _line(self, step: SignInStep) -> QTreeWidgetItem:
        answer = str(step.status or "") if not step.problem else one_line(spoken(step.problem))
        time = seconds_label(step.seconds) if step.seconds else ""
        request = one_line(mark_hidden(f"{step.method} {step.url}".strip()))
        item = QTreeWidgetItem([step_label(step.kind), request, answer, time])
        if step.is_wrong:
            for column in range(item.columnCount()):
                item.setForeground(column, self._theme.color("danger"))
        return item

    def _show_step(self) -> None:
        item, steps = self.list.currentItem(), self._attempt.steps
        number = self.list.indexOfTopLevelItem(item) if item is not None else -1
        self.whole.setPlainText(step_text(steps[number]) if 0 <= number < len(steps) else "")
