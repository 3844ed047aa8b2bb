"""What a model will see of a tool; worked out only when it is looked at.

The converters are imported then, and not before: most tools are run without a look at this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from desktop.gui.theme import Theme
    from desktop.gui.tools.declaration_view import DeclarationView
    from desktop.tools.definition import ToolDefinition


class ModelTab(QWidget):
    """Costs nothing until it is shown; then holds a `DeclarationView`."""

    format_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tool: ToolDefinition | None = None
        self._format = ""
        self.view: DeclarationView | None = None
        QVBoxLayout(self).setContentsMargins(0, 0, 0, 0)

    def set_tool(self, tool: ToolDefinition) -> None:
        """Show `tool` from now on."""
        self._tool = tool
        if self.isVisible():
            self._show()

    def choose(self, name: str) -> None:
        """Show it in this format (a name of `ApiFormat`); an unknown one is passed over."""
        self._format = name
        if self.isVisible():
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and self.view is not None:
            self.view.hide()
            self.view.deleteLater()
            self.view = None
            if self.isVisible():
                QTimer.singleShot(0, self, self._show)
        super().changeEvent(event)

    def _show(self) -> None:
        if self._tool is None:
            return
        view = self.view or self._make_view()
        view.choose(self._format)
        view.show_tool(self._tool)

    def _make_view(self) -> DeclarationView:
        from desktop.gui.tools.declaration_view import DeclarationView

        self.view = view = DeclarationView(self._theme, self)
        view.format_chosen.connect(self._remember)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(view)
        return view

    def _remember(self, name: str) -> None:
        self._format = name
        self.format_chosen.emit(name)
