"""A group of named fields: the arguments themselves, or an object inside them.

An optional object is drawn only once a person opens it; so a schema that contains itself ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.field_row import FieldRow, plain_label, plain_line
from desktop.gui.form.json_field import OtherField
from desktop.gui.icons import set_icon
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.gui.form.nodes import ObjectNode


OPTIONAL: Final = "optional"
"""The name of the line above the optional fields: the form puts there what folds them."""


class ObjectField(Field):
    """The fields of one object, in a frame of their own unless they are the whole form."""

    node: ObjectNode

    def __init__(self, node: ObjectNode, context: FormContext, *, is_root: bool = False) -> None:
        super().__init__(node, context)
        self._is_root = is_root
        self._body: QWidget | None = None
        self.rows: list[FieldRow] = []
        self.open_button = QPushButton(self.tr("Fill in"))
        set_icon(context.theme, self.open_button, "plus", "muted")
        self.open_button.clicked.connect(self._open)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.load()

    def load(self) -> None:
        if self._body is not None:
            self._body.hide()
            self._body.setParent(None)
            self._body.deleteLater()
        self._body, self.rows = None, []
        self.open_button.setVisible(self.node.fields is None)
        if self.node.fields is not None:
            self._body = self._draw()
            self._column.addWidget(self._body)

    def target(self) -> QWidget:
        if self.rows:
            return self.rows[0].field.target()
        return self.open_button

    def announce_as(self, name: str) -> None:
        self.open_button.setAccessibleName(f"{name}: {self.open_button.text()}")

    def _open(self) -> None:
        self.node.open()
        self.load()
        self.context.rearranged()
        self.edited.emit()
        if self.rows:
            self.target().setFocus()

    def _draw(self) -> QWidget:
        body = QWidget() if self._is_root else QFrame()
        if not self._is_root:
            style(body, "card")
        column = QVBoxLayout(body)
        edge = 0 if self._is_root else space(3)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(space(5) if self._is_root else space(4))
        fields = list((self.node.fields or {}).values())
        is_mixed = len({node.spec.required for node in fields}) == 2
        for index, node in enumerate(fields):
            is_first_optional = index > 0 and fields[index - 1].spec.required > node.spec.required
            if self._is_root and is_mixed and is_first_optional:
                column.addWidget(_divider(self.tr("Optional")))
            self.rows.append(FieldRow(node, self.context))
            column.addWidget(self.rows[-1])
        self._draw_rest(column, bool(fields))
        return body

    def _draw_rest(self, column: QVBoxLayout, has_fields: bool) -> None:
        spec, other = self.node.spec, self.node.other
        if spec.is_open or not other.is_absent:
            words = self.tr("Other properties, as JSON") if has_fields else self.tr("As JSON")
            heading = plain_line(words, "heading")
            field = OtherField(self.node, self.context)
            field.target().setAccessibleName(words)
            field.edited.connect(self.edited)
            if self._is_root:
                field.edited.connect(self.context.edited)
            box = QVBoxLayout()
            box.setSpacing(space(1))
            box.addWidget(heading)
            box.addWidget(field)
            column.addLayout(box)
        elif not has_fields:
            nothing = self.tr("This tool takes no arguments.")
            empty = self.tr("An empty object.")
            column.addWidget(plain_label(nothing if self._is_root else empty, "muted"))


def _divider(words: str) -> QWidget:
    box = QWidget()
    box.setObjectName(OPTIONAL)
    column = QVBoxLayout(box)
    column.setContentsMargins(0, space(1), 0, 0)
    column.setSpacing(space(2))
    line = QFrame()
    style(line, "divider")
    column.addWidget(line)
    column.addWidget(plain_label(words, "small", "muted"))
    return box
