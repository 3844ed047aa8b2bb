"""Instances of the app are found by environment and by ledger, and each hint is checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.processes import process_tree
from desktop.processes.instances import AppInstance, find_instances
from desktop.processes.process_table import read_entry
from tests.faults.population import wait_unreaped

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHILD = "import sys; print('up', flush=True); sys.stdin.read()"


BECOMES_MARKED = f"""
import os, sys
print("up", flush=True)
mark = {{{process_tree.SERVER_VARIABLE!r}: sys.stdin.readline().strip() + ' "x"'}}
os.execve(sys.executable, [sys.executable, "-S", "-c", {CHILD!r}], os.environ | mark)
"""


def start(code: str = CHILD, **variables: str) -> subprocess.Popen[bytes]:
    """A process that runs until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


@pytest.fixture
def server() -> Iterator[subprocess.Popen[bytes]]:
    process = start()
    yield process
    process.communicate()


def start_of(pid: int) -> str:
    entry = read_entry(pid)
    assert entry is not None
    return str(int(entry.start)) if sys.platform == "linux" else repr(entry.start)


def write_ledger(folder: Path, app: str, *lines: object) -> None:
    text = "\n".join(json.dumps(line) for line in lines)
    (folder / f"{app}.jsonl").write_text(text + "\n", encoding="utf-8")


def added(pid: int, owner: str = "files", begun: str | None = None) -> dict[str, object]:
    process = {"pid": pid, "start": begun or start_of(pid)}
    return {"added": {"process": process, "owner": owner, "marker": "f" * 32, "group": 0}}


def listed(folder: Path) -> list[AppInstance]:
    return [instance for instance in find_instances(folder) if instance.is_listed]


def test_a_ledger_tells_of_a_running_app_and_its_servers(
    tmp_path: Path, server: subprocess.Popen[bytes]
) -> None:
    me = os.getpid()
    (tmp_path / "0-1.jsonl").mkdir()  # one that cannot be read costs itself alone
    write_ledger(tmp_path, f"{me}-{start_of(me)}", {"app": {}}, added(server.pid))
    (instance,) = listed(tmp_path)
    owners = {owned.process.pid: owned.owner for owned in instance.processes}
    assert instance.app is not None
    assert instance.app.pid == instance.pid == me
    assert owners[server.pid] == "files"
    assert owners[me] == ""


def test_an_app_whose_pid_another_process_has_now_is_dead_and_its_servers_are_leftovers(
    tmp_path: Path, server: subprocess.Popen[bytes]
) -> None:
    me = os.getpid()
    write_ledger(tmp_path, f"{me}-1", added(server.pid))
    (instance,) = listed(tmp_path)
    assert instance.app is None
    assert [owned.process.pid for owned in instance.processes] == [server.pid]


def test_a_server_that_ended_or_whose_pid_another_process_has_is_not_shown(
    tmp_path: Path, server: subprocess.Popen[bytes]
) -> None:
    write_ledger(tmp_path, f"{2**22 + 1}-1", added(server.pid, begun="1"))
    assert listed(tmp_path) == []
    write_ledger(tmp_path, f"{2**22 + 1}-1", added(server.pid), {"removed": "f" * 32})
    assert listed(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no zombies")
def test_what_ended_and_was_not_collected_is_no_leftover(tmp_path: Path) -> None:
    process = start()
    write_ledger(tmp_path, f"{2**22 + 1}-1", added(process.pid))
    assert process.stdin is not None
    process.stdin.close()
    wait_unreaped(process.pid)
    assert listed(tmp_path) == []
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def test_a_torn_or_hostile_ledger_is_read_as_far_as_it_can_be(
    tmp_path: Path, server: subprocess.Popen[bytes]
) -> None:
    good = json.dumps(added(server.pid, owner="x" * 5000))
    bad = [b"\xff\xfe", b"[" * 100_000, b'{"added": 1}', b'{"added": {"process": {"pid": "1"}}}']
    file = tmp_path / f"{2**22 + 1}-1.jsonl"
    file.write_bytes(b"\n".join([*bad, good.encode(), good.encode()[:40]]))
    (tmp_path / "notes.txt").write_text("no ledger", encoding="utf-8")
    for number in range(9):  # some of them come first, in whatever order
        (tmp_path / f"{2**22 + 2 + number}-1.jsonl").mkdir()
    (instance,) = listed(tmp_path)
    assert [len(owned.owner) for owned in instance.processes] == [100]


def test_without_a_folder_nothing_is_listed(tmp_path: Path) -> None:
    assert listed(tmp_path / "none") == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment of others")
def test_without_a_ledger_the_environment_tells(tmp_path: Path) -> None:
    process = start(**process_tree.server_environment('odd "näme"\n', "0" * 32))
    try:
        instance = next(each for each in find_instances(tmp_path) if each.pid == os.getpid())
        owners = {owned.process.pid: owned.owner for owned in instance.processes}
        assert not instance.is_listed
        assert instance.app is not None
        assert owners[process.pid] == 'odd "näme"\n'
    finally:
        process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment of others")
def test_an_app_that_is_younger_than_its_server_is_another_one(tmp_path: Path) -> None:
    server = start(code=BECOMES_MARKED)
    younger = start()  # has the PID that the server's app had
    while start_of(younger.pid) == start_of(server.pid):  # the clock of starts ticks every 10 ms
        younger.communicate()
        younger = start()
    try:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"%d\n" % younger.pid)
        server.stdin.flush()
        server.stdout.readline()
        instance = next(each for each in find_instances(tmp_path) if each.pid == younger.pid)
        assert instance.app is None
        assert [owned.process.pid for owned in instance.processes] == [server.pid]
    finally:
        server.communicate()
        younger.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment of others")
def test_a_server_that_started_in_the_same_tick_as_its_app_is_that_apps(tmp_path: Path) -> None:
    server = start(code=BECOMES_MARKED)
    try:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"%d\n" % server.pid)  # as close to its own start as can be
        server.stdin.flush()
        server.stdout.readline()
        instance = next(each for each in find_instances(tmp_path) if each.pid == server.pid)
        assert instance.app is not None
    finally:
        server.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="reads the environment of others")
@pytest.mark.parametrize("value", ["", "x", "12", "12 nope", 'x "y"'])
def test_a_mark_that_is_not_ours_is_no_mark(value: str) -> None:
    process = start(**{process_tree.SERVER_VARIABLE: value})
    try:
        assert process_tree.read_server(process.pid) is None
    finally:
        process.communicate()
