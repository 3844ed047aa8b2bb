"""What servers ask, over whatever page is open: who asks at the top, then one request at a time.

Takes no focus by itself and never moves what a person is about to press. Must not answer anything:
`answered` announces what a person chose.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.visible_text import mark_hidden
from desktop.gui import shortcuts
from desktop.gui.layouts import TOP, InnerRow, in_column, in_row
from desktop.gui.shortcuts import bind
from desktop.gui.theme import space, style
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.requests.request_view import RequestView
    from desktop.gui.theme import Theme
    from desktop.servers.requests import End, PendingRequest

_WIDTH, _MARGIN = space(140), space(4)
_MIN_FLEXIBLE = space(30)
_STRIP = space(8)
"""The line of status at the bottom of the window stays in sight."""


class Band(QFrame):
    """Says which server asks, in a colour that nothing of the app's own has."""

    put_aside = Signal()
    step_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._server, self._at, self._count, self._of_server = "", 0, 0, 0
        style(self, "banner", "warning")
        self.server = ElidedLabel()
        style(self.server, "title")
        self.says = plain_label("", "small")
        self.position = plain_label("", "small", "muted")
        self.position.setWordWrap(False)
        self.before, self.after, self.later = QToolButton(), QToolButton(), QToolButton()
        for button, icon in (
            (self.before, "chevron-left"),
            (self.after, "chevron-right"),
            (self.later, "minus"),
        ):
            style(button, "flat")
            set_icon(theme, button, icon, "muted")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.before.clicked.connect(lambda: self.step_requested.emit(-1))
        self.after.clicked.connect(lambda: self.step_requested.emit(1))
        self.later.clicked.connect(self.put_aside)
        row = InnerRow(
            (self.server, 1), self.position, self.before, self.after, self.later, spacing=1
        )
        in_column(self, row, self.says, margins=(4, 3, 2, 3), spacing=1)
        self._set_texts()

    def show_place(self, server: str, at: int, count: int, of_server: int) -> None:
        """Name the server; the request is the `at`th of `count`, `of_server` of them its own."""
        self._server, self._at, self._count, self._of_server = server, at, count, of_server
        self._set_texts()

    def _set_texts(self) -> None:
        name = mark_hidden(self._server)
        self.server.show_text(self.tr("Request from “{server}”").format(server=name))
        self.says.setText(
            self.tr("This comes from the server, not from the app. It receives your answer.")
        )
        words = self.tr("{at} of {count}").format(at=self._at, count=self._count)
        self.position.setText(words if self._count > 1 else "")
        own = self.tr("{count} from this server").format(count=self._of_server)
        self.position.setToolTip(own)
        for button, words, is_shown in (
            (self.before, self.tr("Previous request"), self._count > 1),
            (self.after, self.tr("Next request"), self._count > 1),
            (self.later, self.tr("Later: the server keeps waiting"), True),
        ):
            button.setToolTip(words)
            button.setAccessibleName(words)
            button.setVisible(is_shown)


class _Ended(QFrame):
    """Says that the request in sight waits no longer, and why."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        style(self, "banner", "accent")
        self._end: End = "withdrawn"
        self._server = ""
        self.words = plain_label("")
        self.close_it = QPushButton(self)
        self.close_it.clicked.connect(self.closed)
        in_row(self, (self.words, 1), (self.close_it, TOP), margins=(3, 2, 2, 2), spacing=1.5)

    def show_end(self, server: str, end: End) -> None:
        self._server, self._end = server, end
        withdrawn = self.tr("“{server}” no longer waits for an answer.")
        expired = self.tr("No answer in time; “{server}” was notified.")
        words = expired if self._end == "expired" else withdrawn
        self.words.setText(words.format(server=mark_hidden(self._server)))
        self.close_it.setText(self.tr("Close"))
        self.show()


class RequestsPanel(QFrame):
    """Lies over `host` at its right lower corner; hidden while nothing is shown in it."""

    answered = Signal(str, object)
    """The id of a request and the `Answer` to it."""
    left = Signal()
    """It went while it had the focus, which belongs to the page again."""

    def __init__(
        self, theme: Theme, host: QWidget, make_view: Callable[[PendingRequest], RequestView]
    ) -> None:
        super().__init__(host)
        self._host, self._make_view = host, make_view
        self._asked: dict[str, PendingRequest] = {}
        self._views: dict[str, RequestView] = {}
        self._ends: dict[str, End] = {}
        self._current = ""
        self.band, self.ended = Band(theme), _Ended()
        self._column, self._body = QVBoxLayout(self), QVBoxLayout()
        style(self, "card", "warning")
        # A safe home for a focus that would fall on an answer.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAutoFillBackground(True)
        self._lay_out()
        self.band.put_aside.connect(self.put_aside)
        self.band.step_requested.connect(self._step)
        self.ended.closed.connect(self._drop_current)
        bind(self, shortcuts.PUT_ASIDE, self.put_aside)
        host.installEventFilter(self)
        self.hide()
        self.setAccessibleName(self.tr("Requests from servers"))

    @property
    def view(self) -> RequestView | None:
        """The body of the request in sight."""
        return self._views.get(self._current)

    @property
    def ids(self) -> tuple[str, ...]:
        """The requests in their order: those of one server stand together."""
        servers = list(dict.fromkeys(pending.server for pending in self._asked.values()))
        ordered = sorted(self._asked.values(), key=lambda pending: servers.index(pending.server))
        return tuple(pending.id for pending in ordered)

    def add(self, pending: PendingRequest) -> None:
        """Take a request in; one in sight stays there, one that was put aside makes room."""
        self._asked[pending.id] = pending
        if self.isHidden():
            self._show(pending.id)
            self.show()
            self.raise_()
        else:
            self._show_place()

    def remove(self, pending: PendingRequest, end: End) -> None:
        """Let a request go; one in sight that ended by itself says so first."""
        if pending.id not in self._asked:
            return
        if end == "answered" or pending.id != self._current or self.isHidden():
            self._drop(pending.id)
            return
        self._ends[pending.id] = end
        self._views[pending.id].finish()
        self._show_place()
        self._fit()

    def bring(self) -> None:
        """Show it, and give it the focus: the person asked for it."""
        if self._asked:
            self.show()
            self.raise_()
            if (view := self.view) is not None:
                view.answers.rearm()
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def put_aside(self) -> None:
        """Hide it; what waits goes on waiting."""
        had_focus = self._has_focus()
        self.hide()
        for key in list(self._ends):  # was read
            self._drop(key)
        if had_focus:
            self.left.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _show(self, key: str) -> None:
        had_focus = self._has_focus()
        self._current = key
        if key not in self._views:
            view = self._views[key] = self._make_view(self._asked[key])
            view.answered.connect(partial(self.answered.emit, key))
            self._body.addWidget(view, 1)
        view = self._views[key]
        for other in self._views.values():
            other.setVisible(other is view)
        view.answers.rearm()  # where another one's were just now
        if had_focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show_place()
        self._fit()

    def _show_place(self) -> None:
        pending, ids = self._asked[self._current], self.ids
        own = sum(other.server == pending.server for other in self._asked.values())
        self.band.show_place(pending.server, ids.index(pending.id) + 1, len(ids), own)
        if (end := self._ends.get(pending.id)) is not None:
            self.ended.show_end(pending.server, end)
        else:
            self.ended.hide()

    def _step(self, by: int) -> None:
        ids = self.ids
        self._show(ids[(ids.index(self._current) + by) % len(ids)])

    def _drop_current(self) -> None:
        self._drop(self._current)

    def _drop(self, key: str) -> None:
        had_focus, ids = self._has_focus(), self.ids
        at = ids.index(key)
        del self._asked[key]
        self._ends.pop(key, None)
        if key == self._current and (rest := [other for other in ids if other != key]):
            self._show(rest[min(at, len(rest) - 1)])
        if not self._asked:
            self._current = ""
            self.hide()
            if had_focus:
                self.left.emit()
        else:
            self._show_place()
        if (view := self._views.pop(key, None)) is not None:
            view.hide()
            self._body.removeWidget(view)
            view.deleteLater()

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def _fit(self) -> None:
        """As wide and as high as it may be, in the right lower corner."""
        room = self._host.rect()
        width = min(_WIDTH, room.width() - 2 * _MARGIN)
        highest = room.height() - 2 * _MARGIN - _STRIP
        height = self._column.totalHeightForWidth(width)
        if (view := self.view) is not None and view.flexible is not None:
            rest = height - view.flexible.minimumHeight()
            fitting = max(_MIN_FLEXIBLE, min(view.wanted_height(), highest - rest))
            view.flexible.setFixedHeight(fitting)
            height = rest + fitting
        height = min(height, highest)
        left, top = room.right() - width - _MARGIN, room.bottom() - height - _MARGIN - _STRIP
        self.setGeometry(left, top, width, height)

    def _lay_out(self) -> None:
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        self._body.setContentsMargins(space(4), space(3), space(4), space(4))
        self._body.setSpacing(space(3))
        self._body.addWidget(self.ended)
        self._column.addWidget(self.band)
        self._column.addLayout(self._body, 1)
        self.ended.hide()


_WITH_CHILDREN = Qt.ShortcutContext.WidgetWithChildrenShortcut
