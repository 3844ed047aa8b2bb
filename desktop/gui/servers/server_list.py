"""The list of servers, a card for each: its switch, name, state and figures.

In two groups, the person's own and the built-in ones. Changes nothing: a switch shows the
configuration, and every change is requested from the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.config.builtin_settings import lacks_place
from desktop.gui import shortcuts
from desktop.gui.layouts import LEFT, NO_LIMIT, TOP, InnerColumn, in_column, in_row
from desktop.gui.servers import labels
from desktop.gui.theme import COLUMN_WIDTH, space, style
from desktop.gui.theme.focus_rings import shows_ring
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.labels import SEPARATOR, ElidedLabel, FactsLabel
from desktop.gui.widgets.server_faces import set_face
from desktop.gui.widgets.switch import Switch
from desktop.gui.widgets.token_words import tokens_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from desktop.gui.servers.process_usage import ProcessUsage
    from desktop.gui.shortcuts import Shortcut
    from desktop.gui.theme import Theme
    from desktop.processes.package_runners import PackageFetch
    from desktop.servers.connection import ServerConnection

_RING = 2  # pixels, of the pen around a card with the focus
_BUSY = 1.0
"""Per cent of a core from which on the CPU is worth a place among the first figures."""
_WIDTH_WITH_FACE = space(72)
"""Of a card; in a narrower one the name needs the room of the face."""


class ServerCard(QFrame):
    """Switch, name, state and figures; one card of a list takes the Tab key, the selected one."""

    focused = Signal(str)
    switch_requested = Signal(str, bool)
    details_requested = Signal(str)
    review_requested = Signal(str)

    def __init__(self, theme: Theme, connection: ServerConnection) -> None:
        super().__init__()
        self._theme = theme
        self.connection = connection
        self.switch = Switch()
        self._name, self._figures, self._error = ElidedLabel(), FactsLabel(), ElidedLabel()
        self.face, self.badge, self.review = QLabel(), QLabel(), QPushButton()
        self.dot = QLabel("●")
        style(self.dot, "success", "small")
        self._usage: ProcessUsage | None = None
        self._tokens = 0
        self._fetch: PackageFetch | None = None
        self.switch.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the card has the focus: Space is its
        self.switch.switch_requested.connect(self._request_switch)
        self.review.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # for the keys there is one in details
        self.review.clicked.connect(lambda: self.review_requested.emit(self.name))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        style(self, "card")
        style(self._name, "heading")
        style(self._figures, "muted", "small")
        self._lay_out()
        self.refresh()

    @property
    def name(self) -> str:
        return self.connection.name

    @property
    def is_off(self) -> bool:
        """Switched off, and its process gone."""
        server = self.connection
        return not server.is_enabled and server.pid is None and server.state.phase == "stopped"

    @property
    def figures(self) -> str:
        """All that is known of it, on one line."""
        return SEPARATOR.join(self._facts())

    def _facts(self) -> list[str]:
        """What is known, in the order of its weight; the rest is in the details."""
        state, config = self.connection.state, self.connection.config
        if state.phase == "starting" and (
            start := labels.start_label(self.connection, self._fetch)
        ):
            return [start]
        tokens = tokens_label(self._tokens) if self._tokens else ""
        facts = [labels.tools_label(self.connection), tokens, *self._usage_facts()]
        transport = labels.transport_label(config.transport)
        if state.phase in ("stopped", "failed"):
            purpose = labels.purpose_label(config)
            facts = [purpose] if config.source == "builtin" else [transport, *facts, purpose]
        if config.source == "environment":
            facts.insert(0, self.tr("Environment"))
        if config.sandbox.is_on:
            facts.append(self.tr("Sandboxed"))
        return [fact for fact in facts if fact]

    def _usage_facts(self) -> Iterator[str]:
        """Memory, and the CPU of a server that is busy."""
        if self._usage is not None:
            yield labels.memory_label(self._usage.memory)
            if not self._is_quiet:
                yield self._cpu_label(self._usage)

    @property
    def _is_quiet(self) -> bool:
        cpu = self._usage.cpu if self._usage is not None else None
        return cpu is None or cpu < _BUSY

    def _cpu_label(self, usage: ProcessUsage) -> str:
        if usage.cpu is None:
            return ""
        return self.tr("CPU {cpu}").format(cpu=labels.cpu_label(usage.cpu))

    def refresh(self) -> None:
        """Show what the connection is now."""
        connection = self.connection
        state = labels.state_label(connection)
        message = connection.state.error if connection.is_enabled else ""
        error = labels.short_error(spoken(message))
        is_untrusted = connection.state.phase == "untrusted"
        if is_untrusted:  # the command is not cut short here: all of it is in the details
            error = self.tr("Not started. Review what it runs first.")
        lacks = not error and connection.is_enabled and lacks_place(connection.config)
        if lacks:
            error = self.tr("Choose what it may use: see its details.")
        set_face(self._theme, self.face, connection.name, size=space(8))
        self._name.show_text(mark_hidden(connection.name))
        self.switch.setChecked(connection.is_enabled)
        self.switch.setAccessibleName(self.tr("Use {name}").format(name=connection.name))
        self.badge.setText(state.text)
        # The dot says the one, the switch the other.
        self.badge.setVisible(not (connection.is_connected or self.is_off))
        style(self.badge, "badge", *state.roles)
        self.dot.setVisible(connection.is_connected)
        self.dot.setToolTip(state.text)
        if connection.pid is None:
            self._usage = None
        if connection.state.phase != "starting":
            self._fetch = None
        self._figures.show_facts(self._facts())
        style(self._error, "warning" if is_untrusted or lacks else "danger", "small")
        self._error.show_text(error)
        self._error.setVisible(bool(error))
        self.review.setText(self.tr("Review and start…"))
        self.review.setVisible(is_untrusted)
        parts = (connection.name, state.text, listed(self._facts()), error)
        self.setAccessibleName(listed(part for part in parts if part))

    def show_start(self, fetch: PackageFetch | None) -> None:
        """Say how long it has been starting, and what is fetched for it."""
        self._fetch = fetch
        self.refresh()

    def show_tokens(self, tokens: int) -> None:
        """Say what its tools cost in every request; 0 for nothing that is known."""
        if tokens != self._tokens:
            self._tokens = tokens
            self.refresh()

    def show_usage(self, usage: ProcessUsage | None) -> None:
        before = self.figures
        self._usage = usage
        if self.figures != before:
            self._figures.show_facts(self._facts())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.face.setVisible(self.width() >= _WIDTH_WITH_FACE)

    def set_selected(self, selected: bool) -> None:
        style(self, "card", *(("selected",) if selected else ()))
        policy = Qt.FocusPolicy.StrongFocus if selected else Qt.FocusPolicy.ClickFocus
        self.setFocusPolicy(policy)

    def _request_switch(self, on: bool) -> None:
        self.switch_requested.emit(self.name, on)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()
        self.focused.emit(self.name)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        self.details_requested.emit(self.name)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if shows_ring(self):
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("focus"), _RING))
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(inside, space(2) - 1, space(2) - 1)

    def _lay_out(self) -> None:
        title = QHBoxLayout()
        title.setSpacing(space(2))
        title.addWidget(self._name, 1)
        title.addWidget(self.badge)
        title.addWidget(self.dot)
        text = InnerColumn(title, self._figures, self._error, (self.review, LEFT), spacing=1)
        in_row(
            self,
            (self.switch, TOP),
            (self.face, TOP),
            (text, 1),
            margins=(3, 2.5, 3, 2.5),
            spacing=3,
        )
        self.badge.setTextFormat(Qt.TextFormat.PlainText)


_AT_ONCE, _PER_TURN = 12, 6
"""Cards: as many as fill a window, and then as many as fit between two frames."""


class ServerList(QScrollArea):
    """Cards with one of them selected; arrows move, Space switches, Enter opens."""

    selection_changed = Signal(str)  # empty when nothing is selected any more
    switch_requested = Signal(str, bool)
    details_requested = Signal(str)
    edit_requested = Signal(str)
    remove_requested = Signal(str)
    review_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._connections: dict[str, ServerConnection] = {}
        self._cards: dict[str, ServerCard] = {}
        self._tokens: Mapping[str, int] = {}
        self.fold = QPushButton()
        """Shows the built-in servers that are off, or puts them away again."""
        self._rest = QTimer(self, singleShot=True, interval=0)
        self._rest.timeout.connect(lambda: self._build(_PER_TURN))
        self._selected = ""
        self._headings = QLabel(), QLabel()
        self._groups = QVBoxLayout(), QVBoxLayout()
        self._above = QVBoxLayout()
        self._content = QFrame()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._show_folded)
        style(self.fold, "link", "small")
        self._lay_out()
        own, builtin = self._headings
        own.setText(self.tr("Your servers"))
        builtin.setText(self.tr("Built-in servers"))
        self.setAccessibleName(self.tr("Servers"))
        for card in self._cards.values():
            card.refresh()

    @property
    def selected(self) -> str:
        return self._selected

    @property
    def cards(self) -> Mapping[str, ServerCard]:
        """By name, in the order they are shown."""
        return self._cards

    def put_above(self, widget: QWidget) -> None:
        """Show `widget` in front of the groups; it scrolls with them."""
        self._above.addWidget(widget)

    def set_wide(self, is_wide: bool) -> None:
        """Whether it has the page for itself: lines of text must not become too long."""
        self._content.setMaximumWidth(COLUMN_WIDTH if is_wide else NO_LIMIT)

    def show_servers(self, connections: Mapping[str, ServerConnection]) -> None:
        """Show `connections`; cards that are still needed keep their widget and focus.

        A page full of new cards is built at once, the rest in the next turns of the loop.
        """
        self._connections = dict(connections)
        names = list(self._cards)
        focused = self._focused_card()
        for name, card in tuple(self._cards.items()):
            if connections.get(name) is not card.connection:
                self._remove_card(name)
        for card in self._cards.values():
            card.refresh()
        self._build(_AT_ONCE)
        own = [name for name, card in self._cards.items() if not _is_builtin(card)]
        if self._selected in self._cards:
            self._cards[self._selected].set_selected(True)
        else:
            self.select(_neighbour(self._selected, names, self._cards) or (own[0] if own else ""))
        if focused is not None and focused not in self._cards.values():
            self.focus_selected()  # else the keyboard would go to the rail

    def _focused_card(self) -> ServerCard | None:
        """Also while a dialog stands above the window, which gives the keyboard back."""
        focus = self.window().focusWidget()
        return next((card for card in self._cards.values() if card is focus), None)

    def _build(self, limit: int) -> None:
        """Make up to `limit` of the cards that are missing, and put all in their order."""
        missing = [name for name in self._connections if name not in self._cards]
        later = set(missing[limit:])
        cards = {
            name: self._card(connection)
            for name, connection in self._connections.items()
            if name not in later
        }
        counts = [0, 0]
        for card in cards.values():
            group = int(_is_builtin(card))
            self._place(card, self._groups[group], counts[group])
            counts[group] += 1
        own = [name for name, card in cards.items() if not _is_builtin(card)]
        self._cards = {name: cards[name] for name in (*own, *cards)}
        for heading, count in zip(self._headings, counts, strict=True):
            heading.setVisible(count > 0)
        self._show_folded()
        self._rest.start() if later else self._rest.stop()

    def _show_folded(self) -> None:
        """Show all, or leave out the built-in servers that are off; never the selected one.

        Where a person has no servers of their own, the built-in ones are what there is to try.
        """
        has_own = not all(map(_is_builtin, self._cards.values()))
        off = [
            card for card in self._cards.values() if has_own and _is_builtin(card) and card.is_off
        ]
        for card in self._cards.values():
            is_folded = card in off and not self.fold.isChecked() and card.name != self._selected
            card.setVisible(not is_folded)
        words = self.tr("Show {count} that are off")
        if self.fold.isChecked():
            words = self.tr("Hide those that are off")
        self.fold.setText(words.format(count=sum(card.isHidden() for card in off)))
        self.fold.setVisible(any(card.isHidden() for card in off) or self.fold.isChecked())

    def refresh(self, name: str) -> None:
        if (card := self._cards.get(name)) is not None:
            card.refresh()

    def show_start(self, name: str, fetch: PackageFetch | None) -> None:
        if (card := self._cards.get(name)) is not None:
            card.show_start(fetch)

    def show_usage(self, usage: Mapping[int, ProcessUsage]) -> None:
        for card in self._cards.values():
            pid = card.connection.pid
            card.show_usage(usage.get(pid) if pid is not None else None)

    def show_tokens(self, tokens: Mapping[str, int]) -> None:
        """Say what the tools of each server cost in every request; those without cost nothing."""
        self._tokens = tokens
        for name, card in self._cards.items():
            card.show_tokens(tokens.get(name, 0))

    def select(self, name: str) -> None:
        """Select a server, or none; the focus stays where it is."""
        if name == self._selected:
            return
        if name in self._connections and name not in self._cards:
            self._build(len(self._connections))
        before, after = self._cards.get(self._selected), self._cards.get(name)
        self._selected = name if after is not None else ""
        if before is not None:
            before.set_selected(False)
        if after is not None:
            after.show()
            after.set_selected(True)
            # One that was just made has no place before this.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            self.ensureWidgetVisible(after, 0, space(4))
        self.selection_changed.emit(self._selected)

    def focus_selected(self) -> None:
        """Give the focus to the selected card, or to the first one."""
        name = self._selected or next(iter(self._cards), "")
        if (card := self._cards.get(name)) is not None:
            # One that was just built is shown a turn later. Until then the window would not know
            # of its focus: once a dialog closed, it would give it back to the card before.
            card.show()
            card.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self._action(event)
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if action is None or not plain or not self._cards:
            super().keyPressEvent(event)
            return
        action()
        event.accept()

    def _action(self, event: QKeyEvent) -> Callable[[], object] | None:
        last = len(self._cards)
        actions: dict[Qt.Key, Callable[[], object]] = {
            Qt.Key.Key_Up: lambda: self._move(-1),
            Qt.Key.Key_Down: lambda: self._move(1),
            Qt.Key.Key_Home: lambda: self._move(-last),
            Qt.Key.Key_End: lambda: self._move(last),
        }
        return actions.get(Qt.Key(event.key())) or self._action_of_selected(event)

    def _action_of_selected(self, event: QKeyEvent) -> Callable[[], object] | None:
        if not (name := self._selected):
            return None
        actions: dict[Shortcut, Callable[[], object]] = {
            shortcuts.SWITCH_SERVER: self._cards[name].switch.click,
            shortcuts.SERVER_DETAILS: lambda: self.details_requested.emit(name),
            shortcuts.EDIT_SERVER: lambda: self.edit_requested.emit(name),
            shortcuts.REMOVE_SERVER: lambda: self.remove_requested.emit(name),
        }
        return next((act for keys, act in actions.items() if keys.matches(event)), None)

    def _move(self, steps: int) -> None:
        names = [name for name, card in self._cards.items() if not card.isHidden()]
        start = names.index(self._selected) if self._selected else 0
        target = min(max(start + steps, 0), len(names) - 1)
        self._cards[names[target]].setFocus(Qt.FocusReason.TabFocusReason)

    def _card(self, connection: ServerConnection) -> ServerCard:
        if (card := self._cards.get(connection.name)) is not None:
            return card
        card = ServerCard(self._theme, connection)
        card.show_tokens(self._tokens.get(connection.name, 0))
        card.focused.connect(self.select)
        card.switch_requested.connect(self.switch_requested)
        card.details_requested.connect(self.details_requested)
        card.review_requested.connect(self.review_requested)
        return card

    def _place(self, card: ServerCard, group: QVBoxLayout, at: int) -> None:
        if group.indexOf(card) != at:
            group.removeWidget(card)
            group.insertWidget(at, card)

    def _remove_card(self, name: str) -> None:
        card = self._cards.pop(name)
        for group in self._groups:
            group.removeWidget(card)
        card.hide()
        card.deleteLater()

    def _lay_out(self) -> None:
        style(self._content, "page")
        column = in_column(self._content, self._above, margins=(4, 0, 3, 4))
        for heading, group in zip(self._headings, self._groups, strict=True):
            style(heading, "heading", "muted", "small")
            group.setSpacing(space(2))
            column.addWidget(heading)
            column.addLayout(group)
            column.addSpacing(space(2))
        column.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self.setWidget(self._content)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter)


def _is_builtin(card: ServerCard) -> bool:
    return card.connection.config.source == "builtin"


def _neighbour(removed: str, names: list[str], cards: Mapping[str, ServerCard]) -> str:
    """The server that stood after `removed`, or else before it, and is still there."""
    if removed not in names:
        return ""
    at = names.index(removed)
    return next((name for name in (*names[at:], *reversed(names[:at])) if name in cards), "")
