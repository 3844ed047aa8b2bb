"""A value of one of several shapes: a choice of the shapes, and below it the chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QWidget

from desktop.gui.form.choice_fields import ChipsField, ListField, is_short
from desktop.gui.form.descriptions import branch_titles, limits_label
from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, Option
from desktop.gui.form.model.nodes import ScalarNode
from desktop.gui.form.model.object_node import ObjectNode
from desktop.gui.form.object_field import ObjectField
from desktop.gui.layouts import in_column
from desktop.gui.widgets.labels import description_label, plain_label
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from desktop.gui.form.model.nodes import Node
    from desktop.gui.form.model.union_node import UnionNode


class UnionField(Field):
    """The chooser and the field of the shape in use."""

    node: UnionNode

    def __init__(self, node: UnionNode, context: FormContext, *, is_root: bool = False) -> None:
        super().__init__(node, context)
        self._is_root = is_root
        self._name = ""
        self._body: QWidget | None = None
        self.inner: Field | None = None
        self._titles = branch_titles(node.spec)
        self._choice = ScalarNode(FieldSpec(required=True))
        self._column = in_column(self, spacing=3 if is_root else 1.5)
        if is_root:
            words = self.tr("Choose the shape of the arguments:")
            self._column.addWidget(plain_label(words, "small", "muted"))
        self.chooser: Field = self._make_chooser()
        self._column.addWidget(self.chooser)
        self._draw()

    def load(self) -> None:
        chooser = self._make_chooser()
        self._column.replaceWidget(self.chooser, chooser)
        discard(self.chooser)
        self.chooser = chooser
        self._draw()
        self.announce_as(self._name)

    def target(self) -> QWidget:
        is_chosen = self.inner is not None and self.node.index is not None
        return self.inner.target() if self.inner and is_chosen else self.chooser.target()

    def complete(self) -> None:
        if self.inner is not None:
            self.inner.complete()

    def announce_as(self, name: str) -> None:
        self._name = name
        self.chooser.announce_as(name)
        if self.inner is not None:
            self.inner.announce_as(name)

    def show_invalid(self, is_invalid: bool) -> None:
        if self.inner is not None:
            self.inner.show_invalid(is_invalid)

    def _make_chooser(self) -> Field:
        titles = [*self._titles, *([self.tr("JSON")] if self.node.is_json else [])]
        options = tuple(Option(title, index) for index, title in enumerate(titles))
        spec = FieldSpec(self.node.spec.name, "enum", required=True, options=options)
        index = self.node.index
        self._choice = ScalarNode(spec, ABSENT if index is None else index)
        chooser = (ChipsField if is_short(spec) else ListField)(self._choice, self.context)
        chooser.edited.connect(self._choose)
        return chooser

    def _choose(self) -> None:
        index = self._choice.value()
        self.node.choose(None if index is ABSENT else cast("int", index))
        self._draw()
        self.complete()
        self.announce_as(self._name)
        self.context.rearranged()
        self.edited.emit()

    def _draw(self) -> None:
        if self._body is not None:
            discard(self._body)
        self._body, self.inner = None, None
        if self.node.inner is None:
            return
        self._body = QWidget()
        column = in_column(self._body, spacing=1)
        spec = self.node.inner.spec
        if spec.description and spec.description != self.node.spec.description:
            column.addWidget(description_label(spec.description))
        self.inner = self._make_inner(self.node.inner)
        column.addWidget(self.inner)
        if limits := limits_label(spec):
            column.addWidget(plain_label(limits, "small", "muted"))
        self._column.addWidget(self._body)
        self._body.show()

    def _make_inner(self, node: Node) -> Field:
        if isinstance(node, ObjectNode):
            field: Field = ObjectField(node, self.context, is_root=self._is_root)
        else:
            field = self.context.make_field(node, self.context)
        field.edited.connect(self.edited)
        return field
