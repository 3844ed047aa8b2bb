"""One property under a free key: the key to type, the value, and a button that takes it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.gui.form.field import discard, mark_invalid, show_if
from desktop.gui.form.field_row import FieldRow
from desktop.gui.form.item_row import icon_button
from desktop.gui.form.labels import plain_label
from desktop.gui.issue_words import words_of
from desktop.gui.theme import space

if TYPE_CHECKING:
    from desktop.gui.form.field import FormContext
    from desktop.gui.form.object_node import MapEntry, ObjectNode

_TALL = frozenset({"object", "array", "json", "union"})


class MapEntryRow(QWidget):
    """A key and its value; `removed` is sent when the person wants both gone."""

    renamed = Signal()
    removed = Signal()

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
        self.remove_button.clicked.connect(self.removed)
        self.problem = plain_label("", "small", "danger")
        self._line = QHBoxLayout()
        self._line.setSpacing(space(2))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(space(1))
        self._column.addLayout(self._line)
        self._column.addWidget(self.problem)
        self.row = FieldRow(entry.node, context)
        self._place_row()
        self.tell()

    def tell(self) -> None:
        """Say what is wrong with the key, if anything, and name the parts for assistance."""
        problem = self.entry.problem
        is_shown = problem is not None and (self.entry.is_named or self._owner.is_touched)
        words = words_of(problem) if problem is not None and is_shown else ""
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
