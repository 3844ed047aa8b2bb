"""The other apps in the settings: which of them use the servers of this one, and how to change it.

Looks at the files whenever it is shown, and writes one only after a person saw what changes. What
an app is offered is written to our own config at once.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from desktop.base.errors import ConfigError
from desktop.features.gateway.gui.change_dialog import AccessChoice, ChangeDialog
from desktop.features.gateway.gui.client_row import ClientRow
from desktop.gui import bridge
from desktop.gui.layouts import in_column
from desktop.gui.settings.rows import SectionCard
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QShowEvent

    from desktop.config.store import ConfigStore
    from desktop.features.gateway.entries.client_files import (
        ClientFiles,
        ClientStatus,
        PlannedChange,
    )
    from desktop.features.gateway.entries.forms import Access
    from desktop.gui.theme import Role, Theme

_ORDER = ("connected", "other", "unreadable", "found")


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
                words += " " + self.tr("Backup of the file: {path}").format(path=backup)
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
        self.absent.setText(self.tr("Not found here: {apps}").format(apps=", ".join(names)))
        self.absent.setVisible(bool(names))
