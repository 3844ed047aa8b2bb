"""What a built-in server may use, as fields in its details: folders, a file, hosts.

Folders and files can be dropped on it. Emits the arguments that the server is to be started with;
writes nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
)

from desktop.config.builtin_settings import (
    BuiltinSettings,
    has_settings,
    lacks_place,
    place_kind,
)
from desktop.gui.layouts import STRETCH, InnerRow, in_column, in_row
from desktop.gui.servers.form_fields import FoldersField, dropped_paths
from desktop.gui.theme import style
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDropEvent

    from desktop.config.builtin_settings import PlaceKind
    from desktop.config.models import ServerConfig
    from desktop.gui.theme import Theme


_LINES = 2
"""Of the folders at least: few have more, and the tools below need the room."""


class BuiltinSettingsView(QFrame):
    """Hidden for servers without settings. What was typed counts once the field is left."""

    arguments_changed = Signal(str, object)
    """The name of the server, and its arguments, a tuple."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        style(self, "card")
        self.setAcceptDrops(True)
        self._config: ServerConfig | None = None
        self._settings = BuiltinSettings("")
        self._title, self.hint = QLabel(), QLabel()
        self.folders = FoldersField(theme, _LINES)
        self.place, self.pick = QLineEdit(), QToolButton()
        self._place_row = QFrame()
        self.hosts = QLineEdit()
        self.writes, self.private = QCheckBox(), QCheckBox()
        set_icon(theme, self.pick, "folder", "muted")
        self._lay_out()
        self._connect()
        self._set_texts()

    def show_server(self, config: ServerConfig) -> None:
        """Show the settings of a server; what is being typed for the same one stays."""
        self.setVisible(has_settings(config))
        is_other = self._config is None or self._config.name != config.name
        self._config = config
        if not has_settings(config):
            return
        settings = BuiltinSettings.read(config.builtin, config.args)
        if is_other or settings != self._settings:
            self._settings = settings
            self._fill(settings)
        self._set_texts()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._accepted(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take what was dropped beside the fields, too."""
        paths = self._accepted(event)
        if not paths:
            return
        event.acceptProposedAction()
        if self._kind == "folders":
            self.folders.edit.add(*paths)
        else:
            self._take(paths[0])

    @property
    def _kind(self) -> PlaceKind | None:
        return place_kind(self._settings.name)

    def _accepted(self, event: QDropEvent) -> list[str]:
        kind = self._kind
        if kind is None:
            return []
        return dropped_paths(event.mimeData(), folders=kind in {"folders", "folder"})

    def _fill(self, settings: BuiltinSettings) -> None:
        kind = self._kind
        self.folders.setVisible(kind == "folders")
        self.folders.edit.show_arguments(settings.places)
        self._place_row.setVisible(kind in {"folder", "database", "file"})
        self.place.setText(settings.places[0] if settings.places else "")
        self.writes.setVisible(kind in {"folders", "database"})
        self.writes.setChecked(settings.writes)
        is_fetch = settings.name == "fetch"
        self.hosts.setVisible(is_fetch)
        self.private.setVisible(is_fetch)
        self.hosts.setText(", ".join(settings.hosts))
        self.private.setChecked(settings.reaches_private)

    def _announce(self) -> None:
        """Send what the fields say, where that is something else than what was shown."""
        if self._config is None or not has_settings(self._config):
            return
        if self._kind == "folders":
            typed = self.folders.edit.arguments()
        else:
            typed = (self.place.text(),) if self._kind is not None else ()
        hosts = self.hosts.text().replace(",", " ").split()
        made = replace(
            self._settings,
            places=tuple(place.strip() for place in typed if place.strip()),
            writes=self.writes.isChecked(),
            hosts=tuple(hosts),
            reaches_private=self.private.isChecked(),
        )
        if made != self._settings:
            self._settings = made
            self.arguments_changed.emit(self._config.name, made.arguments)

    def _take(self, path: str) -> None:
        self.place.setText(path)
        self._announce()

    def _open_picker(self) -> None:
        picker = QFileDialog(self, self.pick.toolTip(), self.place.text())
        modes = QFileDialog.FileMode
        may_be_new = self._kind == "file" or self.writes.isChecked()
        mode = modes.AnyFile if may_be_new else modes.ExistingFile
        picker.setFileMode(modes.Directory if self._kind == "folder" else mode)
        if may_be_new:  # one that is there is kept as it is
            picker.setOption(QFileDialog.Option.DontConfirmOverwrite)
        picker.fileSelected.connect(self._take)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _connect(self) -> None:
        self.folders.edit.committed.connect(self._announce)
        self.place.editingFinished.connect(self._announce)
        self.hosts.editingFinished.connect(self._announce)
        self.writes.clicked.connect(self._announce)
        self.private.clicked.connect(self._announce)
        self.pick.clicked.connect(self._open_picker)

    def _lay_out(self) -> None:
        style(self._title, "heading", "small")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hint.setWordWrap(True)
        in_row(self._place_row, (self.place, 1), self.pick, spacing=1)
        switches = InnerRow(self.writes, self.private, STRETCH, spacing=4)
        in_column(
            self,
            self._title,
            self.folders,
            self._place_row,
            self.hosts,
            self.hint,
            switches,
            margins=(3, 2, 3, 2),
            spacing=1,
        )
        self.hide()

    def _set_texts(self) -> None:
        lacks = self._config is not None and lacks_place(self._config)
        title, hint, warning = self._words()
        self._title.setText(title)
        self.hint.setText(warning if lacks else hint)
        style(self.hint, "warning" if lacks else "muted", "small")
        self.folders.edit.setAccessibleName(title)
        self.folders.edit.setPlaceholderText(self.tr("Drop folders here, or type one per line"))
        self.place.setAccessibleName(title)
        self.hosts.setAccessibleName(title)
        self.hosts.setPlaceholderText(self.tr("example.org, docs.python.org"))
        pick = self.tr("Choose a folder") if self._kind == "folder" else self.tr("Choose a file")
        self.pick.setToolTip(pick)
        self.pick.setAccessibleName(pick)
        self.writes.setText(self.tr("May write"))
        self.private.setText(self.tr("Private networks and this computer, too"))

    def _words(self) -> tuple[str, str, str]:
        """Title, hint, and what is said instead while nothing can be used."""
        match self._settings.name:
            case "filesystem":
                return (
                    self.tr("Folders it may use"),
                    self.tr("It can access nothing else. New conversations start with them."),
                    self.tr("Add a folder: without one, none of its tools can be used."),
                )
            case "sqlite":
                return (
                    self.tr("Database"),
                    self.tr("New conversations start with it."),
                    self.tr("Choose a database: without one, none of its tools can be used."),
                )
            case "memory":
                hint = self.tr("Leave empty to keep it with the data of the app.")
                return self.tr("File of the memory"), hint, ""
            case "shell":
                hint = self.tr("Where commands start. It does not limit what they reach.")
                return self.tr("Folder"), hint, ""
            case "fetch":
                hint = self.tr("Subdomains are included. Leave empty for all public hosts.")
                return self.tr("Allowed hosts"), hint, ""
            case _:
                return "", "", ""
