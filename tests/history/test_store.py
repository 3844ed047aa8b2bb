"""The store as the app uses it: real files, several processes, kills, disks that do not work.

What an executor ran is in the history, with what the schema says about its secrets.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.base.tasks import spawn
from desktop.history import database
from desktop.history.database import VERSION
from desktop.history.records import Query
from desktop.history.serialization import HistoryLimits
from desktop.history.store import HistoryError, HistoryRecorder, HistoryStore, ReadRecorder
from desktop.redaction.policy import PLACEHOLDER
from desktop.redaction.redactor import Redaction
from desktop.servers.service import McpService
from desktop.tools.executor import ToolExecutor
from desktop.tools.loader import ToolsLoader
from desktop.tools.registry import ToolRegistry
from desktop.values.tool_types import ToolCall
from tests.history.calls import ended, keep, store_at
from tests.live_servers import ending, stdio, surroundings, until
from tests.patience import LIMIT
from tests.resource_limits import limited

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from contextlib import AbstractContextManager

    from desktop.history.records import Record
    from tests.conftest import ExpectedLogs


SECRET_ITEM = f"test://item/1?{PLACEHOLDER}"


class Bench:
    """An executor over one real server, recorded."""

    def __init__(self, service: McpService, store: HistoryStore) -> None:
        self.service, self.store = service, store
        registry = ToolRegistry()
        self.executor = ToolExecutor(registry)
        self.loader = ToolsLoader(service, registry)
        self.recorder = HistoryRecorder(
            self.executor, registry, store, lambda server: Redaction([f"{server}-s3cret"])
        )

    async def latest(self) -> Record:
        await until(self.store.changed, lambda: not self.store.is_writing)
        page = await self.store.page(Query(), count=1)
        record = await self.store.get(page.calls[0].id)
        assert record is not None
        return record


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncGenerator[Bench]:
    async with ending(McpService(surroundings())) as service, store_at(tmp_path / "h") as store:
        service.add_server(stdio("plain"))
        await service.connect_all()
        yield Bench(service, store)


async def test_a_secret_of_its_server_is_in_no_part_of_a_recorded_call(bench: Bench) -> None:
    await bench.executor.run(ToolCall("plain:echo", {"message": "plain-s3cret other-s3cret"}))
    record = await bench.latest()
    assert record.result.output == f"{PLACEHOLDER} other-s3cret"
    assert record.arguments == {"message": f"{PLACEHOLDER} other-s3cret"}
    assert record.hidden == (("message",),)


async def test_a_call_is_recorded_as_it_was_made_with_what_came_back(bench: Bench) -> None:
    call = ToolCall("plain:structured", {}, origin="agent")
    result = await bench.executor.run(call)
    record = await bench.latest()
    assert record.result == result
    assert (record.call_id, record.summary.origin) == (call.call_id, "agent")


async def test_media_and_errors_are_recorded(bench: Bench) -> None:
    image = await bench.executor.run(ToolCall("plain:image"))
    assert (await bench.latest()).result.content == image.content
    await bench.executor.run(ToolCall("plain:fail", {"message": "on purpose"}))
    assert (await bench.latest()).summary.message == "on purpose"
    await bench.executor.run(ToolCall("plain:add", {"a": 1}))
    assert (await bench.latest()).summary.outcome == "invalid_arguments"


async def test_a_secret_argument_is_not_recorded_nor_is_its_echo(bench: Bench) -> None:
    await bench.executor.run(ToolCall("plain:echo", {"message": "x", "password": "hunter22"}))
    record = await bench.latest()
    assert record.arguments == {"message": "x", "password": PLACEHOLDER}


async def test_a_cancelled_call_is_recorded_too(bench: Bench) -> None:
    started = bench.executor.started
    task = spawn(bench.executor.run(ToolCall("plain:slow", {"seconds": 30})), "call")
    running: list[ToolCall] = []
    started.connect(running.append)
    await until(started, lambda: running)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await bench.latest()).summary.outcome == "cancelled"


@pytest.fixture
async def reading(tmp_path: Path) -> AsyncGenerator[Bench]:
    """A server with resources and prompts whose reads are recorded."""
    async with ending(McpService(surroundings())) as service, store_at(tmp_path / "h") as store:
        service.add_server(stdio("offers"))
        await service.connect_all()
        bench = Bench(service, store)
        recorder = ReadRecorder(service, store, lambda _: Redaction(["lang=de"]))
        yield bench
        recorder.close()


async def test_what_was_read_is_recorded_without_secrets(reading: Bench) -> None:
    resources = reading.service.connection("offers").resources
    read = await resources.read("test://item/1?lang=de")
    record = await reading.latest()
    assert (record.summary.kind, record.summary.key) == ("resource", f"offers:{SECRET_ITEM}")
    assert record.arguments == {"uri": SECRET_ITEM}
    assert "lang=de" in read.contents[0].text
    assert record.result.content[0].text == f"text of {SECRET_ITEM}"
    assert record.result.success


async def test_a_read_that_failed_is_recorded_with_its_reason(reading: Bench) -> None:
    connection = reading.service.connection("offers")
    await connection.disconnect()
    read = await connection.resources.read("test://rich")
    assert read.error is not None
    summary = (await reading.latest()).summary
    assert (summary.outcome, summary.message) == (read.error.code, read.error.message)


async def test_a_prompt_is_recorded_with_its_arguments_and_who_says_what(reading: Bench) -> None:
    prompts = reading.service.connection("offers").prompts
    filled = await prompts.get("greet", {"who": "Ada", "password": "hunter22"})
    record = await reading.latest()
    assert (record.summary.kind, record.summary.key) == ("prompt", "offers:greet")
    assert record.arguments == {"who": "Ada", "password": PLACEHOLDER}
    assert record.result.content == tuple(message.content for message in filled.messages)
    assert record.result.meta["roles"] == [message.role for message in filled.messages]


async def test_the_calls_of_a_tool_are_found_without_a_prompt_of_its_name(reading: Bench) -> None:
    await reading.executor.run(ToolCall("offers:seen"))
    await reading.service.connection("offers").prompts.get("seen", {})
    await reading.latest()
    page = await reading.store.page(Query(key="offers:seen"))
    assert [call.kind for call in page.calls] == ["tool"]
    assert (await reading.store.page(Query("offers:seen"))).total == 2


async def test_after_its_end_nothing_is_recorded(bench: Bench) -> None:
    await bench.executor.run(ToolCall("plain:pid"))
    await bench.latest()
    bench.recorder.close()
    await bench.executor.run(ToolCall("plain:pid"))
    assert (await bench.store.page()).total == 1


ROOT = Path(__file__).parents[2]


async def keys(store: HistoryStore, text: str = "") -> list[str]:
    return [call.key for call in (await store.page(Query(text))).calls]


def is_empty(folder: Path) -> bool:
    return not list(folder.iterdir())


def put_aside_in(folder: Path) -> bytes:
    """The content of the one file that was put aside."""
    (kept,) = [path for path in folder.iterdir() if re.search(r"\.[a-z]+-\d+-\d+$", path.name)]
    return kept.read_bytes()


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A process that adds calls one by one and says how far it is."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.history.writer", str(path), name, str(count)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


async def test_a_call_that_was_added_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    async with store_at(path) as store:
        store.add(ended("s:first"))
        store.add(ended("s:second"))
    async with store_at(path) as store:
        assert await keys(store) == ["s:second", "s:first"]


async def test_nothing_is_touched_before_the_first_call_or_look(tmp_path: Path) -> None:
    async with store_at(tmp_path / "deep" / "history.sqlite3"):
        pass
    assert is_empty(tmp_path)


async def test_each_write_and_delete_is_announced(tmp_path: Path) -> None:
    async with store_at(tmp_path / "h") as store:
        told: list[int] = []
        store.changed.connect(lambda: told.append(1))
        await keep(store, ended())
        assert told == [1]
        await store.delete([1])
        await store.delete_before(datetime.now(UTC))
        await store.delete_all()
        assert told == [1] * 4
        assert await keys(store) == []


async def test_two_processes_write_at_once_and_no_call_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    processes = [writer(path, name, 60) for name in ("one", "two")]
    async with store_at(path) as store:
        for n in range(60):
            await keep(store, ended(f"here:{n}"))
        for process in processes:
            await asyncio.to_thread(process.communicate, timeout=LIMIT)
            assert process.returncode == 0
        page = await store.page(count=1000)
        assert sorted(call.key for call in page.calls) == sorted(
            f"{name}:{n}" for name in ("here", "one", "two") for n in range(60)
        )
        assert store.problem == ""


async def test_what_another_process_wrote_is_announced_at_a_look(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite3"
    async with store_at(path) as store, store_at(path) as other:
        await store.look()
        told: list[int] = []
        store.changed.connect(lambda: told.append(1))
        await store.look()
        assert told == []
        await keep(other, ended("s:theirs"))
        await store.look()
        assert told == [1]
        assert await keys(store) == ["s:theirs"]


async def test_a_process_that_is_killed_while_it_writes_loses_nothing_it_had_written(
    tmp_path: Path,
) -> None:
    path = tmp_path / "history.sqlite3"
    process = writer(path, "killed", 100_000)
    assert process.stdout is not None
    written = 0
    while written < 50:
        written = int(process.stdout.readline())
    process.kill()
    process.communicate(timeout=LIMIT)
    async with store_at(path) as store:
        page = await store.page(count=1)
        assert page.total >= written
        await keep(store, ended("s:after"))
        assert (await store.page(count=1)).total == page.total + 1
        assert store.notice == ""


@pytest.mark.parametrize(
    "content", [b"this is no database" * 500, b"SQLite format 3\0" + bytes(99)]
)
async def test_a_broken_file_is_put_aside_and_recording_goes_on(
    tmp_path: Path, content: bytes, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("kept as|put aside")
    path = tmp_path / "history.sqlite3"
    path.write_bytes(content)
    async with store_at(path) as store:
        await keep(store, ended("s:new"))
        assert await keys(store) == ["s:new"]
        assert "as history.sqlite3." in store.notice
        assert store.problem == ""
    assert put_aside_in(tmp_path) == content


async def test_a_file_of_a_newer_version_is_put_aside_unchanged(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("newer version")
    path = tmp_path / "history.sqlite3"
    async with store_at(path) as store:
        await keep(store, ended("s:old"))
    content = bytearray(path.read_bytes())
    content[60:64] = (VERSION + 1).to_bytes(4, "big")  # user_version, SQLite file format 1.3.12
    path.write_bytes(content)
    async with store_at(path) as store:
        assert await keys(store) == []
        assert "newer" in store.notice
    assert put_aside_in(tmp_path) == bytes(content)


async def test_calls_wait_for_a_file_that_cannot_be_opened(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("calls are not recorded: .*[Ii]s a directory")
    path = tmp_path / "history.sqlite3"
    path.mkdir()
    async with store_at(path) as store:
        for n in range(3):  # logged once
            store.add(ended(f"s:{n}"))
        await until(store.changed, lambda: bool(store.problem))
        assert store.waiting == 3
        assert str(path) in store.problem
        with pytest.raises(HistoryError, match="permissions"):
            await store.page()
        path.rmdir()  # somebody puts it right
        await until(store.changed, lambda: not store.is_writing)
        assert (store.problem, store.lost) == ("", 0)
        assert await keys(store) == ["s:2", "s:1", "s:0"]


async def test_calls_that_could_not_be_written_by_the_end_are_counted(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("calls are not recorded: .*[Ii]s a directory")
    expected_logs.expect("2 calls were not recorded before the end: .*[Ii]s a directory")
    (tmp_path / "h").mkdir()
    async with store_at(tmp_path / "h") as store:
        store.add(ended("s:a"))
        store.add(one := ended("s:b"))
    assert store.lost == 2
    assert store.has_lost(one.call.call_id)


async def test_a_locked_file_costs_no_call_and_the_words_say_who_holds_it(
    tmp_path: Path, expected_logs: ExpectedLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected_logs.expect("(?s)calls are not recorded: .*Another program keeps the file to itself")
    monkeypatch.setattr(database, "BUSY_LIMIT", 0.05)
    async with store_at(tmp_path / "h") as store:
        await keep(store, ended("s:before"))
        with closing(sqlite3.connect(tmp_path / "h", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            store.add(ended("s:meanwhile"))
            await until(store.changed, lambda: bool(store.problem))
            other.execute("ROLLBACK")
        await until(store.changed, lambda: not store.is_writing)
        assert (store.problem, store.lost) == ("", 0)
        assert await keys(store) == ["s:meanwhile", "s:before"]


def full_disk(room: int) -> AbstractContextManager[None]:
    """A limit on the size of files stands for the disk: the write itself really fails."""
    return limited("RLIMIT_FSIZE", room)


async def test_on_a_full_disk_calls_wait_and_what_was_there_stays(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("calls are not recorded")
    async with store_at(tmp_path / "h") as store:
        await keep(store, ended("s:before"))
        with full_disk(300_000):
            store.add(ended("s:large", output="x" * 900_000))
            await until(store.changed, lambda: bool(store.problem))
            assert await keys(store) == ["s:before"]
        await until(store.changed, lambda: not store.is_writing)
        assert (store.problem, store.lost) == ("", 0)
        assert await keys(store) == ["s:large", "s:before"]


async def test_a_full_disk_can_be_given_room_by_deleting(tmp_path: Path) -> None:
    """Even where there is none for a journal, which would be larger than the file."""
    async with store_at(tmp_path / "h") as store:
        await keep(store, *(ended(f"s:{n}", output="x" * 5_000) for n in range(100)))
        size = (tmp_path / "h").stat().st_size
        with full_disk(size):
            await store.delete_all()
        assert await keys(store) == []
        assert (tmp_path / "h").stat().st_size < size / 5


async def test_a_removed_file_is_noticed_and_calls_go_into_a_new_one(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("was removed, moved or replaced")
    path = tmp_path / "folder" / "h"
    async with store_at(path) as store:
        await keep(store, ended("s:before"))
        path.parent.rename(tmp_path / "moved")
        await keep(store, ended("s:after"))
        assert await keys(store) == ["s:after"]
        assert "was removed, moved or replaced" in store.notice
    async with store_at(tmp_path / "moved" / "h") as moved:
        assert await keys(moved) == ["s:before"]


async def test_a_call_that_cannot_be_stored_takes_no_other_along(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("cannot be stored")
    async with store_at(tmp_path / "h") as store:
        endless = ended("s:endless", execution_time=float("nan"))
        await keep(store, ended("s:a"), endless, ended("s:b"))
        assert await keys(store) == ["s:b", "s:a"]
        assert store.lost == 1
        assert store.has_lost(endless.call.call_id)


async def test_lower_limits_are_followed_while_the_store_is_open(tmp_path: Path) -> None:
    async with store_at(tmp_path / "h") as store:
        await keep(store, *(ended(f"s:{n}") for n in range(20)))
        store.follow_limits(HistoryLimits(calls=5))
        while (await store.kept()).calls > 5:
            await until(store.changed, lambda: True)
        assert await keys(store) == [f"s:{n}" for n in reversed(range(15, 20))]


async def test_what_would_not_fit_into_memory_is_not_recorded_and_that_is_said(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("slower than the calls")
    async with store_at(tmp_path / "h", HistoryLimits(pending=3000)) as store:
        for n in range(10):
            store.add(ended(f"s:{n}"))
        assert store.lost > 0
        await until(store.changed, lambda: not store.is_writing)
        assert len(await keys(store)) == 10 - store.lost


async def test_a_closed_store_takes_nothing_and_says_so(tmp_path: Path) -> None:
    store = HistoryStore(tmp_path / "h")
    await store.close()
    store.add(ended())
    with pytest.raises(HistoryError, match="closed"):
        await store.page()
    assert is_empty(tmp_path)


async def test_calls_that_end_together_share_a_write_and_a_quit_does_not_wait_for_more(
    tmp_path: Path,
) -> None:
    store = HistoryStore(tmp_path / "h", delay=3600)
    told: list[int] = []
    store.changed.connect(lambda: told.append(1))
    for n in range(5):
        store.add(ended(f"s:{n}"))
    await store.close()
    assert told == [1]
    async with store_at(tmp_path / "h") as again:
        assert len(await keys(again)) == 5


async def test_what_is_pending_is_written_while_something_else_is_waited_for(
    tmp_path: Path,
) -> None:
    store = HistoryStore(tmp_path / "h", delay=3600)
    store.write_now()  # there is nothing yet
    store.add(ended("s:1"))
    written = spawn(until(store.changed, lambda: not store.is_writing), "written")
    await asyncio.sleep(0)
    store.write_now()
    await written
    async with store_at(tmp_path / "h") as other:
        assert len(await keys(other)) == 1
    store.add(ended("s:2"))
    await store.close()
    async with store_at(tmp_path / "h") as other:
        assert len(await keys(other)) == 2
