"""The form of one server, from transport to time limits, as a `ServerConfig`.

Validates and stores nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QRadioButton,
    QScrollArea,
)

from desktop.base.errors import ConfigError
from desktop.config.models import ServerConfig
from desktop.gui.layouts import in_column, in_row
from desktop.gui.servers.form_fields import (
    ArgumentsEdit,
    CommandField,
    FolderField,
    FoldersField,
    FormLine,
    LevelChoice,
    SecondsBox,
    by_field,
)
from desktop.gui.servers.key_value_editor import KeyValueEditor
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from desktop.config.models import Transport
    from desktop.gui.servers.form_fields import CommandLine
    from desktop.gui.theme import Theme


class TransportChoice(QFrame):
    """Three radio buttons in a row."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[Transport, QRadioButton] = {
            "stdio": QRadioButton(),
            "http": QRadioButton(),
            "sse": QRadioButton(),
        }
        self._group = QButtonGroup(self)
        row = in_row(self, spacing=4)
        for transport, button in self.buttons.items():
            self._group.addButton(button)
            button.clicked.connect(lambda _=False, name=transport: self.changed.emit(name))
            row.addWidget(button)
        row.addStretch(1)
        self.setFocusProxy(self.buttons["stdio"])
        self.buttons["stdio"].setText(self.tr("Local command (stdio)"))
        self.buttons["http"].setText(self.tr("URL (Streamable HTTP)"))
        self.buttons["sse"].setText(self.tr("URL (SSE, legacy)"))

    @property
    def chosen(self) -> Transport:
        for transport, button in self.buttons.items():
            if button.isChecked():
                return transport
        return "stdio"

    def choose(self, transport: str) -> None:
        for name, button in self.buttons.items():
            if name == transport:
                button.setChecked(True)


_PROGRAM = ("command", "args", "env", "cwd")
_REMOTE = ("url", "headers")


class ServerForm(QScrollArea):
    """What a transport does not need is hidden, not forgotten."""

    changed = Signal()
    name_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.name, self.url = QLineEdit(), QLineEdit()
        self.transport = TransportChoice()
        self.command = CommandField()
        self.args = ArgumentsEdit()
        self.env, self.headers = KeyValueEditor(theme, "="), KeyValueEditor(theme, ":")
        self.cwd = FolderField(theme)
        self.roots, self.log_level = FoldersField(theme), LevelChoice()
        self.timeout, self.connect_timeout = SecondsBox(3600), SecondsBox(600)
        self.fields = self._make_fields()
        self._lay_out()
        self._connect()
        texts = {
            "name": (self.tr("Name"), ""),
            "transport": (self.tr("Connection"), ""),
            "command": (
                self.tr("Command"),
                self.tr(
                    "A program on your PATH, or its full path. You can paste a whole command line."
                ),
            ),
            "args": (self.tr("Arguments"), self.tr("One per line.")),
            "env": (self.tr("Environment variables"), ""),
            "cwd": (self.tr("Working folder"), self.tr("Leave empty to use the app's own.")),
            "url": (self.tr("Address"), ""),
            "headers": (self.tr("HTTP headers"), ""),
            "roots": (
                self.tr("Folders for the server"),
                self.tr(
                    "One per line, or drop them here. Shared with the server on request (roots)."
                ),
            ),
            "log_level": (
                self.tr("Log messages from"),
                self.tr("Shown in its output, and in Logs on the Activity page."),
            ),
            "timeout": (self.tr("Time limit per call"), ""),
            "connect_timeout": (self.tr("Time limit to connect"), ""),
        }
        for name, (text, hint) in texts.items():
            self.fields[name].set_text(text, hint)
        self.name.setPlaceholderText(self.tr("for example: files"))
        self.command.edit.setPlaceholderText("npx")
        self.args.setPlaceholderText("-y\n@modelcontextprotocol/server-everything")
        self.url.setPlaceholderText("https://example.com/mcp")
        self.env.add.setText(self.tr("Add variable"))
        self.headers.add.setText(self.tr("Add header"))
        self._choose("stdio")

    def values(self) -> dict[str, object]:
        """By the names of `ServerConfig`; what the other transport needs is left empty."""
        is_program = self.transport.chosen == "stdio"
        return {
            "name": self.name.text().strip(),
            "transport": self.transport.chosen,
            "command": self.command.text.strip() if is_program else "",
            "args": self.args.arguments() if is_program else (),
            "env": self.env.pairs() if is_program else {},
            "cwd": (self.cwd.text.strip() or None) if is_program else None,
            "url": "" if is_program else self.url.text().strip(),
            "headers": {} if is_program else self.headers.pairs(),
            "roots": self.roots.edit.arguments(),
            "log_level": self.log_level.level,
            "timeout": self.timeout.value(),
            "connect_timeout": self.connect_timeout.value(),
        }

    def config(self, base: ServerConfig | None) -> ServerConfig:
        """What is in the fields; all else as in `base`.

        Raises:
            ConfigError: a field is wrong; `show_error` puts it where it belongs.
        """
        for field, pairs in (("env", self.env), ("headers", self.headers)):
            if (name := pairs.doubled()) and not self.fields[field].isHidden():
                raise ConfigError(f'"{field}" has {name} twice')
        values = self.values()
        return base.changed(**values) if base is not None else ServerConfig.checked(**values)

    def show_config(self, config: ServerConfig) -> None:
        """Fill the fields."""
        self.name.setText(config.name)
        self.command.set_text(config.command)
        self.args.show_arguments(config.args)
        self.env.show_pairs(config.env)
        self.cwd.set_text(config.cwd or "")
        self.url.setText(config.url)
        self.headers.show_pairs(config.headers)
        self.roots.edit.show_arguments(config.roots)
        self.log_level.choose(config.log_level)
        self.timeout.setValue(config.timeout)
        self.connect_timeout.setValue(config.connect_timeout)
        self._choose(config.transport)
        self.show_error(None)

    def show_error(self, error: ConfigError | None) -> str:
        """Mark the fields it is about and go to the first; returns what concerns no field."""
        found, rest = by_field(error, frozenset(self.fields)) if error else ({}, "")
        for name, field in self.fields.items():
            field.set_error(found.get(name, ""))
        first = next((self.fields[name] for name in self.fields if name in found), None)
        if first is not None:
            first.control.setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureWidgetVisible(first)
        return rest

    def _make_fields(self) -> dict[str, FormLine]:
        return {
            "name": FormLine(self.name),
            "transport": FormLine(self.transport),
            "command": FormLine(self.command, self.command.edit),
            "args": FormLine(self.args),
            "env": FormLine(self.env),
            "cwd": FormLine(self.cwd, self.cwd.edit),
            "url": FormLine(self.url),
            "headers": FormLine(self.headers),
            "roots": FormLine(self.roots, self.roots.edit),
            "log_level": FormLine(self.log_level),
            "timeout": FormLine(self.timeout),
            "connect_timeout": FormLine(self.connect_timeout),
        }

    def _connect(self) -> None:
        self.transport.changed.connect(self._choose)
        self.command.split_requested.connect(self._split)
        self.name.textChanged.connect(self.name_changed)
        for signal in (
            self.name.textChanged,
            self.command.changed,
            self.args.textChanged,
            self.env.changed,
            self.cwd.edit.textChanged,
            self.url.textChanged,
            self.headers.changed,
            self.roots.edit.textChanged,
            self.log_level.currentIndexChanged,
            self.timeout.valueChanged,
            self.connect_timeout.valueChanged,
            self.transport.changed,
        ):
            signal.connect(self._tell_change)

    def _tell_change(self, _: object = None) -> None:
        self.changed.emit()

    def _choose(self, transport: str) -> None:
        self.transport.choose(transport)
        for name in _PROGRAM:
            self.fields[name].setVisible(transport == "stdio")
        for name in _REMOTE:
            self.fields[name].setVisible(transport != "stdio")

    def _split(self, line: CommandLine) -> None:
        self.command.set_text(line.command)
        self.args.setPlainText("\n".join((*line.args, *self.args.arguments())))
        for name, value in line.env.items():
            self.env.add_row(name, value)

    def _lay_out(self) -> None:
        for edit in (self.url, self.command.edit, self.cwd.edit):
            style(edit, "mono")
        content = QFrame()
        style(content, "page")
        column = in_column(content, margins=(5, 4, 5, 4), spacing=4)
        limits = QHBoxLayout()
        limits.setSpacing(space(4))
        for name, field in self.fields.items():
            if name in ("timeout", "connect_timeout"):
                limits.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
            else:
                column.addWidget(field)
        column.addLayout(limits)
        column.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
