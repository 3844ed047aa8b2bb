"""The list of servers in two groups, the person's own and the built-in ones, and its keys.

Changes nothing: every change is requested from the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.gui import shortcuts
from desktop.gui.layouts import in_column
from desktop.gui.servers.server_card import ServerCard
from desktop.gui.theme import COLUMN_WIDTH, space, style

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QKeyEvent

    from desktop.gui.servers.process_usage import ProcessUsage
    from desktop.gui.shortcuts import Shortcut
    from desktop.gui.theme import Theme
    from desktop.processes.package_runners import PackageFetch
    from desktop.servers.connection import ServerConnection


_AT_ONCE, _PER_TURN = 12, 6
"""Cards: as many as fill a window, and then as many as fit between two frames."""
_NO_LIMIT = 16777215  # Qt's QWIDGETSIZE_MAX


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
        self._content.setMaximumWidth(COLUMN_WIDTH if is_wide else _NO_LIMIT)

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
