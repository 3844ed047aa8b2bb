"""The line above a form: its two views, the search of a long form, why a view cannot be shown.

Announces what a person chose; switches nothing itself.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from desktop.gui import shortcuts
from desktop.gui.layouts import TOP, in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.search_fields import SearchField

_EXIT_KEYS: Final = (
    Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape,
)  # fmt: skip


class Refusal(QFrame):
    """Hidden until a switch was refused."""

    reset_requested = Signal()
    """A person gives up the text that is not JSON."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of_json = False
        style(self, "banner", "warning")
        self.words = plain_label("", "warning")
        self.reset = QPushButton()
        style(self.reset, "link")
        in_row(self, (self.words, 1), (self.reset, TOP), margins=(3, 1, 2, 1), spacing=1.5)
        self.reset.clicked.connect(self.reset_requested)
        self.hide()

    def refuse_form(self) -> None:
        """The JSON view has text that no form can show."""
        self._of_json = True
        self._say()

    def refuse_json(self) -> None:
        """A field has text that is not JSON."""
        self._of_json = False
        self._say()

    def _say(self) -> None:
        if self._of_json:
            words = self.tr("The form cannot show this text. Correct it first; nothing is lost.")
        else:
            words = self.tr(
                "A field contains invalid JSON. Correct it before switching; nothing is lost."
            )
        self.words.setText(words)
        self.reset.setText(self.tr("Restore the last valid JSON"))
        self.reset.setVisible(self._of_json)
        self.show()


class FormBar(QWidget):
    """Two buttons of which one is pressed; the search is made when a form is long."""

    view_requested = Signal(bool)
    """A person pressed a view: true for JSON."""
    searched = Signal(str)
    focus_fields_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.json_button = QPushButton(self.tr("JSON"))
        self.form_button = QPushButton(self.tr("Form"))
        self.search: SearchField | None = None
        self.count = QLabel()
        style(self.count, "small", "muted")
        self._views = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._lay_out()
        self.form_button.setAccessibleName(self.tr("Show the arguments as a form"))
        self.json_button.setAccessibleName(self.tr("Show the arguments as JSON"))
        for button in (self.form_button, self.json_button):
            button.setToolTip(self.tr("Ctrl+J switches between form and JSON"))
        if self.search is not None:
            self._name_search(self.search)
        self.form_button.clicked.connect(lambda: self.view_requested.emit(False))
        self.json_button.clicked.connect(lambda: self.view_requested.emit(True))

    @property
    def shows_json(self) -> bool:
        return self.json_button.isChecked()

    def show_view(self, *, is_json: bool) -> None:
        """Press the button of this view without announcing it."""
        (self.json_button if is_json else self.form_button).setChecked(True)
        self._show_search()

    def offer_search(self, *, is_long: bool) -> None:
        """Have a search line from now on, or none; one that is in use stays."""
        if is_long and self.search is None:
            self.search = SearchField(self, exit_keys=_EXIT_KEYS)
            self._name_search(self.search)
            self.search.textChanged.connect(self.searched)
            self.search.exited.connect(lambda: self.focus_fields_requested.emit())
            self.search.setMaximumWidth(space(70))
            self._row.insertWidget(1, self.search, 1)
        elif not is_long and self.search is not None and not self.search.text():
            self._row.removeWidget(self.search)
            self.search.deleteLater()
            self.search = None
        self._show_search()

    def show_count(self, found: int, of: int) -> None:
        is_searching = self.search is not None and bool(self.search.text())
        one, many = self.tr("{found} of 1 field"), self.tr("{found} of {count} fields")
        words = counted(of, one, many, found=found)
        self.count.setText(words if is_searching else "")

    def _show_search(self) -> None:
        if self.search is not None:
            self.search.setVisible(not self.shows_json)
        self.count.setVisible(not self.shows_json)

    def _lay_out(self) -> None:
        frame = QFrame()
        style(frame, "segments")
        inner = in_row(frame, margins=0.5, spacing=0)
        for button in (self.form_button, self.json_button):
            button.setCheckable(True)
            style(button, "segment")
            self._views.addButton(button)
            inner.addWidget(button)
        self.form_button.setChecked(True)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(space(2))
        self.setMinimumHeight(space(8))  # the same with and without the search
        self._row.addWidget(frame)
        self._row.addWidget(self.count)
        self._row.addStretch(1)

    def _name_search(self, search: SearchField) -> None:
        search.set_purpose(self.tr("Find a field"))
        search.setToolTip(shortcuts.FIND_FIELD.label)
