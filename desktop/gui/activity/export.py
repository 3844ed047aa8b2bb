"""Exports calls and messages as JSON lines to a file that a person picks.

Writes the whole file or nothing, a few milliseconds at a time. The lines arrive without secrets:
the caller redacts them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog

from desktop.gui import bridge
from desktop.redaction.redactor import redact_bounded, redact_value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from typing import TypeAlias

    from PySide6.QtWidgets import QWidget

    from desktop.history.records import Query, Record
    from desktop.history.store import HistoryStore
    from desktop.redaction.redactor import Redaction
    from desktop.tools.call_log import CallLog, LoggedCall
    from desktop.values.tool_types import CallStep

    Lines: TypeAlias = Callable[[], Iterable[str] | AsyncIterator[str]]
    Written: TypeAlias = Callable[[str, int], None]


async def history_lines(
    store: HistoryStore,
    query: Query,
    calls: CallLog,
    redaction: Callable[[str], Redaction],
    unkept: Iterable[tuple[Record, LoggedCall]] = (),
    before: int | None = None,
) -> AsyncIterator[str]:
    """One line for each call, the latest first, with its newline; those of this run with steps.

    Args:
        store: has the calls of `query`.
        query: which of them.
        calls: those of this run.
        redaction: knows the secrets of a server, by its name.
        unkept: calls that the history does not have.
        before: the id of a call; of the history, only those older than that.

    Raises:
        HistoryError: the history cannot be read.
    """
    for record, one in unkept:
        yield _line(record, one, redaction(record.summary.server))
    logged = {(one.call.call_id, one.call.key): one for one in calls.calls.values()}
    while (page := await store.page(query, before)).calls:
        before = page.calls[-1].id
        for summary in page.calls:
            if (record := await store.get(summary.id)) is not None:
                one = logged.get((summary.call_id, summary.key))
                yield _line(record, one, redaction(summary.server))


def _line(record: Record, logged: LoggedCall | None, redaction: Redaction) -> str:
    document = _document(record, logged, redaction)
    return json.dumps(document, ensure_ascii=False, default=str) + "\n"


def _document(record: Record, logged: LoggedCall | None, redaction: Redaction) -> dict[str, Any]:
    call = record.summary
    result = redact_value(record.result.to_json(), redaction)
    document = {
        "id": call.id,
        "at": call.at.isoformat(timespec="milliseconds"),
        "kind": call.kind,
        "tool": redact_bounded(call.key, redaction),
        "origin": call.origin,
        "model": call.model,
        "state": "success" if call.is_done else call.outcome,
        "seconds": call.duration,
        "approval_wait": call.approval_wait,
        "arguments": redact_value(record.arguments, redaction),
        "result": result,
    }
    if logged is not None:
        document["steps"] = [_step(step, redaction) for step in logged.steps]
    return document


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
    async for line in _one_by_one(lines()):
        whole.append(line)
        if time.perf_counter() - turn > TURN:
            await asyncio.sleep(0)
            turn = time.perf_counter()
    await asyncio.to_thread(_write, file, whole)
    written(file, len(whole))


async def _one_by_one(lines: Iterable[str] | AsyncIterator[str]) -> AsyncIterator[str]:
    if isinstance(lines, Iterable):
        for line in lines:
            yield line
    else:
        async for line in lines:
            yield line


def _write(file: str, lines: list[str]) -> None:
    from pathlib import Path

    from desktop.base.atomic_file import write_file

    write_file(Path(file), "".join(lines).encode("utf-8", "replace"))
