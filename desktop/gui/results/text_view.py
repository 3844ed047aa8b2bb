"""Shows texts of any length as plain text, a page at a time; as Markdown only when asked.

Search, copying and saving work on the whole text, whichever page is shown.
"""

from __future__ import annotations

import asyncio
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import NO_LIMIT, STRETCH, InnerRow, in_column, in_row
from desktop.gui.results.markdown import MAX_CHARACTERS, MarkdownView
from desktop.gui.results.saving import save_as
from desktop.gui.results.search import FindBar, SearchedView
from desktop.gui.results.text_pages import TextParts, find_in_text, pages_of, shown_length
from desktop.gui.results.view_settings import ViewSettings
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import Theme, space, style
from desktop.gui.widgets.action_row import ActionRow, drawn_button
from desktop.gui.widgets.formatting import format_size
from desktop.gui.widgets.json_highlighter import JsonHighlighter
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.tab_order import restore_tab_order
from desktop.gui.widgets.text_editors import ResultTextEditor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtGui import QResizeEvent

    from desktop.gui.results.view_settings import Choice
    from desktop.values.spilled import ReadableText


class PageBar(QWidget):
    """Shown only where there is more than one page; numbers count from 0, words from 1."""

    page_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.page = 0
        self._count = 1
        self._size = ""
        self.hide()

    def set_pages(self, count: int, size: str) -> None:
        """Begin at the first of `count` pages; `size` is that of the whole, in words."""
        self._count, self._size, self.page = count, size, 0
        if count > 1:
            if self.layout() is None:  # pyright: ignore[reportUnnecessaryComparison] None without one
                self._lay_out()
            self._tell()
        self.setVisible(count > 1)

    def turn(self, by: int) -> None:
        if 0 <= self.page + by < self._count:
            self.go_to(self.page + by)

    def go_to(self, page: int) -> None:
        self.page = page
        self._tell()
        self.page_requested.emit(page)

    def _lay_out(self) -> None:
        self.words = QLabel(self)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        style(self.words, "muted", "small")
        self.previous = self._button("chevron-left", self.tr("Previous part (Ctrl+PgUp)"))
        self.following = self._button("chevron-right", self.tr("Next part (Ctrl+PgDown)"))
        self.previous.clicked.connect(lambda: self.turn(-1))
        self.following.clicked.connect(lambda: self.turn(1))
        in_row(self, self.previous, self.words, self.following, STRETCH, spacing=1)

    def _tell(self) -> None:
        words = self.tr("Part {number} of {count}, {size} in total")
        self.words.setText(words.format(number=self.page + 1, count=self._count, size=self._size))
        self.previous.setEnabled(self.page > 0)
        self.following.setEnabled(self.page < self._count - 1)

    def _button(self, icon: str, words: str) -> QToolButton:
        return drawn_button(self._theme, icon, named_keys(words))


_LOOKED_AT = 1_000
_DATA = ("{", "[{", '["', "[[")  # how JSON begins, also several lines of it
_MARKDOWN = MAX_CHARACTERS + 1  # one more than is shown, so that it is refused
_CHOOSER = 12  # characters of a title that are always seen
_CTRL = Qt.KeyboardModifier.ControlModifier
_LEAST = 20  # grid steps a text has where it fills the room


class Cap(NamedTuple):
    """How high a part of a column may be, in pixels.

    What needs no more than `whole` scrolls with its column; what is longer is as high as what is
    `seen` of the column at a time, and scrolls in itself.
    """

    seen: int
    whole: int = 0

    def fit(self, needed: Callable[[int], int]) -> int:
        """The height of a part; `needed` tells what it needs, looking at no more than so much."""
        most = max(self)
        height = needed(most)
        return height if height <= most else self.seen


class TextView(SearchedView):
    """The text, a row of what can be done with it, and its pages where it is long."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        reading: ViewSettings | None = None,
        is_prose: bool = True,
        is_json: bool = False,
    ) -> None:
        """Args: is_prose: whether it can be Markdown at all. is_json: coloured as JSON."""
        super().__init__(parent)
        bridge.release_on_destroy(self)
        self._reading = reading or ViewSettings(parent=self)
        self._texts: Sequence[tuple[str, ReadableText]] = (("", ""),)
        self._text: ReadableText = ""
        self._name = "result"
        self._pages = [(0, 0)]
        self._parts = TextParts("")
        self._wanted: tuple[int, int] | None = None
        self._cap: Cap | None = None
        self.editor = ResultTextEditor(theme, self)
        self._highlighter = JsonHighlighter(self.editor.document(), theme) if is_json else None
        self.editor.setAccessibleName(self.tr("Text of the result"))
        self.markdown: MarkdownView | None = None
        self.find_bar = FindBar(theme, self._search, self)
        self.pages = PageBar(theme, self)
        self.note = plain_label("", "muted", "small")
        self._turn = QTimer(self)
        self._turn.setInterval(0)
        self._make_tools(theme)
        self.as_markdown.setEnabled(is_prose)
        self._lay_out()
        self._connect()
        self._apply_reading()

    @cached_property
    def chooser(self) -> QComboBox:
        """Which text is shown; made for the first result of several."""
        made = QComboBox(self.bar)
        made.setAccessibleName(self.tr("Which text"))
        made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        made.setMinimumContentsLength(_CHOOSER)
        made.currentIndexChanged.connect(self._choose)
        self._tools.insertWidget(0, made)
        restore_tab_order(self.bar)
        return made

    @property
    def is_complete(self) -> bool:
        """Whether everything of this page is in the widget."""
        return not self._parts.left

    def show_text(self, text: ReadableText, name: str = "result") -> None:
        """Show `text` from its start; `name` is proposed when saving."""
        self.show_texts([("", text)], name)

    def show_texts(self, texts: Sequence[tuple[str, ReadableText]], name: str = "result") -> None:
        """Show the first of these titled texts and let a person choose among them."""
        self._name, self._texts = name, texts
        if len(texts) > 1:
            with QSignalBlocker(self.chooser):
                self.chooser.clear()
                self.chooser.addItems([title for title, _ in texts])
        if "chooser" in vars(self):
            self.chooser.setVisible(len(texts) > 1)
        self._choose(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if shortcuts.NEXT_PART.matches(event):
            self.pages.turn(1)
        elif shortcuts.PREVIOUS_PART.matches(event):
            self.pages.turn(-1)
        else:
            super().keyPressEvent(event)

    def _make_tools(self, theme: Theme) -> None:
        tools = self._tools = ActionRow(self)
        self.bar = tools.bar
        """What can be done with the text, for whoever puts it elsewhere than above it."""
        self.as_markdown = tools.chip(self.tr("Markdown"))
        self.wrap = QAction(self.tr("Wrap lines"), self)
        self.numbers = QAction(self.tr("Line numbers"), self)
        self.monospaced = QAction(self.tr("Monospaced"), self)
        switches = [self.wrap, self.numbers, self.monospaced]
        for action in switches:
            action.setCheckable(True)
        tools.addStretch(1)
        self.look = tools.tool_menu(theme, "eye", self.tr("View"), switches)
        self.find_button = tools.tool(
            theme, "search", named_keys(self.tr("Find (Ctrl+F)")), self.open_find
        )
        self.copy_all = tools.tool(theme, "copy", self.tr("Copy all"), self._copy_all)
        self.save = tools.tool(theme, "save", self.tr("Save…"), self._save)

    def _lay_out(self) -> None:
        below = InnerRow(self.pages, (self.note, 1), spacing=3)
        in_column(self, self.bar, self.find_bar, (self.editor, 1), below, spacing=1)

    def set_cap(self, cap: Cap | None) -> None:
        """Be as high as the text, as far as `cap` allows; None: fill the room there is."""
        self._cap = cap
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        areas: list[tuple[QWidget, Callable[[int], int]]]
        areas = [(self.editor, self.editor.content_height)]
        if self.markdown is not None:
            areas.append((self.markdown, self.markdown.content_height))
        for area, height in areas:
            if self._cap is None:
                area.setMinimumHeight(space(_LEAST))
                area.setMaximumHeight(NO_LIMIT)
            elif not area.isHidden():
                area.setFixedHeight(self._cap.fit(height))

    def _connect(self) -> None:
        self._turn.timeout.connect(self._append_part)
        # Not before the editor itself is as wide as it will be are its lines known.
        self.editor.document().documentLayout().documentSizeChanged.connect(self._fit)
        for switch, choice, _ in self._switches():
            switch.toggled.connect(partial(self._reading.choose, choice))
        self._reading.changed.connect(self._apply_reading)
        self.as_markdown.toggled.connect(self._show_markdown)
        self.find_bar.reached.connect(self._show_match)
        self.find_bar.closed.connect(self.editor.setFocus)
        self.editor.cursorPositionChanged.connect(self._follow_caret)
        self.pages.page_requested.connect(self._show_page)

    def _switches(self) -> tuple[tuple[QAction, Choice, Callable[[bool], None]], ...]:
        return (
            (self.wrap, "wraps", self.editor.set_wrapping),
            (self.numbers, "numbers", self.editor.set_numbered),
            (self.monospaced, "monospaced", self.editor.set_monospaced),
        )

    def _apply_reading(self) -> None:
        for switch, choice, apply in self._switches():
            on = self._reading[choice]
            switch.setChecked(on)
            apply(on)
        self._fit()

    def _choose(self, number: int) -> None:
        self._text = self._texts[number][1]
        self._pages = pages_of(self._text)
        self._wanted = None
        self.as_markdown.setChecked(False)
        is_data = self._text[:_LOOKED_AT].lstrip().startswith(_DATA)
        self.as_markdown.setVisible(self.as_markdown.isEnabled() and not is_data)
        self.pages.set_pages(len(self._pages), format_size(len(self._text)))
        self._show_page(0)
        self.find_bar.reset()

    def _show_page(self, number: int) -> None:
        start, end = self._pages[number]
        self._parts = TextParts(self._text, start, end)
        first_line = self._text.count("\n", 0, start) + 1
        self.editor.begin(self._parts.take(), first_line, self._parts.continued)
        self._turn.start()
        self._tell()

    def _append_part(self) -> None:
        if self._parts.left:
            self.editor.add(self._parts.take())
            self._tell()
        if not self._parts.left:
            self._turn.stop()
        self._select_wanted()

    def _search(self, words: str) -> Iterator[int | None]:
        return find_in_text(self._text, words)

    def _show_match(self, place: int) -> None:
        page = next(n for n, (_, end) in enumerate(self._pages) if place < end)
        self._wanted = place, place + len(self.find_bar.field.text())
        if page != self.pages.page:
            self.pages.go_to(page)
        self._select_wanted()

    def _select_wanted(self) -> None:
        """Go to the match when what it is in has come into the widget."""
        if self._wanted is None or (self._wanted[1] > self._parts.taken and self._parts.left):
            return
        (start, end), self._wanted = self._wanted, None
        page_start, _ = self._pages[self.pages.page]
        shown = shown_length(self._text, page_start, start)
        self.editor.select(shown, shown + shown_length(self._text, start, end))

    def _follow_caret(self) -> None:
        self.show_place(self.editor, self.editor.cursorRect())

    def _tell(self) -> None:
        broken = bool(self._parts.continued)
        words = self.tr("Very long lines are wrapped here, but not when copied or saved.")
        self.note.setText(words if broken else "")
        self.note.setVisible(broken)

    def _show_markdown(self, on: bool) -> None:
        if on and self.markdown is None:
            self.markdown = MarkdownView(self)
            layout = self.layout()
            if isinstance(layout, QVBoxLayout):
                layout.insertWidget(layout.indexOf(self.editor), self.markdown, 1)
        if self.markdown is not None:
            self.markdown.setVisible(on)
            self.editor.setVisible(not on or not self.markdown.show_text(self._text[:_MARKDOWN]))
        self._fit()

    def open_find(self) -> None:
        self.as_markdown.setChecked(False)
        super().open_find()

    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._text[:])

    def _save(self) -> None:
        text = self._text
        save_as(self, f"{self._name}.txt", lambda: asyncio.to_thread(_encoded, text))


def _encoded(text: ReadableText) -> bytes:
    return text[:].encode("utf-8", "replace")
