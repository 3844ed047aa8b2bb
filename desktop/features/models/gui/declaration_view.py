"""One tool as a provider receives it: the exact JSON, its cost in tokens, and what was changed.

Shows what the converters return and decides nothing; all plain text. Imported when it is first
seen, because it brings the converters of all providers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QWidget,
)

from desktop.features.models.formats import ApiFormat, Verdict, convert
from desktop.gui.layouts import MIDDLE, STRETCH, InnerRow, Stretch, in_column
from desktop.gui.results.structured import pretty_json
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel
from desktop.tools.wire_names import wire_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from desktop.features.models.formats import Change, Declaration
    from desktop.gui.theme import Role
    from desktop.values.tool_types import ToolDefinition

_PROVIDERS = {
    ApiFormat.OPENAI: "OpenAI Chat Completions",
    ApiFormat.OPENAI_RESPONSES: "OpenAI Responses",
    ApiFormat.ANTHROPIC: "Anthropic",
    ApiFormat.GEMINI: "Gemini",
}
_TONES: dict[Verdict, Role] = {
    Verdict.OK: "success",
    Verdict.REPAIRED: "warning",
    Verdict.REJECTED: "danger",
}
_WEIGHTIEST = ("loosened", "added", "renamed", "moved", "dropped")
"""The kinds of change, those that may affect a call first."""
_JSON_SHARE, _CHANGES_SHARE = 600, 400  # the splitter scales them to the room there is
_NARROW = space(110)
"""Pixels below which the differences stand below the declaration."""
_LONGEST, _LONGEST_PATH = 500, 120


class DeclarationView(QWidget):
    """Facts, and below them the declaration with its differences from the schema."""

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
        self.meaning = plain_label("", "muted", "small")
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
        self._tool = tool
        self._name = wire_name(tool.server, tool.name)
        self._show(convert(tool, self._name, ApiFormat(self.provider.currentData())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW
        orientation = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        self.splitter.setOrientation(orientation)
        self.beside.setContentsMargins(0 if is_narrow else space(2), 0, 0, 0)

    def _show(self, declaration: Declaration) -> None:
        is_sent = declaration.verdict is not Verdict.REJECTED
        self.wire_name.show_text(self._name)
        self._show_verdict(declaration)
        cost = self.tr("about {count} tokens").format(count=f"{declaration.tokens:,}")
        self.tokens.setText(cost if is_sent else "")
        self._show_changes(declaration.changes)
        self.text.setVisible(is_sent)
        file = f"{self._name}-{declaration.api_format}"
        self.text.show_text(pretty_json(declaration.body) if is_sent else "", file)

    def _show_verdict(self, declaration: Declaration) -> None:
        words, meaning = {
            Verdict.OK: (self.tr("OK"), ""),
            Verdict.REPAIRED: (
                self.tr("Repaired"),
                self.tr(
                    "The provider would reject or misread the schema as the server declared it."
                ),
            ),
            Verdict.REJECTED: (self.tr("Not sent"), spoken(declaration.reason)),
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
            self.provider.addItem(words, name.value)
        require_focus_for_wheel(self.provider)
        self.provider.setAccessibleName(self.tr("Provider"))
        style(self.wire_name, "mono", "muted")
        # No wider than the name, so that its button is beside it.
        self.wire_name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        style(self.tokens, "muted", "small")
        self.tokens.setToolTip(self.tr("Estimated from its length; providers count differently."))
        style(self.copy_name, "flat")
        set_icon(theme, self.copy_name, "copy", "muted")
        self.copy_name.setToolTip(self.tr("Copy the name the model uses"))
        self.copy_name.setAccessibleName(self.tr("Copy the name the model uses"))
        for label in (self.changes_title, self.tokens, self.verdict):
            label.setTextFormat(Qt.TextFormat.PlainText)
        style(self.changes_title, "muted", "small")
        self.changes.setReadOnly(True)
        self.changes.setFont(theme.mono_font())
        self.changes.setAccessibleName(self.tr("Differences from the server's schema"))
        style(self.changes, "well")
        self.text.editor.setAccessibleName(self.tr("What the model sees"))

    def _lay_out(self) -> None:
        row = InnerRow(self.provider, (self.verdict, MIDDLE), STRETCH)
        named = InnerRow((self.wire_name, 1), self.copy_name, Stretch(0), (self.tokens, MIDDLE))
        self.changes_title.setFixedHeight(self.text.bar.sizeHint().height())  # both boxes align
        in_column(self.beside, self.changes_title, (self.changes, 1), spacing=1)
        self.splitter.addWidget(self.text)
        self.splitter.addWidget(self.beside)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([_JSON_SHARE, _CHANGES_SHARE])
        in_column(
            self, row, named, self.meaning, (self.splitter, 1), margins=(0, 2, 0, 0), spacing=1
        )


def _lines(change: Change) -> str:
    """The path, and below it the change; the path of the whole schema is `/`."""
    path = change.path or "/"
    if len(path) > _LONGEST_PATH:
        half = _LONGEST_PATH // 2
        path = f"{path[:half]}…{path[-half:]}"
    return f"{path}\n{spoken(change.sentence)}"
