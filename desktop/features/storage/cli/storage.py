"""`storage`: shows what the data folder holds, and deletes a kind of it after a yes.

Asks on a terminal, or is told `--yes`. Must not start a server.
"""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import layout, plain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.cli.output import Console
    from desktop.config.models import KeepDays
    from desktop.features.storage.kinds import Kind
    from desktop.features.storage.storage import Deleted, Storage
    from desktop.features.storage.usage import FolderUsage, KindUsage

_NOTES = """\
Without words it shows each kind of file in the data folder: size, files, the oldest, for how many
days it is kept, and its bound. `delete KIND` deletes all of a kind that can go; an open chat and
the logs of running servers stay. For how long each kind is kept is in the settings (`keep`).
Exit code 1 if something could not be deleted, 2 if nobody said yes.

examples:
  mcp-desktop storage
  mcp-desktop storage delete removed-server-logs
  mcp-desktop storage delete calls --yes --json"""
_HEADER: Final = ("KIND", "SIZE", "FILES", "SINCE", "KEPT", "BOUND")


class StorageOptions(Options):
    """What `storage` is told."""

    action: str | None = None
    kind: str | None = None
    yes: bool = False


def run(args: list[str], console: Console) -> int:
    options = _read(args)
    return asyncio.run(_with_storage(options, lambda storage: _run(options, storage, console)))


def _read(args: list[str]) -> StorageOptions:
    parser = make_parser("storage", COMMANDS["storage"], _NOTES)
    parser.add_argument("action", metavar="delete", nargs="?", choices=("delete",))
    parser.add_argument("kind", metavar="KIND", nargs="?", help="as the list names it")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    options = parser.parse(args, StorageOptions())
    if options.action is not None and options.kind is None:
        raise UsageError("KIND is missing.", remedy="Use: mcp-desktop storage delete KIND")
    return options


async def _with_storage(options: StorageOptions, work: Callable[[Storage], Awaitable[int]]) -> int:
    from desktop.bootstrap import history_limits, open_config_store
    from desktop.features.chat.agent.session_store import open_session_store
    from desktop.features.storage.storage import Storage
    from desktop.history.store import HistoryStore

    paths = options.paths
    # One that cannot be read costs nothing here: then no log is that of a removed server.
    store = open_config_store(paths)
    history = HistoryStore(paths.history, history_limits(store))
    try:
        return await work(Storage(paths, store, partial(open_session_store, paths), history))
    finally:
        await history.close()


async def _run(options: StorageOptions, storage: Storage, console: Console) -> int:
    if options.kind is None:
        _show(await storage.look(), storage, console)
        return Exit.DONE
    from desktop.features.storage.storage import find_kind

    kind = find_kind(options.kind)
    if not options.yes and not _agreed(kind, (await storage.look()).kinds[kind.key], console):
        if console.as_json:
            console.document({"kind": kind.key, "deleted": 0, "bytes": 0, "problems": []})
        return Exit.USAGE
    return _tell(kind, await storage.delete(kind), console)


def _agreed(kind: Kind, usage: KindUsage, console: Console) -> bool:
    if console.as_json or not console.terminal.types:
        console.note("Nothing was deleted: asking needs a terminal. Use --yes to delete it.")
        return False
    console.note(kind.loss)
    console.note(f"Delete {kind.title.lower()} ({_size(usage)})? [y/N]")
    if sys.stdin.readline().strip().lower() in {"y", "yes"}:
        return True
    console.note("Nothing was deleted.")
    return False


def _tell(kind: Kind, removal: Deleted, console: Console) -> int:
    from desktop.gui.widgets.formatting import format_size

    if console.as_json:
        document = {"kind": kind.key, "deleted": removal.count, "bytes": removal.size}
        console.document({**document, "problems": list(removal.problems)})
    what = "calls" if kind.key == "calls" else "files"
    console.note(f"Deleted {removal.count:,} {what}, {format_size(removal.size)}.")
    for problem in removal.problems:
        console.note(plain(problem))
    if (more := removal.failed - len(removal.problems)) > 0:
        console.note(f"{more} more could not be deleted.")
    return Exit.TOOL_ERROR if removal.failed else Exit.DONE


def _show(usage: FolderUsage, storage: Storage, console: Console) -> None:
    if console.as_json:
        console.document(_document(usage, storage))
        return
    rows = [_cells(each, storage.keep, storage.bound(each.kind)) for each in usage.kinds.values()]
    header, *lines = layout(_HEADER, rows, console.width)
    console.write(console.paint(header, "bold"))
    console.write("\n".join(lines))
    console.note(f"\n{_total(usage)} in {plain(str(storage.paths.data))}")


def _total(usage: FolderUsage) -> str:
    from desktop.gui.widgets.formatting import format_size

    more = "" if usage.is_complete else " (not all files were looked at)"
    return f"{format_size(usage.size)} in {usage.files:,} files{more}"


def _cells(usage: KindUsage, keep: KeepDays, bound: str) -> list[str]:
    since = time.strftime("%Y-%m-%d", time.localtime(usage.since)) if usage.since else "-"
    days = _days(usage.kind, keep)
    kept = "-" if days is None else f"{days} days" if days else "for ever"
    return [usage.kind.key, _size(usage), f"{usage.files:,}", since, kept, bound]


def _size(usage: KindUsage) -> str:
    from desktop.gui.widgets.formatting import format_size

    return format_size(usage.size) if usage.files or usage.size else "-"


def _days(kind: Kind, keep: KeepDays) -> int | None:
    return None if kind.keep is None else getattr(keep, kind.keep)


def _document(usage: FolderUsage, storage: Storage) -> dict[str, Any]:
    kinds = [
        {
            "kind": each.kind.key,
            "title": each.kind.title,
            "bytes": each.size,
            "files": each.files,
            "since": datetime.fromtimestamp(each.since, UTC).isoformat() if each.since else None,
            "bound": storage.bound(each.kind),
            "keepDays": _days(each.kind, storage.keep),
            "folder": str(storage.folder(each.kind)),
            "deletable": bool(each.kind.loss),
        }
        for each in usage.kinds.values()
    ]
    whole = {"bytes": usage.size, "files": usage.files, "complete": usage.is_complete}
    return {"data": str(storage.paths.data), **whole, "kinds": kinds}
