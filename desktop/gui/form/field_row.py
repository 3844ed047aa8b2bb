"""One row of a form: label, type, description, editor, limits, issues, and a menu of actions.

The actions are what typing cannot do: send null, an empty text, the default, or nothing. Their
button is there while the pointer or the keyboard is in the row. A row judges no value; issues are
given to it. A form has hundreds: what most rows never show is made when it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.form.descriptions import (
    fallback_label,
    limits_label,
    type_label,
    value_label,
)
from desktop.gui.form.field_head import HEAD_HEIGHT, DescriptionLine, FieldHead, shrinking
from desktop.gui.form.model.field_spec import ABSENT, can_represent
from desktop.gui.form.model.nodes import ArrayNode, JsonNode
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import plain_label, plain_line
from desktop.gui.widgets.visibility import show_if
from desktop.values.json_schema import same_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent

    from desktop.gui.form.field import Field, FormContext
    from desktop.gui.form.model.field_spec import FieldSpec
    from desktop.gui.form.model.nodes import Node
    from desktop.values.tool_types import ValidationIssue

translate = QCoreApplication.translate

_MENU_WIDTH = space(8)

CHOICE_KINDS = frozenset({"boolean", "enum", "const"})
"""Fields where null is among the choices themselves."""


class FieldAction(Struct, frozen=True):
    """An entry of a field's menu, and the value it gives the field."""

    label: str
    value: Any


def field_actions(node: Node) -> list[FieldAction]:
    """What makes sense for the node as it is now."""
    spec, value = node.spec, node.value()
    found: list[FieldAction] = []
    if spec.kind == "string" and not spec.in_list and value != "":
        found.append(FieldAction(translate("FieldMenu", 'Send empty text ""'), ""))
    if (empty := _empty_of(node)) is not ABSENT and value != empty:
        found.append(FieldAction(_empty_label(empty), empty))
    if value is not None and (null := _null_label(spec)):
        found.append(FieldAction(null, None))
    if default := _default_action(node):
        found.append(default)
    if value is not ABSENT and not spec.in_list and not _is_frame(node):
        found.append(FieldAction(translate("FieldMenu", "Do not send"), ABSENT))
    return found


def _null_label(spec: FieldSpec) -> str:
    """Null can be sent where the schema forbids it, too: that is how a refusal is tried out."""
    if not spec.nullable:
        return "" if spec.in_list else translate("FieldMenu", "Send null (not allowed)")
    return translate("FieldMenu", "Send null") if spec.kind not in CHOICE_KINDS else ""


def _default_action(node: Node) -> FieldAction | None:
    """The offer to fill in the schema's default, where it has one worth sending."""
    default = node.spec.default
    if default is ABSENT or (default is None and not node.spec.nullable):
        return None
    if same_json(node.value(), default):
        return None
    words = translate("FieldMenu", "Use default: {value}")
    return FieldAction(words.format(value=value_label(default)), default)


def state_label(node: Node) -> str:
    """What would be sent, in words, where the field itself does not show it."""
    value = node.value()
    if node.problem or value is ABSENT:
        return ""
    if value is None and node.spec.kind not in {"json", *CHOICE_KINDS}:
        return "null"
    return translate("FieldMenu", 'empty text ""') if value == "" and not node.spec.in_list else ""


def _empty_of(node: Node) -> Any:
    """The value with nothing in it, for fields that start without one."""
    if isinstance(node, ArrayNode) and not node.fixed:
        return []
    return {} if isinstance(node, ObjectNode) and node.is_map else ABSENT


def _empty_label(empty: Any) -> str:
    is_list = isinstance(empty, list)
    empty_list = translate("FieldMenu", "Send an empty list")
    return empty_list if is_list else translate("FieldMenu", "Send an empty object")


_PLAIN_KINDS = frozenset({"string", "integer", "number", *CHOICE_KINDS, "union"})


def _type_worth_saying(spec: FieldSpec) -> str:
    """The type in words; none where the field itself shows what it takes."""
    is_plain = spec.kind in _PLAIN_KINDS and not spec.nullable and "format" not in spec.schema
    return "" if spec.in_list or is_plain else type_label(spec)


def _is_frame(node: Node) -> bool:
    """Whether the value is there whatever a person does, as the frame of its fields."""
    return isinstance(node, ObjectNode) and node.spec.required and not node.is_map


class FieldRow(QWidget):
    """A field as a person reads it, from its name down to what is wrong with it."""

    def __init__(self, node: Node, context: FormContext, field: Field | None = None) -> None:
        super().__init__()
        self.node = node
        self._context = context
        self.field = field or context.make_field(node, context)
        self._said: tuple[object, ...] = (False,)
        self._message: QLabel | None = None
        self._limits: QLabel | None = None
        self._state: QLabel | None = None
        self._menu_button: QToolButton | None = None
        self._has_keyboard = False
        self._column = QVBoxLayout(self)
        self.description = DescriptionLine(node.spec.description, self._column)
        self._head: FieldHead | None = None
        self._states = QHBoxLayout()
        self._lay_out()
        self._name_for_assistance()
        self.field.edited.connect(self._edited)
        self._refresh()

    def show_issues(self, issues: Sequence[ValidationIssue], *, is_revealed: bool) -> None:
        """Say what is wrong, once the person had a chance to fill the field in."""
        told = [
            issue
            for issue in issues
            if issue.severity == "warning" or is_revealed or self.node.is_begun
        ]
        is_wrong = any(issue.severity == "error" for issue in told)
        words = [_sentence(spoken(issue.message)) for issue in told[:5]]
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

    def open_menu(self) -> bool:
        """Open the menu of actions at its button; whether there is anything in it."""
        if not field_actions(self.node):
            return False
        menu = self.menu_button.menu()
        menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))
        menu.setActiveAction(menu.actions()[0])
        return True

    def lay_state_into(self, line: QHBoxLayout) -> None:
        """Put the state and the menu at the end of a line: the field's own, or its list's."""
        self._states.setSpacing(space(1))
        if not self.node.spec.in_list:
            # With its distance, so that the description keeps its width under the mouse.
            self._states.addSpacing(_MENU_WIDTH + space(1))
        line.addLayout(self._states)

    def note_keyboard(self, *, is_inside: bool) -> None:
        """Whether the keyboard is in this row."""
        self._has_keyboard = is_inside
        self._show_menu_button()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._show_menu_button()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._show_menu_button()

    def follow_spec(self) -> None:
        """Say what the field's schema says now; a condition changed it."""
        self._add_limits()
        if self._head is not None:
            self._head.mark_required(self.node.spec.required)
        self._name_for_assistance()
        self._refresh()

    def apply(self, value: Any) -> None:
        """Give the field a value from its menu."""
        is_misfit = isinstance(self.node, JsonNode) and self.node.spec.kind != "json"
        if is_misfit or not can_represent(self.node.spec, value):
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
        self._show_state(state_label(self.node))
        self._show_menu_button()

    def _show_state(self, words: str) -> None:
        if self._state is None and words:
            self._state = plain_line("", "badge", "accent")
            self._states.insertWidget(0, self._state)
        if self._state is not None:
            self._state.setText(words)
            show_if(self._state, bool(words))

    @property
    def state(self) -> str:
        """What would be sent, in words, where the field itself does not show it."""
        return self._state.text() if self._state is not None else ""

    def _show_menu_button(self) -> None:
        """Show it where a person is; in a list, which has its buttons always, wherever it helps."""
        is_near = self.node.spec.in_list or self.underMouse() or self._has_keyboard
        if not is_near and self._menu_button is None:
            return
        is_shown = is_near and bool(field_actions(self.node))
        if is_shown or self._menu_button is not None:
            show_if(self.menu_button, is_shown or self.menu_button.menu().isVisible())

    @property
    def menu_button(self) -> QToolButton:
        """The button of the actions; made with its first use."""
        if self._menu_button is None:
            self._menu_button = self._make_menu_button()
            if (room := self._states.takeAt(self._states.count() - 1)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None where there is none
                del room
            self._states.addWidget(self._menu_button)
        return self._menu_button

    def _make_menu_button(self) -> QToolButton:
        spec = self.node.spec
        button = QToolButton(self)
        button.hide()
        style(button, "flat")
        button.setText("⋯")
        button.setFixedHeight(HEAD_HEIGHT)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # `open_menu` is for the keys
        if not spec.in_list:
            button.setFixedWidth(_MENU_WIDTH)
            policy = button.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            button.setSizePolicy(policy)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(self.tr("More options for {name}").format(name=spec.title))
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: self._fill_menu(menu))
        button.setMenu(menu)
        return button

    def _lay_out(self) -> None:
        spec = self.node.spec
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(0.5))
        if not spec.in_list:
            self._column.addLayout(self._lay_out_head())
        else:
            self.description.setParent(self)  # a label of no layout would be a window
            self.description.hide()
        self._column.addWidget(self.field)
        if why := fallback_label(spec):
            self._column.addWidget(plain_label(why, "small", "muted"))
        self._add_limits()

    def _lay_out_head(self) -> FieldHead:
        spec = self.node.spec
        self._head = head = FieldHead(spec.title, spec.name, self.description)
        head.title.setBuddy(self.field.target())
        head.mark_required(spec.required)
        if words := " · ".join(filter(None, (_type_worth_saying(spec), self._unsaid_default()))):
            head.addWidget(shrinking(words, "small", "muted"))
        self.lay_state_into(head)
        return head

    def _unsaid_default(self) -> str:
        """The default in words, where the field has no place for them."""
        default = self.node.spec.default
        if default is ABSENT or default is None or self.field.show_limits(""):
            return ""
        words = self.tr("default: {value}")
        return words.format(value=value_label(default))

    def _add_limits(self) -> None:
        """Say the limits: inside the editor where that has room for words, else below it."""
        limits = limits_label(self.node.spec)
        is_said = self.field.show_limits(limits)
        if self._limits is None and limits and not is_said:
            self._limits = plain_label("", "small", "muted")
            self._column.insertWidget(self._column.indexOf(self.field) + 1, self._limits)
        if self._limits is not None:
            self._limits.setText(limits)
            show_if(self._limits, bool(limits) and not is_said)

    def _fill_menu(self, menu: QMenu) -> None:
        menu.clear()
        for action in field_actions(self.node):
            entry = menu.addAction(action.label.replace("&", "&&"))
            entry.triggered.connect(lambda _=False, value=action.value: self.apply(value))

    def _name_for_assistance(self) -> None:
        spec = self.node.spec
        required = self.tr("required") if spec.required else self.tr("optional")
        self.field.announce_as(f"{spec.title}, {type_label(spec)}, {required}")
        self.field.target().setAccessibleDescription(spec.description)


def _sentence(message: str) -> str:
    return message[:1].upper() + message[1:]
