"""What a person can do with a call besides running it: copy, paste, save, open its history.

`CallMenu` only requests; `ArgumentClipboard` moves arguments in and out of the form, and can put
back what it replaced. Must not run a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop.gui import shortcuts
from desktop.gui.form.model.json_text import JsonTextError
from desktop.gui.form.model.paste import NotArgumentsError, read_pasted
from desktop.gui.layouts import in_row
from desktop.gui.shortcuts import give
from desktop.gui.theme import style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.tools.snippets import plain_json, python_script, request_text, terminal_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.models import ServerConfig
    from desktop.gui.form.model.form_model import FormState
    from desktop.gui.form.schema_form import SchemaForm
    from desktop.gui.theme import Theme
    from desktop.gui.tools.interfaces import ServerSource
    from desktop.gui.widgets.inline_notice import InlineNotice
    from desktop.values.tool_types import JsonObject, ToolDefinition

Form: TypeAlias = Literal["arguments", "request", "command", "python"]
FORMS: Final[tuple[Form, ...]] = ("arguments", "request", "command", "python")


def is_wanted(owner: QObject, signal: str) -> bool:
    """Whether anything is connected to the signal of this name.

    PySide keeps an owner whose signal is turned into a method for ever (docs/pyside-report.md).
    """
    kind = owner.metaObject()
    methods = map(kind.method, range(kind.methodCount()))
    return any(each.name() == signal and owner.isSignalConnected(each) for each in methods)


def call_text(
    form: Form, tool: ToolDefinition, arguments: JsonObject, server: ServerConfig | None
) -> str:
    """The call as text.

    Args:
        form: what the text is for.
        tool: the tool to call.
        arguments: what to call it with.
        server: how the server is reached; only `python` needs it.

    Raises:
        ValueError, RecursionError: it cannot be written that way; the message says why.
    """
    if form == "arguments":
        return plain_json(dict(arguments), 2)
    if form == "request":
        return request_text(tool.name, arguments)
    if form == "command":
        return terminal_command(tool.key, arguments, tool.input_schema)
    if server is None:
        raise ValueError("its server is not in the config")
    return python_script(server, tool.name, arguments)


class CallSource(Protocol):
    """The tool and its form as they are now."""

    @property
    def tool(self) -> ToolDefinition: ...
    @property
    def form(self) -> SchemaForm: ...


class ArgumentClipboard(QObject):
    """Shows in a notice what it did, and offers to undo it."""

    copied = Signal(str)
    """A status message."""

    def __init__(
        self, call: CallSource, server_of: ServerSource, notice: InlineNotice, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._call = call
        self._server_of = server_of
        self._notice = notice
        self._before: FormState | None = None
        notice.action_requested.connect(self.put_back)

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
            self._show_words(self.tr("Not copied: {reason}.").format(reason=str(error)))
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
        """The form's arguments; None if they cannot be read, and the notice says why."""
        return None if self._is_unread() else self._call.form.value()

    def paste(self) -> None:
        """Fill in the arguments on the clipboard, or say why there are none."""
        tool = self._call.tool
        try:
            pasted = read_pasted(QGuiApplication.clipboard().text(), _declared(tool))
        except JsonTextError as error:
            self._show_words(self._not_json(error.line, error.column, str(error)))
        except NotArgumentsError:
            self._show_words(
                self.tr("The clipboard does not contain a JSON object or a single call.")
            )
        else:
            other = pasted.tool if pasted.tool not in {"", tool.name, tool.key} else ""
            self.fill(pasted.arguments)
            if other:
                self._offer(self.tr("Pasted from a call of {tool}.").format(tool=other[:80]))

    def fill(self, arguments: JsonObject) -> None:
        """Show these arguments; the previous ones can be restored."""
        self._replace(lambda form: form.set_value(arguments))
        self._offer(self.tr("Arguments replaced."))

    def clear(self) -> None:
        """Empty the form; the previous arguments can be restored."""
        self._replace(lambda form: form.clear())
        self._offer(self.tr("Form cleared."))

    def put_back(self) -> None:
        """Restore the arguments from before the last replacement."""
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

    def _offer(self, words: str) -> None:
        """Say what happened if something can be restored; say nothing if nothing was lost."""
        if self._before is None:
            self._notice.hide()
            return
        self._notice.say(words, self.tr("Undo"))

    def _show_words(self, words: str) -> None:
        self._before = None
        self._notice.say(words)

    def _is_unread(self) -> bool:
        if not self._call.form.is_unread:
            return False
        self._call.form.reveal_issues()
        self._show_words(self.tr("The arguments contain invalid JSON. Correct it first."))
        return True

    def _not_json(self, line: int, column: int, problem: str) -> str:
        words = self.tr("The clipboard is not valid JSON: line {line}, column {column}: {problem}")
        return words.format(line=line, column=column, problem=spoken(problem))


def _declared(tool: ToolDefinition) -> list[str]:
    """The names of the tool's own properties."""
    properties: object = tool.input_schema.get("properties")
    return list(cast("Mapping[str, Any]", properties)) if isinstance(properties, Mapping) else []


class CallMenu(QWidget):
    """The buttons; their keys work inside the widget `keys_of`."""

    copy_requested = Signal(str)
    """A `Form` of `call_text`."""
    paste_requested = Signal()
    save_requested = Signal()
    history_requested = Signal()
    offer_requested = Signal()
    """The menu opens: `offer` should say what can be done."""

    def __init__(self, theme: Theme, keys_of: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys_of = keys_of
        self.copy_button, self.more_button = QToolButton(self), QToolButton(self)
        self.copy_actions = {form: self._action(self._copier(form)) for form in FORMS}
        self.paste = self._action(self.paste_requested.emit)
        self.save = self._action(self.save_requested.emit)
        self.history = self._action(self.history_requested.emit)
        self._copy_menu = self._menu(self.copy_button, *self.copy_actions.values())
        self._more_menu = self._menu(self.more_button, self.paste, self.save, self.history)
        set_icon(theme, self.copy_button, "copy", "muted")
        set_icon(theme, self.more_button, "more", "muted")
        in_row(self, self.copy_button, self.more_button, spacing=1)
        for action, keys in (
            (self.copy_actions["arguments"], shortcuts.COPY_ARGUMENTS),
            (self.paste, shortcuts.PASTE_ARGUMENTS),
            (self.save, shortcuts.SAVE_CALL),
            (self.history, shortcuts.EARLIER_CALLS),
        ):
            give(action, keys)
        self.offer(has_server=False, has_save=False, has_history=False)
        for menu in (self._copy_menu, self._more_menu):
            menu.aboutToShow.connect(self.offer_requested)
        self._set_texts()

    def offer(self, *, has_server: bool, has_save: bool, has_history: bool) -> None:
        """Offer only what works: a program needs a known server, saving needs a listener."""
        self.copy_actions["python"].setEnabled(has_server)
        self.save.setVisible(has_save)
        self.history.setVisible(has_history)

    def _copier(self, form: Form) -> Callable[[], None]:
        return lambda: self.copy_requested.emit(form)

    def _action(self, act: Callable[[], None]) -> QAction:
        action = QAction(self)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda: act())
        self._keys_of.addAction(action)
        return action

    def _menu(self, button: QToolButton, *actions: QAction) -> QMenu:
        style(button, "flat")
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        menu.addActions(list(actions))
        button.setMenu(menu)
        return menu

    def _set_texts(self) -> None:
        copied = {
            "arguments": self.tr("Arguments as JSON"),
            "request": self.tr("JSON-RPC request"),
            "command": self.tr("Terminal command"),
            "python": self.tr("Python program"),
        }
        for form, action in self.copy_actions.items():
            action.setText(copied[form])
        self.copy_button.setText(self.tr("Copy as"))
        self.paste.setText(self.tr("Paste JSON as arguments"))
        self.save.setText(self.tr("Save call…"))
        self.history.setText(self.tr("Earlier calls"))
        for button, name in (
            (self.copy_button, self.tr("Copy this call as…")),
            (self.more_button, self.tr("More actions for this call")),
        ):
            button.setToolTip(name)
            button.setAccessibleName(name)
