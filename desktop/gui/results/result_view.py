"""One tool result as a person reads it: one line of status and tools, then all parts in a feed.

Runs nothing and needs no live tool, so history shows its results here too. Everything from the
server is plain text or a bounded image.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import bridge
from desktop.gui.layouts import LEFT, MIDDLE, in_column, in_row
from desktop.gui.results.error_card import ErrorCard, error_label
from desktop.gui.results.feed import TextPart, feed_of
from desktop.gui.results.feed_column import FeedColumn
from desktop.gui.results.saving import SaveAllDialog
from desktop.gui.results.structured import pretty_json
from desktop.gui.results.view_settings import ViewSettings
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.action_row import ActionRow
from desktop.gui.widgets.bounded_text import BoundedText
from desktop.gui.widgets.formatting import format_duration, format_size
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.tab_order import restore_tab_order
from desktop.gui.widgets.visibility import WholeArea
from desktop.values.spilled import JsonCount

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QResizeEvent

    from desktop.gui.results.feed import Part
    from desktop.gui.results.feed_column import ResourceReader
    from desktop.gui.results.structured_view import StructuredView
    from desktop.gui.results.text_view import TextView
    from desktop.values.tool_types import JsonObject, ToolResult


class MetaView(QWidget):
    """A chip with the names that are in it, and below it, once unfolded, all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meta: JsonObject = {}
        self.toggle = QPushButton(self)
        self.toggle.setCheckable(True)
        style(self.toggle, "chip")
        self._column = in_column(self, (self.toggle, LEFT), spacing=1)
        self.toggle.toggled.connect(self._unfold)

    @cached_property
    def text(self) -> BoundedText:
        """All of it; made when it is first unfolded."""
        made = BoundedText("well", "mono", parent=self)
        made.setAccessibleName("_meta")
        self._column.addWidget(made)
        restore_tab_order(self)
        return made

    def show_meta(self, meta: JsonObject) -> None:
        """Show `meta`, folded; hidden where there is none."""
        self._meta = meta
        self.toggle.setText(f"_meta ({len(meta)})")
        self.toggle.setChecked(False)
        self.setVisible(bool(meta))

    def _unfold(self, on: bool) -> None:
        if on:
            self.text.show_text(pretty_json(self._meta))
        self.text.setVisible(on)


class StatusLine(QWidget):
    """Words first, colour second."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcome = QLabel(self)
        self.unchecked = QLabel(self.tr("Sent without validation"), self)
        self.unchecked.setToolTip(self.tr("The arguments were not validated."))
        self.facts = ElidedLabel()
        for label in (self.outcome, self.unchecked):
            label.setTextFormat(Qt.TextFormat.PlainText)
        style(self.outcome, "badge")
        style(self.unchecked, "badge", "warning")
        style(self.facts, "muted", "small")
        self._lines: Iterator[str] = iter(())
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._tell_on)
        in_row(self, (self.outcome, MIDDLE), (self.unchecked, MIDDLE), (self.facts, 1))

    def show_result(self, result: ToolResult) -> None:
        if result.error is None and result.success:
            self.outcome.setText(self.tr("Success"))
        else:
            code = error_label(result.error.code) if result.error else ""
            self.outcome.setText(": ".join(filter(None, (self.tr("Error"), code))))
        style(self.outcome, "badge", "success" if result.success else "danger")
        self.unchecked.setVisible(result.is_unchecked)
        self._lines = _facts(result)
        self._tell_on()

    def _tell_on(self) -> None:
        """Say what is known by now; the rest in turns of the loop, between which it is shown."""
        if (line := next(self._lines, None)) is not None:
            self.facts.show_text(line)
            self._turn.start()


MAX_COUNTED = 5_000_000
"""Characters of structured content that are counted; more is on disk, with its length."""


def _facts(result: ToolResult) -> Iterator[str]:
    """Time, size and date in a line, and again with each part of the size that is counted.

    The size is that of all that came; a text that only repeats the structured content counts, too.
    """
    local = QDateTime.fromSecsSinceEpoch(int(result.timestamp.timestamp()))
    when = QLocale().toString(local, "yyyy-MM-dd HH:mm:ss")
    line = f"{format_duration(result.execution_time)} · {{}} · {when}"
    sizes = ((block.readable_data, block.readable_text) for block in result.content)
    size = sum(len(data) or len(text) for data, text in sizes) or len(result.readable_output)
    if result.spilled is not None:
        size += len(result.spilled.text)
    elif result.structured is not None:
        count = JsonCount(result.structured, MAX_COUNTED)
        while count.go_on():
            yield line.format(f"> {format_size(size + count.size)}")
        size += count.size
    yield line.format(format_size(size))


class FeedArea(QScrollArea):
    """Scrolls the parts; says how much of them is seen at a time."""

    resized = Signal(int)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit(self.viewport().height())


class ResultView(QWidget):
    """The last result it was given; a text or value that stands alone has all the room."""

    resource_requested = Signal(str)
    """A person wants to see what a link leads to, on its own page; offered where `can_show`."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        settings: QSettings | None = None,
        *,
        reader: ResourceReader | None = None,
        can_show: bool = False,
        fills: bool = True,
    ) -> None:
        """Create a view.

        Args:
            theme: the look.
            parent: as for every widget.
            settings: where it is remembered how a person likes to read.
            reader: opens links in place; without one they are only named.
            can_show: whether somebody listens to `resource_requested`.
            fills: whether it has a place of its own; else it is on a page that scrolls, and as high
                as its parts.
        """
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._name = "result"
        self.result: ToolResult | None = None
        self._above: WholeArea | None = None
        self.reading = ViewSettings(settings, self)
        self.status = StatusLine(self)
        tools = ActionRow(self)
        self._tools = tools.bar
        self.save_all = tools.tool(theme, "folder", self.tr("Save everything…"), self._save_all)
        self._theme = theme
        self.area = FeedArea(self)
        self.feed = FeedColumn(
            theme, self.reading, self.area, reader=reader, can_show=can_show, fills=fills
        )
        self._parts: QWidget = self.area if fills else self.feed
        self.meta = MetaView(self)
        self._lay_out()
        self.feed.resource_requested.connect(self.resource_requested)
        for part in (self.area, self._parts, self.meta):
            part.hide()

    @cached_property
    def error(self) -> ErrorCard:
        """Made for the first error."""
        made = ErrorCard(self._theme, self)
        self._column.insertWidget(self._column.indexOf(self._parts), WholeArea(made, self))
        restore_tab_order(self)
        return made

    @property
    def text(self) -> TextView:
        """The first text."""
        return self.feed.text

    @property
    def values(self) -> StructuredView:
        """The first value."""
        return self.feed.values

    def show_result(self, result: ToolResult, name: str = "result") -> None:
        """Show `result` in place of the one before; `name` is proposed when saving."""
        self.result, self._name = result, name
        self.reading.read()
        self.status.show_result(result)
        if result.error is not None:
            self.error.show_error(result.error)
        if "error" in vars(self):
            self.error.setVisible(result.error is not None)
        self.meta.show_meta(result.meta)
        parts = feed_of(result)
        self.save_all.setVisible(_count(parts) > 1)
        has_changed = self.feed.show_parts(parts, result.output_issues, name)
        self.feed.lend_bar(self._head)
        self._parts.setVisible(bool(parts))
        # Alone, the part scrolls by itself: one more stop for Tab would be in the way.
        policy = Qt.FocusPolicy.NoFocus if self.feed.filler else Qt.FocusPolicy.StrongFocus
        self.area.setFocusPolicy(policy)
        self.area.verticalScrollBar().setValue(0)
        if has_changed:
            restore_tab_order(self)

    def show_above(self, widget: QWidget | None) -> None:
        """Show something of the caller's between status and parts, in place of what was there."""
        if self._above is not None:
            self._column.removeWidget(self._above)
            self._above.hide()
            self._above.deleteLater()
        self._above = None
        if widget is not None:
            self._above = WholeArea(widget, self, least=28)
            self._column.insertWidget(1, self._above)  # below the head
            self._above.show()
            restore_tab_order(self)

    def _note_room(self, height: int) -> None:
        self.feed.set_room(round(height * _SHARE))

    def _lay_out(self) -> None:
        self.area.setAccessibleName(self.tr("Result"))
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        if self._parts is self.area:
            self.area.setWidget(self.feed)
            self.area.resized.connect(self._note_room)
        self._head = QHBoxLayout()
        self._head.setSpacing(0)
        layout = self._column = QVBoxLayout(self)
        layout.setContentsMargins(0, space(1), 0, 0)
        layout.setSpacing(space(1))
        in_row(layout, (self.status, 1), self._tools, self._head, spacing=1)
        layout.addWidget(self._parts, 1)
        layout.addWidget(self.meta)
        layout.addStretch(0)

    def _save_all(self) -> None:
        if self.result is not None:
            SaveAllDialog(self, self.result, self._name).open()


_SHARE = 0.8
"""Of what is seen, that one part among several may fill."""


def _count(parts: list[Part]) -> int:
    return sum(len(part.blocks) if isinstance(part, TextPart) else 1 for part in parts)
