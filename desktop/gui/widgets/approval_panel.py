"""May this call be sent? What it would do, in as little room as shows all of it, and the answers.

Takes no focus, has no default button, and ignores clicks for a moment after it appeared, so that a
click meant for something else does not answer. Keys answer only where whoever has the panel hands
them on with `answer_key`: while nobody types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.tools.tool_list_model import hints_of
from desktop.gui.translations import spoken
from desktop.gui.widgets.arguments_view import ArgumentsView, CodePreview, argument_line
from desktop.gui.widgets.armed_buttons import ArmedButtons
from desktop.gui.widgets.collapse_button import CollapseButton
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import discard
from desktop.tools.approvals import ApprovalResponse

if TYPE_CHECKING:
    from desktop.gui.form.schema_form import SchemaForm
    from desktop.gui.theme import Theme
    from desktop.gui.tools.tool_list_model import Hint
    from desktop.tools.approvals import ApprovalQuestion, Choice, FileChange

_FORM_HEIGHT = space(80)
_MAX_DESCRIPTION_LENGTH = 400
ALLOW_KEY: Final = Qt.Key.Key_A
DENY_KEY: Final = Qt.Key.Key_D
EDIT_KEY: Final = Qt.Key.Key_E


class ApprovalPanel(QFrame):
    """One open question; `answered` is sent once."""

    answered = Signal(object)
    """The `ApprovalResponse`."""
    form_opened = Signal(bool)
    """The form of the arguments is about to open, or to close."""

    def __init__(
        self, theme: Theme, question: ApprovalQuestion, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.question = question
        self.change: CodePreview | None = None
        self.form: SchemaForm | None = None
        line, self._is_whole = argument_line(question.arguments)
        self.line = plain_label(line, "mono", "small")
        self.arguments = ArgumentsView(theme, self)
        self.arguments.show_arguments(question.arguments)
        self.deny = QPushButton(self.tr("Deny"), self)
        self.once = QPushButton(self.tr("Allow"), self)
        self.edit = QPushButton(self.tr("Edit…"), self)
        self.more = CollapseButton(theme, self)
        self.never = QPushButton(self.tr("Never allow this tool"), self)
        self.always = QPushButton(self.tr("Always allow this tool"), self)
        self.reason = QLineEdit(self)
        self.reason.setMaxLength(500)
        self.keys = plain_label(self.tr("A allows · D denies · E edits"), "muted", "small")
        self.problem = plain_label("", "danger")
        self.problem.hide()
        self._answers = ArmedButtons(self, self.once, self.always, self.deny, self.never)
        self._lay_out()
        self.edit.setToolTip(self.tr("Correct the arguments"))
        self.more.setText(self.tr("More…"))
        self.reason.setPlaceholderText(self.tr("Reason to deny, shown to the model (optional)"))
        self.reason.setAccessibleName(self.tr("Reason for denying"))
        key = self.question.definition.key
        self.setAccessibleName(self.tr("Approval for {tool}").format(tool=key))
        if self.question.difference:
            self._changed.setText(
                self.tr("The server changed this tool since you allowed it. Changes:")
            )
        if (change := self.question.change) is not None:
            words = _change_words(change)
            self._path.setText(words)
            if self.change is not None:
                self.change.setAccessibleName(words)
        self._connect()
        self._show_more(False)

    @property
    def is_armed(self) -> bool:
        """Whether a click counts by now."""
        return self._answers.is_armed

    @property
    def is_simple(self) -> bool:
        """Whether the tool is the one that a person knows: then it may be allowed with others."""
        return not self.question.difference and self.form is None

    def arm(self) -> None:
        """Take answers from now on."""
        self._answers.arm()

    def allow(self) -> None:
        """What *Allow* does."""
        self._answer("once")

    def answer_key(self, event: QKeyEvent) -> bool:
        """Answer by a key that nothing else was meant by; whether it was one that does."""
        plain = event.modifiers() in {
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        }
        if not plain or event.isAutoRepeat() or self.form is not None:
            return False
        match event.key():
            case key if key == ALLOW_KEY:
                self._answer("once")
            case key if key == DENY_KEY:
                self._answer("deny")
            case key if key == EDIT_KEY:
                self.edit_arguments()
            case _:
                return False
        return True

    def show_keys(self, are_heard: bool) -> None:
        """Tell which keys answer, while they do."""
        self.keys.setVisible(are_heard and self.form is None)

    def event(self, event: QEvent) -> bool:
        """Esc leaves the form; it stops the answer only where no form is open."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if is_escape and self.form is not None:
            if event.type() == QEvent.Type.KeyPress:
                self.leave_form()
            event.accept()
            return True
        return super().event(event)

    def leave_form(self) -> None:
        """Show the arguments as the model wrote them again."""
        form, self.form = self.form, None
        if form is None:
            return
        self.form_opened.emit(False)
        self.edit.show()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)  # before the field that has it goes
        discard(form)
        self.problem.hide()
        if self.change is not None:
            self.change.show()
        self._show_more(self.more.isChecked())

    def edit_arguments(self) -> None:
        """Show the form of the tool with these arguments, to be corrected."""
        if self.form is not None:
            return
        self.form_opened.emit(True)
        from desktop.gui.form.schema_form import SchemaForm  # jsonschema: when it is wanted

        self.form = SchemaForm(self.question.definition.input_schema, self._theme, self)
        self.form.set_value(self.question.arguments)
        _be_as_high_as_content(self.form)
        self.form.run_requested.connect(lambda: self._answer("once"))
        self._column.insertWidget(self._column.indexOf(self.arguments), self.form)
        self.form.show()
        self.form.fields.focus_first()  # before the focused link goes, which would move it on
        for widget in (self.line, self.arguments, self.change):
            if widget is not None:
                widget.hide()
        self.edit.hide()
        self.keys.hide()

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

    def _show_more(self, is_open: bool) -> None:
        """All there is to be known of the call; what is short enough is seen without."""
        focus = QApplication.focusWidget()
        if not is_open and focus is not None and self._rest.isAncestorOf(focus):
            self.more.setFocus(Qt.FocusReason.OtherFocusReason)
        self._rest.setVisible(is_open)
        is_told = self.change is not None or self._is_whole
        self.arguments.setVisible(self.form is None and (is_open or not is_told))
        self.line.setVisible(self.form is None and self._is_whole and not is_open)

    def _connect(self) -> None:
        self.edit.clicked.connect(self.edit_arguments)
        self.more.opened.connect(self._show_more)
        self.once.clicked.connect(self.allow)
        self.always.clicked.connect(lambda: self._answer("always"))
        self.deny.clicked.connect(lambda: self._answer("deny"))
        self.reason.returnPressed.connect(lambda: self._answer("deny"))
        self.never.clicked.connect(lambda: self._answer("never"))

    def _lay_out(self) -> None:
        style(self.once, "primary")
        set_icon(self._theme, self.once, "check", "accent_text")
        style(self.never, "danger")
        style(self.edit, "link", "small")
        self.always.setVisible(self.question.can_always)
        self.keys.setWordWrap(False)
        self.keys.hide()
        self._column = in_column(self, margins=(0, 0, 0, 1))
        if self.question.difference:
            self._add_difference()
        self._column.addWidget(self.line)
        if self.question.change is not None:
            self._add_change(self.question.change)
        self._column.addWidget(self.arguments)
        self._column.addWidget(self.problem)
        self._column.addLayout(self._answer_row())
        self._column.addWidget(self._make_rest())

    def _answer_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(space(2))
        for widget in (self.once, self.deny, self.edit, self.more, self.keys):
            row.addWidget(widget)
        row.addStretch(1)
        for hint in hints_of(self.question.definition.annotations)[:1]:
            badge = self._badge(hint)
            row.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def _badge(self, hint: Hint) -> QLabel:
        badge = QLabel(hint.words, self)
        badge.setTextFormat(Qt.TextFormat.PlainText)
        style(badge, "badge", *((hint.tone,) if hint.tone else ()))
        return badge

    def _make_rest(self) -> QWidget:
        """What few calls need: what the tool says of itself, decisions that last, a reason."""
        self._rest = QWidget(self)
        column = in_column(self._rest)
        definition = self.question.definition
        if words := definition.description.strip():
            cut = words[:_MAX_DESCRIPTION_LENGTH]
            shown = cut if cut == words else f"{cut}…"
            column.addWidget(plain_label(shown, "muted", "small"))
        in_row(
            column, *(self._badge(hint) for hint in hints_of(definition.annotations)[1:]), STRETCH
        )
        in_row(column, self.always, self.never, (self.reason, 1))
        return self._rest

    def _add_difference(self) -> None:
        self._changed = plain_label("", "warning", "heading")
        self.difference = CodePreview(self._theme, "difference", self)
        self.difference.show_text(spoken(self.question.difference))
        self._column.addWidget(self._changed)
        self._column.addWidget(self.difference)

    def _add_change(self, change: FileChange) -> None:
        """The file as it becomes: what is new of it as a text, what changes as a difference."""
        lines = change.difference.splitlines()
        body = lines[next((at for at, line in enumerate(lines) if line[:2] == "@@"), 0) :]
        self._path = plain_label("", "small")
        if change.is_new:
            self.change = CodePreview(self._theme, "text", self)
            body = [line[1:] for line in body if line[:1] == "+"]
        else:
            self.change = CodePreview(self._theme, "difference", self)
        self.change.show_text(mark_hidden_text("\n".join(body)))
        self.change.setVisible(bool(body))
        self._column.addWidget(self._path)
        self._column.addWidget(self.change)


def _change_words(change: FileChange) -> str:
    path, translate = mark_hidden(change.path), QCoreApplication.translate
    if change.is_new:
        return translate("ApprovalPanel", "New file {path}").format(path=path)
    if not change.difference:
        return translate("ApprovalPanel", "{path} stays as it is").format(path=path)
    return translate("ApprovalPanel", "Changes {path}").format(path=path)


def _be_as_high_as_content(form: SchemaForm) -> None:
    def fit() -> None:
        form.setFixedHeight(min(_FORM_HEIGHT, form.content_height()))

    form.resized.connect(fit)
    fit()
