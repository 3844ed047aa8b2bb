"""*Save as case* below a chat: its questions and its calls become a case, edited as JSON first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QToolButton

from desktop.features.chat.gui.entries import ToolCallEntry, UserEntry
from desktop.features.saved_calls.variables import escape
from desktop.gui import bridge
from desktop.gui.form.model.json_text import JsonTextError, read_json
from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.redaction.arguments import redact_arguments
from desktop.values.json_schema import object_of
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.evals.board import EvalBoard
    from desktop.tools.registry import ToolSource

_SIZE = space(150), space(100)


def case_of(chat: Chat, tools: ToolSource) -> dict[str, Any]:
    """A case of what was asked and called in a chat; secrets in arguments are left out."""
    questions: list[str] = []
    calls: list[dict[str, Any]] = []
    for entry in chat.entries.entries:
        if isinstance(entry, UserEntry):
            questions.append(escape(entry.text.text))
        elif isinstance(entry, ToolCallEntry) and entry.key:
            tool = tools.get(entry.key)
            schema = tool.definition.input_schema if tool is not None else EMPTY
            hidden = redact_arguments(entry.arguments, schema)
            secret = {place[0] for place in hidden.places if place}
            shown = {name: each for name, each in entry.arguments.items() if name not in secret}
            calls.append({"tool": entry.key, "arguments": escape(shown)})
    case: dict[str, Any] = {"name": chat.title or "case"}
    case["ask"] = questions[0] if len(questions) == 1 else questions
    if not calls:
        case["servers"] = list(chat.setup.choice.servers)
    return case | {"expect": {"calls": calls}}


class SaveCaseButton(QToolButton):
    """Shown once the chat has an answer."""

    def __init__(self, page: ChatPage, board: Callable[[], EvalBoard], tools: ToolSource) -> None:
        super().__init__(page)
        self._page, self._board, self._tools = page, board, tools
        style(self, "flat")
        self.setText(self.tr("Save as case…"))
        self.setToolTip(self.tr("Ask this of a model again and again, and expect these calls"))
        self.clicked.connect(self.open)
        page.view.shown.connect(self.show_chat)
        self.hide()

    def show_chat(self, chat: Chat) -> None:
        """Follow what the chat has."""
        has_answer = chat.session is not None or bool(chat.id)
        self.setVisible(has_answer and not chat.is_busy and chat.entries.last_question is not None)

    def open(self) -> SaveCaseDialog | None:
        """Ask what is to be expected."""
        chat = self._page.view.chat
        if chat is None:
            return None
        dialog = SaveCaseDialog(self._page, self._board(), case_of(chat, self._tools))
        dialog.open()
        return dialog


class SaveCaseDialog(QDialog):
    """The case as JSON, checked when it is saved."""

    def __init__(self, page: ChatPage, board: EvalBoard, case: dict[str, Any]) -> None:
        super().__init__(page)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Save as case"))
        self._board = board
        self.editor, self.problem = WrappedTextEditor(), plain_label("", "danger")
        self.editor.setPlainText(json.dumps(case, ensure_ascii=False, indent=2))
        self.editor.setAccessibleName(self.tr("The case as JSON"))
        self.editor.setTabChangesFocus(True)
        style(self.editor, "mono")
        words = plain_label(
            self.tr(
                "A model is asked this again and again. Say what its calls and its answer have to "
                "be; take out what does not matter."
            ),
            "muted",
        )
        self.problem.hide()
        box = QDialogButtonBox()
        self.save = box.addButton(self.tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.cancel = box.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        style(self.save, "primary")
        box.accepted.connect(self._save)
        box.rejected.connect(self.reject)
        in_column(self, words, (self.editor, 1), self.problem, box, margins=(5, 5, 5, 4))
        self.resize(*_SIZE)

    def show_error(self, message: str) -> None:
        """Why it cannot be saved; the bridge reports failures here."""
        self.problem.setText(message)
        self.problem.show()

    def _save(self) -> None:
        from desktop.features.evals.board import read_case
        from desktop.features.saved_calls.saved_call_files import CallFileError

        try:
            raw = dict(object_of(read_json(self.editor.toPlainText())))
            read_case(raw)
        except CallFileError as error:
            self.show_error(spoken(str(error)))
            return
        except JsonTextError as error:
            why = spoken(str(error))
            self.show_error(self.tr("Line {line}: {message}").format(line=error.line, message=why))
            return
        bridge.run(self, self._write(raw), self.tr("Saving the case"))

    async def _write(self, raw: dict[str, Any]) -> None:
        await self._board.add(raw)
        self.accept()
