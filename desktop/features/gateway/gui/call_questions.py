"""Asks the person at the window about a call of another app, where they want to be asked.

One window of its own for each call, which takes no focus; closing it refuses the call. When the
call is cancelled, the window goes. Must not decide anything.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog
from shiboken6 import isValid

from desktop.base.visible_text import mark_hidden
from desktop.gui.layouts import in_column
from desktop.gui.theme import space
from desktop.gui.widgets.approval_panel import ApprovalPanel
from desktop.gui.widgets.labels import plain_label
from desktop.tools.approvals import ApprovalResponse

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.tools.approvals import ApprovalQuestion

_WIDTH = space(130)
_MAX_NAME_LENGTH = 60


class CallQuestion(QDialog):
    """Who wants to call what, and the answers."""

    def __init__(
        self, parent: QWidget, theme: Theme, client: str, question: ApprovalQuestion
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.answer: asyncio.Future[ApprovalResponse] = asyncio.get_running_loop().create_future()
        name = mark_hidden(client[:_MAX_NAME_LENGTH]) or self.tr("Another app")
        tool = mark_hidden(question.definition.key)
        words = self.tr("{app} wants to call {tool}").format(app=name, tool=tool)
        self.heading = plain_label(words, "heading")
        self.panel = ApprovalPanel(theme, question, self)
        self.setWindowTitle(words)
        in_column(self, self.heading, self.panel, margins=(5, 4, 5, 4), spacing=3)
        self.setMinimumWidth(_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()  # rather than any answer
        self.panel.answered.connect(self._take)
        answer = self.answer
        self.finished.connect(lambda: _refuse(answer))
        self.destroyed.connect(lambda: _refuse(answer))  # with its window

    def _take(self, response: ApprovalResponse) -> None:
        if not self.answer.done():
            self.answer.set_result(response)
            self.close()


def _refuse(answer: asyncio.Future[ApprovalResponse]) -> None:
    if not answer.done():
        answer.set_result(ApprovalResponse("deny"))


class WindowCallPrompter:
    """The `ApprovalPrompter` of one client, at this window."""

    def __init__(self, window: QWidget, theme: Theme, client: str) -> None:
        self._window, self._theme, self._client = window, theme, client

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        """Wait for the answer; being cancelled takes the question away."""
        dialog = CallQuestion(self._window, self._theme, self._client, question)
        answer = dialog.answer
        dialog.show()
        QApplication.alert(self._window)
        try:
            return await answer
        finally:
            if isValid(dialog):  # else it was closed
                dialog.close()
