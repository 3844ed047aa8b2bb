"""Two servers or recordings side by side: which tools came, went and changed, and what breaks.

By what they declare; nothing is called and nothing is started. What the terminal's `compare` finds
is shown in its words.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

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
    QVBoxLayout,
    QWidget,
)

from desktop.errors import DesktopError
from desktop.gui import bridge
from desktop.gui.chat.arguments_view import CodePreview
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.retranslation import Retranslated
from desktop.tools.comparison import compare_tools, declared_by, declared_in
from desktop.visible_text import mark_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.gui.theme import Role, Theme
    from desktop.servers.service import McpService
    from desktop.tools.comparison import DeclaredTool, ToolComparison

_SIZE = space(170), space(106)
_MAX_LINES = 2_000
"""Lines of a comparison that are shown."""


class CompareDialog(Retranslated, QDialog):
    """Choose two, read what changed."""

    compared = Signal()
    """The comparison of what is chosen is shown, or what could not be read."""

    def __init__(self, parent: QWidget, theme: Theme, service: McpService, first: str) -> None:
        """Args: first: the server to begin with."""
        super().__init__(parent)
        self._service = service
        self._sides: dict[str, Callable[[], Mapping[str, DeclaredTool]]] = {}
        self.old, self.new = QComboBox(), QComboBox()
        self._names = QLabel(), QLabel()
        self.recording, self.copy, self.leave = QPushButton(), QPushButton(), QPushButton()
        self.summary = plain_label("", "heading")
        self.problem = plain_label("", "danger")
        self.problem.hide()
        self.changes = CodePreview(theme, "difference")
        self._asked = 0
        self._lay_out()
        self.retranslate()
        for name, connection in service.connections.items():
            if connection.is_connected:
                self._offer(name, lambda each=connection: declared_by(each.listed))
        self.old.setCurrentIndex(max(0, self.old.findData(first)))
        self.new.setCurrentIndex(1 if self.old.currentIndex() == 0 < self.new.count() - 1 else 0)
        for side in (self.old, self.new):
            side.currentIndexChanged.connect(self.compare)
        self.recording.clicked.connect(self._choose_file)
        self.copy.clicked.connect(self._copy)
        self.leave.clicked.connect(self.reject)
        self.compare()

    def compare(self) -> None:
        """Compare what is chosen now."""
        self._asked += 1
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
            label = f"{server.name} · {path.name}"
            self._offer(key, lambda each=server: declared_in(each), label)
        self.old.setCurrentIndex(self.old.findData(keys[0]))
        self.compare()

    async def _compare(self, asked: int) -> None:
        sides = [self._sides.get(str(side.currentData())) for side in (self.old, self.new)]
        if sides[0] is None or sides[1] is None:
            self._say(self.tr("Connect a server, or open a recording."), "muted")
            return
        found = await asyncio.to_thread(compare_tools, sides[0](), sides[1]())
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

    def _offer(
        self, key: str, tools: Callable[[], Mapping[str, DeclaredTool]], label: str = ""
    ) -> None:
        is_new = key not in self._sides
        self._sides[key] = tools
        for side in (self.old, self.new) if is_new else ():
            side.addItem(mark_hidden(label or key), key)

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
        grid.setVerticalSpacing(space(2))
        for row, (name, side) in enumerate(zip(self._names, (self.old, self.new), strict=True)):
            name.setBuddy(side)
            grid.addWidget(name, row, 0)
            grid.addWidget(side, row, 1)
        grid.addWidget(self.recording, 0, 2)
        grid.setColumnStretch(1, 1)
        roles = QDialogButtonBox.ButtonRole
        box = QDialogButtonBox()
        box.addButton(self.copy, roles.ActionRole)
        box.addButton(self.leave, roles.RejectRole)
        for button in (self.recording, self.copy):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(5), space(4), space(5), space(4))
        column.setSpacing(space(3))
        column.addLayout(grid)
        column.addWidget(self.problem)
        column.addWidget(self.summary)
        column.addWidget(self.changes)
        column.addStretch(1)
        column.addWidget(box)
        self.resize(*_SIZE)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Compare tools"))
        older, newer = self._names
        older.setText(self.tr("Before"))
        newer.setText(self.tr("After"))
        self.recording.setText(self.tr("Recording…"))
        self.recording.setToolTip(self.tr("Compare with what was recorded by --record"))
        self.copy.setText(self.tr("Copy"))
        self.leave.setText(self.tr("Close"))
