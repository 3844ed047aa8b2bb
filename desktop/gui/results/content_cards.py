"""A resource or a link as a card: what it is, its text, Copy and Save. Never follows a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop.gui.layouts import TOP, in_column, in_row
from desktop.gui.results.saving import proposed_name, save_as
from desktop.gui.results.structured import content_text
from desktop.gui.results.text_view import TextView
from desktop.gui.theme import Theme, space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import selectable_label
from desktop.values.spilled import size_on_disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    from desktop.gui.results.view_settings import ViewSettings
    from desktop.values.spilled import ReadableText
    from desktop.values.tool_types import Content

    T = TypeVar("T")

MAX_CARDS = 50


class CardColumn(QScrollArea):
    """Cards one below the other, as many as a person can look at."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)

    def show_cards(self, items: Sequence[T], make: Callable[[T], QWidget]) -> None:
        """A card for each of `items`, up to a limit that is then told."""
        cards: Iterable[QWidget] = (make(item) for item in items[:MAX_CARDS])
        column = QWidget(self)
        layout = in_column(column, *cards, margins=(0, 2, 2, 2))
        if (left := len(items) - MAX_CARDS) > 0:
            one, many = self.tr("1 more is not shown"), self.tr("{count} more are not shown")
            note = QLabel(counted(left, one, many), column)
            note.setTextFormat(Qt.TextFormat.PlainText)
            style(note, "muted")
            layout.addWidget(note)
        layout.addStretch(1)
        self.setWidget(column)


_ICONS = {"link": "link", "image": "image"}
_MAX_LENGTH = 600
_START_LINES = 4
_OPEN_HEIGHT = 75  # grid steps


class ContentCard(QFrame):
    """What the block is, where it says it comes from, and its text: the start, or all of it."""

    def __init__(
        self,
        theme: Theme,
        content: Content,
        reading: ViewSettings | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._content = content
        self._reading = reading
        self._text = content_text(content)
        self.whole: TextView | None = None
        style(self, "card")
        icon = QLabel(self)
        set_icon(theme, icon, _ICONS.get(content.kind, "file"), "muted")
        self._words = QVBoxLayout()
        self._words.setSpacing(space(1))
        self._words.addWidget(selectable_label(self._heading(), "heading"))
        if content.uri:
            self._words.addWidget(selectable_label(content.uri[:_MAX_LENGTH], "mono", "muted"))
        self.start = selectable_label(_start_of(self._text), "mono")
        self.start.setVisible(bool(self._text))
        self._words.addWidget(self.start)
        self.tools = ActionRow(self)
        in_row(
            self,
            (icon, TOP),
            (self._words, 1),
            (self.tools.bar, TOP),
            margins=(3, 2, 2, 2),
            spacing=3,
        )
        self._add_tools()

    def _add_tools(self) -> None:
        content, tools = self._content, self.tools
        if _start_of(self._text) != self._text:
            self.open = tools.chip(self.tr("Full text"))
            self.open.toggled.connect(self._show_whole)
        if content.uri:
            words = self.tr("Copy address")
            self.copy = tools.tool(self._theme, "copy", words, self._copy_address)
        if content.readable_data or (content.readable_text and content.kind != "link"):
            tools.link(self.tr("Save…"), self._save)

    def _show_whole(self, on: bool) -> None:
        if on and self.whole is None:
            self.whole = TextView(self._theme, self, reading=self._reading)
            self.whole.setFixedHeight(space(_OPEN_HEIGHT))
            self.whole.show_text(self._text, self._content.name or "resource")
            self._words.addWidget(self.whole)
        if self.whole is not None:
            self.whole.setVisible(on)
        self.start.setVisible(not on)

    def _heading(self) -> str:
        content = self._content
        kinds = {
            "image": self.tr("Picture as text"),
            "resource": self.tr("Resource"),
            "link": self.tr("Link to a resource"),
        }
        is_link = content.kind == "link"
        size = 0 if is_link else len(content.readable_data) or _size_of(content.readable_text)
        kind = kinds.get(content.kind, content.kind)
        facts = [kind, content.name[:80], content.mime[:80], format_size(size) if size else ""]
        return " · ".join(fact for fact in facts if fact)

    def _copy_address(self) -> None:
        QGuiApplication.clipboard().setText(self._content.uri)

    def _save(self) -> None:
        content = self._content
        name = proposed_name(content.name or content.uri, content.mime, content.kind)
        save_as(self, name, lambda: content.data or content.text.encode("utf-8", "replace"))


def _start_of(text: ReadableText) -> str:
    start = "\n".join(text[:_MAX_LENGTH].splitlines()[:_START_LINES])
    is_whole = isinstance(text, str) and len(start) >= len(text.rstrip("\r\n"))
    return text[:] if is_whole else start + " …"


def _size_of(text: ReadableText) -> int:
    """Bytes."""
    return len(text.encode("utf-8", "replace")) if isinstance(text, str) else size_on_disk(text)
