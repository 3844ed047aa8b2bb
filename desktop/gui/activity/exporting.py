"""Writes JSON lines to a file that a person picks: whole or not at all, off the loop.

The lines come without secrets: whoever gives them sees to that. Waits in no dialog.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog

from desktop.gui import bridge

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from typing import TypeAlias

    from PySide6.QtWidgets import QWidget

    Lines: TypeAlias = Callable[[], Awaitable[Iterable[str]]]
    Written: TypeAlias = Callable[[str, int], None]

_SUFFIX = "jsonl"


class ExportDialog(QFileDialog):
    """Asks where to, writes there in a thread, tells `written` the file and the lines."""

    def __init__(self, owner: QWidget, name: str, lines: Lines, written: Written) -> None:
        super().__init__(owner, QCoreApplication.translate("Exporting", "Export"))
        self._owner, self._lines, self._written = owner, lines, written
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(_SUFFIX)
        self.setNameFilters(
            [
                QCoreApplication.translate("Exporting", "JSON lines (*.jsonl)"),
                QCoreApplication.translate("Exporting", "All files (*)"),
            ]
        )
        self.selectFile(f"{name}.{_SUFFIX}")
        self.fileSelected.connect(self._write)
        self.finished.connect(self.deleteLater)

    def _write(self, file: str) -> None:
        coroutine = export(file, self._lines, self._written)
        bridge.run(self._owner, coroutine, QCoreApplication.translate("Exporting", "Export"))


def export_as(owner: QWidget, name: str, lines: Lines, written: Written) -> ExportDialog:
    """Open the dialog over `owner`, where failures are shown.

    `lines` is awaited when a file was picked; what it gives is read in a thread.
    """
    dialog = ExportDialog(owner, name, lines, written)
    dialog.open()
    return dialog


async def export(file: str, lines: Lines, written: Written) -> None:
    """Write the lines.

    Raises:
        ConfigError: the file cannot be written; nothing was changed.
    """
    import asyncio

    count = await asyncio.to_thread(_write, file, await lines())
    written(file, count)


def _write(file: str, lines: Iterable[str]) -> int:
    from pathlib import Path

    from desktop.config.files import write_file

    whole = list(lines)
    write_file(Path(file), "".join(whole).encode("utf-8", "replace"))
    return len(whole)
