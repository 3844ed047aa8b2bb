"""The tool form as a page uses it: give it a schema, take arguments from it.

Form and JSON are two views of one value. A text that is not JSON yet stays where it was typed, and
the other view cannot be shown until it is. Never runs a tool: it announces that a person asked for
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QWidget,
)

from desktop.gui import shortcuts
from desktop.gui.form.fields_view import FieldsView
from desktop.gui.form.json_view import ArgumentsJsonView
from desktop.gui.form.model.form_model import FormModel, FormState, restore_state, unread_texts
from desktop.gui.form.model.json_text import write_json
from desktop.gui.layouts import in_column
from desktop.gui.shortcuts import bind, named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.inline_notice import InlineNotice
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.segments import Segments

if TYPE_CHECKING:
    from desktop.gui.form.issue_list import ListedIssue
    from desktop.gui.form.model.form_model import Check
    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonObject, ValidationIssue

# The line above a form: its two views, the search of a long form.
#
# Announces what a person chose; switches nothing itself.


_EXIT_KEYS: Final = (
    Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape,
)  # fmt: skip


class FormBar(QWidget):
    """Two buttons of which one is pressed; the search is made when a form is long."""

    view_requested = Signal(bool)
    """A person pressed a view: true for JSON."""
    searched = Signal(str)
    focus_fields_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views = Segments(self.tr("Form"), self.tr("JSON"))
        self.form_button, self.json_button = self._views.buttons
        self.search: SearchField | None = None
        self.count = QLabel()
        style(self.count, "small", "muted")
        self._row = QHBoxLayout(self)
        self._lay_out()
        self.form_button.setAccessibleName(self.tr("Show the arguments as a form"))
        self.json_button.setAccessibleName(self.tr("Show the arguments as JSON"))
        for button in (self.form_button, self.json_button):
            button.setToolTip(named_keys(self.tr("Ctrl+J switches between form and JSON")))
        if self.search is not None:
            self._name_search(self.search)
        self.form_button.clicked.connect(lambda: self.view_requested.emit(False))
        self.json_button.clicked.connect(lambda: self.view_requested.emit(True))

    @property
    def shows_json(self) -> bool:
        return self.json_button.isChecked()

    def show_view(self, *, is_json: bool) -> None:
        """Press the button of this view without announcing it."""
        (self.json_button if is_json else self.form_button).setChecked(True)
        self._show_search()

    def offer_search(self, *, is_long: bool) -> None:
        """Have a search line from now on, or none; one that is in use stays."""
        if is_long and self.search is None:
            self.search = SearchField(self, exit_keys=_EXIT_KEYS)
            self._name_search(self.search)
            self.search.textChanged.connect(self.searched)
            self.search.exited.connect(lambda: self.focus_fields_requested.emit())
            self.search.setMaximumWidth(space(70))
            self._row.insertWidget(1, self.search, 1)
        elif not is_long and self.search is not None and not self.search.text():
            self._row.removeWidget(self.search)
            self.search.deleteLater()
            self.search = None
        self._show_search()

    def show_count(self, found: int, of: int) -> None:
        is_searching = self.search is not None and bool(self.search.text())
        one, many = self.tr("{found} of 1 field"), self.tr("{found} of {count} fields")
        words = counted(of, one, many, found=found)
        self.count.setText(words if is_searching else "")

    def _show_search(self) -> None:
        if self.search is not None:
            self.search.setVisible(not self.shows_json)
        self.count.setVisible(not self.shows_json)

    def _lay_out(self) -> None:
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(space(2))
        self.setMinimumHeight(space(8))  # the same with and without the search
        self._row.addWidget(self._views)
        self._row.addWidget(self.count)
        self._row.addStretch(1)

    def _name_search(self, search: SearchField) -> None:
        search.set_purpose(self.tr("Find a field"))
        search.setToolTip(shortcuts.FIND_FIELD.label)


MAX_FIELDS_WITHOUT_SEARCH: Final = 15
"""A form of more fields than this has a search."""
CHECK_MS: Final = 150
"""Checked when typing pauses, so that no key press waits for it."""
_SEARCH_MS: Final = 60
_JSON_HEIGHT: Final = 60  # grid steps an editor of JSON likes to have


class SchemaForm(QWidget):
    """Fields for one schema; `changed` follows every edit, `run_requested` follows Ctrl+Enter."""

    changed = Signal()
    checked = Signal(object)
    """What is wrong or odd now, a list of `ValidationIssue`, each time it was looked at."""
    resized = Signal()
    """What `content_height` says may have changed."""
    run_requested = Signal()
    paste_requested = Signal()
    """Ctrl+V where no text takes it: what was copied is to be the arguments."""

    def __init__(
        self,
        schema: JsonObject,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        check: Check | None = None,
        folds: bool = True,
    ) -> None:
        """Create a form.

        Args:
            schema: of the arguments, an object.
            theme: the look.
            parent: as for every widget.
            check: who judges the value; without it the schema alone does.
            folds: whether optional fields are folded where there are many.
        """
        super().__init__(parent)
        self._model = FormModel(schema)
        self._judge = check
        self._is_revealed = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._pause = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._looking = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self.bar = FormBar(self)
        self.refusal = InlineNotice(theme, "warning", self, stays=True)
        self._views = QStackedWidget(self)
        self.fields = FieldsView(self._model, theme, self._views, folds=folds)
        self._theme = theme
        self._json: ArgumentsJsonView | None = None
        self.form_button, self.json_button = self.bar.form_button, self.bar.json_button
        self._lay_out()
        self._connect()
        self._add_shortcuts()
        self._count_fields()
        self._pause.start()

    @property
    def json(self) -> ArgumentsJsonView:
        """The JSON view, made when it is first wanted."""
        if self._json is None:
            self._json = ArgumentsJsonView(self._theme)
            self._json.edited.connect(self._note_json_edit)
            self._views.addWidget(self._json)
        return self._json

    @property
    def shows_json(self) -> bool:
        return self._json is not None and self._views.currentWidget() is self._json

    def content_height(self) -> int:
        """Pixels that all of the form takes without scrolling."""
        column = self.layout()
        around = column.sizeHint().height() - self._views.sizeHint().height() if column else 0
        inside = space(_JSON_HEIGHT) if self.shows_json else self.fields.content_height()
        return around + inside

    def value(self) -> dict[str, Any]:
        """The arguments as they would be sent: what was filled in, and nothing else.

        While a text is not JSON (`is_unread`) the last value there was.
        """
        if self.shows_json and self.json.value is not None:
            return self.json.value
        return self._model.value()

    @property
    def is_unread(self) -> bool:
        """Whether something is typed that stands for nothing yet."""
        if self.shows_json:
            return self.json.value is None
        return self._model.has_broken_text()

    def issues(self) -> list[ValidationIssue]:
        """Everything wrong or odd about the arguments now; run only when there is no error."""
        if not self.shows_json:
            return self._model.issues(self._judge)
        if (mistake := self.json.issue) is not None:
            return [mistake]
        return self._judge_value(self.value())

    def set_value(self, value: JsonObject) -> None:
        """Show these arguments; what has no field is kept and shown as JSON."""
        self.put_back(FormState(dict(value), is_open=self.fields.is_open))

    def state(self) -> FormState:
        """All that a person has here, texts that are not JSON yet included."""
        return FormState(
            self._model.value() if self.is_unread else self.value(),
            self.json.text if self.shows_json else None,
            unread_texts(self._model),
            self.fields.is_open,
        )

    def put_back(self, state: FormState) -> None:
        """Show what another form, or this one, had."""
        restore_state(self._model, state)
        self.refusal.hide()
        if state.text is not None or self.shows_json:
            self.json.set_text(state.text if state.text is not None else write_json(state.value))
        self.fields.unfold(state.is_open)
        self.fields.redraw()
        if state.text is not None and not self.shows_json:
            self._show(is_json=True)
        self._note_edit()

    def clear(self) -> None:
        """Back to the untouched form."""
        self._is_revealed = False
        self._model.clear()
        self.refusal.hide()
        if self.shows_json:
            self.json.set_value(self._model.value())
        self.fields.redraw()
        self._note_edit()

    def reveal_issues(self) -> list[ValidationIssue]:
        """Look once more, show the errors of untouched fields too, and return everything found.

        For whoever is about to run the tool: with no error among them, it may run.
        """
        self._is_revealed = True
        return self._check()

    def first_invalid(self) -> QWidget | None:
        """The editor of the first field with an error, to give it the focus."""
        errors = [issue for issue in self.issues() if issue.severity == "error"]
        if self.shows_json:
            return self.json.editor if errors else None
        rows = [self.fields.row_at(issue.path) for issue in errors]
        return next((row.field.target() for row in rows if row is not None), None)

    def go_to(self, issue: ValidationIssue) -> None:
        """Put the keyboard where a finding is: into its field, or at its line of the JSON."""
        if self.bar.search is not None and self.bar.search.text():
            self.bar.search.clear()
            self._search()
        row = None if self.shows_json else self.fields.row_at(issue.path)
        if row is not None:
            self.fields.go_to(row)
        elif self.show_json():
            self.json.go_to_issue(issue)

    def show_json(self) -> bool:
        """Show the JSON view; False where a field's text stands against it."""
        return self._switch(is_json=True)

    def show_form(self) -> bool:
        """Show the form; False where the text is not JSON."""
        return self._switch(is_json=False)

    def focus_search(self) -> None:
        if self.bar.search is not None and self.show_form():
            self.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.bar.search.selectAll()

    def _switch(self, *, is_json: bool) -> bool:
        if is_json == self.shows_json:
            self.bar.show_view(is_json=is_json)
            return True
        if self.is_unread:
            self.bar.show_view(is_json=not is_json)
            self._refuse(is_json=is_json)
            self.reveal_issues()
            return False
        if is_json:
            self.json.set_value(self._model.value())
        elif (value := self.json.value) is not None and _differs(value, self._model.value()):
            self._model.set_value(value)
            self.fields.redraw()
        self._show(is_json=is_json)
        self._check()
        return True

    def _refuse(self, *, is_json: bool) -> None:
        if is_json:
            self.refusal.say(
                self.tr(
                    "A field contains invalid JSON. Correct it before switching; nothing is lost."
                )
            )
        else:
            self.refusal.say(
                self.tr("The form cannot show this text. Correct it first; nothing is lost."),
                self.tr("Restore the last valid JSON"),
            )

    def _show(self, *, is_json: bool) -> None:
        had_focus = self.isAncestorOf(self.focusWidget() or self)
        self.refusal.hide()
        self._views.setCurrentWidget(self.json if is_json else self.fields)
        self.resized.emit()
        self.bar.show_view(is_json=is_json)
        if had_focus and is_json:
            self.json.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        elif had_focus:
            self.fields.focus_first()

    def _choose_view(self, is_json: bool) -> None:
        self._switch(is_json=is_json)

    def _toggle(self) -> None:
        self._switch(is_json=not self.shows_json)

    def _reset_json(self) -> None:
        """Type the last value there was over the text, so that undoing brings the text back."""
        self.json.replace_text(write_json(self._model.value()))
        self.refusal.hide()

    def _judge_value(self, value: JsonObject) -> list[ValidationIssue]:
        if self._judge is not None:
            return self._judge(value)
        from desktop.tools.validation import validate  # jsonschema: not before the first paint

        return validate(self._model.schema, value)

    def _note_edit(self) -> None:
        self._soon.start()
        self._pause.start()

    def _note_json_edit(self) -> None:
        self.refusal.hide()
        self._note_edit()

    def _check(self) -> list[ValidationIssue]:
        self._pause.stop()
        issues = self.issues()
        if self.shows_json:
            self.json.show_issues(issues)
        else:
            self.fields.show_issues(issues, is_revealed=self._is_revealed)
            if not self.refusal.isHidden() and not self._model.has_broken_text():
                self.refusal.hide()
        self.checked.emit(issues)
        return issues

    def _go_to_issue(self, listed: ListedIssue) -> None:
        self.go_to(listed.issue)

    def _search(self) -> None:
        self._looking.stop()
        if self.bar.search is not None:
            found = self.fields.search_rows(self.bar.search.text())
            self.bar.show_count(found, self.fields.field_count)

    def _count_fields(self) -> None:
        self.bar.offer_search(is_long=self.fields.field_count > MAX_FIELDS_WITHOUT_SEARCH)
        if self.bar.search is not None and self.bar.search.text():
            self._looking.start()

    def _request_run(self) -> None:
        self._is_revealed = True
        self._pause.start()  # whoever runs it looks at once, and so nobody looks a second time
        self.run_requested.emit()

    def _lay_out(self) -> None:
        self._views.addWidget(self.fields)
        in_column(self, self.bar, self.refusal, (self._views, 1), margins=(0, 2, 0, 0))

    def _connect(self) -> None:
        self._soon.timeout.connect(self.changed)
        self._pause.timeout.connect(self._check)
        self.bar.view_requested.connect(self._choose_view)
        self.bar.searched.connect(self._looking.start)
        self._looking.timeout.connect(self._search)
        self.bar.focus_fields_requested.connect(lambda: self.fields.focus_first())
        self.refusal.action_requested.connect(self._reset_json)
        self.fields.edited.connect(self._note_edit)
        self.fields.rearranged.connect(self._count_fields)
        self.fields.resized.connect(self.resized)
        self.fields.reveal_requested.connect(self._go_to_issue)

    def _add_shortcuts(self) -> None:
        bind(self, shortcuts.RUN, self._request_run)
        bind(self, shortcuts.FORM_OR_JSON, self._toggle)
        bind(self, shortcuts.FIND_FIELD, self.focus_search)
        bind(self, shortcuts.PASTE, self.paste_requested.emit)


def _differs(left: JsonObject, right: JsonObject) -> bool:
    """By type too: 1, 1.0 and true are equal in Python, not in JSON."""
    return write_json(left) != write_json(right)
