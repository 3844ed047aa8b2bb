"""May this call be sent? Shows the exact arguments, which can be corrected, and the four answers.

Takes no focus, has no default button, and ignores clicks for a moment after it appeared, so that a
click meant for something else does not answer. `CodePreview` shows a text from a model or a server:
JSON for arguments, added and removed lines for a difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
)

from desktop.agent.events import ApprovalResponse
from desktop.gui.results.structured import pretty_json
from desktop.gui.theme import space, style
from desktop.gui.tools.tool_list_model import hints_of
from desktop.gui.translations import spoken
from desktop.gui.widgets.armed_buttons import ArmedButtons
from desktop.gui.widgets.bounded_text import BoundedText
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.json_highlighter import JsonHighlighter
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.retranslation import Retranslated

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from PySide6.QtGui import QTextDocument
    from PySide6.QtWidgets import QWidget

    from desktop.agent.events import ApprovalQuestion, Choice
    from desktop.gui.form.schema_form import SchemaForm
    from desktop.gui.theme import ColorName, Theme

    Kind: TypeAlias = Literal["json", "difference"]

_SIGNS: dict[str, ColorName] = {"+": "success", "-": "danger", "@": "muted"}


class DifferenceHighlighter(QSyntaxHighlighter):
    """Lines of a unified diff in the colours of the theme; their signs stay."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str, /) -> None:
        if (color := _SIGNS.get(text[:1])) is not None:
            form = QTextCharFormat()
            form.setForeground(self._theme.color(color))
            self.setFormat(0, len(text), form)


class CodePreview(Retranslated, BoundedText):
    """Arguments or a difference, in colours."""

    def __init__(self, theme: Theme, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__("well", "mono", parent=parent)
        self._is_json = kind == "json"
        highlighter = JsonHighlighter if self._is_json else DifferenceHighlighter
        self._highlighter = highlighter(self.document(), theme)
        self.retranslate()

    def show_arguments(self, arguments: Mapping[str, Any]) -> None:
        """Show arguments as JSON that can be read."""
        self.show_text(pretty_json(dict(arguments)) if arguments else "{}")

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Arguments") if self._is_json else self.tr("Difference"))


_FORM_HEIGHT = space(80)
_MAX_DESCRIPTION_LENGTH = 400


class ApprovalPanel(Retranslated, QFrame):
    """One open question; `answered` is sent once."""

    answered = Signal(object)
    """The `Answer`."""

    def __init__(
        self, theme: Theme, question: ApprovalQuestion, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.question = question
        self.heading = plain_label("", "heading")
        self.arguments = CodePreview(theme, "json", self)
        self.arguments.show_arguments(question.arguments)
        self.form: SchemaForm | None = None
        self.edit = QPushButton(self)
        style(self.edit, "link", "small")
        self.once, self.always = QPushButton(self), QPushButton(self)
        self.deny, self.never = QPushButton(self), QPushButton(self)
        self.reason = QLineEdit(self)
        self.reason.setMaxLength(500)
        self.problem = plain_label("", "danger")
        self.problem.hide()
        self._answers = ArmedButtons(self, self.once, self.always, self.deny, self.never)
        self._lay_out()
        self.retranslate()
        self._connect()

    @property
    def is_armed(self) -> bool:
        """Whether a click counts by now."""
        return self._answers.is_armed

    def arm(self) -> None:
        """Take answers from now on."""
        self._answers.arm()

    def edit_arguments(self) -> None:
        """Show the form of the tool with these arguments, to be corrected."""
        if self.form is not None:
            return
        from desktop.gui.form.schema_form import SchemaForm  # jsonschema: when it is wanted

        self.form = SchemaForm(self.question.definition.input_schema, self._theme, self)
        self.form.set_value(self.question.arguments)
        self.form.setFixedHeight(_FORM_HEIGHT)
        self.form.run_requested.connect(lambda: self._answer("once"))
        self._column.insertWidget(self._column.indexOf(self.arguments), self.form)
        self.form.show()
        self.form.fields.focus_first()  # before the focused link goes, which would move it on
        self.arguments.hide()
        self.edit.hide()

    def _answer(self, choice: Choice) -> None:
        if not self.is_armed:
            return
        arguments = None
        if choice in {"once", "always"} and self.form is not None:
            if (
                any(issue.severity == "error" for issue in self.form.issues())
                or self.form.is_unread
            ):
                self._refuse_arguments()
                return
            arguments = self.form.value()
        self._answers.finish()
        self.answered.emit(ApprovalResponse(choice, arguments, self.reason.text().strip()))

    def _refuse_arguments(self) -> None:
        self.problem.setText(self.tr("Not sent. Correct the arguments first."))
        self.problem.show()
        if self.form is not None:
            self.form.reveal_issues()
            if (field := self.form.first_invalid()) is not None:
                field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self) -> None:
        self.edit.clicked.connect(self.edit_arguments)
        self.once.clicked.connect(lambda: self._answer("once"))
        self.always.clicked.connect(lambda: self._answer("always"))
        self.deny.clicked.connect(lambda: self._answer("deny"))
        self.reason.returnPressed.connect(lambda: self._answer("deny"))
        self.never.clicked.connect(lambda: self._answer("never"))

    def _lay_out(self) -> None:
        style(self.once, "primary")
        set_icon(self._theme, self.once, "check", "accent_text")
        style(self.never, "danger")
        self.always.setVisible(self.question.can_always)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(2))
        self._column.addLayout(self._head())
        if words := self.question.definition.description.strip():
            cut = words[:_MAX_DESCRIPTION_LENGTH]
            shown = cut if cut == words else f"{cut}…"
            self._column.addWidget(plain_label(shown, "muted", "small"))
        if self.question.difference:
            self._add_difference()
        self._column.addWidget(self.arguments)
        self._column.addWidget(self.edit, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self.problem)
        self._column.addLayout(self._answer_rows())

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(self.heading, 1)
        for hint in hints_of(self.question.definition.annotations):
            badge = QLabel(hint.words, self)
            badge.setTextFormat(Qt.TextFormat.PlainText)
            style(badge, "badge", *((hint.tone,) if hint.tone else ()))
            row.addWidget(badge)
        return row

    def _answer_rows(self) -> QVBoxLayout:
        row, below = QHBoxLayout(), QHBoxLayout()
        row.setSpacing(space(2))
        below.setSpacing(space(2))
        row.addWidget(self.once)
        row.addWidget(self.always)
        row.addStretch(1)
        below.addWidget(self.deny)
        below.addWidget(self.reason, 1)
        below.addWidget(self.never)
        both = QVBoxLayout()
        both.setSpacing(space(2))
        both.addLayout(row)
        both.addLayout(below)
        return both

    def _add_difference(self) -> None:
        self._changed = plain_label("", "warning", "heading")
        self.difference = CodePreview(self._theme, "difference", self)
        self.difference.show_text(spoken(self.question.difference))
        self._column.addWidget(self._changed)
        self._column.addWidget(self.difference)

    def retranslate(self) -> None:
        self.heading.setText(self.tr("May the model run this tool?"))
        self.edit.setText(self.tr("Correct the arguments…"))
        self.once.setText(self.tr("Allow once"))
        self.always.setText(self.tr("Always allow this tool"))
        self.deny.setText(self.tr("Deny"))
        self.never.setText(self.tr("Never allow this tool"))
        self.reason.setPlaceholderText(self.tr("Reason, shown to the model (optional)"))
        self.reason.setAccessibleName(self.tr("Reason for denying"))
        key = self.question.definition.key
        self.setAccessibleName(self.tr("Approval for {tool}").format(tool=key))
        if self.question.difference:
            self._changed.setText(
                self.tr("The server changed this tool since you allowed it. Changes:")
            )
