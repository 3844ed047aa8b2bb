"""The other apps in the settings: which of them use the servers of this one, and how to change it.

Looks at the files whenever it is shown, and writes one only after a person saw what changes. What
an app is offered is written to our own config at once.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
)

from desktop.base.errors import ConfigError
from desktop.base.visible_text import mark_hidden
from desktop.features.gateway.address import USUAL_PORT, url_of
from desktop.features.gateway.entries.forms import HttpAccess
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, InnerRow, in_column
from desktop.gui.settings.rows import SectionCard
from desktop.gui.theme import inset, space, style
from desktop.gui.translations import counted, in_a_row, listed, spoken
from desktop.gui.widgets.arguments_view import CodePreview
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import ElidedLabel, plain_label, plain_line
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QWidget

    from desktop.config.store import ConfigStore
    from desktop.features.gateway.entries.client_files import (
        ClientFiles,
        ClientStatus,
        PlannedChange,
    )
    from desktop.features.gateway.entries.forms import Access
    from desktop.gui.theme import Role, Theme

_ORDER = ("connected", "other", "unreadable", "found")
_SIZE = space(160), space(110)
MAX_SERVERS = 200
"""Checkboxes of one client."""


class ClientsSection(SectionCard):
    """A row for each app that is here, and the names of those that are not."""

    shown = Signal()
    """What was found is on the screen."""

    def __init__(
        self,
        theme: Theme,
        store: ConfigStore,
        files: ClientFiles,
        read_token: Callable[[], str],
    ) -> None:
        """Args: read_token: of the gateway over HTTP; may raise `ConfigError`."""
        super().__init__()
        self._theme, self._store, self._files = theme, store, files
        self._read_token = read_token
        self._statuses: Sequence[ClientStatus] = ()
        self.rows: dict[str, ClientRow] = {}
        self.absent = plain_label("", "muted")
        self.note = plain_label(
            self.tr(
                "An app that you connect gets one entry, with all servers that are on here. Its "
                "other entries stay, and its file is kept beside it as it was."
            ),
            "muted",
            "small",
        )
        self.message = plain_label("", "small")
        self.message.hide()
        self._list = QVBoxLayout()
        self._list.setSpacing(space(3))
        inside = QFrame()
        in_column(inside, self.note, self.message, self._list, self.absent, spacing=3)
        self.add(inside)
        self.set_title(self.tr("Your servers in other apps"))
        self._name_absent()
        bridge.connect(self, store.changed, self._show_servers)

    def look(self) -> None:
        """Look at the files of all apps, in a thread."""
        bridge.run(self, self._look(), self.tr("Looking for other apps"))

    def show_error(self, message: str) -> None:
        """What could not be done; the bridge reports failures here, too."""
        self._say(message, "danger")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def connect_client(self, status: ClientStatus) -> ChangeDialog:
        """Show what connecting it would write."""
        choice = AccessChoice(self._read_token) if status.knows_http else None
        question = self.tr("Connect {app}").format(app=status.app.title)
        return self._ask(status, question, partial(self._files.connect, status.app), choice)

    def disconnect_client(self, status: ClientStatus) -> ChangeDialog:
        """Show its file without our entry."""

        def plan(_: Access | None) -> PlannedChange:
            return self._files.disconnect(status.app)

        question = self.tr("Disconnect {app}").format(app=status.app.title)
        return self._ask(status, question, plan)

    def restore_client(self, status: ClientStatus) -> ChangeDialog:
        """Show its file as it was before it was last written from here."""
        backup = status.backups[0]

        def plan(_: Access | None) -> PlannedChange:
            return self._files.restore(status.app, backup)

        question = self.tr("Restore the file of {app}").format(app=status.app.title)
        return self._ask(status, question, plan, file=str(backup))

    def _ask(
        self,
        status: ClientStatus,
        question: str,
        plan: Callable[[Access | None], PlannedChange],
        choice: AccessChoice | None = None,
        file: str = "",
    ) -> ChangeDialog:
        shown = file or str(status.path)
        dialog = ChangeDialog(self, self._theme, question, shown, plan, choice)
        dialog.agreed.connect(self._apply)
        dialog.open()
        return dialog

    def _apply(self, change: PlannedChange) -> None:
        bridge.run(self, self._write(change), self.tr("Writing the file"))

    async def _write(self, change: PlannedChange) -> None:
        try:
            backup = await asyncio.to_thread(self._files.apply, change)
        except ConfigError as error:
            self._say(spoken(str(error)), "danger")
        else:
            words = self.tr("Written. Restart {app}, or reload its servers.")
            words = words.format(app=change.app.title)
            if backup is not None:
                words = in_a_row(words, self.tr("Backup of the file: {path}").format(path=backup))
            self._say(words, "success")
        await self._look()

    async def _look(self) -> None:
        self._statuses = await asyncio.to_thread(self._files.look)
        here = [status for status in self._statuses if status.state != "absent"]
        here.sort(key=lambda status: _ORDER.index(status.state))
        if [status.app.key for status in here] != list(self.rows):
            for row in self.rows.values():
                discard(row)
            self.rows = {status.app.key: self._row(status) for status in here}
        for status in here:
            self.rows[status.app.key].show_status(status)
        self._name_absent()
        self._show_servers()
        self.shown.emit()

    def _row(self, status: ClientStatus) -> ClientRow:
        row = ClientRow(status)
        row.connect_requested.connect(self.connect_client)
        row.disconnect_requested.connect(self.disconnect_client)
        row.restore_requested.connect(self.restore_client)
        row.servers_chosen.connect(self._choose_servers)
        self._list.addWidget(row)
        return row

    def _show_servers(self) -> None:
        gateway = self._store.gateway
        for key, row in self.rows.items():
            row.show_servers(list(self._store.servers), gateway.servers_for(key))

    def _choose_servers(self, client: str, names: list[str] | None) -> None:
        try:
            self._store.set_client_servers(client, names)
        except ConfigError as error:
            self._say(spoken(str(error)), "danger")
        self._show_servers()

    def _say(self, words: str, tone: Role) -> None:
        self.message.setText(words)
        style(self.message, tone, "small")
        self.message.show()

    def _name_absent(self) -> None:
        names = [status.app.title for status in self._statuses if status.state == "absent"]
        self.absent.setText(self.tr("Not found here: {apps}").format(apps=listed(names)))
        self.absent.setVisible(bool(names))


class AccessChoice(QFrame):
    """Whether the client starts the gateway, or is given an address and the token."""

    changed = Signal()

    def __init__(self, read_token: Callable[[], str]) -> None:
        """Args: read_token: makes the token if there is none; may raise `ConfigError`."""
        super().__init__()
        self._read_token = read_token
        self.port = QSpinBox()
        self.http = QRadioButton(self.tr("At an address, on port"))
        self.start = QRadioButton(self.tr("The app starts it (recommended)"))
        self.note = plain_label("", "muted", "small")
        inset(self.port)
        self.port.setRange(1024, 65535)
        self.port.setValue(USUAL_PORT)
        self.port.setGroupSeparatorShown(False)
        self.start.setChecked(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        address = InnerRow(self.http, self.port, STRETCH)
        in_column(self, self.start, address, self.note, spacing=1)
        self.port.setAccessibleName(self.tr("Port"))
        self._show()
        self.http.toggled.connect(self._show)
        self.port.editingFinished.connect(self.changed)

    def access(self) -> Access | None:
        """What was chosen; None: the client starts it. Raises `ConfigError` without a token."""
        if self.start.isChecked():
            return None
        return HttpAccess(url_of(self.port.value()), self._read_token())

    def _show(self) -> None:
        is_http = self.http.isChecked()
        self.port.setEnabled(is_http)
        if is_http:
            words = self.tr(
                "Your token is written into the file. The app connects while this runs: {command}"
            )
            self.note.setText(words.format(command=f"mcp-desktop serve --http {self.port.value()}"))
        else:
            self.note.setText(
                self.tr("While this window is open, the app uses the servers that run here.")
            )
        style(self.note, "warning" if is_http else "muted", "small")
        self.changed.emit()


class ChangeDialog(QuestionDialog):
    """The lines of the file that change, and the yes that has them written."""

    agreed = Signal(object)
    """The `PlannedChange` that was shown."""
    planned = Signal()
    """What would change is shown, or why nothing can."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        question: str,
        file: str,
        plan: Callable[[Access | None], PlannedChange],
        choice: AccessChoice | None = None,
    ) -> None:
        """Args: plan: for a thread; raises `ConfigError` where the file cannot be changed."""
        body = QFrame()
        self.choice, self._plan = choice, plan
        self.change: PlannedChange | None = None
        self.difference = CodePreview(theme, "difference")
        self.problem = plain_label("", "danger")
        column = in_column(body, spacing=3)
        if choice is not None:
            column.addWidget(choice)
        column.addWidget(self.problem)
        column.addWidget(self.difference, 100)
        column.addStretch(1)
        super().__init__(parent, question, file, "", body)
        self.act.setText(self.tr("Write"))
        self.setWindowTitle(question)
        self.resize(*_SIZE)
        self._asked = 0
        self.accepted.connect(self._agree)
        if choice is not None:
            choice.changed.connect(self.show_plan)
        self.show_plan()

    def show_plan(self) -> None:
        """Plan the change anew, and show it."""
        self._asked += 1
        self.act.setEnabled(False)
        bridge.run(self, self._show(self._asked), self.tr("Reading the file"))

    def show_error(self, message: str) -> None:
        """What keeps the file from being changed; the bridge reports failures here, too."""
        self.change = None
        self.problem.setText(message)
        self.problem.show()
        self.difference.hide()
        self.act.setEnabled(False)
        self.planned.emit()

    async def _show(self, asked: int) -> None:
        try:
            access = self.choice.access() if self.choice is not None else None
            change = await asyncio.to_thread(self._plan, access)
        except ConfigError as error:
            self.show_error(spoken(str(error)))
            return
        if asked != self._asked:
            return
        self.change = change
        words = self.tr("The file is that way already.") if change.is_empty else ""
        if change.is_closed and not change.is_empty:
            words = self.tr("Others can read this file. It gets the token: it becomes yours alone.")
        self.problem.setText(words)
        style(self.problem, "muted" if change.is_empty else "warning")
        self.problem.setVisible(bool(words))
        self.difference.setVisible(not change.is_empty)
        self.difference.show_text(spoken(change.difference))
        self.act.setEnabled(not change.is_empty)
        self.planned.emit()

    def _agree(self) -> None:
        if self.change is not None:
            self.agreed.emit(self.change)


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
