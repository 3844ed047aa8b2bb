"""The controls of the server form: seconds, folder, command, arguments, each in a labelled line.

Validates nothing: `by_field` assigns the messages of a `ConfigError` to the lines they are about.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import split_joined
from desktop.config.models import LogLevel
from desktop.gui.layouts import LEFT, in_column
from desktop.gui.theme import inset, space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QFocusEvent, QWheelEvent

    from desktop.base.errors import ConfigError
    from desktop.config.models import Sandbox
    from desktop.gui.theme import Theme


class SecondsBox(QDoubleSpinBox):
    """Shows `120 s`, and a fraction only where there is one."""

    def __init__(self, most: float) -> None:
        super().__init__()
        self.setRange(1, most)
        self.setDecimals(3)
        self.setSuffix(" s")
        inset(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def textFromValue(self, val: float) -> str:
        return f"{val:g}"

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


_LINES = 4
_FEW_LINES = 2
_MOST_LINES = 12


class ArgumentsEdit(QPlainTextEdit):
    """Arguments that nobody touched come back as they were, even with line breaks in them.

    As high as its lines, from `lines` to `_MOST_LINES`.
    """

    def __init__(self, lines: int = _LINES) -> None:
        super().__init__()
        self._loaded: tuple[str, ...] = ()
        self._text = ""
        self._lines = lines
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        style(self, "mono")
        self.blockCountChanged.connect(self._fit)
        self.horizontalScrollBar().rangeChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = min(max(self._lines, self.blockCount()), _MOST_LINES)
        bar = self.horizontalScrollBar()
        beside = bar.sizeHint().height() if bar.maximum() else 0
        self.setFixedHeight(self.fontMetrics().lineSpacing() * lines + space(5) + beside)

    def arguments(self) -> tuple[str, ...]:
        if self.toPlainText() == self._text:
            return self._loaded
        return tuple(line for line in self.toPlainText().splitlines() if line.strip())

    def show_arguments(self, arguments: tuple[str, ...]) -> None:
        self._loaded = arguments
        self.setPlainText("\n".join(arguments))
        self._text = self.toPlainText()


class FoldersEdit(ArgumentsEdit):
    """A folder a line; folders that are dropped or pasted are added."""

    committed = Signal()
    """A person is done with it for now: left it, or added a folder."""

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.committed.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(dropped_paths(source, folders=True)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if folders := dropped_paths(source, folders=True):
            self.add(*folders)
        else:
            super().insertFromMimeData(source)

    def add(self, *folders: str) -> None:
        """Put them below those there are; one that is there already is not doubled."""
        known = self.arguments()
        self.setPlainText("\n".join(dict.fromkeys((*known, *folders))))
        self.committed.emit()


def dropped_paths(source: QMimeData, *, folders: bool) -> list[str]:
    """The folders, or else the files, of this computer that are dropped or pasted."""
    paths = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
    return [path for path in paths if (Path(path).is_dir() if folders else Path(path).is_file())]


class FoldersField(QFrame):
    """Folders to be typed, dropped or picked."""

    def __init__(self, theme: Theme, lines: int = _LINES) -> None:
        super().__init__()
        self.edit = FoldersEdit(lines)
        self.pick = QPushButton(self.tr("Add a folder…"))
        style(self.pick, "link")
        set_icon(theme, self.pick, "folder", "accent")
        self.setFocusProxy(self.edit)
        self.pick.clicked.connect(self._pick)
        in_column(self, self.edit, (self.pick, LEFT), spacing=1)

    def _pick(self) -> None:
        picker = QFileDialog(self, self.tr("Add a folder"))
        picker.setFileMode(QFileDialog.FileMode.Directory)
        picker.setOption(QFileDialog.Option.ShowDirsOnly)
        picker.fileSelected.connect(self.edit.add)
        picker.finished.connect(picker.deleteLater)
        picker.open()


class LevelChoice(QComboBox):
    """The least important log messages that a server is asked for; None leaves it to the server."""

    def __init__(self) -> None:
        super().__init__()
        self.addItem("", None)
        for level in get_args(LogLevel):
            self.addItem(level, level)
        require_focus_for_wheel(self)
        self.setItemText(0, self.tr("server default"))

    @property
    def level(self) -> LogLevel | None:
        return self.currentData()

    def choose(self, level: LogLevel | None) -> None:
        self.setCurrentIndex(max(0, self.findData(level)))


class SandboxChoice(QFrame):
    """What the program may touch: a preset, and what it may touch besides where that is on."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.preset, self.hosts = QComboBox(), QLineEdit()
        self.read, self.write = FoldersField(theme, _FEW_LINES), FoldersField(theme, _FEW_LINES)
        self._network: object = None
        for preset, words in (
            ("off", self.tr("All that you may")),
            ("folders", self.tr("Its own folders and the network")),
            ("no-network", self.tr("Its own folders, no network")),
            ("strict", self.tr("Only what it needs to run")),
        ):
            self.preset.addItem(words, preset)
        require_focus_for_wheel(self.preset)
        self.hosts.setPlaceholderText("api.github.com, *.example.com, db.example.com:5432")
        style(self.hosts, "mono")
        self._more = QFrame()
        parts: list[QWidget] = []
        for control, edit, words in (
            (self.hosts, self.hosts, self.tr("Only these hosts, in place of all or none")),
            (self.read, self.read.edit, self.tr("May also read")),
            (self.write, self.write.edit, self.tr("May also read and change")),
        ):
            label = plain_label(words, "muted", "small")
            label.setBuddy(edit)
            edit.setAccessibleName(words)
            parts += [label, control]
        in_column(self._more, *parts, spacing=1)
        in_column(self, self.preset, self._more)
        self.setFocusProxy(self.preset)
        self._more.hide()
        self.preset.currentIndexChanged.connect(self._show_more)
        for edit in (self.hosts, self.read.edit, self.write.edit):
            edit.textChanged.connect(self.changed)

    @property
    def chosen(self) -> dict[str, object]:
        """As in a config; nothing of it is checked."""
        preset = self.preset.currentData()
        if preset == "off":
            return {"preset": preset}
        hosts = tuple(re.split(r"[,\s]+", self.hosts.text().strip()))
        folders = {"read": self.read.edit.arguments(), "write": self.write.edit.arguments()}
        network = hosts if hosts != ("",) else self._network
        return {"preset": preset, "network": network, **folders}

    def choose(self, sandbox: Sandbox) -> None:
        self.preset.setCurrentIndex(max(0, self.preset.findData(sandbox.preset)))
        self.hosts.setText(", ".join(sandbox.hosts))
        self.read.edit.show_arguments(sandbox.read)
        self.write.edit.show_arguments(sandbox.write)
        self._network = None if sandbox.hosts else sandbox.network

    def _show_more(self) -> None:
        self._network = None  # a preset that is chosen says it
        self._more.setVisible(self.preset.currentData() != "off")
        self.changed.emit()


_SENTENCE = compile_later(r'"(?P<key>[A-Za-z_]+)[^"]*" (?P<words>.+)', re.DOTALL)
_FIELDS = {"type": "transport", "connectTimeout": "connect_timeout", "logLevel": "log_level"}


def by_field(error: ConfigError, fields: frozenset[str]) -> tuple[dict[str, str], str]:
    """What is wrong with which of `fields`, and what is left to be said of the whole."""
    found: dict[str, str] = {}
    rest: list[str] = []
    for part in split_joined(error.args[0]):
        words = spoken(part)  # which begins with the key in every language
        match = _SENTENCE.fullmatch(words)
        key = match["key"] if match is not None else ""
        field = _FIELDS.get(key, key)
        if match is None or field not in fields:
            rest.append(words)
        else:
            found[field] = f"{found[field]}; {match['words']}" if field in found else match["words"]
    if error.remedy:
        rest.append(spoken(error.remedy))
    return found, "\n".join(rest)


class FormLine(QFrame):
    """One line of a form."""

    def __init__(self, control: QWidget, *marked: QWidget) -> None:
        """Args: marked: what shows an error by its border; the control itself by default."""
        super().__init__()
        self.control = control
        self._marked = marked or (control,)
        self._hint = ""
        self._name, self._below = QLabel(), plain_label("")
        self._name.setBuddy(self._marked[0])
        style(self._name, "heading", "small")
        in_column(self, self._name, control, self._below, spacing=1)
        self.set_error("")

    @property
    def error(self) -> str:
        return "" if self._below.property("role") == "muted small" else self._below.text()

    def set_text(self, name: str, hint: str = "") -> None:
        error = self.error
        self._hint = hint
        self._name.setText(name)
        for widget in self._marked:
            widget.setAccessibleName(name)
        self.set_error(error)

    def set_error(self, error: str) -> None:
        """Say what is wrong, or that nothing is."""
        below = f"{error[:1].upper()}{error[1:]}" if error else self._hint
        self._below.setText(below)
        self._below.setVisible(bool(below))
        style(self._below, "danger" if error else "muted", "small")
        for widget in self._marked:
            roles = str(widget.property("role") or "").split()
            others = [word for word in roles if word != "invalid"]
            style(widget, *(others + (["invalid"] if error else [])))  # pyright: ignore[reportArgumentType] # roles it had
            widget.setAccessibleDescription(below)
