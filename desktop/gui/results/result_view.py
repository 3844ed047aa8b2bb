"""One tool result as a person reads it: status, then text, values, images, the rest, and `_meta`.

Runs nothing and needs no live tool, so history shows its results here too. Everything from the
server is plain text or a bounded image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import bridge
from desktop.gui.results.audio import AudioCard
from desktop.gui.results.bytes_card import BytesCard
from desktop.gui.results.content_cards import CardColumn, ContentCard
from desktop.gui.results.error_card import ErrorCard, error_label
from desktop.gui.results.image import ImageCard
from desktop.gui.results.saving import SaveAllDialog
from desktop.gui.results.structured import (
    Structured,
    content_text,
    content_view,
    pretty_json,
    sources_of,
)
from desktop.gui.results.structured_view import StructuredView
from desktop.gui.results.text_view import TextView
from desktop.gui.results.view_settings import ViewSettings
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.formatting import format_duration, format_size
from desktop.gui.widgets.text_editors import WrappedTextEditor

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.tool_types import Content, JsonObject, ToolResult

_MAX_LENGTH = 50_000
_HEIGHT = 30  # grid steps


class MetaView(QWidget):
    """A chip with the names that are in it, and below it, once unfolded, all of it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meta: JsonObject = {}
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        style(self.toggle, "chip")
        self.text = WrappedTextEditor(self)
        self.text.setReadOnly(True)
        self.text.setFont(theme.mono_font())
        self.text.setFixedHeight(space(_HEIGHT))
        self.text.setAccessibleName("_meta")
        style(self.text, "well")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(1))
        layout.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.text)
        self.toggle.toggled.connect(self._unfold)
        self.text.hide()

    def show_meta(self, meta: JsonObject) -> None:
        """Show `meta`, folded; hidden where there is none."""
        self._meta = meta
        self.toggle.setText(f"_meta ({len(meta)})")
        self.toggle.setChecked(False)
        self.setVisible(bool(meta))

    def _unfold(self, on: bool) -> None:
        if on:
            self.text.setPlainText(pretty_json(self._meta)[:_MAX_LENGTH])
        self.text.setVisible(on)


class StatusLine(QWidget):
    """Words first, colour second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcome = QLabel(self)
        self.unchecked = QLabel(self.tr("Sent without validation"), self)
        self.unchecked.setToolTip(self.tr("The arguments were not validated."))
        self.facts = QLabel(self)
        for label in (self.outcome, self.unchecked, self.facts):
            label.setTextFormat(Qt.TextFormat.PlainText)
        style(self.outcome, "badge")
        style(self.unchecked, "badge", "warning")
        style(self.facts, "muted", "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(space(3))
        layout.addWidget(self.outcome)
        layout.addWidget(self.unchecked)
        layout.addWidget(self.facts)
        layout.addStretch(1)

    def show_result(self, result: ToolResult) -> None:
        if result.error is None and result.success:
            self.outcome.setText(self.tr("Success"))
        else:
            code = error_label(result.error.code) if result.error else ""
            self.outcome.setText(": ".join(filter(None, (self.tr("Error"), code))))
        style(self.outcome, "badge", "success" if result.success else "danger")
        self.unchecked.setVisible(result.is_unchecked)
        self.facts.setText(" · ".join(_facts(result)))


def _facts(result: ToolResult) -> list[str]:
    size = sum(len(block.data) or len(block.text) for block in result.content)
    local = QDateTime.fromSecsSinceEpoch(int(result.timestamp.timestamp()))
    return [
        format_duration(result.execution_time),
        format_size(size or len(result.output)),
        QLocale().toString(local, "yyyy-MM-dd HH:mm:ss"),
    ]


MAX_TEXTS = 100


class ResultView(QWidget):
    """The last result it was given; only the tabs that have something to show are there."""

    resource_requested = Signal(str)
    """A person wants to see what a link leads to; offered where `can_read`."""

    def __init__(
        self, theme: Theme, parent: QWidget | None = None, settings: QSettings | None = None
    ) -> None:
        """`settings`: where it is remembered how a person likes to read."""
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._theme = theme
        self._name = "result"
        self.can_read = False
        """Whether links can be read: set by whoever connects to `resource_requested`."""
        self.result: ToolResult | None = None
        self.reading = ViewSettings(settings, self)
        self.status = StatusLine(self)
        self.save_all = QPushButton(self.tr("Save everything…"), self)
        self.save_all.clicked.connect(self._save_all)
        style(self.save_all, "link")
        self.error = ErrorCard(theme, self)
        self.text = TextView(theme, self, reading=self.reading)
        self.values = StructuredView(theme, self.reading, self)
        self.images = CardColumn(self.tr("Images"), self)
        self.other = CardColumn(self.tr("Other content"), self)
        self.meta = MetaView(theme, self)
        self.tabs = QTabWidget(self)
        self.tabs.setDocumentMode(True)
        self._lay_out()
        for page in (self.text, self.values, self.images, self.other, self.error, self.meta):
            page.hide()

    def show_result(self, result: ToolResult, name: str = "result") -> None:
        """Show `result` in place of the one before; `name` is proposed when saving."""
        self.result, self._name = result, name
        self.reading.read()
        chosen = self.tabs.currentWidget() if self.tabs.count() else self.text
        self.status.show_result(result)
        self.error.setVisible(result.error is not None)
        if result.error is not None:
            self.error.show_error(result.error)
        self.meta.show_meta(result.meta)
        self.save_all.setVisible(len(result.content) + (result.structured is not None) > 1)
        self._fill(result, name)
        self.tabs.setVisible(self.tabs.count() > 0)
        self.tabs.setCurrentIndex(max(0, self.tabs.indexOf(chosen)))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(space(2))
        head.addWidget(self.status, 1)
        head.addWidget(self.save_all)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, space(2), 0, 0)
        layout.setSpacing(space(2))
        layout.addLayout(head)
        layout.addWidget(self.error)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.meta)
        layout.addStretch(0)

    def _fill(self, result: ToolResult, name: str) -> None:
        self.tabs.clear()
        if _has_own_text(result):
            self.text.show_texts(self._texts(result), name)
            self.tabs.addTab(self.text, self.tr("Text"))
        sources = sources_of(result)
        if result.output_issues and not sources:
            sources = [Structured(found=True)]  # that nothing came is the finding
        if sources:
            self.values.show_sources(sources, result.output_issues, name)
            self.tabs.addTab(self.values, self.tr("Structured"))
        else:
            self.values.clear()
        self._fill_cards(result)

    def _texts(self, result: ToolResult) -> list[tuple[str, str]]:
        """The text of the whole result, and each text block of it where there are several."""
        blocks = [block.text for block in result.content if block.kind == "text"]
        texts = [(self.tr("All as text"), result.output)]
        if len(blocks) == 1 and blocks[0]:
            return [(self.tr("Text"), blocks[0])]
        for number, text in enumerate(blocks[:MAX_TEXTS] if len(blocks) > 1 else (), 1):
            texts.append((self.tr("Text {number}").format(number=number), text))
        return texts

    def _fill_cards(self, result: ToolResult) -> None:
        images = [block for block in result.content if content_view(block) == "image"]
        if images:
            self.images.show_cards(images, ImageCard)
            title = self.tr("Images ({count})").format(count=len(images))
            self.tabs.addTab(self.images, title)
        other = [block for block in result.content if content_view(block) in {"audio", "other"}]
        if other:
            self.other.show_cards(other, self._card)
            title = self.tr("Other content ({count})").format(count=len(other))
            self.tabs.addTab(self.other, title)

    def _card(self, content: Content) -> QWidget:
        if content_view(content) == "audio":
            return AudioCard(self._theme, content)
        if content.data and not content_text(content):
            return BytesCard(self._theme, content)
        card = ContentCard(self._theme, content, self.reading, can_read=self.can_read)
        card.read_requested.connect(self.resource_requested)
        return card

    def _save_all(self) -> None:
        if self.result is not None:
            SaveAllDialog(self, self.result, self._name).open()


def _has_own_text(result: ToolResult) -> bool:
    """Whether the text says more than the error card and the other tabs do already."""
    said = result.error.message.strip() if result.error else ""
    has_text = not result.content or any(block.kind == "text" for block in result.content)
    return bool(result.output) and has_text and result.output.strip() != said
