"""One app that can use the servers: its state in words and colour, its actions, what it is offered.

Only asks for changes; the section makes them and shows the row again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton

from desktop.base.visible_text import mark_hidden
from desktop.features.gateway.entries.forms import HttpAccess
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.theme import style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import ElidedLabel, plain_label, plain_line
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from desktop.features.gateway.entries.client_files import ClientStatus
    from desktop.gui.theme import Role

MAX_SERVERS = 200
"""Checkboxes of one client."""


class OfferedServers(QFrame):
    """Which servers a client is offered: all that are on, or those that are ticked."""

    chosen = Signal(object)
    """Names in the order of the config, or None for all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.all = QCheckBox(self.tr("All servers that are on, also new ones"))
        self.boxes: dict[str, QCheckBox] = {}
        self._column = in_column(self, self.all, margins=(4, 0, 0, 0), spacing=1)
        self.all.clicked.connect(self._choose)

    def show_choice(self, servers: Sequence[str], chosen: Sequence[str] | None) -> None:
        """Show these servers, and which of them the client is offered."""
        names = list(servers)[:MAX_SERVERS]
        if names != list(self.boxes):
            for box in self.boxes.values():
                discard(box)
            self.boxes = {name: self._box(name) for name in names}
        with QSignalBlocker(self.all):
            self.all.setChecked(chosen is None)
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(chosen is None or name in chosen)

    def _box(self, name: str) -> QCheckBox:
        box = QCheckBox(mark_hidden(name).replace("&", "&&"))
        box.clicked.connect(self._choose_one)
        self._column.addWidget(box)
        return box

    def _choose(self) -> None:
        self.chosen.emit(None if self.all.isChecked() else self._ticked())

    def _choose_one(self) -> None:
        self.chosen.emit(self._ticked())

    def _ticked(self) -> list[str]:
        return [name for name, box in self.boxes.items() if box.isChecked()]


class ClientRow(QFrame):
    """A client that is on this machine."""

    connect_requested = Signal(object)
    disconnect_requested = Signal(object)
    restore_requested = Signal(object)
    """Each with the `ClientStatus` that is shown."""
    servers_chosen = Signal(str, object)
    """The client's key; the names of servers, or None for all."""

    def __init__(self, status: ClientStatus, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status = status
        self._servers: Sequence[str] = ()
        self._chosen: Sequence[str] | None = None
        self.title, self.badge = plain_line(status.app.title, "heading"), plain_line("", "badge")
        self.path = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.problem = plain_label("", "danger", "small")
        self.join, self.leave, self.restore = QPushButton(), QPushButton(), QPushButton()
        self.servers = QPushButton()
        self.choice = OfferedServers(self)
        self.choice.hide()
        self._lay_out()
        self._set_texts()
        self.join.clicked.connect(lambda: self.connect_requested.emit(self.status))
        self.leave.clicked.connect(lambda: self.disconnect_requested.emit(self.status))
        self.restore.clicked.connect(lambda: self.restore_requested.emit(self.status))
        self.servers.clicked.connect(lambda: self.choice.setVisible(self.choice.isHidden()))
        self.choice.chosen.connect(self._choose_servers)

    def _choose_servers(self, names: list[str] | None) -> None:
        self.servers_chosen.emit(self.status.app.key, names)

    def show_status(self, status: ClientStatus) -> None:
        """Show what was found now."""
        self.status = status
        self._set_texts()

    def show_servers(self, servers: Sequence[str], chosen: Sequence[str] | None) -> None:
        """Show which servers there are, and which the client is offered; None: all."""
        self._servers, self._chosen = servers, chosen
        self.choice.show_choice(servers, chosen)
        self._name_servers()

    def _set_texts(self) -> None:
        status = self.status
        words, tone = self._state()
        self.badge.setText(words)
        style(self.badge, "badge", *((tone,) if tone else ()))
        self.path.show_text(str(status.path))
        self.problem.setText(spoken(str(status.error)) if status.error is not None else "")
        self.problem.setVisible(status.error is not None)
        is_connected = status.state == "connected"
        is_readable = status.state != "unreadable"
        self.join.setText(self.tr("Change…") if is_connected else self.tr("Connect…"))
        self.leave.setText(self.tr("Disconnect…"))
        self.restore.setText(self.tr("Restore backup…"))
        self.join.setVisible(is_readable and (not is_connected or status.knows_http))
        self.leave.setVisible(status.state in {"connected", "other"})
        self.restore.setVisible(bool(status.backups))
        self.servers.setVisible(is_connected)
        if not is_connected:
            self.choice.hide()
        for button in (self.join, self.leave, self.restore):
            button.setAccessibleName(f"{button.text()} {status.app.title}")
        self._name_servers()

    def _state(self) -> tuple[str, Role | None]:
        match self.status.state:
            case "connected" if isinstance(self.status.access, HttpAccess):
                return self.tr("Connected by address"), "success"
            case "connected":
                return self.tr("Connected"), "success"
            case "other":
                return self.tr("Has another entry of this name"), "warning"
            case "found":
                return self.tr("Installed"), None
            case "absent":
                return self.tr("Not found"), None
            case "unreadable":
                return self.tr("Cannot be changed"), "danger"

    def _name_servers(self) -> None:
        if self._chosen is None:
            words = self.tr("Sees all servers")
        else:
            seen = sum(name in self._chosen for name in self._servers)
            words = counted(seen, self.tr("Sees 1 server"), self.tr("Sees {count} servers"))
        self.servers.setText(words)
        name = self.tr("Servers that {app} sees").format(app=self.status.app.title)
        self.servers.setAccessibleName(f"{words} · {name}")
        self.choice.setAccessibleName(name)

    def _lay_out(self) -> None:
        style(self.path, "mono", "muted")
        buttons = (self.servers, self.join, self.leave, self.restore)
        for button in buttons:
            style(button, "link")
        guard_focus(self.leave, self.restore)
        head = InnerRow(self.title, self.badge, STRETCH, *buttons)
        in_column(self, head, self.path, self.problem, self.choice, spacing=1)
