"""The form of one server, from transport to time limits, as a `ServerConfig`.

Validates and stores nothing itself.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
)

from desktop.base.errors import ConfigError
from desktop.config.imports.pasted import entry_of_line
from desktop.config.models import ServerConfig
from desktop.gui.import_export.inputs_view import PathLine
from desktop.gui.layouts import LEFT, in_column, in_row
from desktop.gui.servers.form_fields import (
    ArgumentsEdit,
    FoldersField,
    FormLine,
    LevelChoice,
    SandboxChoice,
    SecondsBox,
    by_field,
)
from desktop.gui.servers.labels import program
from desktop.gui.theme import space, style
from desktop.gui.widgets.focus_guard import guard_focus
from desktop.gui.widgets.icons import set_icon
from desktop.redaction.policy import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.config.models import Transport
    from desktop.gui.theme import Theme

# A table of names and values: environment variables or HTTP headers.
#
# Masks a value whose name looks like a secret until the person reveals it. Stores and sends
# nothing.


class KeyValueRow(QFrame):
    """One name and its value."""

    changed = Signal()
    remove_requested = Signal()
    pasted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.name, self.value = QLineEdit(), QLineEdit()
        self.show_value, self.remove = QToolButton(), QToolButton()
        self.show_value.setCheckable(True)
        for field in (self.name, self.value):
            style(field, "mono")
        for button, icon in ((self.show_value, "eye"), (self.remove, "close")):
            style(button, "flat")
            set_icon(theme, button, icon, "muted")
        guard_focus(self.remove)  # of several rows, the next one would get the focus
        policy = self.show_value.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.show_value.setSizePolicy(policy)
        in_row(self, (self.name, 2), (self.value, 3), self.show_value, self.remove, spacing=1)
        self.name.installEventFilter(self)
        self.name.textChanged.connect(self._changed)
        self.value.textChanged.connect(self._changed)
        self.show_value.toggled.connect(self._cover)
        self.remove.clicked.connect(self.remove_requested)
        self.name.setPlaceholderText(self.tr("Name"))
        self.value.setPlaceholderText(self.tr("Value"))
        for widget, text in (
            (self.name, self.tr("Name")),
            (self.value, self.tr("Value")),
            (self.show_value, self.tr("Show the value")),
            (self.remove, self.tr("Remove this line")),
        ):
            widget.setAccessibleName(text)
        self.show_value.setToolTip(self.tr("Show the value"))
        self.remove.setToolTip(self.tr("Remove this line"))
        self._cover()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Text with `=` or several lines pasted as a name is taken apart by the form."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            text = QGuiApplication.clipboard().text()
            if event.matches(QKeySequence.StandardKey.Paste) and ("=" in text or "\n" in text):
                self.pasted.emit(text)
                return True
        return super().eventFilter(watched, event)

    def _changed(self) -> None:
        self._cover()
        self.changed.emit()

    def _cover(self) -> None:
        is_covered = is_secret_name(self.name.text()) and not self.show_value.isChecked()
        modes = QLineEdit.EchoMode
        mode = modes.Password if is_covered else modes.Normal
        if self.value.echoMode() != mode:
            self.value.setEchoMode(mode)
        self.show_value.setVisible(is_secret_name(self.name.text()))
        set_icon(self._theme, self.show_value, "eye" if is_covered else "eye-off", "muted")


class KeyValueEditor(QFrame):
    """Rows and a button for one more; a row without name and value does not count."""

    changed = Signal()

    def __init__(self, theme: Theme, separator: str) -> None:
        """Args: separator: between name and value in pasted lines, `=` or `:`."""
        super().__init__()
        self._theme, self._separator = theme, separator
        self.rows: list[KeyValueRow] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(space(1))
        self.add = QPushButton()
        style(self.add, "link")
        set_icon(theme, self.add, "plus", "accent")
        self.add.clicked.connect(self._add_by_hand)
        in_column(self, self._column, (self.add, LEFT), spacing=1)

    def pairs(self) -> dict[str, str]:
        """What is in the rows; of two with one name the last one counts (see `doubled`)."""
        filled = [row for row in self.rows if row.name.text().strip() or row.value.text()]
        return {row.name.text().strip(): row.value.text() for row in filled}

    def doubled(self) -> str:
        """The first name that is there twice, or nothing."""
        names = [row.name.text().strip() for row in self.rows if row.name.text().strip()]
        return next((name for at, name in enumerate(names) if name in names[:at]), "")

    def show_pairs(self, pairs: Mapping[str, str]) -> None:
        """Replace all rows."""
        for row in tuple(self.rows):
            self._drop(row)
        for name, value in pairs.items():
            self.add_row(name, value)

    def add_row(self, name: str = "", value: str = "") -> KeyValueRow:
        row = KeyValueRow(self._theme)
        row.name.setText(name)
        row.value.setText(value)
        row.changed.connect(self.changed)
        row.remove_requested.connect(lambda: self._drop(row))
        row.pasted.connect(partial(self._paste, row))
        self.rows.append(row)
        self._column.addWidget(row)
        self.changed.emit()
        return row

    def _add_by_hand(self) -> None:
        self.add_row().name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _paste(self, row: KeyValueRow, text: str) -> None:
        if not row.name.text() and not row.value.text():
            self._drop(row)
        for line in text.splitlines():
            line = line.strip().removeprefix("export ").rstrip(",")
            name, found, value = line.partition(self._separator)
            if not found:
                name, _, value = line.partition("=" if self._separator == ":" else ":")
            if name.strip():
                self.add_row(name.strip().strip('"'), value.strip().strip("\"'"))

    def _drop(self, row: KeyValueRow) -> None:
        self.rows.remove(row)
        self._column.removeWidget(row)
        row.hide()
        row.deleteLater()
        self.changed.emit()


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


class CommandEdit(QLineEdit):
    """What is started; for a server that comes with the app it cannot be typed over."""

    def __init__(self) -> None:
        super().__init__()
        self.builtin = ""

    @property
    def typed(self) -> str:
        return "" if self.builtin else self.text().strip()

    def show_program(self, config: ServerConfig) -> None:
        self.builtin = config.builtin
        self.setText(" ".join(program(config)))
        self.setEnabled(not config.builtin)


_PROGRAM = ("command", "args", "env", "cwd", "sandbox", "limits")
_REMOTE = ("url", "headers")


class ServerForm(QScrollArea):
    """What a transport does not need is hidden, not forgotten."""

    changed = Signal()
    name_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.name, self.command, self.url = QLineEdit(), CommandEdit(), QLineEdit()
        self.transport = TransportChoice()
        self.args = ArgumentsEdit()
        self.env, self.headers = KeyValueEditor(theme, "="), KeyValueEditor(theme, ":")
        self.cwd = PathLine(theme, is_file=False)
        self.roots, self.log_level = FoldersField(theme), LevelChoice()
        self.sandbox, self.limits = SandboxChoice(theme), QLineEdit()
        self.timeout, self.connect_timeout = SecondsBox(3600), SecondsBox(600)
        self.fields = self._make_fields()
        self._lay_out()
        self._connect()
        texts = {
            "name": (self.tr("Name"), ""),
            "transport": (self.tr("Connection"), ""),
            "command": (self.tr("Command"), self._command_hint()),
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
            "sandbox": (
                self.tr("May touch"),
                self.tr(
                    "Its own folders are those above, and those in its arguments. With the network "
                    "it can reach services of this computer, too. Works on Linux, and was never "
                    "tried on macOS."
                ),
            ),
            "limits": (
                self.tr("Limits"),
                self.tr("Of all that it starts. CPU needs systemd or a container."),
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
        self.command.setPlaceholderText("npx")
        self.args.setPlaceholderText("-y\n@modelcontextprotocol/server-everything")
        self.url.setPlaceholderText("https://example.com/mcp")
        self.limits.setPlaceholderText("memory=1 GB, processes=100, cpu=50")
        self.env.add.setText(self.tr("Add variable"))
        self.headers.add.setText(self.tr("Add header"))
        self._choose("stdio")

    def values(self) -> dict[str, object]:
        """By the names of `ServerConfig`; what the other transport needs is left empty."""
        is_program = self.transport.chosen == "stdio"
        return {
            "name": self.name.text().strip(),
            "transport": self.transport.chosen,
            "command": self.command.typed if is_program else "",
            "builtin": self.command.builtin,
            "args": self.args.arguments() if is_program else (),
            "env": self.env.pairs() if is_program else {},
            "cwd": (self.cwd.text.strip() or None) if is_program else None,
            "url": "" if is_program else self.url.text().strip(),
            "headers": {} if is_program else self.headers.pairs(),
            "roots": self.roots.edit.arguments(),
            "sandbox": self.sandbox.chosen if is_program else {"preset": "off"},
            "limits": self.limits.text() if is_program else "",
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

    def take_apart(self) -> None:
        """Put a whole command line, or an address, that stands in Command where it belongs.

        Not before a person has left the field: what they type next would go astray.
        """
        entry = entry_of_line(self.command.typed) if self.transport.chosen == "stdio" else {}
        if url := entry.get("url"):
            self.command.clear()
            self.url.setText(url)
            self._choose("http")
            self.url.setFocus(Qt.FocusReason.OtherFocusReason)
        elif command := entry.get("command"):
            self.command.setText(command)
            self.args.setPlainText("\n".join((*entry["args"], *self.args.arguments())))
            for name, value in entry.get("env", {}).items():
                self.env.add_row(name, value)

    def show_config(self, config: ServerConfig) -> None:
        """Fill the fields."""
        self.name.setText(config.name)
        self._show_program(config)
        self.args.show_arguments(config.args)
        self.env.show_pairs(config.env)
        self.cwd.set_text(config.cwd or "")
        self.url.setText(config.url)
        self.headers.show_pairs(config.headers)
        self.roots.edit.show_arguments(config.roots)
        self.sandbox.choose(config.sandbox)
        self.limits.setText(config.limits.text)
        self.log_level.choose(config.log_level)
        self.timeout.setValue(config.timeout)
        self.connect_timeout.setValue(config.connect_timeout)
        self._choose(config.transport)
        self.show_error(None)

    def _show_program(self, config: ServerConfig) -> None:
        self.command.show_program(config)
        self.fields["command"].set_text(self.tr("Command"), self._command_hint())
        self.transport.setEnabled(not config.builtin)

    def _command_hint(self) -> str:
        if self.command.builtin:
            return self.tr("It comes with the app.")
        return self.tr("A program on your PATH, its full path, or a whole command line.")

    def focus_way(self) -> None:
        """Put the keyboard where it is said what is started or reached."""
        field = self.command if self.transport.chosen == "stdio" else self.url
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        field.selectAll()

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
            "command": FormLine(self.command),
            "args": FormLine(self.args),
            "env": FormLine(self.env),
            "cwd": FormLine(self.cwd, self.cwd.edit),
            "url": FormLine(self.url),
            "headers": FormLine(self.headers),
            "roots": FormLine(self.roots, self.roots.edit),
            "sandbox": FormLine(self.sandbox, self.sandbox.preset),
            "limits": FormLine(self.limits),
            "log_level": FormLine(self.log_level),
            "timeout": FormLine(self.timeout),
            "connect_timeout": FormLine(self.connect_timeout),
        }

    def _connect(self) -> None:
        self.transport.changed.connect(self._choose)
        self.command.editingFinished.connect(self.take_apart)
        self.name.textChanged.connect(self.name_changed)
        for signal in (
            self.name.textChanged,
            self.command.textChanged,
            self.args.textChanged,
            self.env.changed,
            self.cwd.edit.textChanged,
            self.url.textChanged,
            self.headers.changed,
            self.roots.edit.textChanged,
            self.sandbox.changed,
            self.limits.textChanged,
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

    def _lay_out(self) -> None:
        for edit in (self.url, self.command, self.cwd.edit, self.limits):
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
