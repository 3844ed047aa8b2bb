"""Records what goes between the app and its servers to a file, from a click to the next.

The file begins with the messages that are kept already, so that it knows what connected servers
offer: `mcp-desktop replay` serves it, *Compare…* takes it. Must not show anything but the dialog.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from desktop.base.errors import UsageError
from desktop.gui import bridge
from desktop.servers.recording import Recorder

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from desktop.servers.message_log import MessageLog

_SUFFIX = "jsonl"


class SessionRecording(QObject):
    """Belongs to the view at which it is begun, and ends with it."""

    changed = Signal()
    ended = Signal(str, int)
    """The file, and how many messages are in it."""

    def __init__(self, traffic: MessageLog, owner: QWidget) -> None:
        super().__init__(owner)
        self._traffic, self._owner = traffic, owner
        self._file = ""
        running = self._running = list[Recorder]()
        self.destroyed.connect(lambda: _close_all(running))

    @property
    def is_on(self) -> bool:
        return bool(self._running)

    def toggle(self) -> QFileDialog | None:
        """Ask for a file and begin; or end, and say so."""
        if self.is_on:
            self.stop()
            return None
        dialog = QFileDialog(self._owner, self.tr("Record messages"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(_SUFFIX)
        dialog.setNameFilters([self.tr("Recordings (*.jsonl)"), self.tr("All files (*)")])
        dialog.selectFile(f"recording.{_SUFFIX}")
        dialog.fileSelected.connect(self._start)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def stop(self) -> None:
        """End the file with its seal; where it could not be written whole, that is an error."""
        recorder = self._running.pop()
        recorder.close()
        self.changed.emit()
        if recorder.problem:
            bridge.show_error(self._owner, UsageError(recorder.problem), self.tr("Record messages"))
        else:
            self.ended.emit(self._file, recorder.count)

    def _start(self, file: str) -> None:
        bridge.run(self._owner, self._begin(file), self.tr("Record messages"))

    async def _begin(self, file: str) -> None:
        if not self.is_on:
            self._running.append(Recorder(self._traffic, Path(file), with_kept=True))
            self._file = file
            self.changed.emit()


def _close_all(running: list[Recorder]) -> None:
    while running:
        running.pop().close()
