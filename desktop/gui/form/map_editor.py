"""The properties that a schema does not name: a key to type, a value and Remove for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from desktop.gui.form.array_field import icon_button
from desktop.gui.form.field import mark_invalid
from desktop.gui.form.field_row import FieldRow
from desktop.gui.layouts import LEFT, in_column
from desktop.gui.theme import space
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import discard, show_if

if TYPE_CHECKING:
    from desktop.gui.form.field import FormContext
    from desktop.gui.form.model.object_node import MapEntry, ObjectNode

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
        self.remove_button.setToolTip(remove)

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
