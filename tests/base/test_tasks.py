from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import TaskGroup, end_all, spawn
from tests.patience import LIMIT

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs


async def fail() -> None:
    raise ValueError("broken")


async def test_a_task_nobody_holds_still_ends() -> None:
    done = asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0)
        done.set()

    spawn(work(), "work")
    gc.collect()
    await asyncio.wait_for(done.wait(), LIMIT)


async def test_the_failure_of_a_task_is_logged_with_its_name(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("task fetch failed")
    with pytest.raises(ValueError, match="broken"):
        await spawn(fail(), "fetch")


async def test_an_expected_failure_is_one_line_without_a_traceback(
    expected_logs: ExpectedLogs, caplog: pytest.LogCaptureFixture
) -> None:
    expected_logs.expect("^WARNING .*: fetch: broken$")
    with pytest.raises(ValueError, match="broken"):
        await spawn(fail(), "fetch", expected=ValueError)
    assert [record.exc_info for record in caplog.records] == [None]


async def test_all_tasks_of_a_loop_end_but_the_one_that_ends_them() -> None:
    tasks = [spawn(asyncio.Event().wait(), "waiting") for _ in range(3)]
    await end_all()
    assert all(task.cancelled() for task in tasks)


async def test_a_cancelled_task_is_no_failure() -> None:
    task = spawn(asyncio.Event().wait(), "waiting")
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task}, timeout=LIMIT)
    assert task.cancelled()


async def test_closing_a_group_ends_its_tasks() -> None:
    group = TaskGroup("page")
    task = group.spawn(asyncio.Event().wait(), "loading")
    await group.close()
    assert task.cancelled()
    assert task.get_name() == "page: loading"


async def test_a_failing_task_leaves_the_others_of_its_group(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("task page: a failed")
    group = TaskGroup("page")
    failing = group.spawn(fail(), "a")
    other = group.spawn(asyncio.Event().wait(), "b")
    await asyncio.wait({failing}, timeout=LIMIT)
    assert not other.done()
    await group.close()


async def test_a_group_can_be_closed_by_one_of_its_own_tasks() -> None:
    group = TaskGroup("page")
    other = group.spawn(asyncio.Event().wait(), "other")
    closing = group.spawn(group.close(), "closing")
    await asyncio.wait_for(closing, LIMIT)
    assert other.cancelled()


async def test_closing_gives_up_on_a_task_that_refuses_to_end(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("task page: stubborn did not end")
    group = TaskGroup("page")
    release = asyncio.Event()

    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await release.wait()

    task = group.spawn(stubborn(), "stubborn")
    await asyncio.sleep(0)
    await group.close(limit=0.01)
    assert not task.done()
    release.set()
    await asyncio.wait({task}, timeout=LIMIT)
