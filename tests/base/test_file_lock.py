"""One holder at a time, in this process and in others; whoever dies lets go."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.base.file_lock import FileLock, locked
from tests.cli.terminal import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import sys, pathlib
from desktop.base.file_lock import FileLock
lock = FileLock(pathlib.Path(sys.argv[1]))
print(lock.take(), flush=True)
sys.stdin.read()
"""


def test_a_lock_is_held_once_and_can_be_taken_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lock"
    one, other = FileLock(path), FileLock(path)
    assert one.take()
    assert not other.take()
    one.release()
    one.release()
    assert other.take()
    other.release()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing that is started gets the file there")
def test_a_program_that_is_just_being_started_does_not_keep_it(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    assert lock.take()
    inherited = os.dup(lock._file)  # pyright: ignore[reportPrivateUsage] as by a fork, until it runs
    lock.release()
    other = FileLock(lock.path)
    try:
        assert other.take()
    finally:
        other.release()
        os.close(inherited)


def test_another_process_holds_it_until_it_dies(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=ROOT,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert not FileLock(path).take()
        waiting = locked(FileLock(path), 0.03)
        with pytest.raises(TimeoutError, match="held by another process"), waiting:
            pass
        holder.kill()
        holder.wait(10)
    with locked(FileLock(path), 5):
        assert not FileLock(path).take()
    lock = FileLock(path)
    assert lock.take()
    lock.release()


def test_who_holds_a_lock_may_say_so_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = FileLock(path)
    assert lock.take()
    for content in (b"a longer one", b"short"):
        lock.write(content)
        assert path.read_bytes() == content
    assert not FileLock(path).take()
    lock.release()
