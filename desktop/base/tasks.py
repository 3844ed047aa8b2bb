"""The one way to start a task: named, kept alive, its failure logged, its end awaited with a limit.

Must not import anything of the project.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine

T = TypeVar("T")
logger = logging.getLogger(__name__)
_running: set[asyncio.Task[Any]] = set()


def spawn(
    coroutine: Coroutine[Any, Any, T],
    name: str,
    *,
    loop: asyncio.AbstractEventLoop | None = None,
    expected: type[Exception] | tuple[()] = (),
) -> asyncio.Task[T]:
    """Run `coroutine` as a task that cannot be lost: kept until it ends, its exception logged.

    Args:
        coroutine: what to run.
        name: of the task, for the log.
        loop: where it runs; without it, in the running loop.
        expected: exceptions that the caller reports to the person; they get one line in the log.
    """
    task = (loop or asyncio.get_running_loop()).create_task(coroutine, name=name)
    _running.add(task)
    task.add_done_callback(lambda done: _finished(done, expected))
    return task


async def end_all(limit: float = 1.0) -> None:
    """Cancel every other task of this loop and wait for it: the last thing that a loop does."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await _wait(tasks, limit)


def _finished(task: asyncio.Task[Any], expected: type[Exception] | tuple[()]) -> None:
    _running.discard(task)
    if task.cancelled() or (error := task.exception()) is None:
        return
    if isinstance(error, expected):
        logger.warning("%s: %s", task.get_name(), " ".join(str(error).split()))
    else:
        logger.error("task %s failed", task.get_name(), exc_info=error)


async def _wait(tasks: Collection[asyncio.Task[Any]], limit: float) -> None:
    if not tasks:
        return
    _, late = await asyncio.wait(tasks, timeout=limit)
    for task in late:
        logger.warning("task %s did not end within %.1f s", task.get_name(), limit)


class TaskGroup:
    """Owns tasks that end with one owner. Unlike asyncio's, a failing task leaves the others."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, coroutine: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        task = spawn(coroutine, f"{self._name}: {name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self, limit: float = 1.0) -> None:
        """Cancel what still runs and wait for it, `limit` seconds at most."""
        tasks = {task for task in self._tasks if task is not asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await _wait(tasks, limit)
