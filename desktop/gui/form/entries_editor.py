"""The properties of an object that its schema does not name: each with a key of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.gui.counted import counted
from desktop.gui.form.entry_row import MapEntryRow
from desktop.gui.form.field import discard, show_if
from desktop.gui.form.labels import plain_label
from desktop.gui.icons import set_icon
from desktop.gui.theme import space

if TYPE_CHECKING:
    from desktop.gui.form.field import FormContext
    from desktop.gui.form.object_node import MapEntry, ObjectNode


class MapEditor(QWidget):
    """A row an entry, and a button for another."""

    edited = Signal()

    def __init__(self, owner: ObjectNode, context: FormContext) -> None:
        super().__init__()
        self._owner = owner
        self._context = context
        self.rows: list[MapEntryRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(2))
        self._name = ""
        self.add_button = QPushButton()
        set_icon(context.theme, self.add_button, "plus", "muted")
        self.add_button.clicked.connect(self._add)
        self._empty = plain_label(self.tr("The object is empty."), "small", "muted")
        self._column.addWidget(self._empty)
        self._column.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)
        for entry in owner.entries:
            self._append(entry)
        self._refresh()

    def announce_as(self, name: str) -> None:
        self._name = name
        self.add_button.setAccessibleName(f"{name}: {self.add_button.text()}")

    def _append(self, entry: MapEntry) -> MapEntryRow:
        row = MapEntryRow(entry, self._owner, self._context)
        row.renamed.connect(self._changed)
        row.removed.connect(lambda: self._remove(row))
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
        after = self.rows[min(index, len(self.rows) - 1)].remove_button if self.rows else None
        (after or self.add_button).setFocus()
        discard(row)
        self._changed()

    def _changed(self) -> None:
        self._refresh()
        self.edited.emit()

    def _refresh(self) -> None:
        for row in self.rows:
            row.tell()
        owner = self._owner
        self.add_button.setEnabled(owner.may_add)
        show_if(self.add_button, owner.shape.is_open)
        words = self.tr("Add property")
        most = owner.spec.schema.get("maxProperties")
        if owner.shape.is_open and not owner.may_add and isinstance(most, int):
            one = self.tr("Full: at most 1 property")
            words = counted(most, one, self.tr("Full: at most {count} properties"))
        self.add_button.setText(words)
        self.announce_as(self._name)
        is_empty = owner.fields is not None and not owner.shape.properties and not owner.entries
        show_if(self._empty, is_empty)
