"""The tabs of a tool: a page for its form, its schemas as JSON, and those of features.

All but the form are made only when they are first shown: most tools are run without a look at them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.results.structured import pretty_json
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import space
from desktop.gui.widgets.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from desktop.gui.theme import Theme
    from desktop.values.tool_types import ToolDefinition


class SchemaTab(QWidget):
    """Costs nothing until it is shown: most tools are run without a look at their schemas."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tool: ToolDefinition | None = None
        self.text: TextView | None = None
        self.segments: Segments | None = None

    def set_tool(self, tool: ToolDefinition) -> None:
        """Show `tool` from now on; without an output schema there is nothing to choose."""
        self._tool = tool
        if self.isVisible():
            self._write()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._write()

    def _write(self) -> None:
        if self._tool is None:
            return
        if self.text is None or self.segments is None:
            self.text = TextView(self._theme, self, is_prose=False)
            self.segments = Segments(self.tr("Input"), self.tr("Output"))
            self.segments.choice.buttonClicked.connect(lambda: self._write())
            row = InnerRow(self.segments, STRETCH)
            in_column(self, row, (self.text, 1), margins=(0, 2, 0, 0), spacing=1.5)
        output = self._tool.output_schema
        self.segments.setVisible(output is not None)
        is_output = output is not None and self.segments.buttons[1].isChecked()
        schema = output if is_output else self._tool.input_schema
        self.text.show_text(pretty_json(schema), f"{self._tool.name}-schema")


MadeTab: TypeAlias = tuple[QWidget, "Callable[[ToolDefinition], object]"]
"""A widget, and what has it show a tool."""


class AddedTab(QWidget):
    """A tab of a feature; made when it is first shown."""

    def __init__(self, make: Callable[[], MadeTab], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._make = make
        self._made: MadeTab | None = None
        self._tool: ToolDefinition | None = None
        in_column(self, spacing=1.5)

    @property
    def view(self) -> QWidget | None:
        return self._made[0] if self._made is not None else None

    def set_tool(self, tool: ToolDefinition) -> None:
        """Show `tool` from now on."""
        self._tool = tool
        if self.isVisible():
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _show(self) -> None:
        if self._made is None:
            self._made = self._make()
            layout = self.layout()
            if layout is not None:
                layout.addWidget(self._made[0])
        if self._tool is not None:
            self._made[1](self._tool)


class ToolTabs(QTabWidget):
    """The form's page is first; the owner adds the form to it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form_page = QWidget(self)
        self.schema = SchemaTab(theme, self)
        self.setDocumentMode(True)
        self.setUsesScrollButtons(False)  # cut titles say more than arrows at the edge
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self._added: list[AddedTab] = []
        self._tool: ToolDefinition | None = None
        self._is_folded = False
        self._most = _LEAST
        self.setMinimumHeight(_LEAST)  # where room is short the texts above come first
        in_column(self.form_page, spacing=1.5)
        for page, word, title in (
            (self.form_page, self.tr("Arguments"), ""),
            (self.schema, self.tr("Schema"), self.tr("Input and output schema")),
        ):  # the words are the same at every width: nothing moves under the mouse
            self.setTabToolTip(self.addTab(page, word), title or word)

    def add(self, word: str, title: str, make: Callable[[], MadeTab], at: int = -1) -> None:
        """Add a tab: its title in a word, and in full; `at` a place, or behind the others."""
        tab = AddedTab(make, self)
        self._added.append(tab)
        if self._tool is not None:
            tab.set_tool(self._tool)
        self.setTabToolTip(self.insertTab(at, tab, word), title)

    def show_form(self) -> None:
        self.setCurrentWidget(self.form_page)

    @property
    def pages(self) -> QWidget:
        """What is below the titles."""
        found = self.findChild(QStackedWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return found or self

    @property
    def bar_height(self) -> int:
        """Pixels of the titles and what stands beside them."""
        corner = self.cornerWidget()
        beside = corner.sizeHint().height() if corner is not None else 0  # pyright: ignore[reportUnnecessaryComparison] None without one
        return max(self.tabBar().sizeHint().height(), beside) + 1

    def fold(self, *, is_folded: bool) -> None:
        """Show the titles alone, or the page below them again."""
        self._is_folded = is_folded
        self.pages.setVisible(not is_folded)
        self.bound(self._most)

    def bound(self, most: int) -> None:
        """Take at most this height, in pixels; folded, that of the titles."""
        self._most = most
        bar = self.bar_height
        self.setMinimumHeight(bar if self._is_folded else _LEAST)
        self.setMaximumHeight(bar if self._is_folded else max(most, _LEAST))

    def show_tool(self, tool: ToolDefinition) -> None:
        """Fill the tabs beside the form."""
        self._tool = tool
        for tab in (self.schema, *self._added):
            tab.set_tool(tool)


_LEAST = space(18)
