"""One schema of a tool as JSON, written only when it is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.gui.results.structured import to_text
from desktop.gui.results.text_view import TextView

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from desktop.gui.theme import Theme
    from desktop.tool_types import JsonObject


class SchemaTab(QWidget):
    """Costs nothing until it is shown: most tools are run without a look at their schema."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._schema: JsonObject | None = None
        self._name = ""
        self.text: TextView | None = None
        QVBoxLayout(self).setContentsMargins(0, 0, 0, 0)

    def set_schema(self, schema: JsonObject | None, name: str) -> None:
        """Show `schema` from now on; `name` is proposed when saving."""
        self._schema, self._name = schema, name
        if self.isVisible():
            self._write()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self.text is not None:
            self.text.hide()
            self.text.deleteLater()
            self.text = None
            if self.isVisible():
                QTimer.singleShot(0, self, self._write)
        super().changeEvent(event)

    def _write(self) -> None:
        if self.text is None:
            self.text = TextView(self._theme, self, is_prose=False)
            layout = self.layout()
            if layout is not None:
                layout.addWidget(self.text)
        self.text.show_text(to_text(self._schema), self._name)
