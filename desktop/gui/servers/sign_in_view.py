"""Signing in to a server, where its error stands: the way to the browser, and back out.

Shows one server at a time; the sign-ins of others go on meanwhile. Opens no page but the one whose
host is shown, and that after a click alone.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QPushButton

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.theme import style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label

if TYPE_CHECKING:
    import asyncio

    from desktop.gui.servers.sign_in_steps import SignInStepsDialog
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.oauth.attempt import SignInAttempt
    from desktop.servers.oauth.credentials import Credentials
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
        self.words = plain_label("")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
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
        from desktop.gui.servers.sign_in_steps import SignInStepsDialog

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
