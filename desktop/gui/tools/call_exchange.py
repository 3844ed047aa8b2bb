"""Takes a call's arguments in and out of its form: copied, pasted, opened from elsewhere, emptied.

Whatever replaces what was there keeps it, to be put back with one click. Runs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from desktop.gui.form.json_text import JsonTextError
from desktop.gui.form.pasted_call import NotArgumentsError, read_pasted
from desktop.gui.spoken import spoken
from desktop.gui.tools.call_copy import call_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.form.form_state import FormState
    from desktop.gui.form.schema_form import SchemaForm
    from desktop.gui.tools.call_copy import Form
    from desktop.gui.tools.notice import InlineNotice
    from desktop.gui.tools.ports import ServerSource
    from desktop.tool_types import JsonObject, ToolDefinition


class CallSource(Protocol):
    """The tool and its form as they are now."""

    @property
    def tool(self) -> ToolDefinition: ...
    @property
    def form(self) -> SchemaForm: ...


class ArgumentClipboard(QObject):
    """Tells in a notice what it did, and what can be undone."""

    copied = Signal(str)
    """In words."""

    def __init__(
        self, call: CallSource, server_of: ServerSource, notice: InlineNotice, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._call = call
        self._server_of = server_of
        self._notice = notice
        self._before: FormState | None = None
        notice.acted.connect(self.put_back)

    @property
    def has_server(self) -> bool:
        return self._server_of(self._call.tool.server) is not None

    def copy(self, form: Form) -> None:
        """Put the call on the clipboard, or say why that cannot be."""
        if self._is_unread():
            return
        tool, server = self._call.tool, self._server_of(self._call.tool.server)
        try:
            text = call_text(form, tool, self._call.form.value(), server)
        except (ValueError, RecursionError) as error:
            reason = str(error)
            self._say(lambda: self.tr("Not copied: {reason}.").format(reason=reason))
            return
        QGuiApplication.clipboard().setText(text)
        names = {
            "arguments": self.tr("Copied the arguments"),
            "request": self.tr("Copied the request"),
            "command": self.tr("Copied the command"),
            "python": self.tr("Copied the program"),
        }
        self.copied.emit(names[form])

    def arguments(self) -> JsonObject | None:
        """The arguments to be taken elsewhere; None, in words, while they cannot be read."""
        return None if self._is_unread() else self._call.form.value()

    def paste(self) -> None:
        """Take the arguments out of what was copied, or say why there are none."""
        tool = self._call.tool
        try:
            pasted = read_pasted(QGuiApplication.clipboard().text(), _declared(tool))
        except JsonTextError as error:
            place = error.line, error.column, str(error)
            self._say(lambda: self._not_json(*place))
        except NotArgumentsError:
            self._say(lambda: self.tr("What you copied is no JSON object and no single call."))
        else:
            other = pasted.tool if pasted.tool not in {"", tool.name, tool.key} else ""
            self.fill(pasted.arguments)
            if other:
                self._offer(lambda: self.tr("Taken from a call of {tool}.").format(tool=other[:80]))

    def fill(self, arguments: JsonObject) -> None:
        """Show these arguments; what was there can be put back."""
        self._replace(lambda form: form.set_value(arguments))
        self._offer(lambda: self.tr("The arguments were replaced."))

    def clear(self) -> None:
        """Empty the form; what was there can be put back."""
        self._replace(lambda form: form.clear())
        self._offer(lambda: self.tr("The form was emptied."))

    def put_back(self) -> None:
        """Show again what was there before the last replacement."""
        if self._before is not None:
            self._call.form.put_back(self._before)
        self._before = None
        self._notice.hide()

    def _replace(self, act: Callable[[SchemaForm], None]) -> None:
        form = self._call.form
        before = form.state()
        act(form)
        is_new = not before.is_empty and before != form.state()
        self._before = before if is_new else None

    def _offer(self, words: Callable[[], str]) -> None:
        """Say what happened where something can be put back, and nothing where nothing is lost."""
        if self._before is None:
            self._notice.hide()
            return
        self._notice.say(lambda: (words(), self.tr("Put back what was there")))

    def _say(self, words: Callable[[], str]) -> None:
        self._before = None
        self._notice.say(lambda: (words(), ""))

    def _is_unread(self) -> bool:
        if not self._call.form.is_unread:
            return False
        self._call.form.reveal_issues()
        self._say(
            lambda: self.tr("Not yet: a text in the arguments is not JSON. Correct it first.")
        )
        return True

    def _not_json(self, line: int, column: int, problem: str) -> str:
        words = self.tr("What you copied is not JSON: line {line}, column {column}: {problem}")
        return words.format(line=line, column=column, problem=spoken(problem))


def _declared(tool: ToolDefinition) -> list[str]:
    """The names of the tool's own properties."""
    properties: object = tool.input_schema.get("properties")
    return list(cast("Mapping[str, Any]", properties)) if isinstance(properties, Mapping) else []
