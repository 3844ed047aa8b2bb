"""The tool form as a page uses it: give it a schema, take arguments from it.

Form and JSON are two views of one value and nothing is lost between them. The form has no scroll
area of its own; its page has. It never runs a tool: it announces that a person asked for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QKeyCombination, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.gui.form.arguments_json import ArgumentsJson
from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.field_row import FieldRow, plain_label
from desktop.gui.form.make_field import make_field
from desktop.gui.form.model import FormModel
from desktop.gui.form.nodes import ObjectNode
from desktop.gui.form.object_field import ObjectField
from desktop.gui.form.tab_order import restore_tab_order
from desktop.gui.issue_words import line_of
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.form.nodes import Node
    from desktop.gui.theme import Theme
    from desktop.tools.definition import JsonObject
    from desktop.tools.issue import ValidationIssue


class SchemaForm(QWidget):
    """Fields for one schema; `changed` follows every edit, `run_requested` follows Ctrl+Enter."""

    changed = Signal()
    run_requested = Signal()

    def __init__(self, schema: JsonObject, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = FormModel(schema)
        self._context = FormContext(
            theme, self._schedule, self._order_tabs, self._renew, make_field
        )
        self._is_revealed = False
        self._field: Field | None = None
        self._check = QTimer(self, singleShot=True, interval=0)
        self._check.timeout.connect(self._checked)
        self.messages = plain_label("", "small", "danger")
        self.json = ArgumentsJson(theme)
        self.json.edited.connect(self._schedule)
        self.form_button = QPushButton()
        self.json_button = QPushButton()
        self._lay_out()
        self._add_shortcuts()
        self._draw()

    def value(self) -> dict[str, Any]:
        """The arguments as they would be sent: what was filled in, and nothing else."""
        if self._shows_json and self.json.value is not None:
            return self.json.value
        return self._model.value()

    def issues(self) -> list[ValidationIssue]:
        """Everything wrong or odd about the arguments now; run only when there is no error."""
        if not self._shows_json:
            return self._model.issues()
        problem = self.json.issue
        return [problem] if problem else self._json_model().issues()

    def set_value(self, value: JsonObject) -> None:
        """Show these arguments; what has no field is kept and shown as JSON."""
        self._model.set_value(value)
        self.json.set_value(self._model.value())
        self._rebuild()

    def clear(self) -> None:
        """Back to the untouched form."""
        self._is_revealed = False
        self._model.clear()
        self.json.set_value(self._model.value())
        self._rebuild()

    def reveal_issues(self) -> None:
        """Show the errors of untouched fields too: the person tried to run the tool."""
        self._is_revealed = True
        self._checked()

    def first_invalid(self) -> QWidget | None:
        """The editor of the first field with an error, to give it the focus."""
        errors = [issue for issue in self.issues() if issue.severity == "error"]
        if self._shows_json:
            return self.json.editor if errors else None
        wrong = {id(self._model.find(issue.path)) for issue in errors}
        rows = self.findChildren(FieldRow)
        return next((row.field.target() for row in rows if id(row.node) in wrong), None)

    @property
    def _shows_json(self) -> bool:
        return self.json_button.isChecked()

    def _lay_out(self) -> None:
        views = QButtonGroup(self)
        head = QHBoxLayout()
        head.setSpacing(space(1))
        head.addStretch(1)
        for button in (self.form_button, self.json_button):
            button.setCheckable(True)
            style(button, "chip")
            views.addButton(button)
            head.addWidget(button)
        self._name_views()
        self.form_button.setChecked(True)
        views.buttonClicked.connect(self._switch)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(2))
        self._column.addLayout(head)
        self._column.addWidget(self.json)
        self._column.addWidget(self.messages)
        self._column.addStretch(1)
        self.json.hide()
        self.messages.hide()

    def _name_views(self) -> None:
        self.form_button.setText(self.tr("Form"))
        self.json_button.setText(self.tr("JSON"))
        self.form_button.setAccessibleName(self.tr("Show the arguments as a form"))
        self.json_button.setAccessibleName(self.tr("Show the arguments as JSON"))

    def _add_shortcuts(self) -> None:
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            keys = QKeySequence(QKeyCombination(Qt.KeyboardModifier.ControlModifier, key))
            shortcut = QShortcut(keys, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self._request_run)

    def _request_run(self) -> None:
        self.reveal_issues()
        self.run_requested.emit()

    def _draw(self) -> None:
        if self._field is not None:
            self._field.hide()
            self._field.setParent(None)
            self._field.deleteLater()
        root = self._model.root
        if isinstance(root, ObjectNode):
            self._field = ObjectField(root, self._context, is_root=True)
        else:
            self._field = make_field(root, self._context)
            self._field.edited.connect(self._schedule)
        self._column.insertWidget(1, self._field)
        self._field.setVisible(not self._shows_json)
        self._order_tabs()

    def _order_tabs(self) -> None:
        restore_tab_order(self)

    def _rebuild(self) -> None:
        self._draw()
        self._schedule()

    def _renew(self, node: Node, value: Any) -> None:
        self._model.renew(node, value)
        self._rebuild()

    def changeEvent(self, event: QEvent, /) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._name_views()
            self._rebuild()

    def _switch(self) -> None:
        if self._field is None or self.json.isVisibleTo(self) == self._shows_json:
            return
        is_blocked = self._leave_form() if self._shows_json else self._leave_json()
        if is_blocked:
            (self.form_button if self._shows_json else self.json_button).setChecked(True)
            self.reveal_issues()
            return
        self.json.setVisible(self._shows_json)
        self._field.setVisible(not self._shows_json)
        self._checked()

    def _leave_form(self) -> bool:
        if self._model.has_broken_text():
            return True
        self.json.set_value(self._model.value())
        return False

    def _leave_json(self) -> bool:
        if self.json.value is None:
            return True
        if self.json.value != self._model.value():
            self._model.set_value(self.json.value)
            self._draw()
        return False

    def _json_model(self) -> FormModel:
        model = FormModel(self._model.schema)
        model.set_value(self.value())
        return model

    def _schedule(self) -> None:
        self._check.start()

    def _checked(self) -> None:
        self._check.stop()
        issues = self.issues()
        if self._shows_json:
            self._show_messages(issues)
        else:
            self._distribute(issues)
        self.changed.emit()

    def _distribute(self, issues: Sequence[ValidationIssue]) -> None:
        rows = {id(row.node): row for row in self.findChildren(FieldRow)}
        at: dict[int, list[ValidationIssue]] = {}
        for issue in issues:
            at.setdefault(id(self._model.find(issue.path)), []).append(issue)
        for key, row in rows.items():
            row.show_issues(at.get(key, ()), is_revealed=self._is_revealed)
        self._show_messages(
            [each for key, found in at.items() if key not in rows for each in found]
        )

    def _show_messages(self, issues: Sequence[ValidationIssue]) -> None:
        told = [issue for issue in issues if not (self._shows_json and self.json.issue)]
        is_wrong = any(issue.severity == "error" for issue in told)
        self.messages.setText("\n".join(line_of(issue) for issue in told[:10]))
        self.messages.setVisible(bool(told))
        style(self.messages, "small", "danger" if is_wrong else "warning")
