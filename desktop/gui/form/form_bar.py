"""The line above a form: which of its two views is shown, and the search in a long one.

Announces what a person chose; switches nothing itself.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from desktop.gui.counted import counted
from desktop.gui.form.filter_line import FormSearchField
from desktop.gui.theme import space, style


class FormBar(QWidget):
    """Two buttons of which one is pressed; the search is made when a form is long."""

    json_chosen = Signal(bool)
    """A person pressed a view: true for JSON."""
    searched = Signal(str)
    search_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form_button, self.json_button = QPushButton(), QPushButton()
        self.search: FormSearchField | None = None
        self.count = QLabel()
        style(self.count, "small", "muted")
        self._views = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._lay_out()
        self._translate()
        self.form_button.clicked.connect(lambda: self.json_chosen.emit(False))
        self.json_button.clicked.connect(lambda: self.json_chosen.emit(True))

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
            self.search = FormSearchField(self)
            self.search.textChanged.connect(self.searched)
            self.search.left.connect(self.search_left)
            self.search.setMaximumWidth(space(70))
            self._row.insertWidget(1, self.search, 1)
        elif not is_long and self.search is not None and not self.search.text():
            self._row.removeWidget(self.search)
            self.search.deleteLater()
            self.search = None
        self._show_search()

    def clear_search(self) -> None:
        """Empty the line without announcing it."""
        if self.search is not None:
            with QSignalBlocker(self.search):
                self.search.clear()
        self.count.clear()

    def tell_count(self, found: int, of: int) -> None:
        is_searching = self.search is not None and bool(self.search.text())
        one, many = self.tr("{found} of 1 field"), self.tr("{found} of {count} fields")
        words = counted(of, one, many, found=found)
        self.count.setText(words if is_searching else "")

    def changeEvent(self, event: QEvent, /) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()

    def _show_search(self) -> None:
        if self.search is not None:
            self.search.setVisible(not self.shows_json)
        self.count.setVisible(not self.shows_json)

    def _lay_out(self) -> None:
        frame = QFrame()
        style(frame, "segments")
        inner = QHBoxLayout(frame)
        edge = space(0.5)
        inner.setContentsMargins(edge, edge, edge, edge)
        inner.setSpacing(0)
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

    def _translate(self) -> None:
        self.form_button.setText(self.tr("Form"))
        self.json_button.setText(self.tr("JSON"))
        self.form_button.setAccessibleName(self.tr("Show the arguments as a form"))
        self.json_button.setAccessibleName(self.tr("Show the arguments as JSON"))
        for button in (self.form_button, self.json_button):
            button.setToolTip(self.tr("Ctrl+J switches between form and JSON"))
