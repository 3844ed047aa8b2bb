"""One field with all that belongs to it: label, type, description, editor, limits, issues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.form.field import show_if
from desktop.gui.form.field_menu import actions_of, default_of, state_of
from desktop.gui.form.fields import ABSENT
from desktop.gui.form.fitting import fits
from desktop.gui.form.labels import description_label, plain_label, plain_line
from desktop.gui.form.nodes import JsonNode
from desktop.gui.form.wording import limits_of, type_of, why_of
from desktop.gui.issue_words import words_of
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.form.field import Field, FormContext
    from desktop.gui.form.nodes import Node
    from desktop.tool_types import ValidationIssue


class FieldRow(QWidget):
    """A field as a person reads it, from its name down to what is wrong with it."""

    def __init__(self, node: Node, context: FormContext, field: Field | None = None) -> None:
        super().__init__()
        self.node = node
        self._context = context
        self.field = field or context.make_field(node, context)
        self._said: tuple[object, ...] = (False,)
        self._message: QLabel | None = None
        self._type = plain_line("" if node.spec.in_list else type_of(node.spec), "small", "muted")
        self._type.setParent(self)
        self._required: QLabel | None = None
        self._limits: QLabel | None = None
        self._prepare_parts()
        self._column = QVBoxLayout(self)
        self._head_line = QHBoxLayout()
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
        words = [_sentence(words_of(issue)) for issue in told[:5]]
        said = (is_wrong, *words)
        if said == self._said:
            return
        self._said = said
        self.message.setText("\n".join(words))
        show_if(self.message, bool(told))
        style(self.message, "small", "danger" if is_wrong else "warning")
        self.field.show_invalid(is_wrong)
        described = [self.node.spec.description, self.message.text()]
        self.field.target().setAccessibleDescription("\n".join(filter(None, described)))

    @property
    def message(self) -> QLabel:
        """The words about what is wrong; made with the first of them."""
        if self._message is None:
            self._message = plain_label("", "small", "danger")
            self._column.addWidget(self._message)
            self._message.hide()
        return self._message

    def lay_state_into(self, line: QHBoxLayout) -> None:
        """Put the state and the menu at the end of a line: the field's own, or its list's."""
        if self.node.spec.default is not ABSENT:
            line.addWidget(self.default_button)
        line.addWidget(self.state)
        line.addWidget(self.menu_button)

    def follow_spec(self) -> None:
        """Say what the field's schema says now; a condition changed it."""
        self._say_limits()
        self._say_required()
        self._name_for_assistance()
        self._refresh()

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
        if state != self.state.text():
            self.state.setText(state)
        style(self.state, *(("small", "muted") if self.node.is_absent else ("badge", "accent")))
        show_if(self.state, bool(state))
        show_if(self.menu_button, bool(actions_of(self.node)))
        default = default_of(self.node) if self.node.is_absent else None
        if default:
            self.default_button.setText(default.label.replace("&", "&&"))
        show_if(self.default_button, default is not None)

    def _prepare_parts(self) -> None:
        spec = self.node.spec
        self.state = plain_line("", "small", "muted")
        self.menu_button = QToolButton(self)
        self.default_button = QPushButton(self)
        # An item's row hands these to its list later; without a parent they would be windows.
        self.state.setParent(self)
        style(self.default_button, "link", "small")
        self.default_button.clicked.connect(lambda: self.apply(self.node.spec.default))
        style(self.menu_button, "flat")
        self.menu_button.setText("⋯")
        self.menu_button.setFixedHeight(space(6))
        policy = self.menu_button.sizePolicy()
        policy.setRetainSizeWhenHidden(
            not spec.in_list
        )  # the states of all rows stand below each other
        self.menu_button.setSizePolicy(policy)
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu_button.setAccessibleName(
            self.tr("What else to send for {name}").format(name=spec.title)
        )
        menu = QMenu(self.menu_button)
        menu.aboutToShow.connect(lambda: self._fill_menu(menu))
        self.menu_button.setMenu(menu)

    def _lay_out(self) -> None:
        spec = self.node.spec
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(1))
        if not spec.in_list:
            self._column.addLayout(self._head())
            if spec.description:
                self._column.addWidget(description_label(spec.description))
        self._column.addWidget(self.field)
        if why := why_of(spec):
            self._column.addWidget(plain_label(why, "small", "muted"))
        self._say_limits()

    def _head(self) -> QHBoxLayout:
        spec = self.node.spec
        head = self._head_line
        head.setSpacing(space(2))
        head.addStrut(space(6))
        title = plain_line(spec.title, "heading")
        title.setBuddy(self.field.target())
        head.addWidget(title)
        if spec.title != spec.name:
            head.addWidget(plain_line(spec.name, "mono", "small", "muted"))
        head.addWidget(self._type)
        self._say_required()
        head.addStretch(1)
        self.lay_state_into(head)
        return head

    def _say_required(self) -> None:
        spec = self.node.spec
        if self._required is None and spec.required and not spec.in_list:
            self._required = plain_line(self.tr("required"), "small", "accent")
            self._head_line.insertWidget(self._head_line.indexOf(self._type) + 1, self._required)
        if self._required is not None:
            show_if(self._required, spec.required)

    def _say_limits(self) -> None:
        limits = limits_of(self.node.spec)
        if self._limits is None and limits:
            self._limits = plain_label("", "small", "muted")
            self._column.insertWidget(self._column.indexOf(self.field) + 1, self._limits)
        if self._limits is not None:
            self._limits.setText(limits)
            show_if(self._limits, bool(limits))

    def _fill_menu(self, menu: QMenu) -> None:
        menu.clear()
        for action in actions_of(self.node):
            entry = menu.addAction(action.label.replace("&", "&&"))
            entry.triggered.connect(lambda _=False, value=action.value: self.apply(value))

    def _name_for_assistance(self) -> None:
        spec = self.node.spec
        required = self.tr("required") if spec.required else self.tr("optional")
        self.field.announce_as(f"{spec.title}, {type_of(spec)}, {required}")
        self.field.target().setAccessibleDescription(spec.description)


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:]
