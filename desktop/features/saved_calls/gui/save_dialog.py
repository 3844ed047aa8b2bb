"""The dialog that names a call and its expectations, for a new saved call or an existing one.

Checks while the person types. The dialog writes nothing: `ask_for_name` saves what it returns.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
)

from desktop.base.visible_text import mark_hidden
from desktop.features.saved_calls.gui.expectation_rows import RowError
from desktop.features.saved_calls.gui.expectations_form import ExpectationsForm
from desktop.features.saved_calls.gui.value_menu import InsertValueButton, value_sources
from desktop.features.saved_calls.recorded_calls import expected_result
from desktop.features.saved_calls.saved_call_files import CallFileError, parse_call
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.features.saved_calls.variables import VariableError, escape, find_references
from desktop.gui import bridge
from desktop.gui.form.json_view import JsonEditor
from desktop.gui.form.model.json_text import JsonTextError, read_json, write_json
from desktop.gui.layouts import LEFT, STRETCH, Gap, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.window_state import remember_size
from desktop.redaction.arguments import remove_places
from desktop.values.json_schema import object_of
from desktop.values.tool_types import json_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.features.saved_calls.gui.value_menu import ValueSource
    from desktop.features.saved_calls.saved_call import SavedCall
    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonObject, JsonPath, ToolResult

_WIDTH = space(150)


class SaveCallDialog(QDialog):
    """Name, arguments and expectations of one call; non-modal, opened with `open()`."""

    saved = Signal(object)
    """The finished `SavedCall`."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        call: JsonObject,
        result: ToolResult | None = None,
        hidden: Iterable[JsonPath] = (),
        sources: Sequence[ValueSource] = (),
    ) -> None:
        """Args: call: as a file has it, `tool` at least.

        result: the result of the call, to be expected again; None if it has not run.
        hidden: paths of secrets in the arguments; they are left out.
        sources: other saved calls, whose values can be put in.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._hidden = tuple(hidden)
        arguments = remove_places(call.get("arguments") or {}, self._hidden)
        self._call: dict[str, Any] = {**call, "arguments": arguments}
        self._result = result
        self.name = QLineEdit(str(call.get("name") or ""))
        self.name.setMaxLength(200)
        self.arguments = JsonEditor(theme, 4)
        self.arguments.set_text(write_json(arguments))
        self.expect = ExpectationsForm(theme, self._call.get("expect") or {})
        self.insert = InsertValueButton(self.arguments.editor, sources)
        style(self.insert, "link")
        self._names = {source.name for source in sources}
        self.expect_result = QPushButton(self.tr("Expect the same result"))
        style(self.expect_result, "link")
        self._was_named = bool(self.name.text())
        self.problem, self.note = _text("danger"), _text("warning")
        self.variables = _text("small", "danger")
        self._labels = {key: _text("heading") for key in ("name", "arguments", "expect")}
        self._help = _text("muted", "small")
        roles = QDialogButtonBox.ButtonRole
        self._box = QDialogButtonBox()
        self.save = self._box.addButton("", roles.AcceptRole)
        self.cancel = self._box.addButton("", roles.RejectRole)
        style(self.save, "primary")
        self._lay_out()
        self._set_texts()
        self._connect()
        self._check()

    def accept(self) -> None:
        """Send the call and close; if something is wrong, stay open and say what."""
        call = self._read()
        if isinstance(call, str):
            self.problem.setText(call)
            self.problem.show()
            return
        super().accept()
        self.saved.emit(call)

    def _read(self) -> SavedCall | str:
        """The call as typed, or what is wrong with it."""
        if not self.name.text().strip():
            return self.tr("Enter a name for the call.")
        try:
            typed = {
                "name": self.name.text().strip(),
                "arguments": read_json(self.arguments.text),
                "expect": self.expect.value(),
            }
            return parse_call(json.dumps(self._call | typed))
        except RowError as error:
            return spoken(str(error.args[0]))
        except JsonTextError as error:
            return self.tr("Line {line}: {message}").format(
                line=error.line, message=spoken(str(error))
            )
        except CallFileError as error:
            return spoken(str(error))

    def _check(self) -> None:
        call = self._read()
        is_wrong = isinstance(call, str)
        self.problem.setText(call if isinstance(call, str) else "")
        self.problem.setVisible(is_wrong)
        self._was_named |= bool(self.name.text())
        is_hint = not self.name.text() and not self._was_named  # nobody has done anything wrong yet
        style(self.problem, "muted" if is_hint else "danger")
        words, is_unreadable = self._misread()
        self.variables.setText(words)
        self.variables.setVisible(bool(words))
        style(self.variables, "small", "danger" if is_unreadable else "warning")
        self.save.setEnabled(not is_wrong and not is_unreadable)

    def _misread(self) -> tuple[str, bool]:
        """What is wrong with the placeholders, and whether the call could never run with them."""
        try:
            used = find_references([read_json(self.arguments.text), self._expected_values()])
        except JsonTextError:
            return "", False  # said elsewhere
        except VariableError as error:
            return spoken(str(error)), True
        if any(each.name == self.name.text().strip() for each in used):
            return self.tr("A call cannot use a value of its own result."), True
        missing = [each.name for each in used if each.name not in self._names]
        if missing:
            text = self.tr("No saved call in this folder is named “{name}”.")
            return text.format(name=mark_hidden(missing[0])), False
        return "", False

    def _expected_values(self) -> list[object]:
        """Where a value can be used in what is expected; nothing while that is not whole."""
        try:
            expect: Any = self.expect.value()
        except (JsonTextError, RowError):
            return []
        return [object_of(expect).get(key) for key in ("contains", "equals")]

    def _take_result(self) -> None:
        if self._result is not None:
            self.expect.set_expect(expected_result(self._result))
            self._check()

    def _connect(self) -> None:
        self.name.textChanged.connect(lambda: self._check())
        self.arguments.edited.connect(self._check)
        self.expect.edited.connect(self._check)
        self.expect_result.clicked.connect(self._take_result)
        self._box.accepted.connect(self.accept)
        self._box.rejected.connect(self.reject)

    def _lay_out(self) -> None:
        self.expect_result.setVisible(self._result is not None)
        self.note.setVisible(bool(self._hidden))
        line = InnerRow((self._labels["arguments"], 1), self.insert)
        in_column(
            self,
            self._labels["name"],
            self.name,
            line,
            self.arguments,
            self.variables,
            self.note,
            Gap(2),
            self._labels["expect"],
            self._help,
            self.expect,
            (self.expect_result, LEFT),
            self.problem,
            Gap(2),
            STRETCH,
            self._box,
            margins=(5, 5, 5, 4),
        )
        self.setMinimumWidth(_WIDTH)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self.save.setDefault(True)  # Enter saves, wherever the focus is
        self.name.setFocus()

    def _set_texts(self) -> None:
        self.setWindowTitle(self.tr("Save call"))
        tool = str(self._call.get("tool", ""))
        self._labels["name"].setText(self.tr("Name of this call of {tool}").format(tool=tool))
        self._labels["arguments"].setText(self.tr("Arguments"))
        self._labels["expect"].setText(self.tr("Expectations"))
        self._help.setText(
            self.tr("All of these have to hold of the result. Without any, the call must succeed.")
        )
        self.name.setPlaceholderText(self.tr("e.g. adds two numbers"))
        self.name.setAccessibleName(self.tr("Name"))
        self.arguments.editor.setAccessibleName(self.tr("Arguments"))
        self.save.setText(self.tr("Save"))
        self.cancel.setText(self.tr("Cancel"))
        places = ", ".join(map(json_path, self._hidden))
        text = self.tr("Left out, because it looks like a secret: {places}")
        self.note.setText(text.format(places=places))


def _text(*roles: Any) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    style(label, *roles)
    return label


_FOLDER = "history/calls_folder"


def ask_for_name(
    parent: QWidget,
    theme: Theme,
    calls: SavedCalls,
    settings: QSettings,
    call: JsonObject,
    result: ToolResult | None = None,
    hidden: Iterable[JsonPath] = (),
) -> SaveCallDialog:
    """Open the dialog over `parent`, which also shows why a call could not be saved.

    Args: as `SaveCallDialog`; but the arguments are those of a call, in which nothing stands for a
    value of another. settings: stores the size.
    """
    literal = {**call, "arguments": escape(call.get("arguments") or {})}
    sources = value_sources(calls)
    dialog = SaveCallDialog(parent, theme, literal, result, hidden, sources)
    remember_size(dialog, settings, "saved call")
    doing = QCoreApplication.translate("Saving", "Saving the call")

    def save(parent: QWidget, finished: SavedCall) -> None:
        bridge.run(parent, calls.add(finished), doing)

    dialog.saved.connect(bridge.if_alive(parent, save))
    dialog.open()
    return dialog


def use_chosen_folder(calls: SavedCalls, settings: QSettings) -> None:
    """Use the folder that was chosen in an earlier run, if any, for `calls`."""
    if folder := str(settings.value(_FOLDER) or ""):
        calls.folder = Path(folder)


def chosen_calls(core: Core, settings: QSettings) -> SavedCalls:
    """The calls of that folder, else of the usual one; not read yet."""
    calls = SavedCalls(core.paths.saved_calls, core.history)
    use_chosen_folder(calls, settings)
    return calls


def remember_folder(settings: QSettings, folder: str) -> None:
    settings.setValue(_FOLDER, folder)
