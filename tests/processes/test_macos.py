"""What the watcher of macOS kills, and that it goes on until nothing is left."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("a part for macOS", allow_module_level=True)

from desktop.processes.guardian_protocol import MARKER_VARIABLE
from desktop.processes.macos import (
    ListedProcess,
    kill_watched,
    parse_ps,
    select_victims,
    update_watched,
)

LISTING = f"""
    1     0     1 /sbin/launchd
  100     1   100 server --flag PATH=/bin {MARKER_VARIABLE}=abc
  101   100   100 child HOME=/
  102     1   102 daemon {MARKER_VARIABLE}=abc X=1
  103   102   103 below-the-daemon
  104     1   104 other {MARKER_VARIABLE}=of-another-app
  105     1   105 editor {MARKER_VARIABLE}=abcdef
"""
WATCHED = {100: "abc"}


def rows() -> list[ListedProcess]:
    return parse_ps(LISTING.strip())


def test_group_marker_and_what_is_below_are_ended_and_nobody_else() -> None:
    assert select_victims(rows(), WATCHED, 1000) == {100, 101, 102, 103}
    assert select_victims(rows(), {}, 1000) == set()


def test_neither_itself_nor_the_first_process_is_ever_ended() -> None:
    assert (
        select_victims(
            [ListedProcess(1, 0, 100, frozenset()), ListedProcess(7, 1, 100, frozenset())],
            WATCHED,
            7,
        )
        == set()
    )


def test_servers_are_watched_until_the_app_is_done_with_them() -> None:
    watched: dict[int, str] = {}
    for line in ("100 abc", "200 def", "100", "nonsense", "", "300"):
        update_watched(line, watched)
    assert watched == {200: "def"}


class System:
    """Stands for macOS: processes that are gone once killed, and one that forks as it dies."""

    def __init__(self, deaf: int = 0) -> None:
        self.rows = {row.pid: row for row in rows()}
        self.deaf = deaf

    def look(self) -> list[ListedProcess]:
        return list(self.rows.values())

    def kill(self, pid: int) -> None:
        if pid == self.deaf:
            return
        del self.rows[pid]
        if pid == 101:
            self.rows[106] = ListedProcess(106, 1, 100, frozenset())


def test_it_looks_again_until_nobody_is_left() -> None:
    system = System()
    assert kill_watched(WATCHED, system.look, system.kill)
    assert set(system.rows) == {1, 104, 105}
    assert os.getpid() not in system.rows


def test_what_cannot_be_killed_does_not_hold_it_up() -> None:
    system = System(deaf=102)
    assert not kill_watched(WATCHED, system.look, system.kill, limit=0.0)


def test_the_watcher_s_program_needs_no_site_packages() -> None:
    root = str(Path(__file__).parents[2])
    code = f"import sys; sys.path[:0] = [{root!r}]; from desktop.processes.macos import run; run()"
    argv = [sys.executable, "-I", "-S", "-c", code]
    assert subprocess.run(argv, stdin=subprocess.DEVNULL, check=False).returncode == 0
