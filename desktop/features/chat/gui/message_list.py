"""The cards of a chat below each other; stays at the end while a person reads there.

Builds the last cards in short turns of the loop and earlier ones on request; those that are far
from what is read are taken away again, above and below. Changes are gathered for 40 ms. Must not
know a session: it follows an `EntryList`.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from desktop.features.chat.gui.entries import ModelEntry, NoticeEntry, ToolCallEntry, UserEntry
from desktop.features.chat.gui.labels import notice_label
from desktop.features.chat.gui.markdown_text import MarkdownColumn
from desktop.features.chat.gui.user_card import UserCard
from desktop.gui import bridge
from desktop.gui.layouts import (
    ALL_ROOM,
    CENTER,
    LEFT,
    STRETCH,
    TOP,
    InnerColumn,
    InnerRow,
    in_column,
    in_row,
)
from desktop.gui.results.markdown import LinkBar
from desktop.gui.theme import COLUMN_WIDTH, space, style
from desktop.gui.widgets.collapse_button import CollapseButton
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import selectable_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QKeyEvent

    from desktop.features.chat.agent.message_tree import Versions
    from desktop.features.chat.gui.call_card import CallCard
    from desktop.features.chat.gui.entries import Entry, EntryList
    from desktop.gui.results.companion import CompanionOf
    from desktop.gui.theme import Theme

FindVersions: TypeAlias = "Callable[[UserEntry], Versions | None]"
Card: TypeAlias = "UserCard | ModelCard | CallCard | NoticeCard"
BATCH_MS = 40
ENTRIES_AT_ONCE = 24
"""Entries that are built when a conversation is opened, and each time more are asked for."""
MAX_BUILT_ENTRIES = 150
"""Entries that stay built around what is read; those further away are taken away again."""
_ABOVE_PLACE = ENTRIES_AT_ONCE // 2
_TURN = 0.008
BAR_STEPS: Final = 3
"""Width of a scroll bar in steps of the grid; what is above and below leaves it free, too."""
_MAX_LENGTH = 1_000
_TICK_MS = 500
_SETTINGS = {"key", "untrusted", "connection"}


class MessageList(QScrollArea):
    """One list of entries, from its end."""

    open_call_requested = Signal(str, object)
    answered = Signal(str, object)
    cancel_requested = Signal(str)
    settings_requested = Signal()
    edited = Signal(object, str)
    """A `UserEntry`, and what is asked in place of it."""
    version_requested = Signal(object, int)
    again_requested = Signal()
    """The last answer is to be tried again, or brought to its end."""
    settled = Signal()
    """All that is due is built and shown."""

    def __init__(
        self,
        theme: Theme,
        shown: EntryList,
        parent: QWidget | None = None,
        *,
        max_built: int = MAX_BUILT_ENTRIES,
        companion_of: CompanionOf | None = None,
        place: tuple[int, int] | None = None,
    ) -> None:
        """Show `shown`. Args: place: as `place` gave it before; without it, from the end."""
        super().__init__(parent)
        self._companion_of = companion_of
        self._max_built = max_built
        self._theme = theme
        self._list = shown
        self._first = self._last = len(shown.entries)
        self._goal = max(0, self._first - ENTRIES_AT_ONCE)
        self._until: int | None = None
        """Where the entries that are built end; None where that is the end of all."""
        self._changed: dict[Entry, None] = {}
        self._cards: dict[Entry, Card] = {}
        self._at_end = True
        self._anchor: tuple[Card, int, bool] | None = None
        """The first card that a person reads, while not at the end, and how much of it is above."""
        self._is_keeping = False
        self._maximum = 0
        self._may_follow = False
        self._can_change = False
        self._find_versions: FindVersions = lambda _: None
        self.earlier, self.later = QPushButton(), QPushButton()
        style(self.earlier, "link")
        style(self.later, "link")
        self.copy, self.again = _quiet_button(theme, "copy"), _quiet_button(theme, "restart")
        self.copy.setToolTip(self.tr("Copy answer"))
        self.copy.setAccessibleName(self.tr("Copy answer"))
        self._soon = QTimer(self, singleShot=True)
        self._building = QTimer(self, interval=0)
        self._lay_out()
        self._connect()
        if place is not None:
            self._begin_at(*place)
        self._tell_hidden()
        self._building.start()

    @property
    def cards(self) -> list[Card]:
        """What is built, in the order it is shown."""
        built = self._list.entries[self._first : self._last]
        return [self._cards[entry] for entry in built if entry in self._cards]

    @property
    def is_at_end(self) -> bool:
        return self._at_end

    @property
    def place(self) -> tuple[int, int] | None:
        """What is read, to be shown again; None at the end.

        How many stored entries are before it, and how many of its pixels are above what is seen.
        """
        if self._at_end or self._anchor is None:
            return None
        card, offset, _ = self._anchor
        before = self._list.entries[: self._list.entries.index(card.entry)]
        return sum(not isinstance(entry, NoticeEntry) for entry in before), offset

    def card(self, entry: Entry) -> Card | None:
        """The card of an entry, where it is built."""
        return self._cards.get(entry)

    def build(self, entry: Entry) -> Card | None:
        """The card of one of the last entries, built now if its turn is still to come."""
        if entry not in self._cards and self._until is not None:
            self.go_to_end()
        self.flush()
        while entry not in self._cards and self._last < len(self._list.entries):
            self._take_changes()
        return self._cards.get(entry)

    def show_choices(self, *, can_change: bool, find_versions: FindVersions) -> None:
        """Say whether questions can be edited and answers tried again now.

        Args:
            can_change: false while the model is at work.
            find_versions: gives the versions of a question.
        """
        self._can_change, self._find_versions = can_change, find_versions
        for card in self.cards:
            if isinstance(card, UserCard):
                self._show_versions(card)
        self._tell_again()

    def _show_versions(self, card: UserCard) -> None:
        card.show_versions(self._find_versions(card.entry), can_change=self._can_change)

    def _tell_again(self) -> None:
        last = self._list.entries[-1] if self._list.entries else None
        is_limit = isinstance(last, NoticeEntry) and last.kind == "limit"
        words = self.tr("Continue") if is_limit else self.tr("Try again")
        self.again.setToolTip(words)
        self.again.setAccessibleName(words)
        is_end = self._until is None
        can_try = self._can_change and is_end and self._list.last_question is not None
        self._show_button(self.again, can_try)
        is_answer = isinstance(last, ModelEntry) and bool(last.text.tail)
        self._show_button(self.copy, can_try and is_answer)
        self._offer_copies()

    def _offer_copies(self) -> None:
        """One row of buttons an answer: below its last words, that of the latest with `again`."""
        built = self._list.entries[self._first : self._last]
        for entry, after in zip(built, [*built[1:], None], strict=False):
            if isinstance(card := self._cards.get(entry), ModelCard):
                is_end = after is None or isinstance(after, UserEntry)
                card.offer_copy(is_end and not (after is None and self.copy.isVisibleTo(self)))

    def _copy_last(self) -> None:
        last = self._list.entries[-1] if self._list.entries else None
        if isinstance(last, ModelEntry):
            QGuiApplication.clipboard().setText(last.text.text)

    def flush(self) -> None:
        """Show now what waits for its turn, as far as a turn goes."""
        self._soon.stop()
        while self._building.isActive():
            self._build_some()
        self._take_changes()

    def _take_changes(self) -> None:
        changed, self._changed = self._changed, {}
        for entry in changed:
            if (card := self._cards.get(entry)) is not None:
                card.refresh()
                if isinstance(card, UserCard):
                    self._show_versions(card)
        self._append_new()

    def end(self) -> None:
        """Build no more: another list is shown, and the entries may go before this one does."""
        self._soon.stop()
        self._building.stop()

    def go_to_end(self) -> None:
        """Show what was said last, and follow what comes."""
        if self._until is not None:
            self._begin_at_end()
        self._at_end = True
        self._release_anchor()
        self._follow_end()

    def show_earlier(self) -> None:
        """Build the messages before those that are there; what is read from now on is there."""
        self._goal = max(0, self._first - ENTRIES_AT_ONCE)
        bar = self.verticalScrollBar()
        bar.setValue(bar.minimum())
        self._at_end = False
        if cards := self.cards:
            self._fix(cards[0])
        self._building.start()

    def show_later(self) -> None:
        """Build the messages after those that are there."""
        self._until = self._last + ENTRIES_AT_ONCE
        self._append_new()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_End:
            self.go_to_end()
        elif event.key() == Qt.Key.Key_Home:
            bar.setValue(bar.minimum())
        else:
            super().keyPressEvent(event)

    def _begin_at(self, stored_before: int, offset: int) -> None:
        """Build around an entry, which stays where it was seen."""
        stored = (
            at for at, entry in enumerate(self._list.entries) if not isinstance(entry, NoticeEntry)
        )
        at = next(islice(stored, stored_before, None), None)
        if at is None:
            return
        self._first, self._last, self._until = at, at + 1, at + ENTRIES_AT_ONCE
        self._goal = max(0, at - _ABOVE_PLACE)
        self._put(self._list.entries[at], 1)
        self._at_end = False
        self._anchor = self._cards[self._list.entries[at]], offset, False
        self._anchor[0].installEventFilter(self)

    def _begin_at_end(self) -> None:
        for entry in tuple(self._cards):
            self._drop(entry)
        self._first = self._last = len(self._list.entries)
        self._goal, self._until = max(0, self._first - ENTRIES_AT_ONCE), None
        self._building.start()

    def _note_new(self, _: Entry) -> None:
        self._start_soon()

    def _note(self, entry: Entry) -> None:
        self._changed[entry] = None
        self._start_soon()

    def _start_soon(self) -> None:
        if not self._soon.isActive():
            self._soon.start(BATCH_MS)

    def _append_new(self) -> None:
        if self._building.isActive():
            return
        entries = self._list.entries
        end = len(entries) if self._until is None else min(self._until, len(entries))
        until = time.monotonic() + _TURN
        while self._last < end:
            self._put(entries[self._last], self._column.count() - 3)
            self._last += 1
            if time.monotonic() >= until:
                break
        if self._last < end:
            self._soon.start(0)  # what came together is shown together, in short turns
            return
        if end == len(entries):
            self._until = None
        # Whoever scrolls now would do so between cards that have no place yet.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        if self._take_away_far():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        self._tell_hidden()
        self._tell_again()
        self.settled.emit()

    def _build_some(self) -> None:
        """From the end up, so that what a person looks at first is there first."""
        entries = self._list.entries
        until = time.monotonic() + _TURN
        while self._first > self._goal and time.monotonic() < until:
            self._first -= 1
            self._put(entries[self._first], 1)
        if self._first <= self._goal:
            self._building.stop()
            self._append_new()

    def _put(self, entry: Entry, at: int) -> None:
        card = self._make(entry)
        self._cards[entry] = card
        self._column.insertWidget(at, card)

    def _make(self, entry: Entry) -> Card:
        if isinstance(entry, UserEntry):
            asked = UserCard(self._theme, entry)
            asked.edited.connect(self.edited)
            asked.version_requested.connect(self.version_requested)
            self._show_versions(asked)
            return asked
        if isinstance(entry, ModelEntry):
            answer = ModelCard(self._theme, entry)
            answer.unfolded.connect(partial(self._hold, answer))
            return answer
        if isinstance(entry, ToolCallEntry):
            from desktop.features.chat.gui.call_card import CallCard

            call = CallCard(self._theme, entry, companion_of=self._companion_of)
            call.unfolded.connect(partial(self._hold, call))
            call.form_opened.connect(partial(self._hold, call, shows_focus=True))
            call.open_call_requested.connect(self.open_call_requested)
            call.answered.connect(self.answered)
            call.cancel_requested.connect(self.cancel_requested)
            return call
        notice = NoticeCard(self._theme, entry)
        notice.settings_requested.connect(self.settings_requested)
        return notice

    def _take_away_far(self) -> bool:
        """So that a conversation of days takes no more than one of minutes.

        What is taken away is the furthest from what is read, and never seen. Returns: whether any.
        """
        surplus = self._last - self._first - self._max_built
        if surplus <= 0:
            return False
        entries, read = self._list.entries, self._last
        if not self._at_end:
            read = entries.index(self._anchor[0].entry) if self._anchor else self._first
        for _ in range(surplus):
            is_above = read - self._first > self._last - read
            entry = entries[self._first if is_above else self._last - 1]
            if not (self._at_end or self._cards[entry].visibleRegion().isEmpty()):
                break
            self._drop(entry)
            if is_above:
                self._first += 1
            else:
                self._last = self._until = self._last - 1
        return True

    def _drop(self, entry: Entry) -> None:
        card = self._cards.pop(entry)
        if self._anchor is not None and self._anchor[0] is card:
            self._release_anchor()
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _tell_hidden(self) -> None:
        above, below = self._first, len(self._list.entries) - self._last
        words = self.tr("Show earlier messages ({count})")
        self.earlier.setText(words.format(count=f"{above:,}"))
        self._show_button(self.earlier, above > 0 and not self._building.isActive())
        words = self.tr("Show later messages ({count})")
        self.later.setText(words.format(count=f"{below:,}"))
        self._show_button(self.later, below > 0 and self._until is not None)

    def _show_button(self, button: QPushButton | QToolButton, is_shown: bool) -> None:
        if not is_shown and button.hasFocus():
            # The next control would take it, and be scrolled to.
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        button.setVisible(is_shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A layout moves cards before and after the range changes, and when it does not change.
        is_anchor = self._anchor is not None and watched is self._anchor[0]
        if is_anchor and event.type() == QEvent.Type.Move:
            self._keep_place()
        return super().eventFilter(watched, event)

    def _note_place(self, value: int) -> None:
        if self._is_keeping:
            return
        is_low = value >= self.verticalScrollBar().maximum() - space(2)
        self._at_end = is_low and self._until is None
        self._release_anchor()
        if not self._at_end:
            seen = (card for card in self.cards if card.geometry().bottom() >= value)
            if (first := next(seen, None)) is not None:
                self._fix(first)

    def _hold(self, card: Card, is_open: bool, *, shows_focus: bool = False) -> None:
        """Keep a card where it is while it grows or shrinks: what was opened is what is read."""
        self._may_follow = not is_open
        self._at_end = False
        self._fix(card, shows_focus=is_open and shows_focus)

    def _fix(self, card: Card, *, shows_focus: bool = False) -> None:
        """Keep it where it is seen now, whatever changes above it, until a person scrolls."""
        self._release_anchor()
        self._anchor = card, self.verticalScrollBar().value() - card.y(), shows_focus
        card.installEventFilter(self)

    def _show_focus(self, card: Card) -> None:
        """Where the keys are in it, it is seen as far as there is room: who types sees what."""
        focused = QApplication.focusWidget()
        if focused is not None and card.isAncestorOf(focused):
            fits = card.height() <= self.viewport().height()
            self.ensureWidgetVisible(card if fits else focused, 0, space(4))

    def _release_anchor(self) -> None:
        if self._anchor is not None:
            self._anchor[0].removeEventFilter(self)
        self._anchor = None

    def _keep_place(self) -> None:
        """At the end stay there; else what is seen stays where it is, whatever grows above it."""
        if self._at_end:
            self._follow_end()
        elif self._anchor is not None and self._anchor[0] in self._cards.values():
            card, offset, shows_focus = self._anchor
            self._is_keeping = True
            self.verticalScrollBar().setValue(card.y() + offset)
            if shows_focus:
                self._show_focus(card)
            self._is_keeping = False
            self._note_shrinking()

    def _note_shrinking(self) -> None:
        """Where what was opened is closed again at the end, new messages are followed again."""
        bar = self.verticalScrollBar()
        is_low = self._until is None and bar.value() >= bar.maximum()
        if self._may_follow and bar.maximum() < self._maximum and is_low:
            self._at_end = True
            self._release_anchor()
        self._maximum = bar.maximum()

    def _follow_end(self) -> None:
        bar = self.verticalScrollBar()
        self._maximum = bar.maximum()
        bar.setValue(bar.maximum())

    def _connect(self) -> None:
        bridge.connect(self, self._list.appended, self._note_new)
        bridge.connect(self, self._list.changed, self._note)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._keep_place)
        bar.valueChanged.connect(self._note_place)
        self._soon.timeout.connect(self._take_changes)
        self._building.timeout.connect(self._build_some)
        self.earlier.clicked.connect(self.show_earlier)
        self.later.clicked.connect(self.show_later)
        self.again.clicked.connect(self.again_requested)
        self.copy.clicked.connect(self._copy_last)

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setMaximumWidth(COLUMN_WIDTH)
        self._column = in_column(
            inside,
            (self.earlier, CENTER),
            (self.later, CENTER),
            InnerRow(self.copy, self.again, STRETCH, spacing=0),
            STRETCH,
            margins=(4, 3, 4, 3),
            spacing=3,
        )
        around = QWidget()
        style(around, "page")
        self._around = in_row(
            around, STRETCH, (inside, ALL_ROOM), STRETCH, margins=(0, 0, BAR_STEPS, 0)
        )
        self.verticalScrollBar().rangeChanged.connect(self._keep_width)
        self.setWidget(around)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Conversation"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _keep_width(self, _: int, most: int) -> None:
        """Leave the room of the scroll bar free without it, so that nothing moves as it comes."""
        self._around.setContentsMargins(0, 0, 0 if most > 0 else space(BAR_STEPS), 0)
        self._around.activate()


class NoticeCard(QFrame):
    """Words in a tone; a failure that Settings can mend has a button for them.

    A wait for the next attempt is counted down, and goes when it is over.
    """

    settings_requested = Signal()

    def __init__(self, theme: Theme, entry: NoticeEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entry = entry
        self.icon = QLabel(self)
        self.words, self.remedy = selectable_label(""), selectable_label("", "small")
        self.settings = QPushButton(self)
        style(self.settings, "link")
        self.settings.clicked.connect(self.settings_requested)
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self.refresh)
        column = InnerColumn(self.words, self.remedy, spacing=0)
        in_row(self, (self.icon, TOP), (column, 1), self.settings, margins=(3, 2, 3, 2))
        self.refresh()

    def refresh(self) -> None:
        if self.entry.is_over:
            self.hide()
        is_counting = self.entry.kind == "retry" and not self.entry.is_over
        if is_counting != self._tick.isActive():
            (self._tick.start if is_counting else self._tick.stop)()
        notice = notice_label(self.entry)
        is_quiet = notice.tone == "muted"
        if is_quiet:
            style(self.words, "muted", "small")
        else:
            style(self, "banner", *notice.roles)
            sign = "error" if notice.tone == "danger" else "warning"
            set_icon(self._theme, self.icon, sign, notice.tone)
        self.icon.setVisible(not is_quiet)
        self.words.setText(notice.text[:_MAX_LENGTH])
        self.remedy.setText(notice.remedy)
        self.remedy.setVisible(bool(notice.remedy))
        self.settings.setText(self.tr("Open Settings"))
        self.settings.setVisible(self.entry.cause in _SETTINGS)
        self.setAccessibleName(f"{notice.text[:_MAX_LENGTH]} {notice.remedy}".strip())


def _quiet_button(theme: Theme, icon: str) -> QToolButton:
    button = QToolButton()
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    style(button, "flat")
    set_icon(theme, button, icon, "muted")
    button.hide()
    return button


class ModelCard(QWidget):
    """An answer: what the model thought, folded, its text, and Copy once it is whole."""

    unfolded = Signal(bool)
    """Something of it was opened, or closed again."""

    def __init__(self, theme: Theme, entry: ModelEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry, self._theme = entry, theme
        self.fold = CollapseButton(theme, self)
        self.fold.opened.connect(self.unfolded)
        self.fold.opened.connect(self._show_thinking)
        self.thinking: MarkdownColumn | None = None
        self._nested = QFrame(self)
        style(self._nested, "nested")
        in_column(self._nested, margins=(3, 0, 0, 0), spacing=1.5)
        self.text = MarkdownColumn(self, theme)
        self.text.link_activated.connect(self._offer)
        self.links: LinkBar | None = None
        self._is_copied_here = True
        self.copy = _quiet_button(theme, "copy")
        self.copy.setToolTip(self.tr("Copy answer"))
        self.copy.setAccessibleName(self.tr("Copy answer"))
        self.copy.clicked.connect(self._copy)
        self._column = in_column(
            self, (self.fold, LEFT), self._nested, self.text, (self.copy, LEFT), spacing=1
        )
        self.refresh()

    def refresh(self) -> None:
        """Show the entry as far as it has come."""
        entry = self.entry
        self.text.setVisible(bool(entry.text.tail))
        self.text.show_text(entry.text, is_live=entry.is_live)
        self._show_copy()
        self.fold.setVisible(bool(entry.thinking.tail))
        self._show_thinking()
        is_thinking = self.entry.is_live and not self.entry.text.tail
        self.fold.setText(self.tr("Thinking…") if is_thinking else self.tr("Thoughts"))
        self.setAccessibleName(self.tr("Answer: {text}").format(text=self.entry.text.text[:200]))

    def offer_copy(self, is_offered: bool) -> None:
        """Whether the answer ends here, so that its button stands here."""
        self._is_copied_here = is_offered
        self._show_copy()

    def _show_copy(self) -> None:
        is_whole = bool(self.entry.text.tail) and not self.entry.is_live
        self.copy.setVisible(is_whole and self._is_copied_here)

    def _show_thinking(self) -> None:
        is_open = self.fold.isChecked() and bool(self.entry.thinking.tail)
        self._nested.setVisible(is_open)
        if not is_open:
            return
        if self.thinking is None:
            self.thinking = MarkdownColumn(self._nested, self._theme)
            self.thinking.link_activated.connect(self._offer)
            layout = self._nested.layout()
            if layout is not None:
                layout.addWidget(self.thinking)
        self.thinking.show_text(self.entry.thinking, is_live=self.entry.is_live)

    def _offer(self, url: QUrl) -> None:
        if self.links is None:
            self.links = LinkBar(self)
            self._column.insertWidget(self._column.indexOf(self.copy), self.links)
        self.links.offer(url)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.entry.text.text)
