"""Two servers or recordings side by side: what of their tools changed, and of their results.

The tools by what they declare, in the words of the terminal's `compare`: for that nothing is called
and nothing started. The results are those of saved calls, and a view of their own.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QPushButton,
    QTabWidget,
    QWidget,
)

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden
from desktop.features.recordings.gui.results_view import ComparedServer, ResultsView
from desktop.features.saved_calls.recorded_runner import RecordedRunner
from desktop.gui import bridge
from desktop.gui.layouts import STRETCH, in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.arguments_view import CodePreview
from desktop.gui.widgets.labels import plain_label
from desktop.gui.window_state import remember_size
from desktop.tools.comparison import compare_tools, declared_by, declared_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import QSettings

    from desktop.features.saved_calls.saved_call_runner import SavedCallRunner
    from desktop.features.saved_calls.saved_calls import SavedCalls
    from desktop.gui.theme import Role, Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.recording import RecordedServer
    from desktop.servers.service import McpService
    from desktop.tools.comparison import DeclaredTool, ToolComparison

_SIZE = space(205), space(140)
_MAX_LINES = 2_000
"""Lines of a comparison that are shown."""


class _Chosen(NamedTuple):
    """What can be chosen on either side: who answers calls, and what tools are declared."""

    server: ComparedServer
    tools: Callable[[], Mapping[str, DeclaredTool]]


class CompareDialog(QDialog):
    """Choose two, read what changed."""

    compared = Signal()
    """The comparison of what is chosen is shown, or what could not be read."""

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        service: McpService,
        first: str,
        calls: SavedCalls,
        runner: SavedCallRunner,
        settings: QSettings,
    ) -> None:
        """Args: first: the server to begin with.

        calls, runner: the saved calls, and who makes them.
        settings: stores the size.
        """
        super().__init__(parent)
        self._service, self._runner = service, runner
        self._sides: dict[str, _Chosen] = {}
        self.old, self.new = QComboBox(), QComboBox()
        self._names = QLabel(), QLabel()
        self.leave = QPushButton(self.tr("Close"))
        self.copy = QPushButton(self.tr("Copy"))
        self.recording = QPushButton(self.tr("Recording…"))
        self.summary = plain_label("", "heading")
        self.problem = plain_label("", "danger")
        self.problem.hide()
        self.changes = CodePreview(theme, "difference")
        self.results = ResultsView(theme, calls)
        self.tabs = QTabWidget()
        self._asked = 0
        self._lay_out()
        self._set_texts()
        for name, connection in service.connections.items():
            if connection.is_connected:
                self._offer(name, self._live(connection))
        self.old.setCurrentIndex(max(0, self.old.findData(first)))
        self.new.setCurrentIndex(1 if self.old.currentIndex() == 0 < self.new.count() - 1 else 0)
        for side in (self.old, self.new):
            side.currentIndexChanged.connect(self.compare)
        self.recording.clicked.connect(self._choose_file)
        self.copy.clicked.connect(self._copy)
        self.leave.clicked.connect(self.reject)
        self.results.running_changed.connect(self._hold)
        self.finished.connect(self.results.cancel)
        remember_size(self, settings, "compare")
        self.results.load()
        self.compare()

    def compare(self) -> None:
        """Compare what is chosen now."""
        self._asked += 1
        first, other = self._chosen()
        if first is not None and other is not None:
            self.results.compare(first.server, other.server)
        bridge.run(self, self._compare(self._asked), self.tr("Comparing the tools"))

    def open_recording(self, file: str) -> None:
        """Offer the servers of a recording, the first of them as the older side."""
        self.problem.hide()
        bridge.run(self, self._read(Path(file)), self.tr("Reading the recording"))

    def show_error(self, message: str) -> None:
        """What could not be read; the bridge reports failures here, too."""
        self.problem.setText(message)
        self.problem.show()
        self.compared.emit()

    async def _read(self, path: Path) -> None:
        from desktop.servers.recording import read_recording

        try:
            recording = await asyncio.to_thread(read_recording, path)
        except DesktopError as error:
            self.show_error(spoken(str(error)))
            return
        if not recording.servers:
            self.show_error(self.tr("No server was recorded in {file}.").format(file=path.name))
            return
        servers = sorted(recording.servers.items())  # not as they happened to start
        keys = [f"{path}#{name}" for name, _ in servers]
        for key, (_, server) in zip(keys, servers, strict=True):
            self._offer(key, _recorded(server, recording.servers, f"{server.name} · {path.name}"))
        self.old.setCurrentIndex(self.old.findData(keys[0]))
        self.compare()

    async def _compare(self, asked: int) -> None:
        first, other = self._chosen()
        if first is None or other is None:
            self._say(self.tr("Connect a server, or open a recording."), "muted")
            return
        found = await asyncio.to_thread(compare_tools, first.tools(), other.tools())
        if asked != self._asked:
            return
        words, tone = self._verdict(found)
        self._say(words, tone)
        self.changes.show_text(self._lines(found))
        self.changes.setVisible(not found.is_empty)
        self.copy.setEnabled(not found.is_empty)
        self.compared.emit()

    def _verdict(self, found: ToolComparison) -> tuple[str, Role]:
        if found.is_empty:
            return self.tr("The tools are the same."), "success"
        count = len(found.added) + len(found.removed) + len(found.changed)
        words = counted(count, self.tr("1 tool differs"), self.tr("{count} tools differ"))
        verdict = self.tr("breaks callers") if found.is_breaking else self.tr("compatible")
        return f"{words} · {verdict}", "danger" if found.is_breaking else "success"

    def _lines(self, found: ToolComparison) -> str:
        breaking = self.tr("breaking")
        lines = [f"- {mark_hidden(name)}  ({breaking})" for name in found.removed]
        lines += [f"+ {mark_hidden(name)}" for name in found.added]
        for name, changes in found.changed.items():
            lines.append(f"@ {mark_hidden(name)}")
            for change in changes:
                mark = f"  ({breaking})" if change.is_breaking else ""
                sign = "-" if change.is_breaking else " "
                lines.append(f"{sign}   {mark_hidden(str(change))}{mark}")
        if len(lines) > _MAX_LINES:
            more = self.tr("{count} more lines").format(count=len(lines) - _MAX_LINES)
            lines = [*lines[:_MAX_LINES], f"… {more}"]
        return "\n".join(lines)

    def _offer(self, key: str, offered: _Chosen) -> None:
        is_new = key not in self._sides
        self._sides[key] = offered
        for side in (self.old, self.new) if is_new else ():
            side.addItem(mark_hidden(offered.server.label), key)

    def _chosen(self) -> tuple[_Chosen | None, _Chosen | None]:
        first, other = (self._sides.get(str(side.currentData())) for side in (self.old, self.new))
        return first, other

    def _live(self, connection: ServerConnection) -> _Chosen:
        def read_only() -> set[str]:
            return {tool.name for tool in connection.listed if tool.annotations.read_only}

        name = connection.config.name
        server = ComparedServer(name, name, False, lambda: self._runner, read_only)
        return _Chosen(server, lambda: declared_by(connection.listed))

    def _hold(self, is_running: bool) -> None:
        """The two stay what they are while they are called."""
        for control in (self.old, self.new, self.recording):
            control.setEnabled(not is_running)

    def _say(self, words: str, tone: Role) -> None:
        self.summary.setText(words)
        style(self.summary, tone, "heading")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.changes.toPlainText())

    def _choose_file(self) -> None:
        picker = QFileDialog(self, self.tr("Open a recording"), str(Path.home()), "*.jsonl (*)")
        picker.fileSelected.connect(self.open_recording)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(space(3))
        grid.setVerticalSpacing(space(1))
        for column, (name, side) in enumerate(zip(self._names, (self.old, self.new), strict=True)):
            name.setBuddy(side)
            grid.addWidget(name, 0, column)
            grid.addWidget(side, 1, column)
            grid.setColumnStretch(column, 1)
        grid.addWidget(self.recording, 1, 2)
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        box.addButton(self.copy, roles.ActionRole)
        box.addButton(self.leave, roles.RejectRole)
        for button in (self.recording, self.copy):
            button.setAutoDefault(False)
        whole = in_column(self, grid, margins=(5, 4, 5, 4), spacing=3)
        tools = QWidget()
        in_column(
            tools, self.summary, (self.changes, 100), STRETCH, margins=(0, 2, 0, 0), spacing=3
        )
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(tools, "")
        self.tabs.addTab(self.results, "")
        self.tabs.currentChanged.connect(lambda: self.copy.setVisible(tools.isVisible()))
        whole.addWidget(self.problem)
        whole.addWidget(self.tabs, 1)
        whole.addWidget(box)
        self.resize(*_SIZE)

    def _set_texts(self) -> None:
        self.setWindowTitle(self.tr("Compare servers"))
        self.tabs.setTabText(0, self.tr("Tools"))
        self.tabs.setTabText(1, self.tr("Results of saved calls"))
        older, newer = self._names
        older.setText(self.tr("Before"))
        newer.setText(self.tr("After"))
        self.recording.setToolTip(self.tr("Compare with what was recorded by --record"))


def _recorded(server: RecordedServer, servers: Mapping[str, RecordedServer], label: str) -> _Chosen:
    """Args: servers: all of the recording: a call may take a value from one of another."""
    made = ComparedServer(server.name, label, True, lambda: RecordedRunner(servers), frozenset)
    return _Chosen(made, lambda: declared_in(server))
