"""What a killed app left is ended at the next start, and nothing else is."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import psutil
import pytest

from tests.patience import LIMIT

if sys.platform != "linux":
    raise pytest.skip.Exception("needs /proc and signals", allow_module_level=True)

from desktop.processes import identity, process_tree
from desktop.processes.ledger import Ledger, parse_ledger_name
from desktop.processes.orphan_cleanup import OrphanCleanup
from desktop.processes.tracker import McpProcessTracker
from tests.processes.test_tracker import survivors
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import ExpectedLogs

ROOT = Path(__file__).parent.parent.parent
KINDS = ("stubborn", "leaves_child", "setsid_child", "many_children", "daemon_child")


class DeadApp:
    """Starts servers in an app of its own and kills that app; `marker` finds what is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.marker = uuid4().hex

    def leave(self, *servers: str) -> None:
        app = self.start(*servers)
        app.kill()
        app.communicate()

    def start(self, *servers: str) -> subprocess.Popen[bytes]:
        commands: list[str] = []
        for server in servers:
            program, args = command(server, "--marker", self.marker)
            commands.append(json.dumps([program, *args]))
        app = subprocess.Popen(
            [sys.executable, "-m", "tests.processes.dead_app", str(self.folder), *commands],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert app.stdout is not None
        assert app.stdout.readline() == b"ready\n"
        return app

    @property
    def left(self) -> list[str]:
        return survivors(self.marker)

    @property
    def ledgers(self) -> list[Path]:
        return list(self.folder.iterdir()) if self.folder.exists() else []

    def edit(self, old: str, new: str) -> None:
        (path,) = self.ledgers
        edit(path, old, new)


def edit(path: Path, old: str, new: str) -> None:
    """As an earlier version wrote it: without checks."""
    text = re.sub(r', "check": "\w+"', "", path.read_text("utf-8"))
    path.write_text(text.replace(old, new), "utf-8")


def left_ledger(folder: Path, pid: int, owner: str, marker: str, *, is_tagged: bool) -> Path:
    """The ledger of an app that is no more, with one server."""
    ledger = Ledger(folder, McpProcessTracker())
    ledger.add(pid, owner, marker, is_tagged=is_tagged)
    assert ledger.path is not None
    return ledger.path.rename(folder / "4194305-1.jsonl")


@pytest.fixture
def dead_app(tmp_path: Path) -> Iterator[DeadApp]:
    app = DeadApp(tmp_path / "processes")
    yield app
    for process in psutil.process_iter(["cmdline"]):
        if app.marker in (process.info["cmdline"] or []):
            process_tree.kill([process])


@pytest.mark.parametrize("kind", KINDS)
async def test_what_a_killed_app_left_is_ended(kind: str, dead_app: DeadApp) -> None:
    dead_app.leave(kind)
    assert dead_app.left
    cleanup = OrphanCleanup(dead_app.folder)
    cleaned = await cleanup.run()
    assert dead_app.left == []
    assert {(process.owner, process.ended) for process in cleaned} == {("server 0", True)}
    assert dead_app.ledgers == []
    assert (cleanup.cleaned, cleanup.problem) == (cleaned, "")


def test_a_server_that_the_ledger_lost_is_found_by_its_app(dead_app: DeadApp) -> None:
    """Both are in its environment: the app, and the server's name."""
    dead_app.leave("ignores_eof")
    app = parse_ledger_name(dead_app.ledgers[0])
    lost = subprocess.Popen(
        ["/bin/sh", "-c", "sleep 60; :", dead_app.marker],
        env={process_tree.SERVER_VARIABLE: f'{app} "files"'},
    )
    cleaned = asyncio.run(OrphanCleanup(dead_app.folder).run())
    (found,) = (each for each in cleaned if each.pid == lost.pid)
    assert (found.owner, found.ended) == ("files", True)
    assert found.name == "sh"
    assert lost.wait(LIMIT) < 0


async def test_a_daemon_is_found_when_its_server_is_gone(dead_app: DeadApp) -> None:
    dead_app.leave("daemon_child")
    (path,) = dead_app.ledgers
    pid = json.loads(path.read_text("utf-8").splitlines()[1])["added"]["process"]["pid"]
    psutil.Process(pid).kill()
    assert dead_app.left
    await OrphanCleanup(dead_app.folder).run()
    assert dead_app.left == []


async def test_every_server_of_every_dead_app_is_ended_at_once(dead_app: DeadApp) -> None:
    dead_app.leave("stubborn", "ignores_eof")
    dead_app.leave("ignores_eof")
    cleaned = await OrphanCleanup(dead_app.folder).run()
    assert sorted(process.owner for process in cleaned) == ["server 0", "server 0", "server 1"]
    assert dead_app.left == []


async def test_the_servers_of_an_app_that_runs_are_its_own(dead_app: DeadApp) -> None:
    app = dead_app.start("ignores_eof")
    assert await OrphanCleanup(dead_app.folder).run() == ()
    assert dead_app.left
    assert len(dead_app.ledgers) == 1
    app.kill()
    app.communicate()
    assert len(await OrphanCleanup(dead_app.folder).run()) == 1


def test_an_app_that_is_killed_and_not_reaped_is_dead(dead_app: DeadApp) -> None:
    app = dead_app.start("ignores_eof")
    app.kill()
    os.waitid(os.P_PID, app.pid, os.WEXITED | os.WNOWAIT)
    assert len(asyncio.run(OrphanCleanup(dead_app.folder).run())) == 1
    app.communicate()


async def test_other_data_is_not_looked_at(dead_app: DeadApp, tmp_path: Path) -> None:
    dead_app.leave("ignores_eof")
    assert await OrphanCleanup(tmp_path / "other").run() == ()
    assert dead_app.left


def test_a_process_that_got_the_pid_of_a_server_is_not_touched(dead_app: DeadApp) -> None:
    """Faked by a ledger that names a living process with another start time."""
    dead_app.leave("plain")
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True) as other:
        path = next(iter(dead_app.ledgers))
        lines = path.read_text("utf-8").splitlines()
        entry = json.loads(lines[1])
        del entry["check"]
        entry["added"] |= {
            "process": {"pid": other.pid, "start": "1"},
            "group": other.pid,
            "marker": uuid4().hex,  # that of no process, of another test's neither
        }
        path.write_text(f"{lines[0]}\n{json.dumps(entry)}\n", "utf-8")
        assert asyncio.run(OrphanCleanup(dead_app.folder).run()) == ()
        assert other.poll() is None
        assert dead_app.ledgers == []


async def test_after_a_reboot_nothing_is_touched_and_the_ledger_goes(dead_app: DeadApp) -> None:
    dead_app.leave("ignores_eof")
    dead_app.edit(identity.current_scope().boot, "another-boot")
    assert await OrphanCleanup(dead_app.folder).run() == ()
    assert dead_app.left
    assert dead_app.ledgers == []


@pytest.mark.parametrize("field", ["host", "namespace"])
async def test_the_ledger_of_another_host_or_container_is_left_alone(
    dead_app: DeadApp, field: str
) -> None:
    dead_app.leave("ignores_eof")
    here = identity.current_scope()
    there = {"boot": "x", "host": "elsewhere"} if field == "host" else {"namespace": "pid:[1]"}
    for key, value in there.items():
        dead_app.edit(json.dumps({key: getattr(here, key)})[1:-1], json.dumps({key: value})[1:-1])
    assert await OrphanCleanup(dead_app.folder).run() == ()
    assert dead_app.left
    assert len(dead_app.ledgers) == 1


async def test_a_ledger_of_which_nothing_can_be_read_is_set_aside_and_said(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(r"is damaged: .* cannot be read\. Servers that it listed may still run\.")
    (tmp_path / "4194305-1.jsonl").write_bytes(b"\xff\x00{[" * 100)
    (tmp_path / "4194305-2.new").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"not ours")
    assert await OrphanCleanup(tmp_path).run() == ()
    kept, notes = sorted(os.listdir(tmp_path))
    assert notes == "notes.txt"
    assert kept.startswith("4194305-1.jsonl.damaged-")
    assert (tmp_path / kept).read_bytes() == b"\xff\x00{[" * 100


async def test_a_ledger_from_before_the_host_was_started_is_removed_however_damaged(
    tmp_path: Path,
) -> None:
    ledger = tmp_path / "4194305-1.jsonl"
    ledger.write_bytes(b"")
    os.utime(ledger, (1_000_000, 1_000_000))
    assert await OrphanCleanup(tmp_path).run() == ()
    assert os.listdir(tmp_path) == []


async def test_a_ledger_that_cannot_be_read_is_told_and_stops_nothing(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("was not swept")
    (tmp_path / "4194305-1.jsonl").mkdir()
    cleanup = OrphanCleanup(tmp_path)
    assert await cleanup.run() == ()
    cleanup.log()


async def test_without_a_folder_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert await OrphanCleanup(tmp_path / "none").run() == ()
    assert await OrphanCleanup(tmp_path / "file" / "below").run() == ()


async def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    cleanup = OrphanCleanup(tmp_path / ("x" * 1_000))
    assert await cleanup.run() == ()
    assert "xxx" in cleanup.problem


def test_a_server_that_ended_and_waits_to_be_reaped_is_not_what_was_left(tmp_path: Path) -> None:
    marker = uuid4().hex
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True) as server:
        left_ledger(tmp_path, server.pid, "one", marker, is_tagged=False)
        server.kill()
        os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
        assert asyncio.run(OrphanCleanup(tmp_path).run()) == ()
    assert os.listdir(tmp_path) == []


def test_a_run_below_a_server_that_was_left_ends_the_others_and_not_itself(
    tmp_path: Path,
) -> None:
    """An agent's shell may be such a server, and the app be started in it."""
    marker = uuid4().hex
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True) as other:
        left_ledger(tmp_path, other.pid, "shell", marker, is_tagged=False)
        code = """
import asyncio, sys
from pathlib import Path
from desktop.processes.orphan_cleanup import OrphanCleanup
cleaned = asyncio.run(OrphanCleanup(Path(sys.argv[1])).run())
print([process.pid for process in cleaned])
"""
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, process_tree.MARKER_VARIABLE: marker},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == str([other.pid])


def started(code: str, **environment: str) -> subprocess.Popen[bytes]:
    """A shell in a session of its own that has said a word."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, **environment},
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    return process


async def test_what_was_left_without_any_mark_is_found_by_pid_and_group_and_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever the host is called by now, and even if two apps start at once."""
    caplog.set_level("INFO")
    with started("(sleep 60 &); echo up; read line") as other:
        (orphan,) = [
            each for each in process_tree.group_members(other.pid) if each.pid != other.pid
        ]
        async with asyncio.timeout(LIMIT):
            while psutil.Process(orphan.pid).name() != "sleep":  # noqa: ASYNC110 - it is "sh" first
                await asyncio.sleep(0)
        ledger = left_ledger(tmp_path, other.pid, "files", uuid4().hex, is_tagged=True)
        edit(ledger, f'"host": "{identity.current_scope().host}"', '"host": "earlier"')
        cleanup, again = OrphanCleanup(tmp_path), OrphanCleanup(tmp_path)
        await asyncio.gather(cleanup.run(), again.run())
    assert (cleanup.problem, again.problem) == ("", "")
    assert os.listdir(tmp_path) == []
    cleanup.log()
    assert sorted(caplog.messages) == sorted(
        f"files ({name}, PID {pid}) was left by an earlier run and ended now"
        for name, pid in (("sh", other.pid), ("sleep", orphan.pid))
    )


async def test_what_a_server_starts_while_it_is_ended_is_ended_too(tmp_path: Path) -> None:
    marker = uuid4().hex
    code = "trap 'setsid sleep 60 &' TERM; echo up; while :; do read line; sleep 0.01; done"
    with started(code, **{process_tree.MARKER_VARIABLE: marker}) as server:
        left_ledger(tmp_path, server.pid, "files", marker, is_tagged=True)
        cleaned = await OrphanCleanup(tmp_path).run()
    found = {(each.owner, each.name, each.ended) for each in cleaned}
    assert found >= {("files", "sh", True), ("files", "", True)}
    assert process_tree.MarkerScan().find(marker) == []
    assert os.listdir(tmp_path) == []


async def test_a_cleanup_that_takes_too_long_says_so_and_still_kills_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.processes.orphan_cleanup.MAX_CLEANUP_SECONDS", 0.01)
    with started("trap '' TERM; echo up; read line") as server:
        left_ledger(tmp_path, server.pid, "files", uuid4().hex, is_tagged=True)
        cleanup = OrphanCleanup(tmp_path)
        assert await cleanup.run() == ()
        assert cleanup.problem == "it took longer than 0.01 s"
        assert server.wait(LIMIT) == -9
    assert len(os.listdir(tmp_path)) == 1
