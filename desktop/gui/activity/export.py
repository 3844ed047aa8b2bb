"""Exports calls and messages as JSON lines to a file that a person picks.

Writes the whole file or nothing, a few milliseconds at a time. The lines arrive without secrets:
the caller redacts them.
"""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog

from desktop.gui import bridge
from desktop.redaction.redactor import redact_bounded, redact_result, redact_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from PySide6.QtWidgets import QWidget

    from desktop.redaction.redactor import Redaction
    from desktop.tool_types import CallStep
    from desktop.tools.call_log import LoggedCall

    Lines: TypeAlias = Callable[[], Iterable[str]]
    Written: TypeAlias = Callable[[str, int], None]


def json_lines(calls: Iterable[LoggedCall], redaction: Callable[[str], Redaction]) -> Iterator[str]:
    """One line for each call, with its newline; `redaction` is by the name of the server."""
    for call in calls:
        known = redaction(call.call.key.partition(":")[0])
        yield json.dumps(_document(call, known), ensure_ascii=False, default=str) + "\n"


def _document(call: LoggedCall, redaction: Redaction) -> dict[str, Any]:
    result = call.result
    redacted = redact_result(result, redaction) if result is not None else None
    return {
        "number": call.number,
        "at": datetime.fromtimestamp(call.at, UTC).isoformat(timespec="milliseconds"),
        "tool": redact_bounded(call.call.key, redaction),
        "origin": call.call.origin,
        "state": call.outcome or "running",
        "seconds": call.seconds,
        "arguments": redact_value(call.call.arguments, redaction),
        "steps": [_step(step, redaction) for step in call.steps],
        "result": redact_value(redacted.to_json(), redaction) if redacted is not None else None,
    }


def _step(step: CallStep, redaction: Redaction) -> dict[str, Any]:
    document = {"step": step.step, "elapsed": round(step.elapsed, 6)}
    return document | ({"detail": redact_bounded(step.detail, redaction)} if step.detail else {})


TURN = 0.008
"""Seconds of making lines between two turns of the loop."""
_SUFFIX = "jsonl"


class SaveExportDialog(QFileDialog):
    """Asks for a file and writes it; `written` is sent with the file and the number of lines."""

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


def export_as(owner: QWidget, name: str, lines: Lines, written: Written) -> SaveExportDialog:
    """Open the dialog over `owner`, where failures are shown.

    `lines` is called once a file was picked; the lines are then read a few at a time.
    """
    dialog = SaveExportDialog(owner, name, lines, written)
    dialog.open()
    return dialog


async def export(file: str, lines: Lines, written: Written) -> None:
    """Write the lines.

    Raises:
        ConfigError: the file cannot be written; nothing was changed.
    """
    import asyncio

    whole: list[str] = []
    turn = time.perf_counter()
    for line in lines():
        whole.append(line)
        if time.perf_counter() - turn > TURN:
            await asyncio.sleep(0)
            turn = time.perf_counter()
    await asyncio.to_thread(_write, file, whole)
    written(file, len(whole))


def _write(file: str, lines: list[str]) -> None:
    from pathlib import Path

    from desktop.atomic_file import write_file

    write_file(Path(file), "".join(lines).encode("utf-8", "replace"))
