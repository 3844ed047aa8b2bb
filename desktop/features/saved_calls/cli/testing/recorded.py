"""`test --record FILE`: writes saved calls of what was called, in a recording or the history."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from desktop.base.errors import UsageError
from desktop.cli.exit_codes import Exit
from desktop.cli.output import plain
from desktop.features.saved_calls.cli.testing.joining import find_cases
from desktop.features.saved_calls.recorded_calls import MadeCall, save_made_calls
from desktop.features.saved_calls.recorded_runner import recorded_result
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.cli.output import Console
    from desktop.features.saved_calls.cli.testing.options import TestOptions
    from desktop.features.saved_calls.recorded_calls import Expected
    from desktop.history.records import Record
    from desktop.servers.recording import Exchange

MAX_CALLS = 500
"""Calls of the history that are taken: nobody reads more in one file."""


def record_calls(options: TestOptions, file: Path, console: Console) -> int:
    """Write the saved calls; nothing is called.

    Raises:
        UsageError: the file is there already, there is nothing to record, or it cannot be read.
    """
    from desktop.features.saved_calls.saved_call_files import CallFile, write_calls

    if file.exists():
        raise UsageError(f"{file} exists already; nothing was written.", remedy="Name a new file.")
    if options.origin is not None and options.origin.suffix.lower() in {".yaml", ".yml"}:
        return find_cases().convert(options.origin, file, console)
    server = _server(options)
    if options.origin is not None:
        made = _from_recording(options.origin, server, console)
    else:
        made = asyncio.run(_from_history(options, server))
    if not made:
        where = options.origin or "the history"
        of_server = f" of {server}" if server else ""
        raise UsageError(f"There are no calls{of_server} in {where}.")
    expected: Expected = options.expect
    recorded = save_made_calls(made, expected)
    write_calls(CallFile(file, tuple(recorded.calls), {"calls": []}))
    for place in recorded.left_out:
        console.note(plain(f"{place} is left out: it looked like a secret. Put a value in."))
    _tell(console, file, expected, len(recorded.calls), recorded.variables)
    return Exit.DONE


def _tell(console: Console, file: Path, expected: Expected, calls: int, variables: int) -> None:
    if console.as_json:
        console.document({"file": str(file), "calls": calls, "variables": variables})
        return
    taken = f", values taken from earlier results: {variables}" if variables else ""
    written = "1 saved call" if calls == 1 else f"{calls} saved calls"
    console.write(f"{written} written to {plain(str(file))}{taken}.")
    update = " --update-snapshots" if expected == "snapshot" else ""
    console.write(f"Run them with: mcp-desktop test {plain(str(file))}{update}")


def _server(options: TestOptions) -> str:
    names = options.server or []
    if len(names) > 1 or any("=" in name for name in names):
        raise UsageError("With --record alone, --server is the name of one server.")
    return names[0] if names else ""


def _from_recording(path: Path, server: str, console: Console) -> list[MadeCall]:
    from desktop.servers.recording import read_recording

    recording = read_recording(path)
    for note in recording.notes:
        console.note(plain(note))
    if server and server not in recording.servers:
        known = ", ".join(recording.servers) or "none"
        raise UsageError(f"{path} has no server {server!r}.", remedy=f"Recorded: {known}.")
    made: list[MadeCall] = []
    for name, recorded in recording.servers.items():
        if server in ("", name):
            made += [
                call
                for exchange in recorded.of("tools/call")
                if (call := _made(name, exchange)) is not None
            ]
    return made


def _made(server: str, exchange: Exchange) -> MadeCall | None:
    """None for a call without a whole answer."""
    name: Any = exchange.params.get("name")
    if not isinstance(name, str) or not name:
        return None
    arguments = object_of(exchange.params.get("arguments"))
    result = recorded_result(exchange)
    return MadeCall(f"{server}:{name}", arguments, result) if result is not None else None


async def _from_history(options: TestOptions, server: str) -> list[MadeCall]:
    """The calls of tools, the oldest first."""
    from desktop.history.records import Query
    from desktop.history.store import HistoryStore

    store = HistoryStore(options.paths.history)
    try:
        page = await store.page(Query(server=server), count=options.last)
        numbers = [call.id for call in reversed(page.calls) if call.kind == "tool"]
        records = [await store.get(number) for number in numbers]
    finally:
        await store.close()
    return [
        _of_record(record)
        for record in records
        if record is not None and record.arguments is not None
    ]


def _of_record(record: Record) -> MadeCall:
    return MadeCall(
        record.summary.key,
        record.arguments or {},
        record.result,
        record.hidden,
        is_validated=not record.result.is_unchecked,
    )
