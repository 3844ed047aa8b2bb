"""The field of *Add server* that takes anything, and below it what was understood of it.

A command line, an address, a package, a link, a file, or the JSON of a README; what that leaves to
the reader is asked for. `desktop.config.imports` knows the formats. Must not store anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QLabel, QLineEdit, QPlainTextEdit, QPushButton

from desktop.base.errors import ConfigError
from desktop.base.translatable import named_text, translatable
from desktop.config.imports.inputs import answer_inputs
from desktop.config.imports.pasted import is_unsure, read_text
from desktop.config.imports.plan import make_plans
from desktop.config.imports.reader import read_pasted
from desktop.config.models import check_name
from desktop.gui import shortcuts
from desktop.gui.import_export.inputs_view import InputsView
from desktop.gui.import_export.labels import warning_label
from desktop.gui.layouts import STRETCH, in_column, in_row
from desktop.gui.servers.json_form import JsonForm
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QKeyEvent

    from desktop.config.imports.clients import ClientLocations
    from desktop.config.imports.plan import PlannedServer
    from desktop.config.models import ServerConfig
    from desktop.config.parser import Problems, Remarks, Servers
    from desktop.config.store import ConfigStore
    from desktop.gui.theme import Theme

_EXAMPLES = """npx -y @modelcontextprotocol/server-everything
https://mcp.example.com/mcp
claude mcp add time -- uvx mcp-server-time
{"mcpServers": {"everything": {"command": "npx", "args": […]}}}"""
_MIN_HEIGHT = space(24)
_SAID_ELSEWHERE = frozenset({"stranger", "input", "secret", "renamed"})
"""A person reads what they paste, fields ask for inputs, a box keeps secrets, Name shows it."""


def why_no_server(text: str) -> str:
    """What is said of a text that describes no server; empty where it does."""
    try:
        read_text(text)
    except ConfigError as error:
        return spoken(str(error))
    return ""


class PasteText(QPlainTextEdit):
    """Enter submits what was pasted, or one line; Shift+Enter begins a line."""

    submitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._is_pasted = False
        self.setPlaceholderText(_EXAMPLES)
        self.setMinimumHeight(_MIN_HEIGHT)

    def show_pasted(self, text: str) -> None:
        """Be `text`, as if it was pasted."""
        self.setPlainText(text)
        self._is_pasted = True

    def insertFromMimeData(self, source: QMimeData) -> None:
        super().insertFromMimeData(source)
        self._is_pasted = True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = self.toPlainText().strip()
        if shortcuts.PRESS.matches(event) and text and (self._is_pasted or "\n" not in text):
            self.submitted.emit()
            return
        self._is_pasted = self._is_pasted and not event.text()
        super().keyPressEvent(event)


class PasteForm(JsonForm):
    """The text, one line a server, a name to change, and fields for what is to be filled in."""

    submitted = Signal()
    """Enter in the text: add it."""

    def __init__(
        self,
        theme: Theme,
        store: ConfigStore,
        refuse: Callable[[str], str],
        places: ClientLocations,
    ) -> None:
        super().__init__(theme, store, refuse)
        self._places = places
        self._planned: list[PlannedServer] = []
        self._has_own_name = self._has_asked = False
        self._other_line = ""
        self.bundle: Path | None = None
        """The file that is a bundle, which an import unpacks."""
        self.name = QLineEdit()
        self.name_row = QFrame()
        self.inputs = InputsView(theme)
        self.choose = QPushButton(self.tr("Choose a file…"))
        self.other = QPushButton()
        self._hint = QLabel(
            self.tr(
                "Paste or type a command line, a URL, a package, an install link, or JSON, TOML "
                "or YAML."
            )
        )
        self._lay_out_paste()
        self.name.textEdited.connect(self._note_name)
        self.inputs.changed.connect(self.changed)
        self.choose.clicked.connect(self._choose_file)
        self.other.clicked.connect(self._use_other)
        self._show_planned()

    def servers(self) -> Servers:
        """The servers to add, with what was filled in.

        Raises:
            ConfigError: something in the text is wrong, or is not filled in yet.
        """
        if self._timer.isActive():
            self.check()
        found = super().servers()
        configs = [self._answered(planned) for planned in self._planned]
        if len(configs) == 1 and (name := self.name.text().strip()):
            configs = [self._named(configs[0], name)]
        return {config.name: config for config in configs} if configs else found

    def show_pasted(self, text: str) -> None:
        """Show what was copied or dropped; the keyboard goes to what is left to fill in."""
        if isinstance(self.text, PasteText):
            self.text.show_pasted(text)
        self.check()
        if not self.inputs.focus_first_empty():
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def has_all(self) -> bool:
        """Whether all is filled in; goes to the first empty field once, then lets it be."""
        if self._has_asked or not self.inputs.focus_first_empty():
            return True
        self._has_asked = True
        return False

    def check(self) -> None:
        self._planned, self.bundle = [], None
        super().check()
        self._show_planned()

    def _make_text(self) -> QPlainTextEdit:
        text = PasteText()
        text.submitted.connect(lambda: self.submitted.emit())
        text.setAccessibleName(self.tr("Command, URL, package, link or JSON of a server"))
        return text

    def _read(self, text: str) -> tuple[Servers, Problems, Remarks]:
        read = read_pasted(text, self._places, self._store.settings)
        (plan,) = make_plans([read], self._store)
        if plan.bundle is not None and not plan.bundle.is_unpacked:
            self.bundle = plan.source.path
        servers: Servers = {}
        problems: Problems = {}
        remarks: Remarks = {"": plan.notices}
        chosen: list[PlannedServer] = []
        for was, planned in zip(read.servers, plan.servers, strict=True):
            if planned.config is None:
                error = was.error or ConfigError(planned.reason)
                words = named_text(planned.name, str(error.args[0]))
                problems[planned.name] = ConfigError(words, remedy=error.remedy)
            elif planned.status == "same" and planned.ours in self._store.servers:
                problems[planned.name] = ConfigError(
                    translatable("You have this server already: “{name}”", name=planned.ours)
                )
            else:
                name = planned.target if planned.can_be_imported else planned.name
                servers[name] = planned.config.changed(name=name)
                known = self._store.servers.get(planned.name)
                remarks[name] = (*was.remarks, *_warnings(planned, bool(was.remarks), known))
                chosen.append(replace(planned, target=name))
        self._planned = chosen
        return servers, problems, remarks

    def _answered(self, planned: PlannedServer) -> ServerConfig:
        """The server with the answers as plain text: the dialog moves secrets."""
        assert planned.config is not None  # noqa: S101 - it can be imported
        config = planned.config.changed(name=planned.target)
        inputs = [replace(question, is_secret=False) for question in planned.inputs]
        return answer_inputs(config, inputs, self.inputs.answers())[0]

    def _named(self, config: ServerConfig, name: str) -> ServerConfig:
        try:
            check_name(name)
        except ValueError as error:
            raise ConfigError(f"{self.tr('Name')}: {error}") from None
        if reason := self._refuse(name):
            raise ConfigError(reason)
        return config.changed(name=name)

    def _show_planned(self) -> None:
        """Propose a name for a single server, and ask for what is to be filled in."""
        is_one = len(self._planned) == 1
        if is_one and not self._has_own_name:
            self.name.setText(self._planned[0].target)
        self.name_row.setVisible(is_one)
        asked = [question for planned in self._planned for question in planned.inputs]
        self.inputs.show_inputs(list({question.id: question for question in asked}.values()))
        self._show_other()

    def _show_other(self) -> None:
        """Offer the other runner for a name that says nothing of whose package it is."""
        word = self.text.toPlainText().strip()
        first = self._planned[0].config if self._planned else None
        is_npm = first is not None and first.command == "npx"
        self._other_line = (f"uvx {word}" if is_npm else f"npx -y {word}") if first else ""
        self.other.setVisible(first is not None and is_unsure(word))
        self.other.setText(
            self.tr("It is a Python package: run it with uvx")
            if is_npm
            else self.tr("It is an npm package: run it with npx")
        )

    def _typed(self) -> None:
        self._has_asked = False
        super()._typed()

    def _note_name(self) -> None:
        self._has_own_name = bool(self.name.text().strip())
        self.changed.emit()

    def _use_other(self) -> None:
        self.text.setPlainText(self._other_line)
        self.check()
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose_file(self) -> None:
        picker = QFileDialog(self, self.tr("Choose a file with servers"))
        picker.setFileMode(QFileDialog.FileMode.ExistingFile)
        picker.fileSelected.connect(self.text.setPlainText)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _lay_out_paste(self) -> None:
        self._hint.setWordWrap(True)
        style(self._hint, "muted", "small")
        label = QLabel(self.tr("Name"))
        label.setBuddy(self.name)
        style(label, "heading", "small")
        self.name.setAccessibleName(self.tr("Name"))
        in_column(self.name_row, label, self.name, spacing=1)
        for button in (self.choose, self.other):
            style(button, "link", "small")
            button.setAutoDefault(False)
        self._column.insertWidget(0, self._hint)
        below = QFrame()
        in_row(below, self.choose, self.other, STRETCH, spacing=3)
        self._column.insertWidget(2, below)
        self._column.addWidget(self.name_row)
        self._column.addWidget(self.inputs)


def _warnings(
    planned: PlannedServer, has_remarks: bool, known: ServerConfig | None
) -> Iterator[str]:
    """What a person should know before it is started."""
    is_renamed = any(finding.kind == "renamed" for finding in planned.findings)
    if planned.can_be_imported and planned.target != planned.name and not is_renamed:
        names = {"name": planned.name, "target": planned.target}
        yield (
            translatable(
                "“{name}” is a built-in server: switch it on in the list, or add this one as "
                "“{target}”",
                **names,
            )
            if known is not None and known.source == "builtin"
            else translatable("The name “{name}” is in use", **names)
        )
    asked = {question.variable for question in planned.inputs}
    for finding in planned.findings:
        is_said = finding.kind in _SAID_ELSEWHERE or finding.subject in asked
        if not is_said and not (has_remarks and finding.kind == "left_out"):
            yield warning_label(finding)
