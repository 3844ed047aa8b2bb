"""What the data folder holds is measured by kind, deleted by its owner, and bounded by age."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import UsageError
from desktop.config.store import ConfigStore
from desktop.features.chat.agent.session_store import SessionStore
from desktop.features.storage import kinds
from desktop.features.storage.kinds import KINDS, MAX_SET_ASIDE
from desktop.features.storage.storage import Deleted, Storage, find_kind
from desktop.features.storage.usage import measure
from desktop.history.store import HistoryStore
from resources.packaging.setup_env import is_root
from tests.features.storage.folder import CHAT, CONFIG, fill, open_storage, paths_in, write
from tests.fifos import make_fifo
from tests.history.calls import ended
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.base.paths import Paths
    from desktop.features.storage.usage import FolderUsage


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    made = paths_in(tmp_path)
    fill(made)
    return made


@pytest.fixture
async def history(paths: Paths) -> AsyncIterator[HistoryStore]:
    made = HistoryStore(paths.history)
    yield made
    await made.close()


@pytest.fixture
async def storage(paths: Paths, history: HistoryStore) -> Storage:
    store = ConfigStore(paths.config, {})
    store.load()
    return Storage(paths, store, lambda: SessionStore(paths.sessions), history, spilled=lambda: 50)


def files(usage: FolderUsage) -> dict[str, int]:
    return {key: each.files for key, each in usage.kinds.items() if each.files}


async def test_each_file_is_counted_once_and_under_its_kind(storage: Storage) -> None:
    assert files(await storage.look()) == {
        "set-aside": 2,
        "chats": 3,
        "app-log": 2,
        "server-logs": 2,
        "removed-server-logs": 2,
        "crash-reports": 2,
        "recordings": 2,
        "saved-calls": 1,
        "bundles": 1,
        "ledgers": 1,
        "state": 3,
        "other": 2,
    }


async def test_a_kind_has_its_bytes_and_the_day_of_its_oldest_file(
    storage: Storage, paths: Paths
) -> None:
    old = write(paths.server_logs / "gone.log.1", "1234", days=9)
    found = (await storage.look()).kinds["removed-server-logs"]
    assert found.size == 12
    assert found.since == pytest.approx(old.stat().st_mtime)
    assert (await storage.look()).kinds["large-results"].size == 50


def test_a_link_is_counted_as_itself_and_never_followed(paths: Paths, tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "file", "x" * 10_000).parent
    (paths.data / "logs" / "servers" / "link.log").symlink_to(outside / "file")
    (paths.data / "elsewhere").symlink_to(outside)
    usage = measure(paths, ["my files", "broken"])
    assert usage.kinds["other"].files == 3
    assert usage.size < 10_000


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    usage = measure(paths_in(tmp_path), [])
    assert (usage.files, usage.size, usage.is_complete) == (0, 0, True)


def test_too_many_files_are_not_all_looked_at_and_that_is_said(paths: Paths) -> None:
    usage = measure(paths, [], max_files=3)
    assert (usage.files, usage.is_complete) == (3, False)


def test_a_pipe_in_the_data_folder_holds_nobody_up(paths: Paths) -> None:
    make_fifo(paths.data / "pipe.jsonl")
    assert measure(paths, []).kinds["other"].files == 3


async def test_where_the_config_cannot_be_read_no_server_counts_as_removed(paths: Paths) -> None:
    paths.config.write_text("{", "utf-8")
    storage = open_storage(paths)
    assert files(await storage.look())["server-logs"] == 4
    write(paths.server_logs / "gone.log", days=400)
    assert await storage.remove_old() == {}


def test_the_log_of_a_server_that_another_run_has_is_not_that_of_a_removed_one(
    paths: Paths,
) -> None:
    process = '"process": {"pid": 4194000, "start": "1.0"}'
    entry = f'{{"added": {{{process}, "owner": "gone", "marker": "{"0" * 32}", "group": 0}}}}\n'
    write(paths.ledgers / "4194001-1.0.jsonl", entry)
    assert measure(paths, []).kinds["removed-server-logs"].items.keys() == {
        "my_files.log",
        "broken.log",
    }


async def test_logs_of_removed_servers_are_deleted_and_those_of_others_stay(
    storage: Storage, paths: Paths
) -> None:
    told: list[bool] = []
    storage.changed.connect(lambda: told.append(True))
    removal = await storage.delete(kinds.REMOVED_LOGS)
    assert (removal.count, removal.size, removal.problems) == (2, 16, ())
    assert sorted(os.listdir(paths.server_logs)) == ["broken.log", "my_files.log"]
    assert told == [True]


async def test_a_log_that_is_written_to_is_emptied_and_goes_on(
    storage: Storage, paths: Paths
) -> None:
    with (paths.logs / "app.log").open("a", encoding="utf-8") as log:
        await storage.delete(kinds.APP_LOG)
        log.write("goes on")
    assert (paths.logs / "app.log").read_text("utf-8") == "goes on"
    assert not (paths.logs / "app.log.1").exists()
    await storage.delete(kinds.SERVER_LOGS)
    assert (paths.server_logs / "my_files.log").read_bytes() == b""
    assert (paths.server_logs / "gone.log").read_bytes()


async def test_an_open_chat_stays_and_the_others_go_with_their_results(
    storage: Storage, paths: Paths
) -> None:
    write(paths.sessions / f"{CHAT % 2}.jsonl")
    lock = SessionStore(paths.sessions).lock(CHAT % 2)
    assert lock.take()
    removal = await storage.delete(kinds.CHATS)
    lock.release()
    assert (removal.count, removal.failed) == (2, 1)
    assert removal.problems == (f"{CHAT % 2}: The session is open.",)
    assert {path.name for path in paths.sessions.iterdir()} == {f"{CHAT % 2}.jsonl", "locks"}


async def test_calls_are_deleted_by_the_history(
    storage: Storage, history: HistoryStore, paths: Paths
) -> None:
    written = asyncio.Event()
    history.changed.connect(written.set)
    for key in ("a:b", "a:c"):
        history.add(ended(key))
    await asyncio.wait_for(written.wait(), LIMIT)
    (first,) = (await history.page(count=2)).calls[1:]
    assert (await storage.look()).kinds["calls"].since == pytest.approx(first.at.timestamp())
    assert (await storage.delete(kinds.CALLS)).count == 2
    assert (await storage.look()).kinds["calls"].since == 0
    assert (await history.page()).total == 0
    assert (await storage.look()).kinds["calls"].files


async def test_a_history_that_cannot_be_read_is_measured_all_the_same(
    storage: Storage, paths: Paths
) -> None:
    paths.history.mkdir()
    write(paths.history.with_name("history.sqlite3-wal"))
    found = (await storage.look()).kinds["calls"]
    assert (found.size, found.since) == (8, 0)
    removal = await storage.delete(kinds.CALLS)
    assert removal.failed == 1
    assert "cannot be used" in removal.problems[0]


async def test_where_there_are_no_calls_no_file_is_made_to_delete_them(
    storage: Storage, paths: Paths
) -> None:
    assert await storage.delete(kinds.CALLS) == Deleted()
    assert not paths.history.exists()


async def test_a_crash_report_goes_and_the_file_of_a_running_app_stays(
    storage: Storage, paths: Paths
) -> None:
    await storage.delete(kinds.CRASH_REPORTS)
    assert os.listdir(paths.crashes) == ["9.native"]


@pytest.mark.skipif(os.name != "posix" or is_root(), reason="root may delete anything")
async def test_what_cannot_be_deleted_is_named(storage: Storage, paths: Paths) -> None:
    paths.crashes.chmod(0o500)
    try:
        removal = await storage.delete(kinds.CRASH_REPORTS)
    finally:
        paths.crashes.chmod(0o700)
    assert (removal.count, removal.failed) == (0, 1)
    assert "cannot be deleted: Permission denied" in removal.problems[0]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.loss], ids=lambda k: k.key)
async def test_what_a_run_needs_is_never_deleted(storage: Storage, kind: kinds.Kind) -> None:
    with pytest.raises(UsageError, match="not deleted here"):
        await storage.delete(kind)


def test_an_unknown_kind_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="removed-server-logs"):
        find_kind("logs")


def settings(days: str) -> str:
    return CONFIG % f', "mcpDesktop": {{"settings": {{"keep": {{{days}}}}}}}'


async def test_what_is_older_than_the_settings_say_goes(
    paths: Paths, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    write(paths.config, settings('"crashReports": 7, "chats": 7'))
    old = write(paths.crashes / "2025-01-01T00-00-00-1-9.txt", days=8)
    chat = write(paths.sessions / f"{CHAT % 2}.jsonl", days=8)
    log = write(paths.server_logs / "old.log", days=31)
    aside = write(paths.data / "history.sqlite3.foreign-1", days=91)
    kept = [
        write(paths.crashes / "2025-02-01T00-00-00-1-9.txt", days=6),
        write(paths.sessions / f"{CHAT % 3}.jsonl", days=6),
        write(paths.server_logs / "broken.log", days=400),
        write(paths.data / "history.sqlite3.foreign-2", days=89),
        write(paths.data / "old.jsonl", '{"number": 1}', days=400),
    ]
    storage = open_storage(paths)
    removed = await storage.remove_old()
    assert {key: removal.count for key, removal in removed.items()} == {
        "crash-reports": 1,
        "chats": 1,
        "removed-server-logs": 1,
        "set-aside": 1,
    }
    assert not any(path.exists() for path in (old, chat, log, aside))
    assert all(path.exists() for path in kept)
    assert storage.aged == removed
    assert "storage: 1 of chats, 8 bytes, removed as old or over the bound" in caplog.text
    assert await storage.remove_old() == {}


async def test_a_chat_with_a_new_result_is_not_old(paths: Paths) -> None:
    write(paths.config, settings('"chats": 7'))
    write(paths.sessions / f"{CHAT % 1}.jsonl", days=30)
    storage = open_storage(paths)
    assert await storage.remove_old() == {}


async def test_an_old_chat_that_is_open_stays_without_a_word(paths: Paths) -> None:
    write(paths.config, settings('"chats": 7'))
    write(paths.sessions / f"{CHAT % 2}.jsonl", days=30)
    lock = SessionStore(paths.sessions).lock(CHAT % 2)
    assert lock.take()
    assert await open_storage(paths).remove_old() == {}
    lock.release()


async def test_of_too_many_files_set_aside_the_oldest_go(paths: Paths) -> None:
    shutil.rmtree(paths.data)
    for days in range(1, MAX_SET_ASIDE + 3):
        write(paths.data / f"history.sqlite3.damaged-{days}", days=days)
        write(paths.data / f"history.sqlite3.damaged-{days}-wal", days=days)
    removed = await open_storage(paths).remove_old()
    assert removed["set-aside"].count == 4
    assert measure(paths, []).kinds["set-aside"].items.keys() == {
        f"history.sqlite3.damaged-{days}" for days in range(1, MAX_SET_ASIDE + 1)
    }


def test_the_originals_of_all_damaged_files_are_one_kind(paths: Paths) -> None:
    shutil.rmtree(paths.data)
    names = {
        "approvals.json.damaged-20261126-1",
        "history.sqlite3.older-20261126-1",
        "calls/mine.json.damaged-20261126-1",
        "processes/12-3.jsonl.damaged-20261126-1",
    }
    for name in names:
        write(paths.data / name)
    assert measure(paths, []).kinds["set-aside"].items.keys() == names


async def test_what_is_over_a_bound_and_was_just_written_stays(paths: Paths) -> None:
    for number in range(MAX_SET_ASIDE + 3):
        write(paths.data / f"history.sqlite3.damaged-{number}")
    assert await open_storage(paths).remove_old() == {}
