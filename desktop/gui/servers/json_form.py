"""The JSON tab of the server dialog: a text field, and below it what was understood of the text.

Must not store anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QPushButton

from desktop.base.ascii_text import narrow_json
from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import Document, JsonObject, as_object, render
from desktop.config.editor import put_server
from desktop.config.imports.file_formats import find_written
from desktop.config.imports.pasted import read_text
from desktop.config.imports.translate import free_name
from desktop.config.parser import Remarks, read_servers
from desktop.gui.layouts import LEFT, in_column
from desktop.gui.servers import labels
from desktop.gui.theme import Role, style
from desktop.gui.translations import named, spoken
from desktop.gui.widgets.labels import ElidedLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.models import AppSettings, ServerConfig
    from desktop.config.parser import Problems, Servers
    from desktop.config.store import ConfigStore
    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonPath

_PASTE_EXAMPLE = '{"mcpServers": {"name": {"command": "...", "args": [...]}}}'


def read_entries(text: str, settings: AppSettings) -> tuple[Servers, Problems, Remarks]:
    """The servers in `text`, what is wrong with which of them, and what of them is odd.

    Raises:
        ConfigError: it is not JSON, or no server is in it.
    """
    found_in = read_text(text)
    document = found_in if isinstance(found_in, Document) else Document()
    entries: JsonObject = {}
    doubled: dict[JsonPath, tuple[int, ...]] = {}
    for found in find_written(document.data):
        name = free_name(found.name, entries)
        entries[name] = found.entry
        if lines := document.duplicates.get(found.path):
            doubled["mcpServers", name] = lines
    if not entries:
        raise ConfigError(
            translatable("This JSON contains no server"),
            remedy=translatable("Example: {example}.", example=_PASTE_EXAMPLE),
        )
    remarks: Remarks = {}
    whole = Document({"mcpServers": entries}, duplicates=doubled)
    return *read_servers(whole, settings, remarks=remarks), remarks


def written_json(
    config: ServerConfig, settings: AppSettings, old: ServerConfig | None, entry: object
) -> str:
    """`config` as it would stand in the file; `entry` is how `old` stands there now."""
    name = old.name if old is not None else config.name
    data: JsonObject = {"mcpServers": {name: entry} if as_object(entry) is not None else {}}
    put_server(data, name, old if as_object(entry) is not None else None, config, settings)
    return render(data)


def entry_json(name: str, entry: object) -> str:
    """An entry as it stands in the file, right or wrong."""
    return render({"mcpServers": {name: entry}})


_PAUSE_MS = 150
_MAX_SHOWN = 8


class JsonForm(QFrame):
    """The text, and one line a server: ready, or why not."""

    changed = Signal()

    def __init__(self, theme: Theme, store: ConfigStore, refuse: Callable[[str], str]) -> None:
        """Args: refuse: why a server cannot have this name; empty when it can."""
        super().__init__()
        self._store, self._refuse = store, refuse
        self._lines: list[QLabel] = []
        self.is_dirty = False
        self.text = self._make_text()
        self.text.setTabChangesFocus(True)
        self.text.setFont(theme.mono_font())
        style(self.text, "mono")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.check)
        self.text.textChanged.connect(self._typed)
        self.narrow = QPushButton(self.tr("Use half-width marks"))
        self.narrow.setToolTip(self.tr("Replaces “ ： ， and the like outside of texts"))
        self.narrow.clicked.connect(self._narrow)
        self.narrow.hide()
        self._found = QFrame()
        self._found_lines = in_column(self._found, spacing=1)
        self._column = in_column(
            self, (self.text, 1), self._found, (self.narrow, LEFT), margins=(5, 4, 5, 4)
        )
        self.setFocusProxy(self.text)

    def _make_text(self) -> QPlainTextEdit:
        text = QPlainTextEdit()
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        text.setAccessibleName(self.tr("JSON of the server"))
        return text

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(line.accessibleName() or line.text() for line in self._lines)

    def show_text(self, text: str) -> None:
        """Replace the text by what the program made; it does not count as typed."""
        self.text.setPlainText(text)
        self.is_dirty = False
        self.check()

    def servers(self) -> Servers:
        """The servers to add.

        Raises:
            ConfigError: something in the text is wrong; nothing of it is to be added.
        """
        servers, problems, _ = self._read(self.text.toPlainText())
        for problem in problems.values():
            raise problem
        for name in servers:
            if reason := self._refuse(name):
                raise ConfigError(reason)
        return servers

    def check(self) -> None:
        """Say what was understood."""
        self._timer.stop()
        for line in self._lines:
            self._found_lines.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines = []
        self.narrow.hide()
        text = self.text.toPlainText()
        is_right = True
        if text.strip():
            is_right = self._tell(text)
        style(self.text, "mono", *(() if is_right else ("invalid",)))

    def _read(self, text: str) -> tuple[Servers, Problems, Remarks]:
        """What is in the text; raises `ConfigError`."""
        return read_entries(text, self._store.settings)

    def _typed(self) -> None:
        self.is_dirty = True
        self._timer.start()
        self.changed.emit()

    def _tell(self, text: str) -> bool:
        try:
            servers, problems, remarks = self._read(text)
        except ConfigError as error:
            self._add(spoken(str(error)), "danger")
            self.narrow.setVisible(narrow_json(text) != text)
            return False
        self._tell_servers(servers)
        self._tell_problems(problems)
        for name, said in list(remarks.items())[:_MAX_SHOWN]:
            for remark in said:
                self._add(named(name, remark) if name else spoken(remark), "warning")
        return not problems

    def _narrow(self) -> None:
        """Replace the wide marks as typing would: it can be undone."""
        cursor = self.text.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(narrow_json(self.text.toPlainText()))
        self.text.setFocus()
        self.check()

    def _tell_servers(self, servers: Servers) -> None:
        for config in list(servers.values())[:_MAX_SHOWN]:
            reason = self._refuse(config.name)
            self._add(reason or _line(config), "danger" if reason else "success")
        if len(servers) > _MAX_SHOWN:
            more = self.tr("and {count} more").format(count=len(servers) - _MAX_SHOWN)
            self._add(more, "muted")

    def _tell_problems(self, problems: Problems) -> None:
        for problem in list(problems.values())[:_MAX_SHOWN]:
            self._add(spoken(str(problem)), "danger")

    def _add(self, text: str, tone: Role) -> None:
        if tone == "success":
            label: QLabel = ElidedLabel()
            assert isinstance(label, ElidedLabel)  # noqa: S101 - for the type checker
            label.show_text(text)
        else:
            label = plain_label(text)
        style(label, tone, "small")
        self._lines.append(label)
        self._found_lines.addWidget(label)


def _line(config: ServerConfig) -> str:
    transport = labels.transport_label(config.transport)
    return f"✓ {config.name}  ·  {transport}  ·  {labels.target_label(config)}"
