"""One field with all that belongs to it: label, type, description, editor, limits, issues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.form.field_menu import actions_of, default_of, state_of
from desktop.gui.form.model import fits
from desktop.gui.form.nodes import JsonNode
from desktop.gui.form.wording import limits_of, type_of
from desktop.gui.issue_words import words_of
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.form.field import Field, FormContext
    from desktop.gui.form.nodes import Node
    from desktop.gui.theme import Role
    from desktop.tools.issue import ValidationIssue

_LONGEST: Final = 320
_LONGEST_NAME: Final = 64


class FieldRow(QWidget):
    """A field as a person reads it, from its name down to what is wrong with it."""

    def __init__(self, node: Node, context: FormContext, field: Field | None = None) -> None:
        super().__init__()
        self.node = node
        self._context = context
        self.field = field or context.make_field(node, context)
        self.state = plain_line("", "small", "muted")
        self.menu_button = QToolButton(self)
        self.default_button = QPushButton(self)
        # An item's row hands these to its list later; without a parent they would be windows.
        self.state.setParent(self)
        self.message = plain_label("", "small", "danger")
        self._description = node.spec.description
        self._prepare_menu()
        self._lay_out()
        self._name_for_assistance()
        self.field.edited.connect(self._edited)
        self._refresh()

    def show_issues(self, issues: Sequence[ValidationIssue], *, is_revealed: bool) -> None:
        """Say what is wrong, once the person had a chance to fill the field in."""
        told = [
            issue
            for issue in issues
            if issue.severity == "warning" or is_revealed or self.node.is_touched
        ]
        is_wrong = any(issue.severity == "error" for issue in told)
        here = len(told) > 1
        self.message.setText("\n".join(_sentence(words_of(issue)) for issue in told[:5]))
        self.message.setVisible(bool(told))
        style(self.message, "small", "danger" if is_wrong else "warning")
        self.field.show_invalid(is_wrong)
        described = [self._description, self.message.text() if told or here else ""]
        self.field.target().setAccessibleDescription("\n".join(filter(None, described)))

    def lay_state_into(self, line: QHBoxLayout) -> None:
        """Put the state and the menu at the end of a line: the field's own, or its list's."""
        line.addWidget(self.default_button)
        line.addWidget(self.menu_button)
        line.addWidget(self.state)

    def apply(self, value: Any) -> None:
        """Give the field a value from its menu."""
        is_misfit = isinstance(self.node, JsonNode) and self.node.spec.kind != "json"
        if is_misfit or not fits(self.node.spec, value):
            self._context.renew(self.node, value)
            return
        self.node.set_value(value)
        self.field.load()
        self._context.rearranged()
        self._edited()

    def _edited(self) -> None:
        self._refresh()
        self._context.edited()

    def _refresh(self) -> None:
        state = state_of(self.node)
        self.state.setText(state)
        style(self.state, *(("small", "muted") if self.node.is_absent else ("badge", "accent")))
        self.state.setVisible(bool(state))
        self.menu_button.setVisible(bool(actions_of(self.node)))
        default = default_of(self.node) if self.node.is_absent else None
        self.default_button.setText(default.label.replace("&", "&&") if default else "")
        self.default_button.setVisible(default is not None)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space(1))
        if not self.node.spec.in_list:
            column.addLayout(self._head())
            if self._description:
                column.addWidget(_Description(self._description))
        column.addWidget(self.field)
        column.addLayout(self._foot())
        column.addWidget(self.message)
        self.message.hide()

    def _head(self) -> QHBoxLayout:
        spec = self.node.spec
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addStrut(space(6))
        title = plain_line(spec.title, "heading")
        title.setBuddy(self.field.target())
        head.addWidget(title)
        if spec.title != spec.name:
            head.addWidget(plain_line(spec.name, "mono", "small", "muted"))
        head.addWidget(plain_line(type_of(spec), "small", "muted"))
        if spec.required:
            head.addWidget(plain_line(self.tr("required"), "small", "accent"))
        head.addStretch(1)
        self.lay_state_into(head)
        return head

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(space(2))
        if limits := limits_of(self.node.spec):
            foot.addWidget(plain_label(limits, "small", "muted"), 1)
        return foot

    def _prepare_menu(self) -> None:
        style(self.default_button, "link", "small")
        self.default_button.clicked.connect(lambda: self.apply(self.node.spec.default))
        self.menu_button.setText("⋯")
        style(self.menu_button, "flat")
        self.menu_button.setFixedHeight(space(6))
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setAccessibleName(
            self.tr("What else to send for {name}").format(name=self.node.spec.title)
        )
        menu = QMenu(self.menu_button)
        menu.aboutToShow.connect(lambda: self._fill_menu(menu))
        self.menu_button.setMenu(menu)

    def _fill_menu(self, menu: QMenu) -> None:
        menu.clear()
        for action in actions_of(self.node):
            entry = menu.addAction(action.label.replace("&", "&&"))
            entry.triggered.connect(lambda _=False, value=action.value: self.apply(value))

    def _name_for_assistance(self) -> None:
        spec = self.node.spec
        required = self.tr("required") if spec.required else self.tr("optional")
        self.field.announce_as(f"{spec.title}, {type_of(spec)}, {required}")
        self.field.target().setAccessibleDescription(self._description)


class _Description(QWidget):
    """A text of the server, as plain text; a long one is cut until asked for."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text
        self._label = plain_label(text, "small", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._label)
        if len(text) > _LONGEST:
            self._label.setText(f"{text[:_LONGEST].rstrip()}…")
            more = QPushButton(self.tr("Show all"))
            style(more, "link", "small")
            more.clicked.connect(lambda: self._show_all(more))
            column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _show_all(self, more: QPushButton) -> None:
        self._label.setText(self._text)
        more.hide()


def plain_label(text: str, *roles: Role) -> QLabel:
    """A label whose text is never markup."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setWordWrap(True)
    style(label, *roles)
    return label


def plain_line(text: str, *roles: Role) -> QLabel:
    """The same on one line; a name of hundreds of letters does not push the rest away."""
    label = plain_label(text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…", *roles)
    label.setWordWrap(False)
    return label


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:]
