"""The calls on disk, for a loop that never waits for the disk, and what records them.

One thread has the file; it and SQLite itself are there from the first call on. A failure to write
costs the history, never a call, and a call is never changed. What cannot be written waits until the
file can be used again, while there is room in memory. Several processes may have the same file.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from desktop.base.errors import DesktopError
from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.history.records import FinishedCall
from desktop.history.serialization import HistoryLimits
from desktop.values.spilled import beginning
from desktop.values.tool_types import EMPTY, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import ThreadPoolExecutor
    from datetime import datetime
    from pathlib import Path

    from desktop.history.database import FilePlace, HistoryDatabase
    from desktop.history.records import (
        CallKind,
        CallPage,
        Kept,
        LastRun,
        Query,
        Record,
        SavedCallPlace,
    )
    from desktop.history.serialization import CallRow
    from desktop.redaction.redactor import Redaction
    from desktop.servers.service import McpService
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry
    from desktop.values.prompt_types import PromptResult
    from desktop.values.resource_types import ReadResult
    from desktop.values.tool_types import Content, JsonObject, ToolError

T = TypeVar("T")
PAGE = 200
CLOSE_LIMIT = 2.0
"""Seconds that a quit waits for what is not yet written."""
DELAY = 0.05
"""Calls that end in this time share one write: each write takes time from the calls that run."""
RETRY = 2.0
"""Seconds until calls that could not be written are tried again."""
CHECK_DELAY = 10.0
"""Seconds from the first look at the calls to the reading of the whole file, once a day."""
_BATCH = 200
_MAX_LOST = 1_000
"""Calls that could not be kept, and are known by their ids."""

logger = logging.getLogger(__name__)


class HistoryError(DesktopError):
    """The history file cannot be used; the message names it and says why."""


class HistoryStore:
    """All calls, the latest first.

    `problem` says why calls are not recorded and is empty while they are; `waiting` is how many
    will be once it can be done. `notice` says what was put aside, for as long as this runs.
    `changed` follows all of them, and each change of the calls.
    """

    def __init__(
        self,
        path: Path,
        limits: HistoryLimits | None = None,
        delay: float = DELAY,
        retry: float = RETRY,
    ) -> None:
        """Touches nothing: the file is opened with the first call or look.

        Args:
            path: the file.
            limits: what is kept.
            delay: seconds that a call waits for others to be written with it.
            retry: seconds until what could not be written is tried again.
        """
        self.path = path
        self.problem = ""
        self.notice = ""
        self.lost = 0
        self._lost_ids: dict[str, None] = {}
        self.changed: Signal[[]] = Signal()
        self._limits = limits or HistoryLimits()
        self._place: FilePlace | None = None
        self._retry = retry
        self._check: asyncio.TimerHandle | None = None
        self._following: asyncio.Task[None] | None = None
        self._pending: deque[FinishedCall] = deque()
        self._weight = 0
        self._delay = delay
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self._pool: ThreadPoolExecutor | None = None
        self._database: HistoryDatabase | None = None
        self._is_closed = False

    @property
    def is_writing(self) -> bool:
        """Whether calls wait for the disk."""
        return self._weight > 0

    @property
    def limits(self) -> HistoryLimits:
        """What is kept."""
        return self._limits

    @property
    def waiting(self) -> int:
        """How many calls wait for the disk."""
        return len(self._pending)

    def follow_limits(self, limits: HistoryLimits) -> None:
        """Keep as much as that from now on; what is too much goes in steps beside all else."""
        if limits == self._limits or self._is_closed:
            return
        self._limits = limits
        if self._following is None and self._pool is not None:
            self._following = spawn(self._trim(), "history limits")

    def has_lost(self, call_id: str) -> bool:
        """Whether a call of this id could not be kept."""
        return call_id in self._lost_ids

    def add(self, finished: FinishedCall) -> None:
        """Keep this call; returns at once and never raises for the file."""
        if self._is_closed:
            return
        if self._weight > self._limits.pending:
            slow = translatable("the disk is slower than the calls")
            self._lose((finished,), self.problem or slow)
            self.changed.send()
            return
        self._weight += finished.weight
        self._pending.append(finished)
        self._schedule()

    async def page(
        self, query: Query | None = None, before: int | None = None, count: int = PAGE
    ) -> CallPage:
        """`count` calls of `query` at most, older than the call with the id `before`.

        Raises:
            HistoryError: the file cannot be read.
        """
        from desktop.history.records import Query

        wanted = query or Query()
        found = await self._ask(lambda database: database.page(wanted, before, count))
        if self._check is None and not self._is_closed:
            self._check = asyncio.get_running_loop().call_later(CHECK_DELAY, self._check_once)
        return found

    async def kept(self) -> Kept:
        """How much is kept, and since when. Raises `HistoryError`."""
        return await self._ask(lambda database: database.kept())

    async def surplus(self, limits: HistoryLimits) -> Kept:
        """How many calls, and bytes, would go if `limits` held now. Raises `HistoryError`."""
        return await self._ask(lambda database: database.surplus(limits))

    async def oldest(self, count: int) -> int | None:
        """The id of the call after the `count` oldest ones, None if there are no more of them.

        Raises:
            HistoryError: the file cannot be read.
        """
        return await self._ask(lambda database: database.oldest(count))

    async def check(self) -> None:
        """Read the whole file: damage is found, and what can be read is taken over.

        Raises:
            HistoryError: the file cannot be used.
        """
        await self._ask(lambda database: database.check(is_due=True))

    async def servers(self) -> list[str]:
        """The names of all servers that calls are kept of. Raises `HistoryError`."""
        return await self._ask(lambda database: database.servers())

    async def get(self, number: int) -> Record | None:
        """The whole of one call, None where it is gone. Raises `HistoryError`."""
        return await self._ask(lambda database: database.get(number))

    async def media(self, number: int, count: int = 3) -> list[bytes]:
        """The first `count` pictures and sounds of a result. Raises `HistoryError`."""
        return await self._ask(lambda database: database.media(number, count))

    async def delete(self, numbers: Sequence[int]) -> None:
        """Remove these calls for good. Raises `HistoryError`."""
        await self._ask(lambda database: database.delete(numbers))
        self.changed.send()

    async def delete_before(self, at: datetime) -> None:
        """Remove the calls that started before `at`. Raises `HistoryError`."""
        await self._ask(lambda database: database.delete_before(at.timestamp()))
        self.changed.send()

    async def delete_all(self) -> None:
        """Remove every call for good. Raises `HistoryError`."""
        await self._ask(lambda database: database.delete_before(float("inf")))
        self.changed.send()

    async def keep_last_run(self, place: SavedCallPlace, run: LastRun) -> None:
        """Remember how a saved call went. Raises `HistoryError`."""
        await self._ask(lambda database: database.keep_last_run(place, run))

    async def last_runs(self) -> dict[SavedCallPlace, LastRun]:
        """How the saved calls went last, in this run or an earlier one. Raises `HistoryError`."""
        return await self._ask(lambda database: database.last_runs())

    async def look(self) -> None:
        """Send `changed` if another process has written meanwhile. Raises `HistoryError`."""
        if await self._ask(lambda database: database.has_changed()):
            self.changed.send()

    def write_now(self) -> None:
        """Begin to write what is pending, for whoever is about to wait for something else."""
        if self._timer is not None:
            self._timer.cancel()
            self._begin()

    async def close(self) -> None:
        """Write what is pending, `CLOSE_LIMIT` seconds at most, and let go of the file."""
        self._is_closed = True
        if self._check is not None:
            self._check.cancel()
        self.write_now()
        works = {work for work in (self._writing, self._following) if work is not None}
        if works:
            await asyncio.wait(works, timeout=CLOSE_LIMIT)
        if self._pending:
            why = self.problem or translatable("there was no time for it")
            logger.warning("%d calls were not recorded before the end: %s", self.waiting, why)
            self._lose(self._pending, why)
            self._pending.clear()
        pool, self._pool = self._pool, None
        if pool is not None:
            letting_go = asyncio.get_running_loop().run_in_executor(pool, self._let_go)
            _, late = await asyncio.wait({letting_go}, timeout=CLOSE_LIMIT)
            pool.shutdown(wait=not late)  # then its thread ends at once, and is waited for by none

    def _schedule(self, delay: float | None = None) -> None:
        if self._timer is None and self._writing is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._delay if delay is None else delay, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._writing = spawn(self._write_pending(), "history")

    async def _write_pending(self) -> None:
        """What is there; what comes meanwhile waits for more again, unless this is the end."""
        was_written = False
        try:
            was_written = await self._write_some(self.waiting)
            if self._is_closed and was_written:
                await self._write_some(self.waiting)
        finally:
            self._writing = None
        if self._pending and not self._is_closed:
            self._schedule(None if was_written else self._retry)

    async def _write_some(self, count: int) -> bool:
        """Write `count` calls; False where the file cannot be used: they stay."""
        while count > 0 and self._pending:
            batch = list(islice(self._pending, _BATCH))
            try:
                lost = await self._in_thread(lambda batch=batch: self._write(batch))
            except HistoryError as error:
                self._note_problem(str(error))
                self.changed.send()
                return False
            for finished in batch:
                self._pending.popleft()
                self._weight -= finished.weight
            count -= len(batch)
            self.problem = ""
            if lost:
                self._lose(lost, translatable("what they hold cannot be stored"))
            self.changed.send()
        return True

    async def _trim(self) -> None:
        try:
            while not self._is_closed and await self._ask(lambda database: database.trim()):
                self.changed.send()
        except HistoryError as error:
            self._note_problem(str(error))
        finally:
            self._following = None
        self.changed.send()

    def _check_once(self) -> None:
        if self._following is None and not self._is_closed:
            self._following = spawn(self._check_quietly(), "history check")

    async def _check_quietly(self) -> None:
        try:
            await self._ask(lambda database: database.check())
        except HistoryError as error:
            self._note_problem(str(error))
        finally:
            self._following = None

    def _note_problem(self, why: str) -> None:
        if why != self.problem:
            logger.warning("calls are not recorded: %s", why)
        self.problem = why

    def _lose(self, batch: Sequence[FinishedCall], why: str) -> None:
        self.lost += len(batch)
        for finished in batch:
            self._lost_ids[finished.call.call_id] = None
        while len(self._lost_ids) > _MAX_LOST:
            del self._lost_ids[next(iter(self._lost_ids))]
        self._note_problem(why)

    async def _ask(self, question: Callable[[HistoryDatabase], T]) -> T:
        if self._is_closed:
            raise HistoryError("The history is closed.")
        notice = self.notice
        answer = await self._in_thread(lambda: self._using(question, is_reading=True))
        if notice != self.notice:
            self.changed.send()
        return answer

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(1, "history")
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    # From here on in the thread.

    def _write(self, batch: Sequence[FinishedCall]) -> list[FinishedCall]:
        """Write the calls; returns those that cannot be stored, wherever that is tried."""
        from desktop.history.serialization import encode

        rows: list[tuple[FinishedCall, CallRow]] = []
        lost: list[FinishedCall] = []
        for finished in batch:
            try:
                rows.append((finished, encode(finished, self._limits)))
            except Exception:
                logger.exception("a call of %s cannot be stored", finished.call.key)
                lost.append(finished)
        try:
            self._using(lambda database: database.write([row for _, row in rows]))
        except _UnstorableError:
            for finished, row in rows:
                try:
                    self._using(lambda database, row=row: database.write([row]))
                except _UnstorableError as error:
                    logger.warning("a call of %s cannot be stored: %s", finished.call.key, error)
                    lost.append(finished)
        return lost

    def _using(self, work: Callable[[HistoryDatabase], T], *, is_reading: bool = False) -> T:
        """Do `work` with the open file; one that turns out to be strange is replaced once."""
        import sqlite3

        from desktop.history.database import (
            ReplacedFileError,
            StrangeFileError,
            recognising_damage,
        )
        from desktop.history.rebuild import replace_file

        def attempt() -> T:
            with recognising_damage(is_reading=is_reading):
                database = self._opened()
                database.require_place()
                return work(database)

        try:
            for _ in range(_ATTEMPTS):
                try:
                    return attempt()
                except StrangeFileError as error:
                    self._let_go()
                    if said := replace_file(self.path, self._place, error, self._limits):
                        self._tell(said)
                except ReplacedFileError:
                    self._let_go()
                    self._tell(_replaced(self.path))
            return attempt()
        except (sqlite3.Error, StrangeFileError, ReplacedFileError, OSError) as error:
            self._let_go()
            raise _history_error(self.path, error) from error
        except (TypeError, ValueError, ArithmeticError) as error:
            raise _UnstorableError(str(error)) from error

    def _tell(self, notice: str) -> None:
        self.notice = notice
        logger.warning("%s", notice)

    def _opened(self) -> HistoryDatabase:
        from desktop.history.database import HistoryDatabase, place_of

        if self._database is None:
            self._place = place_of(self.path)
            self._database = HistoryDatabase(self.path, self._limits)
        self._database.limits = self._limits
        return self._database

    def _let_go(self) -> None:
        database, self._database = self._database, None
        if database is not None:
            with suppress(Exception):
                database.close()


class _UnstorableError(Exception):
    """A value of a call is none that the file can have; the file is as it was."""


_ATTEMPTS = 2
"""A file that was replaced by another strange one is looked at once more, not for ever."""


def _replaced(path: Path) -> str:
    return translatable(
        "{path} was removed, moved or replaced while it was in use. Calls are recorded in the file"
        " that is there now.",
        path=path,
    )


def _history_error(path: Path, error: Exception) -> HistoryError:
    """What is wrong with the file, and what to do, in words that fit the cause."""
    reason = getattr(error, "strerror", None) or str(error)
    message = translatable("The history {path} cannot be used: {reason}.", path=path, reason=reason)
    return HistoryError(message, remedy=_remedy(error))


def _remedy(error: Exception) -> str:
    import errno
    import sqlite3

    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    number = error.errno if isinstance(error, OSError) else 0
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or isinstance(error, TimeoutError):
        return translatable(
            "Another program keeps the file to itself: a backup, a synchronisation, a viewer of"
            " databases. Close it there."
        )
    if code == sqlite3.SQLITE_FULL or number in (errno.ENOSPC, errno.EDQUOT):
        return translatable("The disk is full. Make room on it, or delete calls.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM) or number in (
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
    ):
        return translatable("Allow this user to write to the file and to its folder.")
    if code == sqlite3.SQLITE_IOERR or number == errno.EIO:
        return translatable("The disk reports an error. Check it, and copy the file elsewhere.")
    return translatable("Check the permissions of its folder, and the room on the disk.")


class HistoryRecorder:
    """Records from its making until `close`; one for each executor, on one store."""

    def __init__(
        self,
        executor: ToolExecutor,
        registry: ToolRegistry,
        store: HistoryStore,
        redaction: Callable[[str], Redaction],
    ) -> None:
        """Make the recorder, and begin.

        Args:
            executor: whose calls are recorded.
            registry: has the schemas that say what is secret in the arguments.
            store: where the calls go.
            redaction: knows the secrets of a server, by its name.
        """
        self._registry, self._store, self._redaction = registry, store, redaction
        self.close = executor.finished.connect(self._record)

    def _record(self, call: ToolCall, result: ToolResult) -> None:
        tool = self._registry.get(call.key)
        schema = tool.definition.input_schema if tool is not None else EMPTY
        known = self._redaction(call.key.partition(":")[0]).secrets
        self._store.add(FinishedCall(call, result, schema, known))


class ReadRecorder:
    """Records what persons read of servers and the prompts they had filled in, until `close`."""

    def __init__(
        self,
        service: McpService,
        store: HistoryStore,
        redaction: Callable[[str], Redaction],
    ) -> None:
        """Make the recorder, and begin; `redaction` knows the secrets of a server, by its name."""
        self._store, self._redaction = store, redaction
        self._ends = (
            service.resource_read.connect(self._record_read),
            service.prompt_filled.connect(self._record_prompt),
        )

    def close(self) -> None:
        for end in self._ends:
            end()

    def _record_read(self, server: str, uri: str, read: ReadResult) -> None:
        call = ToolCall(f"{server}:{uri}", {"uri": uri})
        result = _as_call(read.contents, read.error, read.seconds, read.meta)
        self._add(server, call, result, "resource")

    def _record_prompt(
        self, server: str, name: str, arguments: Mapping[str, str], filled: PromptResult
    ) -> None:
        call = ToolCall(f"{server}:{name}", dict(arguments))
        contents = tuple(message.content for message in filled.messages)
        roles = {"roles": [message.role for message in filled.messages]}
        result = _as_call(contents, filled.error, filled.seconds, {**filled.meta, **roles})
        self._add(server, call, result, "prompt")

    def _add(self, server: str, call: ToolCall, result: ToolResult, kind: CallKind) -> None:
        known = self._redaction(server).secrets
        self._store.add(FinishedCall(call, result, EMPTY, known, kind))


def _as_call(
    contents: tuple[Content, ...], error: ToolError | None, seconds: float, meta: JsonObject
) -> ToolResult:
    from desktop.servers.content import flatten_content

    # The blocks have the rest, as far as it is kept.
    spoken = (replace(each, text=beginning(each.readable_text), data=b"") for each in contents)
    return ToolResult(
        success=error is None,
        output=flatten_content(spoken),
        error=error,
        content=contents,
        execution_time=seconds,
        meta=meta,
    )
