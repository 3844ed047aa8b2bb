"""A template of resources: its variables as a form, and what it is expanded to below it.

Expands by `desktop.base.uri_template`, which refuses another scheme than the template's own; the
result goes to the server that gave the template, and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QScrollArea, QSplitter, QWidget

from desktop.base.errors import UsageError
from desktop.base.uri_template import expand_template, template_variables
from desktop.base.visible_text import escape_hidden, mark_hidden, mark_hidden_text
from desktop.gui.form.text_arguments import TextArgument, TextArgumentsForm
from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import description_label, plain_label
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.gui.resources.resource_view import ResourceView
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.values.resource_types import ResourceTemplate


class TemplateView(QWidget):
    """What is read is shown below the form, so that other values can be tried."""

    def __init__(
        self,
        theme: Theme,
        server: ServerConnection,
        template: ResourceTemplate,
        make_view: Callable[[str], ResourceView],
    ) -> None:
        """Args: make_view: the view of the resource that a URI leads to."""
        super().__init__()
        self._server, self.template, self._make_view = server, template, make_view
        self.shown: ResourceView | None = None
        self.uri = plain_label("", "mono", "small")
        self.problem = plain_label("", "danger")
        self.read = QPushButton(self.tr("Read"), self)
        style(self.read, "primary")
        set_icon(theme, self.read, "play", "accent_text")
        self.form = TextArgumentsForm(self._arguments(), self.propose, self)
        self._lay_out()
        self.read.clicked.connect(self.request)
        self.form.submitted.connect(self.request)
        self.form.changed.connect(self._show_uri)
        self.read.setToolTip("Ctrl+Enter")

    def request(self) -> None:
        """Read what the values lead to, if they lead anywhere."""
        if self.form.reveal_missing():
            return
        try:
            uri = expand_template(self.template.uri_template, self.form.values())
        except UsageError as error:
            self._say(spoken(str(error)))
            return
        if self.shown is not None:
            discard(self.shown)
        self.shown = self._make_view(uri)
        self._splitter.addWidget(self.shown)
        self._splitter.setStretchFactor(1, 1)

    def _arguments(self) -> list[TextArgument]:
        try:
            variables = template_variables(self.template.uri_template)
        except UsageError as error:
            self.read.setEnabled(False)
            self._say(spoken(str(error)))
            return []
        return [TextArgument(each.name, required=each.required) for each in variables]

    async def propose(self, name: str, typed: str, others: dict[str, str]) -> Sequence[str]:
        """The values that the server proposes for one of them."""
        found = await self._server.prompts.complete(self.template, name, typed, others)
        return found.values

    def _say(self, words: str) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def _show_uri(self) -> None:
        """What would be read now; nothing while something is missing."""
        self._say("")
        try:
            uri = expand_template(self.template.uri_template, self.form.values())
        except UsageError as error:
            self.uri.setText("")
            if not self.form.missing:
                self._say(spoken(str(error)))
        else:
            self.uri.setText(escape_hidden(uri[:2_000]))

    def _lay_out(self) -> None:
        template = self.template
        inside = QWidget()
        style(inside)
        pattern = escape_hidden(template.uri_template[:2_000])
        facts = filter(None, (mark_hidden(template.server), mark_hidden(template.mime)))
        column = in_column(
            inside,
            plain_label(mark_hidden(template.label), "title"),
            plain_label(pattern, "mono", "muted", "small"),
            plain_label(" · ".join(facts), "small", "muted"),
            margins=(4, 4, 4, 3),
        )
        if template.description:
            column.addWidget(description_label(mark_hidden_text(template.description)))
        column.addSpacing(space(1))
        for widget in (self.form, self.uri, self.problem):
            column.addWidget(widget)
        column.addWidget(self.read, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self)
        self._splitter.setChildrenCollapsible(False)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        self._splitter.addWidget(area)
        in_column(self, self._splitter)
        self.problem.setVisible(bool(self.problem.text()))
