"""Looks through the data folder: which kind each file is of, and how much of each there is.

For a thread: it may take seconds. Never follows a link, reads no more of a file than its first
bytes, and passes over what vanishes meanwhile. Must not change anything.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

from desktop.base.later_patterns import compile_later
from desktop.diagnostics.logs import FILE
from desktop.features.storage.kinds import (
    APP_LOG,
    BUNDLES,
    CALLS,
    CHATS,
    CRASH_REPORTS,
    EVALS,
    KINDS,
    LEDGERS,
    OTHER,
    RECORDINGS,
    REMOVED_LOGS,
    SANDBOXES,
    SAVED_CALLS,
    SERVER_LOGS,
    SET_ASIDE,
    STATE,
)
from desktop.processes.ledger import read_ledger
from desktop.servers.recording import FORMAT
from desktop.servers.transport.stderr_log import log_file_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from desktop.base.paths import Paths
    from desktop.features.storage.kinds import Kind

MAX_FILES: Final = 500_000
"""Files that are looked at; where there are more, that is said."""
_MAX_LEDGERS: Final = 1_000
_MAX_PEEKS: Final = 1_000
"""Files whose first bytes are read, to know a recording."""
_SIDES: Final = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file."""
_STATE: Final = frozenset(
    ("approvals", "commands", "eras", "gateway", "mcp", "secrets", "trust", "window")
)
"""Beginnings of the names of files of ours, up to the first dot."""
_SET_ASIDE: Final = compile_later(r"\.(?:damaged|foreign|newer|older)-[0-9]")
"""In the name that a file gets that could not be used as it was."""
_CHAT: Final = compile_later(r"([0-9]{8}-[0-9]{6}-[0-9a-f]{6})(?:\.jsonl)?")
_BEGINNINGS: Final = (b'{"%s"' % FORMAT.encode(), b'{"number": ', b'{"event": "')
"""Of recordings, of traces of messages (`--trace`) and of traces of a start."""


class Item(Struct):
    """Files that are deleted together: a log and what it was before, a chat and its results."""

    name: str
    files: list[Path] = field(default_factory=list["Path"])
    size: int = 0
    changed: float = 0.0
    """When one of them was last written, in seconds since the epoch."""


class KindUsage(Struct):
    """How much there is of a kind; `size` in bytes, `since` in seconds since the epoch or 0."""

    kind: Kind
    size: int = 0
    files: int = 0
    since: float = 0.0
    items: dict[str, Item] = field(default_factory=dict[str, Item])
    """By name; of kinds that are deleted here file by file."""


class FolderUsage(Struct):
    """What the data folder holds, by the keys of the kinds."""

    kinds: dict[str, KindUsage]
    is_complete: bool = True
    """Whether all files were looked at."""

    @property
    def size(self) -> int:
        return sum(each.size for each in self.kinds.values())

    @property
    def files(self) -> int:
        return sum(each.files for each in self.kinds.values())


class _Found(NamedTuple):
    parts: tuple[str, ...]
    """The names of its folders below the data folder, and its own."""
    path: Path
    status: os.stat_result


def measure(
    paths: Paths, servers: Collection[str] | None, max_files: int = MAX_FILES
) -> FolderUsage:
    """Look through the data folder.

    Args:
        paths: where it is.
        servers: the names of all that are configured; None where nobody knows: then no log counts
            as that of a removed server.
        max_files: files that are looked at.
    """
    usage = FolderUsage({kind.key: KindUsage(kind) for kind in KINDS})
    sorter = _Sorter(paths, servers)
    for count, found in enumerate(_walk(paths.data)):
        if count >= max_files:
            usage.is_complete = False
            break
        kind, item = sorter.sort(found)
        _add(usage.kinds[kind.key], found, item)
    return usage


def _add(usage: KindUsage, found: _Found, name: str) -> None:
    size, changed = found.status.st_size, found.status.st_mtime
    usage.size += size
    usage.files += 1
    usage.since = min(usage.since or changed, changed)
    if name:
        item = usage.items.setdefault(name, Item(name))
        item.files.append(found.path)
        item.size += size
        item.changed = max(item.changed, changed)


def _walk(folder: Path) -> Iterator[_Found]:
    """Every file below, without following a link."""
    todo: list[tuple[Path, tuple[str, ...]]] = [(folder, ())]
    while todo:
        here, parts = todo.pop()
        try:
            entries = list(os.scandir(here))
        except OSError:  # gone meanwhile, or not ours
            continue
        for entry in entries:
            below = (*parts, entry.name)
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISDIR(status.st_mode):
                todo.append((here / entry.name, below))
            else:
                yield _Found(below, here / entry.name, status)


_WHOLE: Final = {
    "processes": LEDGERS,
    "calls": SAVED_CALLS,
    "evals": EVALS,
    "sandbox": SANDBOXES,
    "bundles": BUNDLES,
}
"""The folders of which each file is of one kind."""


class _Sorter:
    """Tells of what kind a file is, and of which item."""

    def __init__(self, paths: Paths, servers: Collection[str] | None) -> None:
        self._history = paths.history.name
        self._logs = (
            None if servers is None else {*map(log_file_name, servers), *_logs_in_use(paths)}
        )
        self._peeks = 0

    def sort(self, found: _Found) -> tuple[Kind, str]:
        """Its kind, and the name of its item, empty where it is not deleted file by file."""
        top = found.parts[0]
        if len(found.parts) <= 2 and _SET_ASIDE.search(found.path.name):
            return SET_ASIDE, _without_side("/".join(found.parts))
        if len(found.parts) == 1:
            return self._at_the_top(found, top)
        match top:
            case "sessions":
                return self._chat(found)
            case "logs":
                return self._log(found)
            case "crashes":
                name = found.path.name
                return CRASH_REPORTS, name if name.endswith(".txt") else ""
            case "recordings":
                return self._recording(found)
            case _:
                return _WHOLE.get(top, OTHER), ""

    def _at_the_top(self, found: _Found, name: str) -> tuple[Kind, str]:
        if _without_side(name) == self._history:
            return CALLS, ""
        if name.partition(".")[0] in _STATE:
            return STATE, ""
        return self._recording(found)

    def _chat(self, found: _Found) -> tuple[Kind, str]:
        chat = _CHAT.fullmatch(found.parts[1])
        return CHATS, chat[1] if chat is not None else ""

    def _log(self, found: _Found) -> tuple[Kind, str]:
        _, name, *below = found.parts
        if not below and (name == FILE or name.startswith(f"{FILE}.")):
            return APP_LOG, FILE
        if name != "servers" or len(below) != 1:
            return OTHER, ""
        log = below[0].removesuffix(".1")
        is_removed = self._logs is not None and log not in self._logs
        return REMOVED_LOGS if is_removed else SERVER_LOGS, log

    def _recording(self, found: _Found) -> tuple[Kind, str]:
        if stat.S_ISREG(found.status.st_mode) and self._peeks < _MAX_PEEKS:
            self._peeks += 1
            if _first_bytes(found.path).startswith(_BEGINNINGS):
                return RECORDINGS, "/".join(found.parts)
        return OTHER, ""


def _without_side(name: str) -> str:
    return next((name.removesuffix(side) for side in _SIDES if name.endswith(side)), name)


def _logs_in_use(paths: Paths) -> Iterator[str]:
    """The logs of servers that a run has now, perhaps of another config file."""
    try:
        names = os.listdir(paths.ledgers)[:_MAX_LEDGERS]
    except OSError:
        return
    for name in names:
        try:
            listed = read_ledger(paths.ledgers / name).entries
        except OSError:
            continue
        for entry in listed:
            yield log_file_name(entry.owner)


def _first_bytes(path: Path) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 64)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
