"""A keeper starts one server, tells how it ends, and leaves when nothing is left."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
import tempfile

import pytest

from desktop.processes import order

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a subreaper is Linux's")
KEEP = """
import sys
from desktop.processes import keeper
keeper.keep(int(sys.argv[1]), int(sys.argv[2]), [int(fd) for fd in sys.argv[3:]])
"""

NO_FORK = """
import errno, os
def fork():
    raise BlockingIOError(errno.EAGAIN, "no further process")
os.fork = fork
"""


def kept(
    *argv: str, folder: str = "", before: str = ""
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A keeper with what it is to start, all pipes the null device."""
    ours, theirs = socket.socketpair()
    ours.settimeout(10)
    with tempfile.TemporaryFile() as ordered, open(os.devnull, "r+b", 0) as null:
        ordered.write(order.pack(folder, argv, {"PATH": "/bin:/usr/bin"}))
        ordered.flush()
        files = [theirs.fileno(), ordered.fileno(), *(os.dup(null.fileno()) for _ in range(3))]
        process = subprocess.Popen(
            [sys.executable, "-c", before + KEEP, *map(str, files)], pass_fds=files
        )
        for file in files[2:]:
            os.close(file)
    theirs.close()
    return process, ours


def test_it_tells_the_pid_then_the_end_and_stays_until_it_is_released() -> None:
    process, channel = kept("sh", "-c", "exit 3")
    lines = channel.makefile("rb")
    word, server, keeper = lines.readline().split()
    assert (word, int(keeper)) == (order.STARTED, process.pid)
    assert lines.readline() == b"ended 3\n"
    os.kill(int(server), 0)
    channel.shutdown(socket.SHUT_WR)
    assert lines.read() == b""
    assert process.wait(10) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(server), 0)
    lines.close()
    channel.close()


@pytest.mark.parametrize(
    ("folder", "words"), [("", b"failed 2 command\n"), ("/nowhere", b"failed 2 folder\n")]
)
def test_it_tells_what_failed(folder: str, words: bytes) -> None:
    process, channel = kept("/nowhere/at/all", folder=folder)
    with channel, channel.makefile("rb") as lines:
        assert lines.read() == words
    assert process.wait(10) == 0


def test_it_tells_that_the_system_has_no_process_for_a_server() -> None:
    process, channel = kept("sleep", "60", before=NO_FORK)
    with channel, channel.makefile("rb") as lines:
        assert lines.read() == b"failed %d command\n" % errno.EAGAIN
    assert process.wait(10) == 0


def test_the_end_of_its_channel_is_the_end_of_its_server() -> None:
    process, channel = kept("sleep", "60")
    with channel.makefile("rb") as lines:
        server = int(lines.readline().split()[1])
    channel.close()
    assert process.wait(10) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)
