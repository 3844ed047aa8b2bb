"""Editors for JSON: the arguments as a whole, and single fields that have no other widget.

Text that is not JSON stays as it was typed, with its mistake marked. Does not validate against the
schema: issues are given to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop.base.translatable import translatable
from desktop.gui.form.descriptions import placeholder_text
from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.issue_list import IssueList, ListedIssue
from desktop.gui.form.model.json_text import (
    JsonTextError,
    find_invalid_token,
    find_places,
    read_json,
    write_json,
)
from desktop.gui.layouts import TOP, InnerRow, Stretch, in_column
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.json_highlighter import JsonHighlighter
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.text_editors import CodeEditor, GrowingTextEditor
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.form.model.nodes import JsonNode
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.text_editors import Tone

_SHORT: Final = 24


class JsonEditor(QWidget):
    """Text, the place of its first mistake, and a button that sets it out cleanly."""

    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.editor = GrowingTextEditor(2)
        style(self.editor, "mono")
        self._highlighter = JsonHighlighter(self.editor.document(), theme)
        self.status = plain_label("")
        self.format_button = QPushButton(self.tr("Format"))
        style(self.format_button, "link", "small")
        self._lay_out()
        self.editor.textChanged.connect(self._edit)
        self.format_button.setAccessibleName(self.tr("Format the JSON"))
        self._check()

    @property
    def text(self) -> str:
        return self.editor.exact_text()

    def set_text(self, text: str) -> None:
        """Show a text without announcing it."""
        self.editor.blockSignals(True)
        self.editor.setPlainText(text)
        self.editor.blockSignals(False)
        self._check()

    def format(self) -> None:
        """Set the text out in lines; a text that is not JSON stays as it is."""
        try:
            text = write_json(read_json(self.text))
        except JsonTextError:
            return
        if text != self.text:
            cursor = self.editor.textCursor()
            cursor.select(cursor.SelectionType.Document)
            cursor.insertText(text)

    def _lay_out(self) -> None:
        below = InnerRow((self.status, 1), Stretch(0), (self.format_button, TOP), spacing=1)
        in_column(self, self.editor, below, spacing=1)
        self.format_button.clicked.connect(self.format)

    def _edit(self) -> None:
        self._check()
        self.edited.emit()

    def _check(self) -> None:
        text = self.text
        problem = _problem(text) if text.strip() else None
        self.format_button.setVisible("\n" in text.strip() or len(text) > _SHORT)
        self.format_button.setEnabled(problem is None)
        self.status.setVisible(problem is not None)
        style(self.editor, "mono", *(("invalid",) if problem else ()))
        style(self.status, "small", "danger" if problem else "muted")
        place = self.tr("Line {line}, column {column}: {problem}")
        self.status.setText(
            place.format(line=problem.line, column=problem.column, problem=spoken(str(problem)))
            if problem
            else ""
        )


def _problem(text: str) -> JsonTextError | None:
    try:
        read_json(text)
    except JsonTextError as error:
        return error
    return None


class JsonField(Field):
    """One value as JSON."""

    node: JsonNode

    def __init__(self, node: JsonNode, context: FormContext) -> None:
        super().__init__(node, context)
        self.json = JsonEditor(context.theme)
        self.json.editor.setPlaceholderText(placeholder_text(node.spec))
        in_column(self, self.json)
        self.json.set_text(node.text)
        self.json.edited.connect(self._type)

    def load(self) -> None:
        self.json.set_text(self.node.text)

    def target(self) -> QWidget:
        return self.json.editor

    def _type(self) -> None:
        self.node.type_text(self.json.text)
        self.edited.emit()


class ArgumentsJsonView(QWidget):
    """A JSON editor whose text has to be an object; no text at all is an empty one."""

    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.editor = CodeEditor(theme)
        self._highlighter = JsonHighlighter(self.editor.document(), theme)
        self.findings = IssueList(theme)
        self.hint = QLabel(named_keys(self.tr("Ctrl+Enter runs, Ctrl+J shows the form")))
        self.format_button = QPushButton(self.tr("Format"))
        self._read_of: str | None = None
        self._value: dict[str, Any] | None = {}
        self._mistake: ListedIssue | None = None
        self._lay_out()
        self.editor.setAccessibleName(self.tr("Arguments as JSON"))
        self.format_button.setAccessibleName(self.tr("Format the JSON"))
        self.editor.textChanged.connect(self.edited)
        self.findings.reveal_requested.connect(self.go_to)
        self.format_button.clicked.connect(self.format)

    @property
    def text(self) -> str:
        return self.editor.exact_text()

    @property
    def value(self) -> dict[str, Any] | None:
        """What the text stands for, None while it stands for nothing."""
        self._read()
        return self._value

    @property
    def issue(self) -> ValidationIssue | None:
        """Why the text stands for nothing."""
        self._read()
        return self._mistake.issue if self._mistake is not None else None

    def set_value(self, value: dict[str, Any]) -> None:
        self.set_text(write_json(value))

    def set_text(self, text: str) -> None:
        """Show a text without announcing it; what was there before cannot be undone to."""
        self.editor.blockSignals(True)
        self.editor.setPlainText(text)
        self.editor.blockSignals(False)
        self.show_issues(())

    def show_issues(self, issues: Sequence[ValidationIssue]) -> None:
        """List and mark what is wrong: with the text itself, else these findings of its value."""
        self._read()
        self.format_button.setEnabled(self._mistake is None)
        found = [self._mistake] if self._mistake is not None else self._placed(issues)
        marks: dict[int, Tone] = {}
        for each in sorted(found, key=lambda each: each.issue.severity == "error"):
            if each.line is not None:
                marks[each.line] = "danger" if each.issue.severity == "error" else "warning"
        self.editor.mark(marks)
        self.findings.show_issues(found)

    def go_to_issue(self, issue: ValidationIssue) -> None:
        """Put the cursor where a finding stands that was shown."""
        found = (each for each in self.findings.findings if each.issue == issue)
        self.go_to(next(found, ListedIssue(issue)))

    def go_to(self, finding: ListedIssue) -> None:
        self.editor.go_to(finding.offset or 0)

    def format(self) -> None:
        """Set the text out in lines, to be undone like typing; what is not JSON stays as it is."""
        if self.value is not None and (text := write_json(self.value)) != self.text:
            self.replace_text(text)

    def replace_text(self, text: str) -> None:
        """Type `text` over everything, to be undone like typing."""
        cursor = self.editor.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def _lay_out(self) -> None:
        style(self.format_button, "link", "small")
        style(self.hint, "small", "muted")
        below = InnerRow((self.hint, 1), self.format_button, spacing=1)
        in_column(self, (self.editor, 1), self.findings, below, spacing=1)
        self.editor.setMinimumHeight(space(18))

    def _read(self) -> None:
        """Parse the text, once for each state of it and not before somebody asks."""
        text = self.text
        if text == self._read_of:
            return
        self._read_of, self._value, self._mistake = text, None, None
        try:
            value: Any = read_json(text if text.strip() else "{}")
        except JsonTextError as error:
            self._mistake = _mistake(text, error)
            return
        if isinstance(value, dict):
            self._value = cast("dict[str, Any]", value)
        else:
            words = translatable("The arguments must be a JSON object: {{ … }}")
            self._mistake = ListedIssue(ValidationIssue((), "type", words), 0, 0)

    def _placed(self, issues: Sequence[ValidationIssue]) -> list[ListedIssue]:
        places = find_places(self.text, [issue.path for issue in issues])
        document = self.editor.document()
        return [
            ListedIssue(issue, document.findBlock(at).blockNumber(), at)
            for issue in issues
            for at in (places[issue.path],)
        ]


def _mistake(text: str, error: JsonTextError) -> ListedIssue:
    lines = text.split("\n")
    offset = sum(len(each) + 1 for each in lines[: error.line - 1]) + error.column - 1
    offset = offset or find_invalid_token(text)
    line, column = text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset)
    words = translatable(
        "Not valid JSON yet (line {line}, column {column}): {problem}",
        line=line + 1,
        column=column,
        problem=str(error),
    )
    return ListedIssue(ValidationIssue((), "format", words), line, offset, is_placed=True)
