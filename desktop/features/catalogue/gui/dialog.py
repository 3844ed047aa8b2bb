"""The catalogue: search the MCP registry, look at a server, fill in its keys, add it switched off.

Asks the registry when a person searches, and for newer versions of what was added from it when it
is opened. Starts no server, opens no address and fetches no picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from desktop.base.errors import ConfigError, DesktopError
from desktop.base.visible_text import mark_hidden
from desktop.features.catalogue.bundle import host_of_bundle
from desktop.features.catalogue.gui.entry_view import EntryView
from desktop.features.catalogue.gui.found_list import FoundList, FoundRow
from desktop.features.catalogue.gui.labels import progress_label
from desktop.gui import bridge, shortcuts
from desktop.gui.layouts import InnerRow, in_column, in_row
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, listed, spoken
from desktop.gui.widgets.empty_state import EmptyState
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.secrets_box import SecretsBox

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Coroutine

    from PySide6.QtGui import QKeyEvent

    from desktop.config.imports.server_json import Way
    from desktop.config.secret_store import SecretStore
    from desktop.features.catalogue.catalogue import Catalogue
    from desktop.features.catalogue.install import Installation
    from desktop.gui.theme import Theme

_SIZE = space(225), space(145)
_LIST, _ENTRY = space(85), space(140)
_KB = 1024
"""Qt's bar counts in 32 bits."""


class CatalogueDialog(QDialog):
    """Non-modal to the loop, opened with `open()`."""

    added = Signal(str, str)
    """The name of a server here, and the version that it was updated to, or '' where it is new."""

    settled = Signal()
    """What was asked of the registry is shown, or why it did not answer."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        catalogue: Catalogue,
        secrets: SecretStore | None = None,
    ) -> None:
        """Args: secrets: keeps what is secret; None: that stands in the config file."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._catalogue = catalogue
        self._words, self._cursor = "", ""
        self._rows: list[FoundRow] = []
        self._task: asyncio.Task[None] | None = None
        self._skipped = 0
        self._has_looked = False
        self._download: asyncio.Task[None] | None = None
        self._way_asked: Way | None = None
        self.is_searching = self.is_keeping = False
        self.found, self.entry = FoundList(theme), EntryView(theme, catalogue)
        self.progress = DownloadProgress()
        self.nothing = EmptyState(theme, "search", "", "")
        self.browse = self.nothing.add_button(self.tr("Browse all"), lambda: self.search(""))
        self.browse.setAutoDefault(False)
        self.secrets = SecretsBox(secrets)
        self.error = plain_label("", "danger")
        self.note = plain_label("", "muted", "small")
        self.act = QPushButton()
        self.cancel = QPushButton(self.tr("Close"))
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.setWindowTitle(self.tr("Catalogue"))
        self.nothing.set_text(
            self.tr("Servers of the MCP registry"),
            self.tr(
                "Search for a word of a name or description. {host} is asked only then. Anyone may "
                "publish there: read what a server runs before you add it."
            ).format(host=mark_hidden(self._host)),
        )
        self.act.setToolTip(named_keys(self.tr("Nothing is started by this (Ctrl+Enter)")))
        self._show_act()
        self._show_start()

    def look_for_updates(self) -> None:
        """Ask for newer versions of what is here; nothing is asked where nothing is."""
        if self._catalogue.installed:
            self._start(self._look_for_updates(), self.tr("Looking for updates"))
            self.found.show_message(self._asking())

    def search(self, words: str) -> None:
        """Ask the registry for the servers that have `words` in their name or description."""
        self.found.search_box.setText(words)
        self._words, self._cursor, self._rows, self._skipped = words, "", [], 0
        self._start(self._search(), self.tr("Searching"))
        self.found.show_message(self._asking())

    def load_more(self) -> None:
        """Ask for the next page."""
        if self._cursor and not self.is_searching:
            self._start(self._search(), self.tr("Searching"))
            self.found.set_busy(True)

    def show_error(self, message: str) -> None:
        """Where the bridge shows failures, too."""
        self.error.setText(spoken(message))
        self.error.setVisible(bool(message))

    def accept(self) -> None:
        """Keep the secrets and write the server; on a refusal stay open and say why."""
        if self.is_keeping or not self.act.isEnabled():
            return
        self.show_error("")
        if (way := self.entry.way) is not None and way.is_packed:
            self._start_download(way)
            return
        try:
            plan = self.entry.plan(to_keyring=self.secrets.is_wanted)
        except ConfigError as error:
            self.show_error(str(error))
            return
        if plan is None:
            return
        if plan.unanswered or self._is_wrong():
            names = listed(mark_hidden(asked.key) for asked in plan.unanswered)
            self.show_error(
                self.tr("Fill in what it requires: {names}").format(names=names)
                if names
                else self.tr("Correct what is marked first.")
            )
            self.entry.go_to_first_problem()
            return
        self.is_keeping = True
        self._show_act()
        bridge.run(self, self._write(plan), self.tr("Adding the server"))

    def done(self, result: int) -> None:
        """However it is closed: nothing of a bundle that was not added stays."""
        self._stop_download()
        self.entry.discard_fetched()
        super().done(result)

    @property
    def is_downloading(self) -> bool:
        return self._download is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter adds, also where the form, which has that key too, has not the focus."""
        if shortcuts.ACCEPT.matches(event):
            self.accept()
        elif not shortcuts.PRESS.matches(event):
            super().keyPressEvent(event)

    @property
    def _host(self) -> str:
        return urlsplit(self._catalogue.address).netloc

    def _asking(self) -> str:
        return self.tr("Asking {host}…").format(host=mark_hidden(self._host))

    def _start(self, question: Coroutine[Any, Any, None], name: str) -> None:
        """Ask one thing at a time: the newer question takes the place of the older one."""
        if self._task is not None:
            self._task.cancel()
        self.is_searching = True
        self.show_error("")
        self._task = bridge.run(self, question, name)

    async def _search(self) -> None:
        try:
            page = await self._catalogue.search(self._words, self._cursor)
        except DesktopError as error:
            self._fail(error)
            return
        at = len(self._rows)
        known = {config.catalogue["name"] for config in self._catalogue.installed.values()}
        self._rows += [FoundRow(entry, is_installed=entry.name in known) for entry in page.entries]
        self._cursor = page.cursor
        self._skipped += page.skipped
        self._end()
        if not self._rows:
            self.found.show_message(self._no_rows())
            self.settled.emit()
            return
        self.found.show_rows(self._rows, has_more=bool(page.cursor), select=at)
        if self._skipped:
            text = counted(
                self._skipped,
                self.tr("1 entry could not be read."),
                self.tr("{count} entries could not be read."),
            )
            self.found.count.setText(f"{self.found.count.text()} · {text}")
        self.settled.emit()

    def _no_rows(self) -> str:
        text = self.tr(
            "Nothing matches “{words}”. The words are looked for as they stand: try a single one."
        )
        return text.format(words=mark_hidden(self._words))

    async def _look_for_updates(self) -> None:
        try:
            updates = await self._catalogue.updates()
        except DesktopError as error:
            self._fail(error)
            return
        self._end()
        # There is nothing to show of one that could not be looked up, but its name and the reason.
        unknown = [
            f"{mark_hidden(update.server)}: {spoken(update.problem)}"
            for update in updates
            if update.entry is None
        ]
        self._has_looked = not unknown
        self._rows = [
            FoundRow(update.entry, update) for update in updates if update.entry is not None
        ]
        if self._rows:
            self.found.show_rows(self._rows, has_more=False)
            self.show_error("\n".join(unknown))
        elif unknown:
            words = self.tr("Could not be looked up:")
            self.found.show_message("\n".join((words, *unknown)), is_error=True)
        else:
            self._show_start()
        self.settled.emit()

    def _fail(self, error: DesktopError) -> None:
        self._end()
        if self._rows:  # of a page before: they stay
            self.show_error(str(error))
        else:
            self.found.show_message(spoken(str(error)), is_error=True)
        self.settled.emit()

    def _end(self) -> None:
        self.is_searching = False
        self._task = None
        self.found.set_busy(False)

    def _show_start(self) -> None:
        words = ""
        if self._has_looked:
            words = self.tr("Every server from the catalogue is at its newest version.")
        self.found.show_message(words)

    def _start_download(self, way: Way) -> None:
        self._stop_download()
        self._way_asked = way
        self.progress.begin()
        self._download = bridge.run(self, self._fetch(way), self.tr("Downloading the bundle"))
        self._show_act()

    def _stop_download(self) -> None:
        if self._download is not None:
            self._download.cancel()
            self._download = None
        self.progress.hide()
        self._show_act()

    async def _fetch(self, way: Way) -> None:
        """Download the bundle, and show what it runs and asks for."""
        update = self.entry.update_of
        try:
            fetched = await self._catalogue.fetch(way, self.progress.show_bytes)
        except DesktopError as error:
            self._end_download()
            self.show_error(str(error))
            return
        try:
            if update is not None:
                update = await self._catalogue.open_update(update, fetched)
        except BaseException:
            fetched.discard()
            raise
        self._end_download()
        self.entry.show_fetched(fetched, update)
        self.entry.focus_first()

    def _end_download(self) -> None:
        self._download = None
        self.progress.hide()
        self._show_act()

    def _show_row(self, row: FoundRow | None) -> None:
        self._stop_download()
        self.show_error("")
        self.entry.show_row(row)
        self._stack.setCurrentIndex(0 if row is None else 1)
        self._show_plan()

    def _follow_edit(self) -> None:
        if self.is_downloading and self.entry.way != self._way_asked:
            self._stop_download()  # another way was chosen meanwhile
        self._show_plan()

    def _show_plan(self) -> None:
        """What would be written now, as far as it is filled in."""
        plan: Installation | None = None
        try:
            plan = self.entry.plan(to_keyring=True)
        except ConfigError as error:
            self.show_error(str(error))
        else:
            self.show_error("")
        self.secrets.show_secrets(plan.secrets if plan is not None else ())
        if plan is not None and not self.secrets.is_wanted:
            plan = self.entry.plan(to_keyring=False)
        self.entry.show_plan(plan)
        self._show_act()

    def _show_act(self) -> None:
        update = self.entry.update_of
        way = self.entry.way
        is_packed = way is not None and way.is_packed
        if self.is_keeping:
            words = self.tr("Adding…")
        elif self.is_downloading:
            words = self.tr("Downloading…")
        elif way is not None and is_packed:
            host = mark_hidden(host_of_bundle(way, self._catalogue.mirror))
            words = self.tr("Download from {host}").format(host=host)
        elif update is not None:
            words = self.tr("Update to {version}").format(version=mark_hidden(update.version[:20]))
        else:
            words = self.tr("Add (switched off)")
        self.act.setText(words)
        self.note.setText(self._note(is_packed=is_packed))
        row = self.entry.row
        is_only_told = row is not None and row.update is not None and update is None
        can = row is not None and self.entry.way is not None and not is_only_told
        self.act.setEnabled(can and not self.is_keeping and not self.is_downloading)
        self.note.setVisible(can)

    def _note(self, *, is_packed: bool) -> str:
        if is_packed:
            return self.tr("Only opened if its SHA-256 is right. It is added by a second click.")
        if self.entry.update_of is not None:
            return self.tr("Taken by this click alone. A server that is on is restarted with it.")
        return self.tr("Added switched off: nothing runs until you switch it on.")

    def _is_wrong(self) -> bool:
        form = self.entry.form
        if form is None:
            return False
        return form.is_unread or any(issue.severity == "error" for issue in form.issues())

    async def _write(self, plan: Installation) -> None:
        update = self.entry.update_of
        server = update.server if update is not None else ""
        before = self._catalogue.store.servers.get(server)
        try:
            async with self._catalogue.unpacked(self.entry.fetched):
                await self.secrets.keep(plan.secrets)
                name = self._catalogue.write(plan, server=server)
            if before is not None:
                await self._catalogue.remove_replaced(before)
        except DesktopError as error:
            self.show_error(str(error))
        else:
            self.added.emit(name, plan.entry.version if update is not None else "")
            super().accept()
        finally:
            self.is_keeping = False
            self._show_act()

    def _connect(self) -> None:
        self.found.search_requested.connect(self.search)
        self.found.more_requested.connect(self.load_more)
        self.found.selected.connect(self._show_row)
        self.found.entered.connect(self.entry.focus_first)
        self.progress.stopped.connect(self._stop_download)
        self.entry.changed.connect(self._follow_edit)
        self.entry.add_requested.connect(self.accept)
        self.secrets.clicked.connect(self._show_plan)
        self.act.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        style(self.act, "primary")
        guard_focus(self.act)
        self.cancel.setAutoDefault(False)
        self.error.hide()
        self._stack.addWidget(self.nothing)
        self._stack.addWidget(self.entry)
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setObjectName("parts")
        parts.addWidget(self.found)
        parts.addWidget(self._stack)
        parts.setChildrenCollapsible(False)
        parts.setSizes([_LIST, _ENTRY])
        parts.setStretchFactor(1, 1)
        box = QDialogButtonBox()
        box.addButton(self.cancel, QDialogButtonBox.ButtonRole.RejectRole)
        box.addButton(self.act, QDialogButtonBox.ButtonRole.AcceptRole)
        footer = InnerRow((self.note, 1), box, spacing=3)
        in_column(
            self,
            (parts, 1),
            self.progress,
            self.error,
            self.secrets,
            footer,
            margins=(5, 4, 5, 4),
            spacing=3,
        )
        self.resize(*_SIZE)
        self.found.search_box.setFocus()


class DownloadProgress(QWidget):
    """Hidden while nothing is downloaded."""

    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.words, self.bar = plain_label("", "muted", "small"), QProgressBar()
        self.stop = QPushButton(self.tr("Stop the download"))
        self.bar.setTextVisible(False)
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(self.stopped)
        in_row(self, (self.bar, 1), self.words, self.stop, spacing=3)
        self.bar.setAccessibleName(self.tr("Progress of the download"))
        self.hide()

    def begin(self) -> None:
        self.show_bytes(0, 0)
        self.show()

    def show_bytes(self, done: int, total: int) -> None:
        """So many are here; 0 as the total: it is not known."""
        self.bar.setRange(0, total // _KB)
        self.bar.setValue(done // _KB)
        self.words.setText(progress_label(done, total))
