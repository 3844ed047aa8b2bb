"""A server's form: its message, its fields, and a warning where it asks for a secret.

The fields are those of every other form. Judges nothing itself: the queue says what does not fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.gui.form.schema_form import SchemaForm
from desktop.gui.requests.request_view import RequestView, height_of
from desktop.gui.theme import space
from desktop.gui.translations import issue_line
from desktop.servers.elicited_form import default_content
from desktop.servers.requests import Accepted
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.gui.theme import Theme
    from desktop.servers.requests import ElicitationRequest
    from desktop.values.tool_types import JsonObject, ValidationIssue

    Misfits = Callable[[Accepted], list[ValidationIssue]]


_MAX_UNFOLDED = 40
"""Fields of a form that are shown at once; by the specification they are flat, and few."""


class FormView(RequestView):
    """Filled in with the server's defaults; *Accept* can be pressed while the content fits."""

    def __init__(self, theme: Theme, request: ElicitationRequest, misfits: Misfits) -> None:
        """Args: misfits: what keeps an answer from being sent."""
        super().__init__(theme)
        self._request = request
        self._misfits = misfits
        self.accept = QPushButton(self.tr("Accept"), self)
        self.accept.setToolTip(self.tr("Send what is filled in to the server"))
        self._warn_of_secrets()
        self.form: SchemaForm | None = None
        self.show_message(request.message)
        if fields := object_of(request.schema.get("properties")):
            self.form = form = SchemaForm(
                marked_schema(request.schema),
                theme,
                self,
                check=lambda value: misfits(Accepted(dict(value))),
                folds=len(fields) > _MAX_UNFOLDED,  # what is agreed to is seen whole
            )
            form.set_value(default_content(request.schema))
            form.checked.connect(self._note_issues)
            form.run_requested.connect(self._accept)
            self.column.addWidget(form, 1)
            self.flexible = form
        self.accept.clicked.connect(self._accept)
        self.finish_layout(self.accept)
        self._note_issues(misfits(Accepted(self._content())))

    @property
    def is_valid(self) -> bool:
        """Whether what is filled in can be sent now."""
        is_unread = self.form is not None and self.form.is_unread
        return not is_unread and not self._misfits(Accepted(self._content()))

    def wanted_height(self) -> int:
        if self.form is None:
            return 0
        fields, bar = self.form.fields, self.form.bar.sizeHint().height()
        messages = fields.messages.sizeHint().height() if fields.messages.isVisible() else 0
        return height_of(fields.area) + bar + messages + space(6)

    def finish(self) -> None:
        super().finish()
        if self.form is not None:
            self.form.setEnabled(False)

    def _content(self) -> dict[str, object]:
        return self.form.value() if self.form is not None else {}

    def _note_issues(self, issues: Sequence[ValidationIssue]) -> None:
        is_unread = self.form is not None and self.form.is_unread
        has_errors = any(issue.severity == "error" for issue in issues)
        self.answers.set_wanted(self.accept, not has_errors and not is_unread)

    def _accept(self) -> None:
        issues = self.form.reveal_issues() if self.form is not None else []
        if self.is_valid:
            self.send(Accepted(self._content()))
            return
        self.show_problem("\n".join(map(issue_line, issues[:5])) or self.tr("Correct it first."))
        if self.form is not None and (field := self.form.first_invalid()) is not None:
            field.setFocus()

    def _warn_of_secrets(self) -> None:
        warning = self.tr(
            "“{field}” looks like a password or a key. Servers must not ask for one "
            "this way. Leave it empty unless you know why it is needed."
        )
        names = self._request.secret_fields
        self.warning.show_sentences([warning.format(field=mark_hidden(name)) for name in names[:5]])


def marked_schema(schema: JsonObject) -> JsonObject:
    """The schema with the letters that nobody sees marked, in what a person decides by."""
    fields = object_of(schema.get("properties"))
    return {**schema, "properties": {name: _marked(field) for name, field in fields.items()}}


def _marked(field: object) -> JsonObject:
    texts = {key: text for key, text in object_of(field).items() if key in _READ}
    marked = {key: mark_hidden_text(text) for key, text in texts.items() if isinstance(text, str)}
    return {**object_of(field), **marked}


_READ = frozenset(("title", "description"))
