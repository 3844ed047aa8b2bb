"""Signing in to a server, where its error stands: the way to the browser, and back out.

Shows one server at a time; the sign-ins of others go on meanwhile. Opens no page but the one whose
host is shown, and that after a click alone. Secrets were taken out where the steps were made.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHeaderView,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.servers.labels import one_line, seconds_label
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, selectable_label
from desktop.gui.widgets.text_editors import WrappedTextEditor

if TYPE_CHECKING:
    import asyncio

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.oauth.attempt import SignInAttempt
    from desktop.servers.oauth.credentials import Credentials
    from desktop.servers.oauth.steps import SignInStep, StepKind
    from desktop.servers.service import McpService


class SignInView(QFrame):
    """Hidden for a server that needs no sign-in."""

    def __init__(self, theme: Theme, service: McpService) -> None:
        super().__init__()
        self._theme, self._service = theme, service
        self._connection: ServerConnection | None = None
        self._attempts: dict[str, SignInAttempt] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._problem = ""
        self._offered: tuple[QPushButton, ...] = ()
        self.words = selectable_label("")
        self.begin, self.open = QPushButton(), QPushButton()
        self.copy = QPushButton(self.tr("Copy address"))
        self.cancel = QPushButton()
        self.sign_out = QPushButton(self.tr("Sign out"))
        self.steps = QPushButton(self.tr("Steps…"))
        style(self.begin, "primary")
        style(self.open, "primary")
        set_icon(theme, self.open, "link", "accent_text")
        self._lay_out()
        self.begin.clicked.connect(self._begin)
        self.open.clicked.connect(self._open)
        self.copy.clicked.connect(self._copy)
        self.cancel.clicked.connect(self._cancel)
        self.steps.clicked.connect(lambda: self.show_steps())
        self.sign_out.clicked.connect(self._sign_out)
        self.copy.setToolTip(self.tr("To sign in with another browser on this computer"))
        self.steps.setToolTip(self.tr("Each request and answer, and what was expected"))
        self.sign_out.setToolTip(self.tr("Delete the tokens and revoke them"))
        self.setAccessibleName(self.tr("Sign-in"))
        self._refresh()

    @property
    def attempt(self) -> SignInAttempt | None:
        """The last one at the server that is shown; one that succeeded is forgotten."""
        return self._attempts.get(self._connection.name) if self._connection is not None else None

    def show_server(self, connection: ServerConnection | None) -> None:
        """Show another server from now on, or what the same one is now."""
        if connection is not self._connection:
            self._problem = ""
        self._connection = connection
        self._refresh()

    def show_steps(self) -> SignInStepsDialog | None:
        """Show each request and answer of the attempt."""
        if (attempt := self.attempt) is None:
            return None
        dialog = SignInStepsDialog(self, self._theme, attempt)
        dialog.open()
        return dialog

    def _refresh(self) -> None:
        had_focus = any(button.hasFocus() for button in self._buttons)
        shown = self._shown_buttons()
        self.setHidden(not shown)
        for button in self._buttons:
            button.setVisible(button in shown)
        words = self._problem or self._words()
        self.words.setText(words)
        self.words.setVisible(bool(words))
        attempt = self.attempt
        is_failed = bool(self._problem) or (attempt is not None and attempt.phase == "failed")
        style(self.words, *(("danger",) if is_failed else ()))
        self._name_buttons()
        if had_focus and shown and shown != self._offered:  # the keys go on with the next step
            shown[0].setFocus(Qt.FocusReason.OtherFocusReason)
        self._offered = shown

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.begin, self.open, self.copy, self.cancel, self.steps, self.sign_out

    def _shown_buttons(self) -> tuple[QPushButton, ...]:
        """The first of them is the next step."""
        connection, attempt = self._connection, self.attempt
        if connection is None or not connection.config.url:
            return ()
        if attempt is not None:
            match attempt.phase:
                case "ready" | "waiting":
                    return self.open, self.copy, self.cancel
                case "preparing" | "finishing":
                    return (self.cancel,)
                case _:
                    return self.begin, self.steps, self.cancel
        if connection.is_enabled and connection.state.challenge is not None:
            return (self.begin,)
        return (self.begin, self.sign_out) if self._credentials is not None else ()

    @property
    def _credentials(self) -> Credentials | None:
        """Whose sign-in the server has; the first request to it has read them."""
        connection = self._connection
        if connection is None or not connection.config.url or not connection.is_connected:
            return None
        return self._service.sign_ins.store.known(connection.name)

    def _words(self) -> str:
        connection, attempt = self._connection, self.attempt
        if connection is None:
            return ""
        if attempt is not None:
            return self._words_of(attempt)
        if (challenge := connection.state.challenge) is not None:
            return self.tr("It needs more permissions.") if challenge.wants_more else ""
        credentials = self._credentials
        if credentials is None:
            return ""
        host = QUrl(credentials.issuer or credentials.token_endpoint).authority()
        words = self.tr("Signed in at {host}.").format(host=mark_hidden(host))
        if problem := self._service.sign_ins.store.problem:
            kept = self.tr("Signed in for this run only: {problem}")
            words += "\n" + kept.format(problem=spoken(problem))
        return words

    def _words_of(self, attempt: SignInAttempt) -> str:
        host = mark_hidden(attempt.host)
        match attempt.phase:
            case "preparing":
                return self.tr("Looking for the sign-in page…")
            case "ready":
                return self.tr("Sign in at {host}. The page opens in your browser.").format(
                    host=host
                )
            case "waiting":
                until = time.strftime("%H:%M", time.localtime(attempt.ends_at))
                return self.tr("Waiting for your sign-in at {host}, until {time}.").format(
                    host=host, time=until
                )
            case "finishing":
                return self.tr("Finishing the sign-in…")
            case _:
                return spoken(attempt.problem)

    def _begin(self) -> None:
        if self._connection is None:
            return
        from desktop.servers.oauth.attempt import SignInAttempt  # brings the SDK's OAuth

        name = self._connection.name
        is_another = self._connection.is_connected
        attempt = SignInAttempt(self._service, name, as_another=is_another)
        self._attempts[name] = attempt
        self._problem = ""
        bridge.connect(self, attempt.changed, self._follow)
        task = bridge.run(self, attempt.run(), f"sign in to {name}")
        if task is not None:
            self._tasks[name] = task
        self._refresh()

    def _follow(self) -> None:
        """Forget the attempts that succeeded; one that failed stays to be read."""
        for attempt in list(self._attempts.values()):
            if not attempt.is_under_way:
                self._tasks.pop(attempt.server, None)
            if attempt.phase == "done":
                del self._attempts[attempt.server]
        self._refresh()

    def _open(self) -> None:
        attempt = self.attempt
        if attempt is None:
            return
        url = QUrl(attempt.url, QUrl.ParsingMode.StrictMode)
        # What Qt would open has to be at the host that was shown.
        is_clear = url.isValid() and url.authority() == attempt.host
        if is_clear and QDesktopServices.openUrl(url):
            self._problem = ""
            attempt.note_opened()
            return
        self._problem = self.tr(
            "No browser could be started. Copy the address and open it yourself."
        )
        self._refresh()

    def _copy(self) -> None:
        if (attempt := self.attempt) is not None:
            QGuiApplication.clipboard().setText(attempt.url)
            attempt.note_opened()

    def _cancel(self) -> None:
        attempt = self.attempt
        if attempt is None:
            return
        self._problem = ""
        if (task := self._tasks.pop(attempt.server, None)) is not None:
            task.cancel()
        del self._attempts[attempt.server]
        self._refresh()

    def _sign_out(self) -> None:
        if self._connection is not None:
            name = self._connection.name
            bridge.run(self, self._service.sign_out(name), f"sign out of {name}")

    def _lay_out(self) -> None:
        buttons = InnerRow(*self._buttons, STRETCH)
        in_column(self, self.words, buttons)

    def _name_buttons(self) -> None:
        attempt = self.attempt
        is_failed = attempt is not None and not attempt.is_under_way
        if is_failed:
            begin = self.tr("Try again")
        elif self._credentials is not None:
            begin = self.tr("Another account…")
        else:
            begin = self.tr("Sign in…")
        self.begin.setText(begin)
        style(self.begin, *(() if self._credentials is not None else ("primary",)))
        is_opened = attempt is not None and attempt.phase == "waiting"
        self.open.setText(self.tr("Open again") if is_opened else self.tr("Open browser"))
        self.cancel.setText(self.tr("Close") if is_failed else self.tr("Cancel"))


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
        self.list.ensurePolished()  # what is added before has rows without their padding
        self.list.setRootIsDecorated(False)
        self.list.setAllColumnsShowFocus(True)
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
