"""The parts of a result below each other: values, texts, pictures, sounds, bytes and links.

One text or one value that stands alone fills the room there is; of several, each is as high as what
is in it. Runs nothing: what a link leads to is read by the `ResourceReader` it is given.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.results.audio import AudioCard
from desktop.gui.results.bytes_card import BytesCard
from desktop.gui.results.content_cards import MAX_CARDS, ContentCard
from desktop.gui.results.feed import TextPart, ValuePart, as_result, feed_of
from desktop.gui.results.image import ImageCard
from desktop.gui.results.structured import content_text, content_view
from desktop.gui.results.structured_view import StructuredView
from desktop.gui.results.text_view import Cap, TextView
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.tab_order import restore_tab_order
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.gui.results.feed import Part
    from desktop.gui.results.view_settings import ViewSettings
    from desktop.gui.theme import Theme
    from desktop.values.resource_types import ReadResult
    from desktop.values.spilled import ReadableText
    from desktop.values.tool_types import Content, ValidationIssue

MAX_TEXTS = 100
PARTS_A_TIME = 12
"""More than are seen at first; 50 pictures at once hold the window up for half a second."""
_MAX_ERROR = 500
_BRIEF_LENGTH, _BRIEF_LINES = 400, 4
_LEAST_CAP = 40  # grid steps a part may always have
_ROOMS = 4
"""A text of no more than so many times what is seen has no scroll bar inside that of the column."""
_CAP_INSIDE = Cap(space(75), _ROOMS * space(75))
"""Of a part of a column that is itself on a page that scrolls."""


class ResourceReader(Protocol):
    """Asks the server of the result for what is at a URI, within its time limit."""

    async def __call__(self, uri: str, /) -> ReadResult: ...


class FeedColumn(QWidget):
    """The parts of the last result it was given."""

    resource_requested = Signal(str)
    """A person wants to see on its own page what a link leads to."""

    def __init__(
        self,
        theme: Theme,
        reading: ViewSettings,
        parent: QWidget | None = None,
        *,
        reader: ResourceReader | None = None,
        can_show: bool = False,
        fills: bool = True,
    ) -> None:
        """Create an empty column.

        Args:
            theme: the look.
            reading: how a person likes to read.
            parent: as for every widget.
            reader: opens links in place.
            can_show: whether they can be shown elsewhere.
            fills: whether a part that stands alone takes all the room there is.
        """
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._theme, self._reading = theme, reading
        self.reader, self.can_show = reader, can_show
        self._fills = fills
        self._cap = Cap(space(_LEAST_CAP)) if fills else _CAP_INSIDE
        self._name = "result"
        self.parts: list[QWidget] = []
        """The widgets of the parts, from the top down."""
        self._waiting: list[Part] = []
        """What is drawn in another turn of the loop."""
        self._uncounted = 0
        self._issues: tuple[ValidationIssue, ...] | None = None
        self._lent: TextView | StructuredView | None = None
        self._column = in_column(self, spacing=3)
        style(self)

    @cached_property
    def text(self) -> TextView:
        """The first text, made when there is one; kept for later results."""
        made = TextView(self._theme, self, reading=self._reading)
        made.hide()
        return made

    @cached_property
    def values(self) -> StructuredView:
        """The first value, as `text`."""
        made = StructuredView(self._theme, self._reading, self)
        made.hide()
        return made

    @property
    def only(self) -> TextView | StructuredView | None:
        """The one part there is, if it is a text or a value."""
        only = self.parts[0] if len(self.parts) == 1 else None
        return only if isinstance(only, TextView | StructuredView) else None

    @property
    def filler(self) -> TextView | StructuredView | None:
        """The same, if it can use all the room."""
        return self.only if self._fills else None

    def show_parts(
        self,
        parts: Sequence[Part],
        issues: tuple[ValidationIssue, ...] | None = None,
        name: str = "result",
    ) -> bool:
        """Show these in place of those before; `issues` are about the first value.

        Returns:
            whether these are other widgets than before, so that Tab walks another way.
        """
        before = self.parts
        self.clear()
        self._name, self._issues = name, issues
        self._waiting = list(parts[:MAX_CARDS])
        self._uncounted = len(parts) - len(self._waiting)
        self._draw_some()
        if self.filler is None:
            self._column.addStretch(1)
        has_changed = self.parts != before
        if has_changed:
            restore_tab_order(self)
        return has_changed

    def _draw_some(self) -> None:
        """Draw the next parts; the rest in further turns."""
        first = len(self.parts)
        now, self._waiting = self._waiting[:PARTS_A_TIME], self._waiting[PARTS_A_TIME:]
        for part in now:
            is_first = isinstance(part, ValuePart) and self.values not in self.parts
            self.parts.append(self._made(part, self._issues if is_first else None))
        if self._waiting:
            QTimer.singleShot(0, self, self._draw_rest)
        elif self._uncounted:
            one, many = self.tr("1 more is not shown"), self.tr("{count} more are not shown")
            self.parts.append(plain_label(counted(self._uncounted, one, many), "muted"))
        for place, widget in enumerate(self.parts[first:], first):
            self._column.insertWidget(place, widget, 1 if widget is self.filler else 0)
            widget.show()
        self._fit()

    def _draw_rest(self) -> None:
        if not self._waiting:  # something else is shown by now
            return
        self._draw_some()
        if not self._waiting:
            restore_tab_order(self)

    def clear(self) -> None:
        """Hold nothing any more."""
        self._waiting = []
        self.take_bar_back()
        kept = [view for name in ("text", "values") if (view := vars(self).get(name)) is not None]
        while (item := self._column.takeAt(0)) is not None:  # pyright: ignore[reportUnnecessaryComparison] None at the end
            widget = item.widget()
            if widget is not None and widget not in kept:  # pyright: ignore[reportUnnecessaryComparison] a stretch has none
                discard(widget)
        self.parts = []
        for view in kept:
            view.hide()
            if isinstance(view, StructuredView):
                view.clear()

    def set_room(self, height: int) -> None:
        """What can be seen at a time: no part among several is higher, but a text of a few."""
        seen = max(space(_LEAST_CAP), height)
        self._cap = Cap(seen, _ROOMS * seen)
        self._fit()

    def lend_bar(self, line: QHBoxLayout) -> None:
        """Put what can be done with the one part there is into `line`."""
        if (only := self.only) is not None:
            self._lent = only
            only.bar.show()
            line.addWidget(only.bar, 1)

    def take_bar_back(self) -> None:
        lent, self._lent = self._lent, None
        layout = lent.layout() if lent is not None else None
        if lent is not None and isinstance(layout, QVBoxLayout):
            layout.insertWidget(0, lent.bar)

    def _fit(self) -> None:
        for part in self.parts:
            if isinstance(part, TextView | StructuredView):
                is_filler = part is self.filler
                policy = QSizePolicy.Policy
                part.setSizePolicy(
                    policy.Preferred, policy.Ignored if is_filler else policy.Preferred
                )
                part.set_cap(None if is_filler else self._cap)

    def _made(self, part: Part, issues: tuple[ValidationIssue, ...] | None) -> QWidget:
        if isinstance(part, TextPart):
            text = self.text
            if text in self.parts:
                text = TextView(self._theme, self, reading=self._reading)
            text.show_texts(self._titled(part), self._name)
            text.bar.setVisible(not _is_brief(part))
            return text
        if isinstance(part, ValuePart):
            values = self.values
            if values in self.parts:
                values = StructuredView(self._theme, self._reading, self)
            values.show_source(part.source, issues, self._name, part.text)
            return values
        return self._card(part.content)

    def _titled(self, part: TextPart) -> list[tuple[str, ReadableText]]:
        """All of it, and each text alone where there are several."""
        blocks = part.blocks
        if len(blocks) == 1:
            return [(self.tr("Text"), blocks[0])]
        titled: list[tuple[str, ReadableText]] = [(self.tr("All as text"), part.whole)]
        for number, text in enumerate(blocks[:MAX_TEXTS], 1):
            titled.append((self.tr("Text {number}").format(number=number), text))
        return titled

    def _card(self, content: Content) -> QWidget:
        view = content_view(content)
        if view == "image":
            return ImageCard(content, self)
        if view == "audio":
            return AudioCard(self._theme, content, self)
        if content.readable_data and not content_text(content):
            return BytesCard(self._theme, content, self)
        if content.kind == "link" and self.reader is not None and content.uri:
            return LinkCard(self._theme, content, self._reading, self.reader, self)
        return ContentCard(self._theme, content, self._reading, self)


def _is_brief(part: TextPart) -> bool:
    """Whether a text among others is too short to need a row of tools above it."""
    if sum(map(len, part.blocks)) > _BRIEF_LENGTH:
        return False
    text = part.whole
    return len(text) <= _BRIEF_LENGTH and text.count("\n") < _BRIEF_LINES


class LinkCard(QWidget):
    """A link to a resource; opened, what its server answers is shown below."""

    read_ended = Signal()

    def __init__(
        self,
        theme: Theme,
        content: Content,
        reading: ViewSettings,
        reader: ResourceReader,
        feed: FeedColumn,
    ) -> None:
        super().__init__(feed)
        self._theme, self._content, self._reading, self._reader = theme, content, reading, reader
        self._name = content.name or "resource"
        self.is_reading = False
        self.card = ContentCard(theme, content, reading, self)
        self.open = self.card.tools.chip(self.tr("Open"))
        self.problem = plain_label("", "danger")
        self.feed: FeedColumn | None = None
        if feed.can_show:
            elsewhere = partial(feed.resource_requested.emit, content.uri)
            words = self.tr("Open in Resources")
            self.read = self.card.tools.tool(theme, "resources", words, elsewhere)
        self.card.tools.insertWidget(0, self.open)  # what most people want comes first
        self._column = in_column(self, self.card, self.problem)
        self.problem.hide()
        self.open.toggled.connect(self._open)

    def _open(self, on: bool) -> None:
        if on and self.feed is None and not self.is_reading:
            bridge.run(self, self._read(), self.tr("Read a resource"))
        elif self.feed is not None:
            self.feed.setVisible(on)
        self.problem.setVisible(on and bool(self.problem.text()))

    async def _read(self) -> None:
        self.is_reading = True
        self.open.setText(self.tr("Reading…"))
        try:
            read = await self._reader(self._content.uri)
        finally:
            self.is_reading = False
            self.open.setText(self.tr("Open"))
        self._show(read)
        self.read_ended.emit()

    def _show(self, read: ReadResult) -> None:
        error = "" if read.error is None else spoken(read.error.message)[:_MAX_ERROR]
        self.problem.setText(error)
        self.problem.setVisible(bool(error) and self.open.isChecked())
        if error:  # the next click asks again
            self.open.blockSignals(True)
            self.open.setChecked(False)
            self.open.blockSignals(False)
            return
        self.feed = FeedColumn(self._theme, self._reading, self, fills=False)
        self.feed.setContentsMargins(space(4), 0, 0, 0)
        self._column.addWidget(self.feed)
        self.feed.show_parts(feed_of(as_result(read)), None, self._name)
        self.feed.setVisible(self.open.isChecked())
