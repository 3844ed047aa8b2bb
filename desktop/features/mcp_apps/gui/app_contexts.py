"""What MCP Apps want the model to know, above the question that it will go with.

A line for each: whose it is, *Show* for the text exactly as it is sent, and *Leave out*. Decides
and sends nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from desktop.base.visible_text import mark_hidden
from desktop.features.mcp_apps.model_context import ModelContexts
from desktop.gui import bridge
from desktop.gui.layouts import MIDDLE, InnerRow, in_column
from desktop.gui.theme import space, style
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from desktop.features.mcp_apps.model_context import ModelContext

_TEXT_HEIGHT = space(30)
_MAX_NAME = 80


class ContextLine(QFrame):
    """One of them; its text may become another one while it is open."""

    remove_requested = Signal(object)
    """The `ModelContext` that is shown."""

    def __init__(self, context: ModelContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        style(self, "well")
        self.words = ElidedLabel()
        self.show_text, self.remove = QPushButton(self), QPushButton(self)
        self.text = WrappedTextEditor(self)
        self._lay_out()
        self.show_text.toggled.connect(self._unfold)
        self.remove.clicked.connect(lambda: self.remove_requested.emit(self.context))
        self.show_context(context)

    def show_context(self, context: ModelContext) -> None:
        """Show another one in its place."""
        self.context = context
        if self.show_text.isChecked():
            self.text.setPlainText(context.for_model())
        self._set_texts()

    def _set_texts(self) -> None:
        tool, server = (
            mark_hidden(name[:_MAX_NAME]) for name in (self.context.tool, self.context.server)
        )
        words = self.tr("Goes to the model with your message: MCP App of {tool} ({server})")
        name = words.format(tool=tool, server=server)
        self.words.show_text(name)
        self.text.setAccessibleName(name)
        is_open = self.show_text.isChecked()
        self.show_text.setText(self.tr("Hide") if is_open else self.tr("Show"))
        self.show_text.setAccessibleName(f"{self.show_text.text()}: {name}")
        self.remove.setText(self.tr("Leave out"))
        self.remove.setAccessibleName(f"{self.remove.text()}: {name}")

    def _unfold(self, is_open: bool) -> None:
        self.text.setPlainText(self.context.for_model() if is_open else "")
        self.text.setVisible(is_open)
        self._set_texts()

    def _lay_out(self) -> None:
        self.show_text.setCheckable(True)
        for button in (self.show_text, self.remove):
            style(button, "link", "small")
        style(self.words, "small")
        style(self.text, "mono")
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(_TEXT_HEIGHT)
        self.text.hide()
        row = InnerRow((self.words, 1), (self.show_text, MIDDLE), (self.remove, MIDDLE))
        in_column(self, row, self.text, margins=(2, 0, 1, 0), spacing=1)


class ShownContexts(ModelContexts):
    """Those of one conversation, as its `Enclosures`."""

    def make_view(self, parent: QWidget, home: QWidget) -> AppContexts:
        return AppContexts(self, home, parent)


class AppContexts(QWidget):
    """Hidden while there is none."""

    def __init__(self, contexts: ModelContexts, home: QWidget, parent: QWidget) -> None:
        """Args: home: has the focus once one is left out."""
        super().__init__(parent)
        self._contexts, self._home = contexts, home
        self.lines: list[ContextLine] = []
        self._column = in_column(self, spacing=1)
        bridge.connect(self, contexts.changed, self._show_waiting)
        self._show_waiting()

    def _remove(self, context: ModelContext) -> None:
        self._contexts.remove(context)
        self._home.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_waiting(self) -> None:
        """Exactly these; a text that was opened stays open."""
        contexts = self._contexts.waiting
        for line in self.lines[len(contexts) :]:
            self._column.removeWidget(line)
            discard(line)
        del self.lines[len(contexts) :]
        for line, context in zip(self.lines, contexts, strict=False):
            if line.context is not context:
                line.show_context(context)
        for context in contexts[len(self.lines) :]:
            line = ContextLine(context, self)
            line.remove_requested.connect(self._remove)
            self.lines.append(line)
            self._column.addWidget(line)
        self.setVisible(bool(self.lines))
