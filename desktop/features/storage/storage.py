"""`Storage`: measures what the data folder holds, deletes a kind of it, and removes what is old.

What has an owner goes the owner's way: calls by the history, chats by the store of sessions, which
leaves those that are open. A log that is written to is emptied in place. All that touches the disk
is done in a thread, one thing at a time. Must not delete what a run needs: the config, what is
trusted, the names of secrets, the ledgers.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from desktop.base.errors import DesktopError, UsageError
from desktop.base.signals import Signal
from desktop.base.translatable import translatable
from desktop.features.storage.kinds import (
    APP_LOG,
    CALLS,
    CHATS,
    KINDS,
    LARGE_RESULTS,
    SERVER_LOGS,
    calls_bound,
)
from desktop.features.storage.usage import measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from desktop.base.paths import Paths
    from desktop.config.models import KeepDays
    from desktop.config.store import ConfigStore
    from desktop.features.chat.agent.session_store import SessionStore
    from desktop.features.storage.kinds import Kind
    from desktop.features.storage.usage import FolderUsage, Item, KindUsage
    from desktop.history.serialization import HistoryLimits
    from desktop.history.store import HistoryStore

MAX_PROBLEMS: Final = 5
"""What could not be deleted is named up to this number, and counted beyond."""
_DAY: Final = 86_400.0
_IN_USE: Final = 3_600.0
"""Seconds after its last change in which a file that is over a bound may still be written to."""

logger = logging.getLogger(__name__)


class Deleted(Struct, frozen=True):
    """What went, in files (or calls) and bytes, and why some could not."""

    count: int = 0
    size: int = 0
    failed: int = 0
    problems: tuple[str, ...] = ()
    """The first `MAX_PROBLEMS` of those that failed."""

    def __add__(self, other: Deleted) -> Deleted:
        return Deleted(
            self.count + other.count,
            self.size + other.size,
            self.failed + other.failed,
            (*self.problems, *other.problems)[:MAX_PROBLEMS],
        )


def find_kind(key: str) -> Kind:
    """The kind of this name.

    Raises:
        UsageError: there is none, or it is not deleted here.
    """
    deletable = ", ".join(kind.key for kind in KINDS if kind.loss)
    for kind in KINDS:
        if kind.key == key and kind.loss:
            return kind
        if kind.key == key:
            words = f"{kind.title} are not deleted here: {kind.bound}."
            raise UsageError(words, remedy=f"There are: {deletable}.")
    raise UsageError(f"There is no kind {key[:60]!r}.", remedy=f"There are: {deletable}.")


class Storage:
    """The data folder of one installation.

    `changed` is sent after something was deleted. `aged` counts what this run removed because it
    was old or over a bound, by the keys of the kinds.
    """

    def __init__(
        self,
        paths: Paths,
        store: ConfigStore,
        sessions: Callable[[], SessionStore],
        history: HistoryStore,
        *,
        spilled: Callable[[], int] = lambda: 0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Touches nothing yet.

        Args:
            paths: where the data folder is.
            store: which servers there are, and for how long files are kept.
            sessions: gives what deletes chats, and is asked when there are some to delete.
            history: deletes calls.
            spilled: bytes of large results that this run has in files without a name.
            clock: seconds since the epoch.
        """
        self.paths = paths
        self.changed: Signal[[]] = Signal()
        self.aged: dict[str, Deleted] = {}
        self._store, self._sessions, self._history = store, sessions, history
        self._spilled, self._clock = spilled, clock
        self._turn = asyncio.Lock()

    @property
    def keep(self) -> KeepDays:
        """For how many days each kind is kept."""
        return self._store.settings.keep

    def folder(self, kind: Kind) -> Path:
        """Where files of a kind are; it need not be there."""
        return self.paths.data / kind.place

    async def look(self) -> FolderUsage:
        """Measure everything."""
        usage = await asyncio.to_thread(measure, self.paths, self._servers())
        usage.kinds[LARGE_RESULTS.key].size += self._spilled()
        usage.kinds[CALLS.key].since = await self._oldest_call(usage.kinds[CALLS.key])
        return usage

    def bound(self, kind: Kind) -> str:
        """What is kept of it at most, as text that can be translated."""
        return calls_bound(self._history.limits) if kind is CALLS else kind.bound

    async def surplus_of_calls(self, limits: HistoryLimits) -> tuple[int, int]:
        """How many calls would go if `limits` held now, and their bytes.

        Raises:
            HistoryError: the file cannot be read.
        """
        if not self.paths.history.exists():  # a look would make it
            return 0, 0
        found = await self._history.surplus(limits)
        return found.calls, found.bytes

    async def _oldest_call(self, calls: KindUsage) -> float:
        """The file itself says when it was last written; 0 where there is none, or it is broken."""
        if not calls.files:  # a look would make the file
            return 0.0
        try:
            since = (await self._history.kept()).since
            return since.timestamp() if since is not None else 0.0
        except DesktopError as error:
            logger.info("storage: %s", error)
            return 0.0

    async def delete(self, kind: Kind) -> Deleted:
        """Delete all of a kind that can go; what cannot is in the answer.

        Raises:
            UsageError: it is not deleted here.
        """
        find_kind(kind.key)
        async with self._turn:
            before = (await self.look()).kinds[kind.key]
            if kind is CALLS:
                removal = await self._delete_calls(before)
            else:
                removal = await self._remove(kind, before.items.values())
        _log(kind, removal, "deleted by a person")
        self.changed.send()
        return removal

    async def remove_old(self) -> dict[str, Deleted]:
        """Remove what is older than the settings say, and what is over a bound, the oldest first.

        Does nothing while the config cannot be read: it says what is kept.
        """
        async with self._turn:
            if self._store.error is not None:
                return {}
            usage, removed = await self.look(), dict[str, Deleted]()
            for each in usage.kinds.values():
                if items := self.surplus(each, self.keep):
                    removal = await self._remove(each.kind, items, quietly=True)
                    removed |= {each.kind.key: removal} if removal != Deleted() else {}
        for key, removal in removed.items():
            self.aged[key] = self.aged.get(key, Deleted()) + removal
            _log(usage.kinds[key].kind, removal, "removed as old or over the bound")
            for problem in removal.problems:
                logger.warning("storage: %s", problem)
        if removed:
            self.changed.send()
        return removed

    def _servers(self) -> frozenset[str] | None:
        """The names of all servers; None where the config does not say."""
        if self._store.error is not None:
            return None
        return frozenset((*self._store.servers, *self._store.problems))

    def surplus(self, usage: KindUsage, keep: KeepDays) -> list[Item]:
        """What of a kind is too old by `keep`, or over its bound; the oldest first."""
        kind, now = usage.kind, self._clock()
        days = getattr(keep, kind.keep) if kind.keep is not None else 0
        items = sorted(usage.items.values(), key=lambda item: item.changed)
        count, size = len(items), sum(item.size for item in items)
        gone: list[Item] = []
        for item in items:
            is_old = bool(days) and item.changed < now - days * _DAY
            is_over = 0 < kind.most_items < count or 0 < kind.most_bytes < size
            if is_old or (is_over and item.changed < now - _IN_USE):
                gone.append(item)
                count, size = count - 1, size - item.size
        return gone

    async def _remove(self, kind: Kind, items: Iterable[Item], *, quietly: bool = False) -> Deleted:
        """Remove them; with `quietly`, what is in use is left without a word."""
        if kind is CHATS:
            return await self._delete_chats(items, quietly=quietly)
        empty_only = kind in (APP_LOG, SERVER_LOGS)
        return await asyncio.to_thread(_remove_files, list(items), empty_only=empty_only)

    async def _delete_chats(self, chats: Iterable[Item], *, quietly: bool) -> Deleted:
        removal, sessions = Deleted(), self._sessions()
        for chat in chats:
            try:
                await sessions.delete(chat.name)
                removal += Deleted(len(chat.files), chat.size)
            except DesktopError as error:
                if not quietly:
                    problem = f"{chat.name}: {error.args[0]}"
                    removal += Deleted(failed=1, problems=(problem,))
        return removal

    async def _delete_calls(self, before: KindUsage) -> Deleted:
        if not before.files:
            return Deleted()
        try:
            calls = (await self._history.page(count=1)).total
            await self._history.delete_all()
        except DesktopError as error:
            return Deleted(failed=1, problems=(str(error.args[0]),))
        after = (await self.look()).kinds[CALLS.key]
        return Deleted(calls, max(0, before.size - after.size))


def _remove_files(items: list[Item], *, empty_only: bool) -> Deleted:
    """In a thread. A log that goes on is emptied, what it was before goes."""
    removal = Deleted()
    for item in items:
        for file in item.files:
            try:
                size = os.lstat(file).st_size
                if empty_only and file.name == item.name:
                    os.truncate(file, 0)
                else:
                    file.unlink()
            except FileNotFoundError:
                continue
            except OSError as error:
                problem = translatable(
                    "{path} cannot be deleted: {reason}.", path=file, reason=error.strerror
                )
                removal += Deleted(failed=1, problems=(problem,))
            else:
                removal += Deleted(1, size)
    return removal


def _log(kind: Kind, removal: Deleted, why: str) -> None:
    logger.info("storage: %d of %s, %d bytes, %s", removal.count, kind.key, removal.size, why)
