"""What the sandbox of a server refused it, each with the button that opens just that.

Follows the output of one server. The words of a server may be a lie, so a press asks first.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton

from desktop.base.visible_text import mark_hidden
from desktop.features.sandbox.widening import Offer, offers, widened
from desktop.gui import bridge
from desktop.gui.layouts import TOP, InnerColumn, in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label, plain_tip
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.visibility import discard
from desktop.servers.refusals import refusals_in

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.gui.servers.interfaces import ServerEditing
    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.transport.stderr_log import StderrLog

_SETTLE_MS: Final = 300
MAX_SHOWN: Final = 5


class RefusalsView(QFrame):
    """Hidden while nothing was refused since the last start."""

    shown = Signal()
    """What it shows has changed."""

    def __init__(self, theme: Theme, servers: ServerEditing, paths: Paths) -> None:
        """Args: servers: changes the entry. paths: of this app, which are never opened."""
        super().__init__()
        self._servers, self._paths = servers, paths
        self._connection: ServerConnection | None = None
        self._tap: QObject | None = None
        self._tapped: StderrLog | None = None
        self._offers: list[Offer] = []
        self.rows: list[tuple[QLabel, QPushButton | None]] = []
        self.heading = plain_label(self.tr("Its sandbox refused it:"), "heading")
        self.more = plain_label("", "muted", "small")
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(space(2))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(0, 1)
        sign = plain_label("")
        set_icon(theme, sign, "warning", "warning")
        style(self, "banner", "warning")
        words = InnerColumn(self.heading, self._grid, self.more, spacing=1)
        in_row(self, (sign, TOP), (words, 1), margins=3, spacing=3)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self._look)
        self.setAccessibleName(self.heading.text())
        self.hide()

    def show_server(self, connection: ServerConnection | None) -> None:
        """Show another server from now on, or what the same one is now."""
        is_other = connection is not self._connection
        self._connection = connection
        is_on = connection is not None and connection.config.sandbox.is_on
        self._follow(connection.output if connection is not None and is_on else None)
        if is_other or not is_on:
            self._show([])
        if is_on:
            self._timer.start()

    def open_walls(self, config: ServerConfig) -> None:
        """Write the entry of the server, as the person agreed to it."""
        self._servers.change_server(config)

    def _follow(self, output: StderrLog | None) -> None:
        if output is self._tapped:
            return
        if self._tap is not None:
            self._tap.deleteLater()
            self._tap = None
        self._tapped = output
        if output is not None:
            self._tap = QObject(self)
            bridge.connect(self._tap, output.received, self._heard)

    def _heard(self, _: tuple[str, ...]) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _look(self) -> None:
        if (connection := self._connection) is not None and connection.config.sandbox.is_on:
            name = f"what the sandbox refused {connection.name}"
            bridge.run(self, self._find(connection), name)

    async def _find(self, connection: ServerConnection) -> None:
        """In a thread: a place that a server names may be on a disk that does not answer."""
        refused = refusals_in(connection.output.recent(), connection.config.sandbox)
        found = await asyncio.to_thread(offers, connection.config, refused, self._paths)
        if connection is self._connection:
            self._show(found)

    def _show(self, found: list[Offer]) -> None:
        self.setVisible(bool(found))
        if found == self._offers:
            return
        self._offers = found
        for widget in (each for row in self.rows for each in row if each is not None):
            discard(widget)
        self.rows = []
        for offer in found[-MAX_SHOWN:]:
            self._add(offer)
        left = len(found) - len(self.rows)
        self.more.setText(self.tr("… and {count} more").format(count=left) if left else "")
        self.more.setVisible(left > 0)
        self.shown.emit()

    def _add(self, offer: Offer) -> None:
        label, button = ElidedLabel(Qt.TextElideMode.ElideMiddle), None
        label.show_text(mark_hidden(self._words(offer)))
        is_editable = self._connection is not None and self._connection.config.source == "file"
        if offer.opened and is_editable:
            button = QPushButton(self._button_text(offer))
            button.setToolTip(plain_tip(mark_hidden(offer.opened)))
            button.clicked.connect(partial(self._ask, offer))
            guard_focus(button)
            self._grid.addWidget(button, len(self.rows), 1)
        self._grid.addWidget(label, len(self.rows), 0, 1, 1 if button is not None else 2)
        self.rows.append((label, button))

    def _words(self, offer: Offer) -> str:
        words = spoken(offer.refusal.words)
        return f"{words} ({offer.refusal.why})" if offer.refusal.why else words

    def _button_text(self, offer: Offer) -> str:
        match offer.refusal.kind:
            case "host":
                return self.tr("Allow this host…")
            case "read":
                return self.tr("Allow reading…")
            case "write":
                return self.tr("Allow writing…")

    def _ask(self, offer: Offer) -> QuestionDialog | None:
        """Whether to open it; the server says itself that it needs it."""
        if (connection := self._connection) is None:
            return None
        dialog = QuestionDialog(
            self,
            self._question(offer).format(
                server=mark_hidden(connection.name), opened=mark_hidden(offer.opened)
            ),
            self.tr(
                "It was refused this, as far as its own output tells. Its entry is changed, and it "
                "is started again."
            ),
            self.tr("Allow and restart"),
        )
        dialog.setWindowTitle(self.tr("Open the sandbox"))
        config = widened(connection.config, offer)
        dialog.accepted.connect(bridge.if_alive(self, lambda view: view.open_walls(config)))
        dialog.open()
        return dialog

    def _question(self, offer: Offer) -> str:
        match offer.refusal.kind:
            case "host":
                return self.tr("Allow “{server}” to reach {opened}?")
            case "read":
                return self.tr("Allow “{server}” to read {opened}?")
            case "write":
                return self.tr("Allow “{server}” to read and change {opened}?")
