"""Sends a request of the message log once more, as it was or as a person has changed it.

Through the connection that the server has now, with its limits; the answer is in the log like any
other. Must not record or show messages itself.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
)

from desktop.base.errors import UsageError
from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.shortcuts import bind, named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.field_rows import FieldRows
from desktop.gui.widgets.json_highlighter import JsonHighlighter
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.servers.raw_request import (
    MAX_METHOD_LENGTH,
    read_request,
    request_of,
    request_text,
    send_raw,
)
from desktop.values.tool_types import ErrorCode

if TYPE_CHECKING:
    from desktop.gui.activity.messages_view import MessagesView
    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageLog, RecordedMessage
    from desktop.servers.raw_request import RawRequest
    from desktop.servers.service import McpService

translate = QCoreApplication.translate
_SIZE = space(150), space(110)
_NOT_IN_LOG = frozenset((ErrorCode.UNREACHABLE, ErrorCode.TIMEOUT, ErrorCode.INTERNAL))
"""Failures that no message of the server tells."""


class RequestDialog(QDialog):
    """Method and parameters of a request, to be changed; `request` is what was sent off."""

    def __init__(
        self, parent: MessagesView, theme: Theme, before: RawRequest, message: RecordedMessage
    ) -> None:
        super().__init__(parent)
        self._before, self._message = before, message
        self.request: RawRequest | None = None
        self.method = QLineEdit(before.method)
        self.method.setMaxLength(MAX_METHOD_LENGTH)
        style(self.method, "mono")
        self.params = WrappedTextEditor()
        self.params.setFont(theme.mono_font())
        self.params.setTabChangesFocus(True)
        self.params.setPlainText(request_text(before, message))
        style(self.params, "mono")
        self._highlighter = JsonHighlighter(self.params.document(), theme)
        words = self.tr("Sent to {server} as your own request.")
        note = plain_label(words.format(server=mark_hidden(message.server)), "muted", "small")
        self.error = plain_label("", "danger", "small")
        self.error.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.send = buttons.addButton(self.tr("Send"), QDialogButtonBox.ButtonRole.AcceptRole)
        style(self.send, "primary")
        self.send.setToolTip(named_keys("Ctrl+Enter"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._lay_out(note, buttons)
        self.finished.connect(self.deleteLater)
        bind(self, shortcuts.ACCEPT, self.accept)
        self.params.setFocus()

    def accept(self) -> None:
        """Send what stands there, or say what is wrong with it."""
        try:
            self.request = read_request(
                self.method.text(), self.params.toPlainText(), self._before, self._message
            )
        except UsageError as error:
            self.error.setText(spoken(str(error)))
            self.error.show()
            return
        super().accept()

    def _lay_out(self, note: QLabel, buttons: QDialogButtonBox) -> None:
        self.setWindowTitle(self.tr("Edit and send"))
        self.setMinimumSize(*_SIZE)
        form = FieldRows()
        form.add(self.tr("Method"), self.method)
        self.params.setAccessibleName(self.tr("Parameters"))
        parts = (note, form, (self.params, 1), self.error, buttons)
        in_column(self, *parts, margins=(5, 5, 5, 4))


class RequestSender(QObject):
    """Sends for any view of messages; the new request is selected there with its answer."""

    def __init__(
        self, theme: Theme, service: McpService, traffic: MessageLog, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._theme, self._service, self._traffic = theme, service, traffic

    def serve(self, view: MessagesView) -> None:
        """Do what a person asks for in this view."""
        view.details.send_requested.connect(partial(self.send_again, view))
        view.details.edit_requested.connect(partial(self.edit, view))

    def send_again(self, view: MessagesView, message: RecordedMessage) -> None:
        """Send the request as it was."""
        if (request := request_of(message)) is not None:
            self._start(view, message, request)

    def edit(self, view: MessagesView, message: RecordedMessage) -> RequestDialog | None:
        """Show the request to be changed; it is sent once the person accepts it."""
        if (request := request_of(message)) is None:
            return None
        dialog = RequestDialog(view, self._theme, request, message)
        dialog.accepted.connect(
            bridge.if_alive(
                view,
                lambda view: dialog.request and self._start(view, message, dialog.request),
            )
        )
        dialog.open()
        return dialog

    def _start(self, view: MessagesView, message: RecordedMessage, request: RawRequest) -> None:
        doing = translate("RequestSender", "Sending the request")
        bridge.run(view, self._send(view, message.server, request), doing)

    async def _send(self, view: MessagesView, server: str, request: RawRequest) -> None:
        connection = self._service.connections.get(server)
        if connection is None:
            text = translate(
                "RequestSender", "{server} is not one of your servers: its chat may have ended."
            )
            raise UsageError(text.format(server=mark_hidden(server)))
        before = self._traffic.last
        call_id, error = await send_raw(connection, request)
        for message in self._traffic.after(before):
            if message.call_id == call_id and message.kind == "request":
                view.select(message.number)
                break
        if error is not None and error.code in _NOT_IN_LOG:
            raise UsageError(error.message)
