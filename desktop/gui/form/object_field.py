"""A group of named fields: the arguments themselves, or an object inside them.

An optional object is drawn only once a person opens it, so a schema that contains itself ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop.gui.form.array_field import icon_button
from desktop.gui.form.field import Field, FormContext, mark_invalid
from desktop.gui.form.field_row import FieldRow
from desktop.gui.layouts import LEFT, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, plain_line, plain_tip
from desktop.gui.widgets.visibility import batch_layout, discard, show_if

if TYPE_CHECKING:
    from desktop.gui.form.model.nodes import Node
    from desktop.gui.form.model.object_node import MapEntry, ObjectNode

# The properties that a schema does not name: a key to type, a value and Remove for each.


_TALL = frozenset({"object", "array", "json", "union"})


class MapEntryRow(QWidget):
    """A key and its value; `removed` is sent when the person wants both gone."""

    renamed = Signal()
    remove_requested = Signal()

    def __init__(self, entry: MapEntry, owner: ObjectNode, context: FormContext) -> None:
        super().__init__()
        self.entry = entry
        self._owner = owner
        self._context = context
        self.key_edit = QLineEdit(entry.key)
        self.key_edit.setPlaceholderText(self.tr("name"))
        self.key_edit.textEdited.connect(self._rename)
        self.key_edit.returnPressed.connect(lambda: self.row.field.target().setFocus())
        self.remove_button = icon_button(context, "close")
        guard_focus(self.remove_button)
        self.remove_button.clicked.connect(self.remove_requested)
        self.problem = plain_label("", "small", "danger")
        self._line = QHBoxLayout()
        self._line.setSpacing(space(2))
        self._column = in_column(self, self._line, self.problem, spacing=1)
        self.row = FieldRow(entry.node, context)
        self._place_row()
        self.show_state()

    def show_state(self) -> None:
        """Say what is wrong with the key, if anything, and name the parts for assistance."""
        problem = self.entry.problem
        is_shown = problem is not None and (self.entry.is_named or self._owner.is_touched)
        words = spoken(problem.message) if problem is not None and is_shown else ""
        self.problem.setText(self.tr("The name {problem}").format(problem=words))
        show_if(self.problem, problem is not None and self.entry.is_named)
        mark_invalid(self.key_edit, problem is not None and self.entry.is_named)
        key = self.entry.key or self.tr("unnamed")
        self.key_edit.setAccessibleName(self.tr("Name of property {key}").format(key=key))
        self.row.field.announce_as(self.tr("Value of {key}").format(key=key))
        remove = self.tr("Remove {key}").format(key=key)
        self.remove_button.setAccessibleName(remove)
        self.remove_button.setToolTip(plain_tip(remove))

    def _rename(self, key: str) -> None:
        node = self.entry.node
        self._owner.rename_entry(self.entry, key)
        if self.entry.node is not node:
            self._replace_row()
        self.renamed.emit()

    def _replace_row(self) -> None:
        discard(self.row)
        self.row = FieldRow(self.entry.node, self._context)
        self._place_row()
        self.row.show()
        self.row.field.complete()
        self._context.rearranged()

    def _place_row(self) -> None:
        """A tall value stands below its key, a short one beside it."""
        while self._line.count():
            self._line.takeAt(0)
        is_tall = self.entry.node.spec.kind in _TALL
        self._line.addWidget(self.key_edit, 2)
        if is_tall:
            self._line.addStretch(3)
            self._column.addWidget(self.row)
        else:
            self._line.addWidget(self.row, 3)
        self.row.lay_state_into(self._line)
        self._line.addWidget(self.remove_button)
        for widget in (self.key_edit, self.remove_button):
            self._line.setAlignment(widget, Qt.AlignmentFlag.AlignTop)


class MapEditor(QWidget):
    """A row an entry, and a button for another."""

    edited = Signal()

    def __init__(self, owner: ObjectNode, context: FormContext) -> None:
        super().__init__()
        self._owner = owner
        self._context = context
        self.rows: list[MapEntryRow] = []
        self._name = ""
        self.add_button = QPushButton()
        set_icon(context.theme, self.add_button, "plus", "muted")
        self.add_button.clicked.connect(self._add)
        self._empty = plain_label(self.tr("The object is empty."), "small", "muted")
        self._column = in_column(self, self._empty, (self.add_button, LEFT))
        for entry in owner.entries:
            self._append(entry)
        self._refresh()

    def announce_as(self, name: str) -> None:
        self._name = name
        self.add_button.setAccessibleName(f"{name}: {self.add_button.text()}")

    def _append(self, entry: MapEntry) -> MapEntryRow:
        row = MapEntryRow(entry, self._owner, self._context)
        row.renamed.connect(self._changed)
        row.remove_requested.connect(lambda: self._remove(row))
        self._column.insertWidget(len(self.rows), row)
        self.rows.append(row)
        return row

    def _add(self) -> None:
        row = self._append(self._owner.add_entry())
        row.show()  # at once: a hidden widget cannot take the focus
        self._context.rearranged()
        row.key_edit.setFocus()
        self._changed()

    def _remove(self, row: MapEntryRow) -> None:
        index = self.rows.index(row)
        self._owner.remove_entry(row.entry)
        del self.rows[index]
        # Not the next button of this kind: a second press would take one property more.
        after = self.rows[min(index, len(self.rows) - 1)].key_edit if self.rows else None
        (after or self.add_button).setFocus()
        discard(row)
        self._changed()

    def _changed(self) -> None:
        self._refresh()
        self.edited.emit()

    def _refresh(self) -> None:
        for row in self.rows:
            row.show_state()
        owner = self._owner
        self.add_button.setEnabled(owner.may_add)
        show_if(self.add_button, owner.shape.is_open)
        words = self.tr("Add property")
        most = owner.spec.schema.get("maxProperties")
        if owner.shape.is_open and not owner.may_add and isinstance(most, int):
            one = self.tr("Maximum of 1 property reached")
            words = counted(most, one, self.tr("Maximum of {count} properties reached"))
        self.add_button.setText(words)
        self.announce_as(self._name)
        is_empty = owner.fields is not None and not owner.shape.properties and not owner.entries
        show_if(self._empty, is_empty)


FIRST_ROWS: Final = 10
"""Rows of a whole form that are there with its first paint; more than a screen shows."""
ROWS_A_TIME: Final = 4
"""Rows drawn between two looks at the keyboard."""


OPTIONAL_DIVIDER: Final = "optional"
"""The name of the line above the optional fields: the form puts there what folds them."""


class ObjectField(Field):
    """The fields of one object, beside a line of their own unless they are the whole form."""

    node: ObjectNode

    def __init__(self, node: ObjectNode, context: FormContext, *, is_root: bool = False) -> None:
        super().__init__(node, context)
        self._is_root = is_root
        self._name = ""
        self._drawn = node.revision
        self._body: QWidget | None = None
        self._fields = QVBoxLayout()
        self._waiting: list[Node] = []
        self._known: dict[int, FieldRow] = {}
        self._is_divided = False
        self._first = FIRST_ROWS if is_root else 0
        """An object inside is drawn once it is in its place, which spares Qt much work."""
        self.rows: list[FieldRow] = []
        self.entries: MapEditor | None = None
        self.open_button = QPushButton(self.tr("Fill in"))
        set_icon(context.theme, self.open_button, "plus", "muted")
        self.open_button.clicked.connect(self._open)
        self._column = in_column(self, (self.open_button, LEFT), spacing=1.5)
        node.reshaped = self._reshaped
        self.load()

    def load(self) -> None:
        if self._body is not None:
            discard(self._body)
        self._body, self.rows, self.entries, self._waiting = None, [], None, []
        self._drawn = self.node.revision
        is_drawn = self.node.fields is not None or self.node.is_map
        show_if(self.open_button, not is_drawn)
        if is_drawn:
            self._body = self._draw()
            self._column.addWidget(self._body)
            if self.isVisible():
                self._body.show()

    def target(self) -> QWidget:
        if self.rows:
            return self.rows[0].field.target()
        if self.entries is not None:
            rows = self.entries.rows
            return rows[0].key_edit if rows else self.entries.add_button
        return self.open_button

    def announce_as(self, name: str) -> None:
        self._name = name
        self.open_button.setAccessibleName(f"{name}: {self.open_button.text()}")
        if self.entries is not None:
            self.entries.announce_as(name)

    def _open(self) -> None:
        self.node.open()
        self.load()
        self.complete()
        self.announce_as(self._name)
        self.context.rearranged()
        self.edited.emit()
        if self.rows:
            self.target().setFocus()

    def _draw(self) -> QWidget:
        body = QWidget() if self._is_root else QFrame()
        if not self._is_root:
            style(body, "nested")
        column = in_column(body, margins=(0 if self._is_root else 4, 0, 0, 0), spacing=2.5)
        self._fields = QVBoxLayout()
        self._fields.setSpacing(column.spacing())
        column.addLayout(self._fields)
        self._draw_fields()
        self._draw_rest(column)
        return body

    def complete(self) -> None:
        self._draw_more(len(self._waiting))
        for row in self.rows:
            row.field.complete()

    def _draw_fields(self) -> None:
        """A row a field, those of before again where their field is still the same."""
        self._known = {id(row.node): row for row in self.rows}
        while (item := self._fields.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and not isinstance(widget, FieldRow):
                discard(widget)
        self.rows, self._waiting = [], list((self.node.fields or {}).values())
        is_mixed = len({node.spec.required for node in self._waiting}) == 2
        self._is_divided = self._is_root and is_mixed
        wanted = {id(node) for node in self._waiting}
        for row in [row for key, row in self._known.items() if key not in wanted]:
            discard(row)
        self._draw_more(len(self._waiting) if self._known else self._first)

    def _draw_more(self, count: int) -> None:
        """Some of the rows to come; the rest once the window had time for other things."""
        if not self._waiting:
            return
        is_later = count != self._first
        drawn = [self._add_row(node) for node in self._waiting[:count]]
        with batch_layout(drawn):
            for row in drawn:
                if self._is_root and self.context.is_folded(row.node):
                    row.hide()
                elif self.isVisible():
                    row.show()  # at once: a hidden widget cannot take the focus
        self._waiting = self._waiting[count:]
        if self._waiting:
            QTimer.singleShot(0, self, lambda: self._draw_more(ROWS_A_TIME))
        elif is_later:
            self.context.rearranged()
            self.context.edited()

    def _add_row(self, node: Node) -> FieldRow:
        before = self.rows[-1].node.spec.required if self.rows else False
        if self._is_divided and before and not node.spec.required:
            self._fields.addWidget(_divider(self.tr("Optional")))
        row = self._known.get(id(node)) or FieldRow(node, self.context)
        self.rows.append(row)
        self._fields.addWidget(row)
        return row

    def _draw_rest(self, column: QVBoxLayout) -> None:
        node = self.node
        if node.shape.is_open or node.entries:
            if node.fields:
                column.addWidget(plain_line(self.tr("Other properties"), "heading"))
            self.entries = MapEditor(node, self.context)
            self.entries.edited.connect(self.edited)
            column.addWidget(self.entries)
        elif not node.fields:
            nothing = self.tr("This tool takes no arguments.")
            empty = self.tr("An empty object.")
            column.addWidget(plain_label(nothing if self._is_root else empty, "muted"))

    def _reshaped(self) -> None:
        if isValid(self):  # the node may outlive the widget that drew it
            QTimer.singleShot(0, self, self._follow)

    def _follow(self) -> None:
        """A condition brought or took fields: draw those, leave the others alone."""
        if self._drawn == self.node.revision or self._body is None:
            return
        self._drawn = self.node.revision
        entries = len(self.entries.rows) if self.entries else 0
        if entries != len(self.node.entries):
            self.load()
        else:
            self.complete()
            self._draw_fields()
            for row in self.rows:
                row.follow_spec()
                row.show()
        self.context.rearranged()
        self.context.edited()


def _divider(words: str) -> QWidget:
    box = QWidget()
    box.setObjectName(OPTIONAL_DIVIDER)
    line = QFrame()
    style(line, "divider")
    in_column(box, line, plain_label(words, "small", "muted"), margins=(0, 1, 0, 0))
    return box
