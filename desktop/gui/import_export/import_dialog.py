"""The preview of an import: sources on the left, their servers on the right, and one button.

Below the servers stands what the selected one would run or reach, in full, and what should be known
of that. Imports only when asked, in one save; the new ones are checked at first. Must not start a
server.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.base.errors import ConfigError, DesktopError
from desktop.config.variables import secrets_in
from desktop.gui import bridge, shortcuts
from desktop.gui.import_export import labels
from desktop.gui.import_export.inputs_view import InputsView
from desktop.gui.layouts import STRETCH, InnerColumn, InnerRow, in_column
from desktop.gui.open_requests import take_drops
from desktop.gui.servers.labels import one_line
from desktop.gui.shortcuts import named_keys
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel, plain_label, plain_tip, selectable_label
from desktop.gui.widgets.sandbox_offer import SandboxOffer
from desktop.gui.widgets.secrets_box import SecretsBox
from desktop.gui.widgets.text_editors import LaunchText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from desktop.config.imports.bundles import Bundle
    from desktop.config.imports.clients import ClientLocations
    from desktop.config.imports.plan import EntryDifference, ImportPlan, PlannedServer
    from desktop.config.imports.reader import DetectedClient
    from desktop.config.models import ServerConfig
    from desktop.config.plain_secrets import PlainSecret
    from desktop.config.secret_store import SecretStore
    from desktop.config.store import ConfigStore
    from desktop.gui.theme import Theme

    Tone = Literal["danger", "warning", "muted", "success"]

_WIDTH = space(52)


class SourceList(QListWidget):
    """One entry a source, the first one chosen; `source_selected` carries its number."""

    source_selected = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[tuple[DetectedClient, ImportPlan | None]] = []
        self.setFixedWidth(_WIDTH)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(1)
        style(self)
        self.currentRowChanged.connect(self.source_selected)
        self.setAccessibleName(self.tr("Import from"))

    def entry(self, row: int) -> tuple[DetectedClient, ImportPlan | None] | None:
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def choose_best(self, app: str) -> None:
        """Choose the source of `app` (a key), else the first with a new server, else the first."""
        rows = range(len(self._entries))
        best = [row for row in rows if app and _key(self._entries[row][0]) == app]
        best += [row for row in rows if _has_news(self._entries[row][1])]
        self.setCurrentRow(best[0] if best else 0)

    def add(self, found: DetectedClient, plan: ImportPlan | None, *, at: int | None = None) -> None:
        """Append a source, or put it `at` a place and choose it."""
        row = len(self._entries) if at is None else at
        self._entries.insert(row, (found, plan))
        item = QListWidgetItem()
        self.insertItem(row, item)
        self._show(row)
        if at is not None:
            self.setCurrentRow(row)

    def _show(self, row: int) -> None:
        found, plan = self._entries[row]
        item = self.item(row)
        said = labels.source_label(found, plan)
        item.setText(f"{found.source.label}\n{said}")
        item.setToolTip(plain_tip(str(found.source.path or "")))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{found.source.label}, {said}")


def _key(found: DetectedClient) -> str:
    return found.source.app.key if found.source.app is not None else ""


def _has_news(plan: ImportPlan | None) -> bool:
    return plan is not None and any(server.status == "new" for server in plan.servers)


_SIZE = space(252), space(145)
_TREE, _DETAILS, _NOTES = 2000, 1300, 1700  # the splitter scales them to the room there is


class ImportDialog(QDialog):
    """Non-modal to the loop, opened with `open()`; more files may be handed to it while it is."""

    imported = Signal(object, str)
    """The names of the servers that were added, and where the file as it was is kept, or ''."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        store: ConfigStore,
        places: ClientLocations,
        secrets: SecretStore | None = None,
    ) -> None:
        """Args: secrets: keeps what is secret; without it that is copied as it is."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._store, self._places = store, places
        self._plan: ImportPlan | None = None
        self.is_looking = False  # whether other clients' files are being read
        self.is_unpacking = False  # whether a bundle is: its servers are written then
        self.is_keeping = False  # whether secrets are put into the keyring: they are written then
        self.secrets, self.inputs = SecretsBox(secrets), InputsView(theme)
        self._can_keep = secrets is not None
        self.sources, self.tree = SourceList(), ServerTree(theme)
        self.details, self.notes = LaunchDetailsView(theme), ServerNotes(theme)
        self.choose = QPushButton(self.tr("Choose file…"))
        self.path, self.message = ElidedLabel(), plain_label("")
        self.error = plain_label("", "danger")
        self.sandbox = SandboxOffer()
        self.enable = QCheckBox(self.tr("Enable after import"))
        self.act = QPushButton()
        self.cancel = QPushButton(self.tr("Cancel"))
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.setWindowTitle(self.tr("Import servers"))
        self.enable.setToolTip(self.tr("Otherwise they are added disabled and nothing starts"))
        self.act.setToolTip(named_keys(self.tr("Add the checked servers (Ctrl+Enter)")))
        self._count()
        self._show_chosen()
        take_drops(self, self.open_source)

    def look_around(self, app: str = "") -> None:
        """Look for other clients' files; choose that of `app` (a key), or the first with news."""
        self.is_looking = True
        self._show_chosen()
        bridge.run(self, self._look_around(app), self.tr("Looking for other apps' servers"))

    def open_source(self, what: str) -> None:
        """Show the servers of a file or a link."""
        bridge.run(self, self._open_source(what), self.tr("Reading the file"))

    def show_error(self, message: str) -> None:
        """Where the bridge shows failures, too."""
        self.error.setText(spoken(message))
        self.error.setVisible(bool(message))

    def accept(self) -> None:
        """Add what is checked; on a refusal stay open and say why."""
        if self._plan is None:
            return
        if self.is_unpacking or self.is_keeping or not self.tree.checked:
            return
        try:
            configs, secrets = self._prepare(self._plan)
        except ConfigError as error:
            self.show_error(str(error))
            return
        if secrets:
            self.is_keeping = True
            self._count()
            bridge.run(self, self._keep(configs, secrets), self.tr("Storing secrets"))
        elif configs:
            self._go_on(configs)

    def _prepare(self, plan: ImportPlan) -> tuple[list[ServerConfig], list[PlainSecret]]:
        """What is written, and what is kept in the keyring. Raises `ConfigError`."""
        answers = self.inputs.answers()
        if not self._can_keep:  # a secret that was typed has nowhere to go
            inputs = plan.inputs(self.tree.checked)
            hidden = {question.id for question in inputs if question.is_secret}
            answers = {name: answer for name, answer in answers.items() if name not in hidden}
        return plan.prepare(
            self.tree.checked,
            enable=self.enable.isChecked(),
            answers=answers,
            to_keyring=self.secrets.is_wanted,
            taken={name for config in self._store.servers.values() for name in secrets_in(config)},
        )

    async def _keep(self, configs: list[ServerConfig], secrets: list[PlainSecret]) -> None:
        try:
            await self.secrets.keep(secrets)
        except DesktopError as error:
            self.show_error(str(error))
        else:
            self._go_on(configs)
        finally:
            self.is_keeping = False
            self._count()

    def _go_on(self, configs: list[ServerConfig]) -> None:
        """Unpack what the servers are packed in, then write them."""
        if self._plan is None:
            return
        bundle = self._plan.bundle
        if bundle is not None and not bundle.is_unpacked:
            self.is_unpacking = True
            self._count()
            bridge.run(self, self._unpack(bundle, configs), self.tr("Unpacking the bundle"))
            return
        self._write(configs)

    async def _unpack(self, bundle: Bundle, configs: list[ServerConfig]) -> None:
        from desktop.config.imports.bundles import unpack

        try:
            await asyncio.to_thread(unpack, bundle)
        except ConfigError as error:
            self.show_error(str(error))
        else:
            self._write(configs)
        finally:
            self.is_unpacking = False
            self._count()

    def _write(self, configs: list[ServerConfig]) -> None:
        if self.sandbox.is_wanted:
            configs = [each.sandboxed(self._store.sandbox_for(each).sandbox) for each in configs]
        try:
            backup = self._store.add_servers(configs)
        except ConfigError as error:
            self.show_error(str(error))
            return
        self.imported.emit([config.name for config in configs], str(backup or ""))
        super().accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter on a source or a server must not import; Ctrl+Enter does."""
        if shortcuts.ACCEPT.matches(event):
            self.accept()
        elif not shortcuts.PRESS.matches(event):
            super().keyPressEvent(event)

    async def _look_around(self, app: str) -> None:
        from desktop.config.imports.reader import discover

        await asyncio.to_thread(self._store.try_sandbox)
        found = await asyncio.to_thread(discover, self._places, self._store.settings)
        self.is_looking = False
        for client in found:
            self.sources.add(client, self._planned(client))
        if self.sources.currentRow() < 0 and found:
            self.sources.choose_best(app)
        self._show_chosen()

    async def _open_source(self, what: str) -> None:
        from desktop.config.imports.reader import look_at

        await asyncio.to_thread(self._store.try_sandbox)
        found = await asyncio.to_thread(look_at, what, self._places, self._store.settings)
        self.sources.add(found, self._planned(found), at=0)

    def _planned(self, found: DetectedClient) -> ImportPlan | None:
        from desktop.config.imports.plan import make_plans

        return make_plans([found.read], self._store)[0] if found.read is not None else None

    def _show_chosen(self) -> None:
        entry = self.sources.entry(self.sources.currentRow())
        self.show_error("")
        if entry is None or entry[1] is None:
            self._plan = None
            self.message.setText(self._no_plan(entry[0] if entry is not None else None))
            style(self.message, "danger" if entry is not None else "muted")
            self._stack.setCurrentIndex(0)
        elif entry[1] is not self._plan:
            self._plan = entry[1]
            self.tree.show_plan(entry[1])
            self._stack.setCurrentIndex(1)
        path = entry[0].source.path if entry is not None else None
        self.path.show_text(str(path or ""))
        self._count()

    def _no_plan(self, found: DetectedClient | None) -> str:
        if found is not None:
            return spoken(found.error)
        if self.is_looking:
            return self.tr("Looking for other apps' servers…")
        return self.tr(
            "No other app with MCP servers was found. Choose a file with servers in it, "
            "or drop one here."
        )

    def _count(self) -> None:
        self._offer()
        count = len(self.tree.checked) if self._plan is not None else 0
        one, many = self.tr("Import 1 server"), self.tr("Import {count} servers")
        label = counted(count, one, many) if count else self.tr("Import")
        self.act.setText(self.tr("Unpacking…") if self.is_unpacking else label)
        self.act.setEnabled(count > 0 and not self.is_unpacking and not self.is_keeping)

    def _offer(self) -> None:
        """Ask what the checked servers ask for, and name the secrets that stand in them."""
        if self._plan is None:
            self.inputs.show_inputs(())
            self.secrets.show_secrets(())
            self.sandbox.show_proposals({})
            return
        self.inputs.show_inputs(self._plan.inputs(self.tree.checked))
        configs, secrets = self._plan.prepare(self.tree.checked, enable=False, to_keyring=True)
        self.secrets.show_secrets(secrets)
        self.sandbox.show_proposals({each.name: self._store.sandbox_for(each) for each in configs})

    def _choose_file(self) -> None:
        picker = QFileDialog(self, self.tr("Choose a file with servers"))
        picker.setFileMode(QFileDialog.FileMode.ExistingFile)
        picker.fileSelected.connect(self.open_source)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _connect(self) -> None:
        self.sources.source_selected.connect(self._show_chosen)
        self.tree.checks_changed.connect(self._count)
        self.tree.server_selected.connect(self.details.show_server)
        self.tree.server_selected.connect(self.notes.show_server)
        self.choose.clicked.connect(self._choose_file)
        self.act.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        style(self.act, "primary")
        guard_focus(self.act)
        style(self.path, "mono", "muted", "small")
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setContentsMargins(space(6), space(6), space(6), space(6))
        self.error.hide()
        for button in (self.choose, self.cancel, self.act):
            button.setAutoDefault(False)
        upper = InnerRow(
            InnerColumn(self.sources, self.choose),
            (InnerColumn(self.path, self._stack), 1),
            spacing=3,
        )
        in_column(
            self,
            (upper, 1),
            self.inputs,
            self.error,
            self.secrets,
            self.sandbox,
            self._footer(),
            margins=(5, 4, 5, 4),
            spacing=3,
        )
        self._fill_stack()
        self.resize(*_SIZE)
        self.sources.setFocus()

    def _fill_stack(self) -> None:
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.setObjectName("parts")
        parts.addWidget(self.tree)
        parts.addWidget(self.details)
        parts.addWidget(self.notes)
        parts.setChildrenCollapsible(False)
        parts.setSizes([_TREE, _DETAILS, _NOTES])
        self._stack.addWidget(self.message)
        self._stack.addWidget(parts)

    def _footer(self) -> InnerRow:
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        box.addButton(self.cancel, roles.RejectRole)
        box.addButton(self.act, roles.AcceptRole)
        return InnerRow(self.enable, STRETCH, box, spacing=3)


# What is on the right: the servers of one source, and all there is to the selected one.

_MAX_NOTES = 40
_ICONS = {"danger": "error", "warning": "warning", "muted": "info", "success": "check"}


_LEAST = space(20)  # pixels of what a server would use, however small the window


class LaunchDetailsView(LaunchText):
    """A line for each thing that would be used."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setAccessibleName(self.tr("What this server runs or connects to"))
        self.fit(_LEAST)

    def show_server(self, server: PlannedServer | None) -> None:
        details = server.details if server is not None else ()
        self.setPlainText("\n".join(f"{detail.place}: {detail.value}" for detail in details))
        self.setVisible(bool(details))


class ServerNotes(QScrollArea):
    """A line each with a sign; says so where there is nothing to say."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: PlannedServer | None = None
        self._lines: list[str] = []
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fill()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is said, top to bottom."""
        return tuple(self._lines)

    def show_server(self, server: PlannedServer | None) -> None:
        self._shown = server
        self._fill()

    def _fill(self) -> None:
        content = QFrame()
        style(content)
        column = in_column(content, margins=(1, 2, 2, 2))
        self._lines = []
        notes = list(self._texts())
        for tone, text in notes[:_MAX_NOTES]:
            self._lines.append(text)
            column.addLayout(self._line(tone, text))
        if len(notes) > _MAX_NOTES:
            more = self.tr("And {count} more.").format(count=len(notes) - _MAX_NOTES)
            self._lines.append(more)
            column.addLayout(self._line("warning", more))
        column.addStretch(1)
        self.setWidget(content)
        self.setAccessibleName("\n".join(self._lines))

    def _texts(self) -> Iterator[tuple[Tone, str]]:
        server = self._shown
        if server is None:
            return
        if server.reason:
            yield "danger", spoken(server.reason)
        if server.scope:
            text = self.tr("It belongs to the project {folder} in the other app.")
            yield "muted", text.format(folder=server.scope)
        if server.can_be_imported and server.target != server.name:
            yield "muted", self._renamed(server)
        for difference in server.differences:
            yield "warning", self._difference(difference)
        if server.status == "same":
            yield "muted", self.tr("Same command or address: nothing to import.")
            return
        known = [finding for finding in server.findings if finding.kind != "renamed"]
        for finding in sorted(known, key=lambda found: (not found.is_danger, not found.is_warning)):
            yield ("warning" if finding.is_warning else "muted"), labels.warning_label(finding)
        if server.status == "new" and not known:
            yield "success", self.tr("Nothing stands out.")

    def _renamed(self, server: PlannedServer) -> str:
        if any(finding.kind == "renamed" for finding in server.findings):
            text = self.tr("Name not allowed here; imported as “{name}”.")
        else:
            text = self.tr("Name already in use; imported as “{name}”.")
        return text.format(name=server.target)

    def _difference(self, difference: EntryDifference) -> str:
        if difference.is_secret:
            return self.tr("{place}: different secret value").format(place=difference.place)
        nothing = self.tr("nothing")
        return self.tr("{place}: yours is {ours}, theirs {theirs}").format(
            place=difference.place,
            ours=difference.ours or nothing,
            theirs=difference.theirs or nothing,
        )

    def _line(self, tone: Tone, text: str) -> QHBoxLayout:
        sign, label = QLabel(), selectable_label(text)
        set_icon(self._theme, sign, _ICONS[tone], tone)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        return row


_NAME, _STATE, _WAY = range(3)
_NAME_WIDTH, _STATE_WIDTH = space(40), space(88)
_LEAST_WIDTH = space(100)


class ServerTree(QTreeWidget):
    """A table in truth: no server has another one below it."""

    checks_changed = Signal()
    server_selected = Signal(object)
    """The `PlannedServer` to say more of, or None."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._servers: tuple[PlannedServer, ...] = ()
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # a command is known by both ends
        self.setColumnCount(3)
        style(self)
        header = self.header()
        header.setSectionsMovable(False)
        header.setSectionResizeMode(_WAY, QHeaderView.ResizeMode.Stretch)
        self.setMinimumWidth(_LEAST_WIDTH)
        self.itemChanged.connect(lambda: self.checks_changed.emit())
        self.currentItemChanged.connect(self._choose)
        theme.changed.connect(self._show_states)
        self.setHeaderLabels([self.tr("Server"), self.tr("State"), self.tr("Connection")])
        self.setAccessibleName(self.tr("Servers to import"))

    @property
    def checked(self) -> frozenset[str]:
        """The names that the checked servers would have here."""
        return frozenset(
            server.target
            for row, server in enumerate(self._servers)
            if server.can_be_imported and self._item(row).checkState(_NAME) == Qt.CheckState.Checked
        )

    def show_plan(self, plan: ImportPlan) -> None:
        """Be the servers of `plan`; the first one is chosen."""
        self.blockSignals(True)
        self.clear()
        self._servers = plan.servers
        self.addTopLevelItems([_item_of(server) for server in plan.servers])
        self._show_states()
        self._share_room()
        self.blockSignals(False)
        if self._servers:
            self.setCurrentItem(self._item(0))
        self.checks_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """A third is left for the command: it is what should be read."""
        room = self.viewport().width()
        name = min(_NAME_WIDTH, room // 4)
        state = min(self.sizeHintForColumn(_STATE), _STATE_WIDTH, room * 2 // 5)
        self.header().resizeSection(_NAME, name)
        self.header().resizeSection(_STATE, state)

    def set_checked(self, row: int, checked: bool) -> None:
        state = Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
        self._item(row).setCheckState(_NAME, state)

    def _item(self, row: int) -> QTreeWidgetItem:
        item = self.topLevelItem(row)
        assert item is not None  # noqa: S101 - a row for each server
        return item

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        row = self.indexOfTopLevelItem(item) if item is not None else -1
        self.server_selected.emit(self._servers[row] if 0 <= row < len(self._servers) else None)

    def _show_states(self) -> None:
        was_blocked = self.blockSignals(True)
        for row, server in enumerate(self._servers):
            state, item = labels.noted_state_label(server), self._item(row)
            item.setText(_STATE, state.text)
            item.setForeground(_STATE, QBrush(self._theme.color(state.tone)))
            item.setForeground(_WAY, QBrush(self._theme.color("muted")))
        self.blockSignals(was_blocked)


def _item_of(server: PlannedServer) -> QTreeWidgetItem:
    way = server.details[0].value if server.details else spoken(server.reason)
    item = QTreeWidgetItem([one_line(server.name), "", one_line(way)])
    item.setToolTip(_WAY, plain_tip(item.text(_WAY)))
    flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
    if server.can_be_imported:
        is_new = server.status == "new"
        item.setFlags(flags | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(_NAME, Qt.CheckState.Checked if is_new else Qt.CheckState.Unchecked)
    else:
        item.setFlags(flags)
    return item
