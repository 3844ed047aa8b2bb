from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.processes.table import read_entry, read_table

if TYPE_CHECKING:
    from pathlib import Path


def test_the_table_says_of_this_process_what_the_system_says() -> None:
    me = read_table()[os.getpid()]
    assert me.parent == os.getppid()
    assert me.name in psutil.Process().name()
    assert me.state == psutil.STATUS_RUNNING
    assert me.seconds > 0
    # Between the two looks it may grow, never tenfold.
    assert me.memory / 10 < psutil.Process().memory_info().rss < me.memory * 10


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX has sessions and groups")
def test_session_and_group_are_those_of_the_process() -> None:
    me = read_entry(os.getpid())
    assert me is not None
    assert (me.session, me.group) == (os.getsid(0), os.getpgid(0))


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
    finally:
        process.communicate()


def test_what_ended_and_was_not_waited_for_is_a_zombie() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    if sys.platform != "win32":
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        entry = read_entry(process.pid)
        assert entry is not None
        assert entry.state == psutil.STATUS_ZOMBIE
    process.wait()
