"""The process table: what the system lists, to which server it belongs, how it was called."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from desktop.processes.identity import Identity, identify
from desktop.processes.process_command import read_command_line
from desktop.processes.process_table import (
    MAX_COMMAND_LENGTH,
    TableEntry,
    assign_owners,
    format_command,
    read_entry,
    read_table,
    read_words,
)
from tests.faults.population import wait_unreaped

if TYPE_CHECKING:
    from pathlib import Path


def test_the_table_says_of_this_process_what_the_system_says() -> None:
    times = psutil.Process().cpu_times()
    me = read_table()[os.getpid()]
    assert me.parent == os.getppid()
    assert me.name in psutil.Process().name()
    assert me.state == psutil.STATUS_RUNNING
    assert me.seconds + 0.001 > times.user + times.system > 0
    # Between the two looks it may grow, never tenfold.
    assert me.memory / 10 < psutil.Process().memory_info().rss < me.memory * 10


def test_session_and_group_are_those_of_the_process() -> None:
    if sys.platform == "win32":
        pytest.skip("POSIX has sessions and groups")
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, process_group=0) as process:
        it = read_entry(process.pid)
        assert it is not None
        assert (it.session, it.group) == (os.getsid(0), process.pid)
        process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no other way")
def test_without_proc_psutil_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    sleeper = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    try:
        sleeper.send_signal(signal.SIGSTOP)
        os.waitpid(sleeper.pid, os.WUNTRACED)
        by_proc = read_entry(sleeper.pid)
        monkeypatch.setattr("desktop.processes.process_table._HAS_PROC", False)
        by_psutil = read_table()[sleeper.pid]
        assert by_proc is not None
        assert by_psutil.start == pytest.approx(psutil.Process(sleeper.pid).create_time())
        moving: dict[str, Any] = {"start": 0, "memory": 0, "seconds": 0}
        assert by_psutil._replace(**moving) == by_proc._replace(**moving)
        assert by_psutil.state == psutil.STATUS_STOPPED
        assert (by_psutil.session, by_psutil.group) == (sleeper.pid, sleeper.pid)
        assert by_psutil.memory > 0
        times, me = psutil.Process().cpu_times(), read_entry(os.getpid())
        assert me is not None
        assert me.seconds + 0.001 > times.user + times.system
    finally:
        sleeper.kill()
        sleeper.wait()
    assert read_entry(sleeper.pid) is None


def test_reading_the_table_leaves_no_file_open() -> None:
    if sys.platform == "win32":
        pytest.skip("descriptors are not counted")
    before = psutil.Process().num_fds()
    read_table()
    assert psutil.Process().num_fds() == before


def test_there_is_no_entry_for_a_pid_that_is_not_given() -> None:
    assert read_entry(2**22 + 1) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only there a name is read from a line of text")
def test_a_name_with_brackets_and_spaces_does_not_shift_the_other_fields(tmp_path: Path) -> None:
    program = tmp_path / "a) R 1 (b"
    program.symlink_to("/bin/cat")
    process = subprocess.Popen([str(program)], stdin=subprocess.PIPE)
    try:
        entry = read_entry(process.pid)
        assert entry is not None
        assert (entry.parent, entry.name) == (os.getpid(), "a) R 1 (b")
        assert identify(process.pid) == Identity(process.pid, f"{entry.start:.0f}")
    finally:
        process.communicate()


def test_what_ended_and_was_not_waited_for_is_a_zombie() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    if sys.platform != "win32":
        wait_unreaped(process.pid)
        entry = read_entry(process.pid)
        assert entry is not None
        assert entry.state == psutil.STATUS_ZOMBIE
    process.wait()


APP, SERVER, OTHER = 10, 20, 30
ROOTS = {SERVER: "m20", OTHER: "m30"}


def entry(pid: int, parent: int, session: int = 0, group: int = 0) -> TableEntry:
    return TableEntry(pid, parent, group, session, "x", "sleeping", 0.0, 0, 1.0)


def belongs(*entries: TableEntry, markers: dict[int, str] | None = None) -> dict[int, list[int]]:
    always = (entry(1, 0), entry(APP, 1), entry(SERVER, APP), entry(OTHER, APP))
    table = {each.pid: each for each in (*always, *entries)}
    return assign_owners(table, ROOTS, APP, lambda each: (markers or {}).get(each.pid, ""))


def test_all_below_a_server_is_the_servers_and_comes_after_its_parent() -> None:
    members = belongs(entry(22, 21), entry(21, SERVER), entry(23, SERVER))
    assert members == {SERVER: [SERVER, 21, 22, 23], OTHER: [OTHER], APP: [APP]}


def test_a_server_below_another_one_keeps_its_own() -> None:
    table = {each.pid: each for each in (entry(SERVER, 1), entry(OTHER, SERVER), entry(31, OTHER))}
    assert assign_owners(table, ROOTS, None, lambda _: "") == {SERVER: [SERVER], OTHER: [OTHER, 31]}


def test_what_lost_its_parent_is_known_by_its_session_or_its_group() -> None:
    members = belongs(entry(21, 1, session=SERVER), entry(31, 1, group=OTHER), entry(32, 31))
    assert members == {SERVER: [SERVER, 21], OTHER: [OTHER, 31, 32], APP: [APP]}


def test_what_the_app_started_and_no_server_owns_is_the_apps() -> None:
    assert belongs(entry(11, APP), entry(12, 11))[APP] == [APP, 11, 12]


def test_what_came_to_the_app_is_known_by_its_marker() -> None:
    members = belongs(entry(21, APP), entry(22, 21), markers={21: "m20"})
    assert members == {SERVER: [SERVER, 21, 22], OTHER: [OTHER], APP: [APP]}


def test_what_came_to_the_keeper_of_one_server_is_that_servers() -> None:
    guardian, keeper = 11, 12
    members = belongs(
        entry(guardian, APP), entry(keeper, guardian), entry(SERVER, keeper), entry(21, keeper)
    )
    assert members == {SERVER: [SERVER, 21], OTHER: [OTHER], APP: [APP, guardian, keeper]}


def test_what_came_to_a_process_above_several_servers_is_not_guessed() -> None:
    guardian = 11
    members = belongs(
        entry(guardian, APP), entry(SERVER, guardian), entry(OTHER, guardian), entry(21, guardian)
    )
    assert members[APP] == [APP, guardian, 21]


def test_what_belongs_to_nobody_here_is_left_out() -> None:
    assert 40 not in {pid for pids in belongs(entry(40, 1)).values() for pid in pids}


def test_a_table_that_goes_in_circles_is_walked_once() -> None:
    members = belongs(entry(SERVER, 21), entry(21, SERVER))
    assert members[SERVER] == [SERVER, 21]


def test_a_process_is_called_by_its_program_and_arguments_without_secrets() -> None:
    code = "print(); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code, "--token", "t0p", "X_KEY=s3c"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        line = read_command_line(psutil.Process(process.pid))
    finally:
        process.communicate(b"\n")
    assert line is not None
    rest = "-S -c 'print(); input()' --token ‹redacted› X_KEY=‹redacted›"
    assert line.name == PurePath(sys.executable).name
    assert line.short == f"{line.name} {rest}"
    assert line.command.startswith(sys.executable[:4])
    assert "t0p" not in line.command


def test_what_is_gone_has_no_command_line() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    gone = psutil.Process(process.pid)
    process.wait()
    assert read_command_line(gone) is None
    assert read_words(gone) == []


def test_a_command_line_is_one_line_and_no_longer_than_a_person_can_read() -> None:
    assert format_command(["sh", "-c", "a\n  b"]) == "sh -c 'a b'"
    assert len(format_command(["x"] * 100_000)) == MAX_COMMAND_LENGTH
    assert format_command(["--token", "s" * 1000, "last"]) == "--token ‹redacted› last"
    assert len(format_command(["y" * 10_000_000])) == MAX_COMMAND_LENGTH


def test_empty_arguments_at_the_end_are_what_a_title_left_and_are_not_shown() -> None:
    with subprocess.Popen(
        [sys.executable, "-S", "-c", "print(); input()", "", ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        line = read_command_line(psutil.Process(process.pid))
        process.communicate(b"\n")
    assert line is not None
    assert line.short == f"{line.name} -S -c 'print(); input()'"
