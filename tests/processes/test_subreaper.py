"""Everything below a subreaper is seen and ended, whatever it did to get away."""

from __future__ import annotations

import select
import subprocess
import sys
from uuid import uuid4

import psutil
import pytest

from desktop.processes import subreaper
from tests.raw_client import find_marked
from tests.server_commands import command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a subreaper is Linux's")
ENDS_BELOW = """
import os, sys
from desktop.processes import subreaper
subreaper.adopt_orphans(b"mcp-test")
reader, writer = os.pipe()
for argv in {commands!r}:
    if os.fork() == 0:
        os.dup2(writer, 1)
        os.dup2(reader, 0)
        os.execv(argv[0], argv)
print(open("/proc/self/comm").read().strip(), flush=True)
sys.stdin.readline()
print(len(subreaper.children(os.getpid())), subreaper.end_below(5), flush=True)
print(subreaper.children(os.getpid()), subreaper.reap([1]), flush=True)
"""


def test_all_below_is_ended_and_reaped() -> None:
    marker = uuid4().hex  # others may run this test at the same time
    servers = ("stubborn", "daemon_child", "many_children")
    commands = [
        [program, *args]
        for program, args in (command(server, "--marker", marker) for server in servers)
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", ENDS_BELOW.format(commands=commands)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "mcp-test\n"
    while len(find_marked(marker)) < 3 + 1 + 5:
        assert process.poll() is None
    process.stdin.write("\n")
    process.stdin.close()
    count, ended = process.stdout.readline().split()
    assert (int(count) >= 4, ended) == (True, "True")
    assert process.stdout.readline() == "[] set()\n"
    process.wait(10)
    process.stdout.close()
    assert find_marked(marker) == []


FORKS = """
import os, sys, time
for line in sys.stdin:
    if os.fork() == 0:
        print("forked", flush=True)
        time.sleep(60)
        os._exit(0)
"""


def test_nothing_is_forked_between_the_look_at_a_process_and_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marker = uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-c", FORKS, marker],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout, look = process.stdin, process.stdout, subreaper.children

    def forks_after_the_look(pid: int) -> list[int]:
        found = look(pid)
        stdin.write(b"\n")
        stopped = psutil.STATUS_STOPPED
        while psutil.Process(pid).status() != stopped and not select.select([stdout], [], [], 0)[0]:
            pass
        return found

    monkeypatch.setattr(subreaper, "children", forks_after_the_look)
    subreaper.kill_trees([process.pid])
    process.wait(10)
    survivors = find_marked(marker)
    for survivor in survivors:
        survivor.kill()
    stdin.close()
    stdout.close()
    assert survivors == []
