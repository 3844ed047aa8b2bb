"""The dialog that names a call and its expectations, for a new saved call or an existing one.

Checks while the person types. The dialog writes nothing: `ask_for_name` saves what it returns.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.features.saved_calls.gui.expectation_rows import (
    KINDS,
    Row,
    RowError,
    expect_of,
    rows_of,
)
from desktop.features.saved_calls.gui.value_menu import InsertValueButton, value_sources
from desktop.features.saved_calls.recorded_calls import expected_result
from desktop.features.saved_calls.saved_call_files import CallFileError, parse_call
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.features.saved_calls.variables import VariableError, escape, find_references
from desktop.gui import bridge
from desktop.gui.form.json_view import JsonEditor
from desktop.gui.form.model.json_text import JsonTextError, read_json, write_json
from desktop.gui.layouts import LEFT, STRETCH, TOP, Gap, InnerRow, Stretch, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import scroll_inside
from desktop.gui.window_state import remember_size
from desktop.redaction.arguments import remove_places
from desktop.values.json_schema import object_of
from desktop.values.tool_types import ErrorCode, json_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtCore import QSettings

    from desktop.core import Core
    from desktop.features.saved_calls.gui.expectation_rows import RowKind
    from desktop.features.saved_calls.gui.value_menu import ValueSource
    from desktop.features.saved_calls.saved_call import SavedCall
    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonObject, JsonPath, ToolResult

_WIDTH = space(150)
translate = QCoreApplication.translate
_MAX_ROWS_HEIGHT = space(90)


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
        self.arguments = JsonEditor(theme)
        self.arguments.set_text(write_json(arguments))
        self.expect = ExpectationsForm(theme, self._call.get("expect") or {})
        self.insert = InsertValueButton(self.arguments.editor, sources)
        style(self.insert, "link")
        self._names = {source.name for source in sources}
        self.expect_result = QPushButton(self.tr("Expect the same result"))
        style(self.expect_result, "link")
        self._was_named = bool(self.name.text())
        self.problem, self.note = plain_label("", "danger"), plain_label("", "warning")
        self.variables = plain_label("", "small", "danger")
        self._labels = {key: plain_label("", "heading") for key in ("name", "arguments", "expect")}
        self._help = plain_label("", "muted", "small")
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
            self.problem.setVisible(bool(call))
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
        except RowError:
            return ""  # its row says it
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
        self.problem.setVisible(bool(self.problem.text()))
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
            Gap(2),
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
        places = listed(map(json_path, self._hidden))
        text = self.tr("Left out, because it looks like a secret: {places}")
        self.note.setText(text.format(places=places))


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


def kind_label(kind: RowKind) -> str:
    """What is looked at, as a person chooses it."""
    return {
        "success": translate("Expectations", "Succeeds"),
        "error": translate("Expectations", "Reports an error"),
        "contains": translate("Expectations", "Text contains"),
        "equals": translate("Expectations", "Value equals"),
        "matches": translate("Expectations", "Matches a schema"),
        "snapshot": translate("Expectations", "Is as in the snapshot"),
        "seconds": translate("Expectations", "Is faster than"),
    }[kind]


class ExpectationRow(QFrame):
    """What is looked at, what is expected of it, and a way to take it out."""

    edited = Signal()
    removed = Signal()

    def __init__(self, theme: Theme, row: Row) -> None:
        super().__init__()
        self._has_text = row.has_text
        self._was_filled = False  # nobody has done anything wrong yet
        self.kind, self.code = QComboBox(), QComboBox()
        self.path, self.text = QLineEdit(row.path), QLineEdit()
        self.json = JsonEditor(theme)
        self.problem = QLabel()
        self.unit = QLabel(self.tr("seconds"))
        self.remove = QToolButton()
        guard_focus(self.remove)  # the row that it would stand in next must not go, too
        style(self.remove, "flat")
        set_icon(theme, self.remove, "close", "muted")
        for label in (self.unit, self.problem):
            label.setTextFormat(Qt.TextFormat.PlainText)
        style(self.unit, "muted")
        for kind in KINDS:
            self.kind.addItem("", kind)
        self.code.addItem("", "")
        for code in ErrorCode:
            self.code.addItem(code.value, code.value)
        self._load(row)
        self._lay_out()
        self._set_texts()
        self._show_fields()
        self._connect()

    @property
    def row(self) -> Row:
        kind = cast("RowKind", self.kind.currentData())
        text = self.text.text()
        if kind == "matches":
            text = self.json.text
        elif kind == "error":
            text = str(self.code.currentData())
        return Row(kind, text, self.path.text(), self._has_text)

    def show_problem(self, words: str) -> None:
        self._was_filled |= bool(self.row.text)
        style(self.problem, "small", "danger" if self._was_filled else "muted")
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def _set_texts(self) -> None:
        for index, kind in enumerate(KINDS):
            self.kind.setItemText(index, kind_label(kind))
        self.code.setItemText(0, self.tr("any error"))
        self.kind.setAccessibleName(self.tr("What is looked at"))
        self.code.setAccessibleName(self.tr("Code of the error"))
        self.path.setAccessibleName(self.tr("Path of the value"))
        self.path.setPlaceholderText("items[0].name")
        self.json.editor.setAccessibleName(self.tr("JSON Schema"))
        self.remove.setToolTip(self.tr("Remove this expectation"))
        self.remove.setAccessibleName(self.tr("Remove this expectation"))
        self._name_text()

    def _load(self, row: Row) -> None:
        self.kind.setCurrentIndex(KINDS.index(row.kind))
        if row.kind == "matches":
            self.json.set_text(row.text)
        elif row.kind == "error":
            self.code.setCurrentIndex(max(self.code.findData(row.text), 0))
        else:
            self.text.setText(row.text)

    def _show_fields(self) -> None:
        kind = self.kind.currentData()
        self.code.setVisible(kind == "error")
        self.path.setVisible(kind == "equals")
        self.json.setVisible(kind == "matches")
        self.unit.setVisible(kind == "seconds")
        self.text.setVisible(kind in ("contains", "equals", "snapshot", "seconds"))
        self._name_text()

    def _name_text(self) -> None:
        hints = {
            "contains": (self.tr("Text"), self.tr("text of the result")),
            "equals": (self.tr("Value"), self.tr('3, "text" or ${{ NAME.path }}')),
            "snapshot": (
                self.tr("Paths to ignore"),
                self.tr("paths to ignore, such as items[*].id, createdAt"),
            ),
            "seconds": (self.tr("Seconds"), "2.5"),
        }
        name, hint = hints.get(self.kind.currentData(), ("", ""))
        self.text.setAccessibleName(name)
        self.text.setPlaceholderText(hint)

    def _connect(self) -> None:
        self.kind.currentIndexChanged.connect(lambda: self._change_kind())
        self.code.currentIndexChanged.connect(lambda: self.edited.emit())
        self.path.textChanged.connect(lambda: self.edited.emit())
        self.text.textChanged.connect(lambda: self.edited.emit())
        self.json.edited.connect(self.edited)
        self.remove.clicked.connect(self.removed)

    def _change_kind(self) -> None:
        self._show_fields()
        self.edited.emit()

    def _lay_out(self) -> None:
        line = InnerRow(
            (self.kind, TOP),
            (self.code, 1, TOP),
            (self.path, 2, TOP),
            (self.text, 3, TOP),
            (self.json, 5),
            self.unit,
            Stretch(0),
            (self.remove, TOP),
        )
        in_column(self, line, self.problem, spacing=1)
        self.problem.hide()


class ExpectationsForm(QWidget):
    """The rows, or the JSON of them; `edited` at each change."""

    edited = Signal()

    def __init__(self, theme: Theme, expect: dict[str, Any]) -> None:
        super().__init__()
        self._theme = theme
        self._without_row: dict[str, Any] = {}
        self.rows: list[ExpectationRow] = []
        self.json = JsonEditor(theme)
        self.as_json = QPushButton()
        self.add = QPushButton(self.tr("Add expectation"))
        for button in (self.add, self.as_json):
            style(button, "link")
        self.as_json.setCheckable(True)
        self.stack = QStackedWidget()
        self._area = QScrollArea()
        self._newest: ExpectationRow | None = None
        self._lay_out()
        self.set_expect(expect)
        self._name_switch()
        self.json.editor.setAccessibleName(self.tr("Expectations"))
        self.add.clicked.connect(lambda: self.add_row(Row("contains")))
        # Only now there is room for what was added.
        self._area.verticalScrollBar().rangeChanged.connect(lambda: self._show_newest())
        self.as_json.toggled.connect(self._switch)
        self.json.edited.connect(self.edited)
        self._rows.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Only now is it known how high the rows are, with what is said below them."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    @property
    def is_json(self) -> bool:
        return self.stack.currentWidget() is self.json

    def value(self) -> Any:
        """What is expected, as a file has it.

        Raises:
            JsonTextError: the JSON is none.
            RowError: a row is not whole; it says so itself, too.
        """
        if self.is_json:
            return read_json(self.json.text.strip() or "{}")
        for row in self.rows:
            row.show_problem("")
        try:
            return expect_of(row.row for row in self.rows) | self._without_row
        except RowError as error:
            self.rows[error.index].show_problem(spoken(str(error.args[0])))
            raise

    def set_expect(self, expect: dict[str, Any]) -> None:
        """Show this in the form and as JSON."""
        self.json.set_text(write_json(expect))
        self._without_row = {key: expect[key] for key in ("output",) if key in expect}
        for row in list(self.rows):
            self._take_out(row)
        for each in rows_of(expect):
            self._append(each)

    def add_row(self, row: Row) -> ExpectationRow:
        """Another expectation, ready to be filled in."""
        made = self._append(row)
        made.kind.setFocus()
        self._newest = made
        self.edited.emit()
        return made

    def _name_switch(self) -> None:
        self.as_json.setText(self.tr("Edit as form") if self.is_json else self.tr("Edit as JSON"))

    def _append(self, row: Row) -> ExpectationRow:
        made = ExpectationRow(self._theme, row)
        made.edited.connect(self.edited)
        made.removed.connect(lambda: self._remove(made))
        self.rows.append(made)
        self._column.insertWidget(len(self.rows) - 1, made)
        return made

    def _show_newest(self) -> None:
        if self._newest in self.rows:
            self._area.ensureWidgetVisible(self._newest)
        self._newest = None

    def _remove(self, row: ExpectationRow) -> None:
        if row not in self.rows:  # pressed once more before it was gone
            return
        index = self.rows.index(row)
        self._take_out(row)
        near = self.rows[min(index, len(self.rows) - 1)].kind if self.rows else self.add
        near.setFocus()
        self.edited.emit()

    def _take_out(self, row: ExpectationRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _switch(self, wants_json: bool) -> None:
        if wants_json == self.is_json:
            return
        try:
            expect = self.value()
            if not wants_json:
                self._show_rows(expect)
        except (RowError, JsonTextError, ValueError):
            # What is wrong is said where it is, and nothing that was typed is lost.
            self.as_json.setChecked(self.is_json)
            self.edited.emit()
            return
        if wants_json:
            self.json.set_text(write_json(expect))
        self._show_page(self.json if wants_json else self._form)
        self.add.setVisible(not wants_json)
        self._name_switch()
        self.edited.emit()

    def _show_page(self, page: QWidget) -> None:
        """Only what is shown takes room."""
        for each in (self.json, self._form):
            policy = each.sizePolicy()
            kept = QSizePolicy.Policy.Preferred if each is page else QSizePolicy.Policy.Ignored
            policy.setVerticalPolicy(kept)
            each.setSizePolicy(policy)
        self.stack.setCurrentWidget(page)

    def _show_rows(self, expect: Any) -> None:
        from desktop.features.saved_calls.saved_call import Expectations

        Expectations.model_validate(expect)  # a ValueError where a row could not show it
        self.set_expect(expect)

    def _fit(self) -> None:
        height = self._rows.sizeHint().height()
        self._area.setFixedHeight(min(height, _MAX_ROWS_HEIGHT))

    def _lay_out(self) -> None:
        self._rows, self._form = QWidget(), QWidget()
        self._column = in_column(self._rows, STRETCH)
        scroll_inside(self._area, self._rows)
        in_column(self._form, self._area, STRETCH)
        self.stack.addWidget(self._form)
        self.stack.addWidget(self.json)
        self._show_page(self._form)
        below = InnerRow(self.add, STRETCH, self.as_json)
        in_column(self, self.stack, below)
