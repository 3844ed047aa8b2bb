"""Works and ends with its input; a daemon stays: forked twice, own session, no environment.

With `--environment keep` it keeps that, as most daemons do.
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, child_argv, option


def start_daemon() -> None:
    """Return once the daemon runs."""
    assert sys.platform != "win32"
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            become_daemon(writer)
        os._exit(0)
    os.wait()
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)


def become_daemon(ready: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    os.set_inheritable(ready, True)
    argv = child_argv(ready)
    os.execve(argv[0], argv, dict(os.environ) if option("environment") == "keep" else {})


start_daemon()
Server("daemon-child", [ECHO]).serve()
