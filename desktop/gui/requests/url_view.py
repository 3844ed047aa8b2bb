"""An address that a server wants visited: shown in full, its host marked, opened by a click alone.

Must not open an address whose host Qt reads differently than the core did, and fetches nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPushButton, QTextEdit

from desktop.base.visible_text import escape_hidden, mark_hidden
from desktop.gui.import_export.labels import warning_label
from desktop.gui.requests.request_view import RequestView, server_text
from desktop.gui.theme import style
from desktop.gui.widgets.bounded_text import MAX_SHOWN_LENGTH
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.servers.requests import Accepted

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import Theme
    from desktop.servers.requests import UrlElicitationRequest


def open_in_browser(url: QUrl) -> bool:
    """Have the system's browser show it."""
    return QDesktopServices.openUrl(url)


class UrlView(RequestView):
    """*Open in browser* agrees; where a call waits for what is done there, *I'm done* does."""

    def __init__(
        self,
        theme: Theme,
        request: UrlElicitationRequest,
        open_url: Callable[[QUrl], bool] = open_in_browser,
    ) -> None:
        super().__init__(theme)
        self._request = request
        self._open_url = open_url
        self._url = QUrl(request.url, QUrl.ParsingMode.StrictMode)
        self.address = server_text("well", "mono")
        self.host = plain_label("", "heading")
        self.open = QPushButton(self.tr("Open in browser"), self)
        self.done = QPushButton(self.tr("I'm done"), self)
        self.copy = QPushButton(self.tr("Copy address"), self)
        self.done.setToolTip(self.tr("Lets the server continue"))
        self.address.setAccessibleName(self.tr("Address"))
        style(self.copy, "link", "small")
        set_icon(theme, self.open, "link", "accent_text")
        self.show_message(request.message)
        self._show_address()
        self.column.addWidget(self.host)
        self.column.addWidget(self.address)
        self.column.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)
        self.open.clicked.connect(self._open)
        self.done.clicked.connect(lambda: self.send(Accepted()))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(request.url))
        self.finish_layout(self.open, self.done)
        self.done.setVisible(request.blocks_call)
        self.answers.set_wanted(self.done, False)
        self.answers.set_wanted(self.open, self.is_clear)
        theme.changed.connect(self._mark_host)
        self._warn()

    @property
    def is_clear(self) -> bool:
        """Whether all of it is in sight, and everybody reads the same host out of it."""
        if (
            len(self._request.url) > MAX_SHOWN_LENGTH
            or not self._url.isValid()
            or self._url.scheme() not in {"https", "http"}
        ):
            return False
        wanted = QUrl(f"https://{self._request.host}/").host()
        return bool(self._request.host) and self._url.host() == wanted

    def _open(self) -> None:
        if not self.answers.is_armed or not self.is_clear:
            return
        if not self._open_url(self._url):
            self.show_problem(
                self.tr("No browser could be started. Copy the address and open it yourself.")
            )
            return
        if self._request.blocks_call:
            self.answers.set_wanted(self.done, True)
            self.show_problem("")
        else:
            self.send(Accepted())

    def _show_address(self) -> None:
        self.address.show_text(escape_hidden(self._request.url))
        self._mark_host()

    def _mark_host(self) -> None:
        text, host = self.address.toPlainText(), self._request.host
        start = text.find("://") + 3
        owner = re.split(r"[/?#]", text[start:], maxsplit=1)[0]
        start += owner.rfind("@") + 1  # what is before it only looks like a host
        at = text.lower().find(host.lower(), start) if host else -1
        if at < 0:
            return
        mark = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.address.document())
        cursor.setPosition(at)
        cursor.setPosition(at + len(host), QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setBackground(self.theme.color("accent_soft"))
        form.setForeground(self.theme.color("accent"))
        mark.cursor, mark.format = cursor, form  # pyright: ignore[reportAttributeAccessIssue] Qt's own way to fill it in
        self.address.setExtraSelections([mark])

    def _warn(self) -> None:
        host = mark_hidden(self._request.host)
        self.host.setText(self.tr("It leads to {host}").format(host=host) if host else "")
        self.host.setVisible(bool(host))
        place = self.tr("The address")
        dangers = [danger for danger in self._request.dangers if danger.is_danger]
        sentences = [warning_label(replace(danger, place=place)) for danger in dangers]
        if not self.is_clear:
            sentences.append(
                self.tr(
                    "Programs may interpret this address differently, so it is not opened here."
                )
            )
        self.warning.show_sentences(sentences)
