"""The tabs of a tool: a page for its form, its schemas as JSON, and what each model is sent.

All but the form are filled, and `declaration_view` with the converters is imported, only when they
are first shown: most tools are run without a look at either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from desktop.gui.layouts import in_column
from desktop.gui.results.structured import pretty_json
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import space

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from desktop.gui.theme import Theme
    from desktop.gui.tools.declaration_view import DeclarationView
    from desktop.values.tool_types import JsonObject, ToolDefinition


class ModelTab(QWidget):
    """Costs nothing until it is shown; then holds a `DeclarationView`."""

    format_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tool: ToolDefinition | None = None
        self._format = ""
        self.view: DeclarationView | None = None
        in_column(self, spacing=1.5)

    def set_tool(self, tool: ToolDefinition) -> None:
        """Show `tool` from now on."""
        self._tool = tool
        self._show_if_seen()

    def choose(self, name: str) -> None:
        """Show the tool in this format (a name of `ApiFormat`); ignores an unknown one."""
        self._format = name
        self._show_if_seen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_if_seen()

    def _show_if_seen(self) -> None:
        """Show at once if there is a view; else import and build in one loop turn each."""
        if self.view is not None and self.isVisible():
            self._show(self.view)
        elif self.isVisible():
            QTimer.singleShot(0, self, self._load)

    def _load(self) -> None:
        from desktop.gui.tools.declaration_view import DeclarationView

        QTimer.singleShot(0, self, lambda: self._show(self.view or self._make(DeclarationView)))

    def _make(self, kind: type[DeclarationView]) -> DeclarationView:
        self.view = view = kind(self._theme, self)
        view.format_chosen.connect(self._remember)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(view)
        return view

    def _show(self, view: DeclarationView) -> None:
        view.choose(self._format)
        if self._tool is not None:
            view.show_tool(self._tool)

    def _remember(self, name: str) -> None:
        self._format = name
        self.format_chosen.emit(name)


class SchemaTab(QWidget):
    """Costs nothing until it is shown: most tools are run without a look at their schema."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._schema: JsonObject | None = None
        self._name = ""
        self.text: TextView | None = None
        in_column(self, spacing=1.5)

    def set_schema(self, schema: JsonObject | None, name: str) -> None:
        """Show `schema` from now on; `name` is proposed when saving."""
        self._schema, self._name = schema, name
        if self.isVisible():
            self._write()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._write()

    def _write(self) -> None:
        if self.text is None:
            self.text = TextView(self._theme, self, is_prose=False)
            layout = self.layout()
            if layout is not None:
                layout.addWidget(self.text)
        self.text.show_text(pretty_json(self._schema), self._name)


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
        self.input_schema = SchemaTab(theme, self)
        self.output_schema = SchemaTab(theme, self)
        self.model = ModelTab(theme, self)
        self.setDocumentMode(True)
        self.setUsesScrollButtons(False)  # cut titles say more than arrows at the edge
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self._added: list[AddedTab] = []
        self._tool: ToolDefinition | None = None
        self._is_folded = False
        self._most = _LEAST
        self.setMinimumHeight(_LEAST)  # where room is short the texts above come first
        in_column(self.form_page, spacing=1.5)
        for page in (self.form_page, self.input_schema, self.output_schema, self.model):
            self.addTab(page, "")
        schemas = self.tr("Input schema"), self.tr("Output schema")
        titles = self.tr("Arguments"), *schemas, self.tr("What the model sees")
        words = self.tr("Arguments"), self.tr("Input"), self.tr("Output"), self.tr("Model")
        for at, (title, word) in enumerate(zip(titles, words, strict=True)):
            self.setTabText(at, word)  # the same at every width: nothing moves under the mouse
            self.setTabToolTip(at, title)

    def add(self, word: str, title: str, make: Callable[[], MadeTab]) -> None:
        """Add a tab: its title in a word, and in full."""
        tab = AddedTab(make, self)
        self._added.append(tab)
        if self._tool is not None:
            tab.set_tool(self._tool)
        self.setTabToolTip(self.addTab(tab, word), title)

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
        has_output = tool.output_schema is not None
        self.setTabVisible(self.indexOf(self.output_schema), has_output)
        name = f"{tool.name}-schema"
        self.input_schema.set_schema(tool.input_schema, name)
        self.output_schema.set_schema(tool.output_schema, name)
        for tab in (self.model, *self._added):
            tab.set_tool(tool)


_LEAST = space(18)
