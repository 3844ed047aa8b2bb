"""The tabs of a tool: a page for its form, its schemas as JSON, and what each model is sent.

All but the form are filled, and the converters of all providers imported, only when they are first
shown: most tools are run without a look at either.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QWidget,
)

from desktop.gui.layouts import MIDDLE, STRETCH, InnerRow, Stretch, in_column
from desktop.gui.results.structured import pretty_json
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.segments import Segments
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel
from desktop.tools.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QShowEvent

    from desktop.gui.theme import Role
    from desktop.llm.formats import Change, Declaration
    from desktop.values.tool_types import ToolDefinition


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
        import_module("desktop.llm.formats")  # the converters
        QTimer.singleShot(0, self, lambda: self._show(self.view or self._make()))

    def _make(self) -> DeclarationView:
        self.view = view = DeclarationView(self._theme, self)
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
            in_column(self, InnerRow(self.segments, STRETCH), (self.text, 1), spacing=1.5)
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
        for page, word, title in (
            (self.form_page, self.tr("Arguments"), ""),
            (self.schema, self.tr("Schema"), self.tr("Input and output schema")),
            (self.model, self.tr("Model"), self.tr("What the model sees")),
        ):  # the words are the same at every width: nothing moves under the mouse
            self.setTabToolTip(self.addTab(page, word), title or word)

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
        for tab in (self.schema, self.model, *self._added):
            tab.set_tool(tool)


_LEAST = space(18)


_PROVIDERS = {
    "openai": "OpenAI Chat Completions",
    "openai-responses": "OpenAI Responses",
    "anthropic": "Anthropic",
    "gemini": "Gemini",
}
_TONES: dict[str, Role] = {
    "ok": "success",
    "repaired": "warning",
    "rejected": "danger",
}
_WEIGHTIEST = ("loosened", "added", "renamed", "moved", "dropped")
"""The kinds of change, those that may affect a call first."""
_JSON_SHARE, _CHANGES_SHARE = 600, 400  # the splitter scales them to the room there is
_LONGEST, _LONGEST_PATH = 500, 120


class DeclarationView(QWidget):
    """One tool as a provider receives it: its exact JSON, cost in tokens, and what was changed.

    Shows what the converters return and decides nothing; all plain text.
    """

    format_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tool: ToolDefinition | None = None
        self._name = ""
        self.provider = QComboBox(self)
        self.verdict = QLabel(self)
        self.wire_name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.copy_name = QToolButton(self)
        self.tokens = QLabel(self)
        self.meaning = QLabel(self)
        self.text = TextView(theme, self, is_prose=False)
        self.changes_title = QLabel(self)
        self.changes = WrappedTextEditor(self)
        self.beside = QWidget(self)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._fill(theme)
        self._lay_out()
        self.provider.currentIndexChanged.connect(self._choose_shown)
        self.copy_name.clicked.connect(self._copy_name)

    def choose(self, name: str) -> None:
        """Show this format; ignores an unknown name. Does not count as the person's choice."""
        index = self.provider.findData(name)
        if index >= 0:
            self.provider.blockSignals(True)
            self.provider.setCurrentIndex(index)
            self.provider.blockSignals(False)

    def show_tool(self, tool: ToolDefinition) -> None:
        from desktop.llm.formats import ApiFormat, convert

        self._tool = tool
        self._name = wire_name(tool.server, tool.name)
        self._show(convert(tool, self._name, ApiFormat(self.provider.currentData())))

    def _show(self, declaration: Declaration) -> None:
        is_sent = declaration.verdict != "rejected"
        self.wire_name.show_text(self._name)
        width = self.wire_name.fontMetrics().horizontalAdvance(self._name)
        self.wire_name.setMaximumWidth(width + space(1))  # so that its button is beside it
        self._show_verdict(declaration)
        cost = self.tr("about {count} tokens").format(count=f"{declaration.tokens:,}")
        self.tokens.setText(cost if is_sent else "")
        self._show_changes(declaration.changes)
        self.text.setVisible(is_sent)
        file = f"{self._name}-{declaration.api_format}"
        self.text.show_text(pretty_json(declaration.body) if is_sent else "", file)

    def _show_verdict(self, declaration: Declaration) -> None:
        words, meaning = {
            "ok": (self.tr("OK"), ""),
            "repaired": (
                self.tr("Repaired"),
                self.tr(
                    "The provider would reject or misread the schema as the server declared it."
                ),
            ),
            "rejected": (self.tr("Not sent"), spoken(declaration.reason)),
        }[declaration.verdict]
        self.verdict.setText(words)
        style(self.verdict, "badge", _TONES[declaration.verdict])
        self.meaning.setText(meaning[:_LONGEST])
        self.meaning.setVisible(bool(meaning))

    def _show_changes(self, changes: Sequence[Change]) -> None:
        title = self.tr("Different from the server's schema: {count}")
        self.changes_title.setText(title.format(count=len(changes)))
        weighed = sorted(changes, key=lambda change: _WEIGHTIEST.index(change.kind))
        self.changes.setPlainText("\n\n".join(map(_lines, weighed)))
        self.beside.setVisible(bool(changes))

    def _choose_shown(self) -> None:
        if self._tool is not None:
            self.show_tool(self._tool)
        self.format_chosen.emit(self.provider.currentData())

    def _copy_name(self) -> None:
        QGuiApplication.clipboard().setText(self._name)

    def _fill(self, theme: Theme) -> None:
        for name, words in _PROVIDERS.items():
            self.provider.addItem(words, name)
        require_focus_for_wheel(self.provider)
        self.provider.setAccessibleName(self.tr("Provider"))
        style(self.wire_name, "mono", "muted")
        style(self.tokens, "muted", "small")
        self.tokens.setToolTip(self.tr("Estimated from its length; providers count differently."))
        style(self.copy_name, "flat")
        set_icon(theme, self.copy_name, "copy", "muted")
        self.copy_name.setToolTip(self.tr("Copy the name the model uses"))
        self.copy_name.setAccessibleName(self.tr("Copy the name the model uses"))
        self.meaning.setWordWrap(True)
        for label in (self.meaning, self.changes_title, self.tokens, self.verdict):
            label.setTextFormat(Qt.TextFormat.PlainText)
        style(self.meaning, "muted", "small")
        style(self.changes_title, "muted", "small")
        self.changes.setReadOnly(True)
        self.changes.setFont(theme.mono_font())
        self.changes.setAccessibleName(self.tr("Differences from the server's schema"))
        style(self.changes, "well")
        self.text.editor.setAccessibleName(self.tr("What the model sees"))

    def _lay_out(self) -> None:
        row = InnerRow(
            self.provider,
            (self.verdict, MIDDLE),
            (self.wire_name, 1),
            self.copy_name,
            Stretch(0),
            (self.tokens, MIDDLE),
        )
        in_column(
            self.beside, self.changes_title, (self.changes, 1), margins=(2, 2, 0, 0), spacing=1
        )
        self.splitter.addWidget(self.text)
        self.splitter.addWidget(self.beside)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_JSON_SHARE, _CHANGES_SHARE])
        in_column(self, row, self.meaning, (self.splitter, 1), margins=(0, 2, 0, 0), spacing=1)


def _lines(change: Change) -> str:
    """The path, and below it the change; the path of the whole schema is `/`."""
    path = change.path or "/"
    if len(path) > _LONGEST_PATH:
        half = _LONGEST_PATH // 2
        path = f"{path[:half]}…{path[-half:]}"
    return f"{path}\n{spoken(change.sentence)}"
