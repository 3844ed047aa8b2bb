"""The guardian: a small process that outlives the app until all servers have ended.

`linux_guardian` starts it, with a socket as standard input. It forks one keeper (`keeper_process`),
which serves that socket, and only watches from then on: when the keeper has ended, or the app has
closed the socket or died and the keeper does not end by itself, it kills everything below. What the
keeper loses when it is killed is reparented to the guardian. If the guardian is killed, keeper and
servers go on, and the keeper closes the socket, so that the app starts another guardian.

No threads. Imports next to nothing, because it has to start within milliseconds.
"""

from __future__ import annotations

import gc
import os
import select
import socket
import sys
import time

from desktop.processes import guardian_protocol as protocol
from desktop.processes import subreaper

if sys.platform != "linux":
    raise ImportError("this is for Linux")

from desktop.processes.keeper_process import Keeper

MAX_KEEPER_WAIT = 3.0
"""Seconds that the keeper gets to end its servers and their containers after the app has gone."""


def run() -> int:
    """Serve the app whose socket is standard input until it closes it; returns the exit code."""
    subreaper.ignore_signals()
    gc.disable()  # a collection would write to memory that is shared with the keeper
    subreaper.adopt_orphans(protocol.GUARDIAN_NAME.encode())
    try:
        control = _take_over_stdin()
    except OSError:  # not started by the app
        return 2
    guardian = os.getpid()
    try:
        keeper = os.fork()
    except OSError:  # the process limit is reached: one process has to do
        keeper = 0
    if keeper == 0:
        return _keep(control, guardian)
    _watch(control, subreaper.watch_children(), keeper)
    _end(keeper)
    return 0


def _take_over_stdin() -> socket.socket:
    """Move standard input to a descriptor that servers do not inherit; close all other files."""
    control = os.dup(0)
    os.dup2(1, 0)  # the null device
    os.closerange(3, control)
    os.closerange(control + 1, os.sysconf("SC_OPEN_MAX"))
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, control)


def _keep(control: socket.socket, guardian: int) -> int:
    """Be the keeper, in the forked process or, without one, in the guardian's own."""
    is_forked = os.getpid() != guardian
    if is_forked:
        os.setsid()
        subreaper.adopt_orphans(protocol.KEEPER_NAME.encode())
    Keeper(control, guardian if is_forked else os.getppid()).run()
    subreaper.kill_descendants(subreaper.MAX_KILL_WAIT)
    if is_forked:
        # A guardian that was stopped would notice neither this exit nor the app's.
        subreaper.wake(guardian)
        os._exit(0)
    return 0


def _watch(control: socket.socket, ended: int, keeper: int) -> None:
    """Return when the keeper has ended, or the app has closed its socket."""
    poller = select.poll()
    poller.register(control.fileno(), select.POLLRDHUP)  # what arrives there is the keeper's
    poller.register(ended, select.POLLIN)
    while True:
        ready = [file for file, _ in poller.poll()]
        subreaper.drain(ended)
        if subreaper.reap(keeper) or control.fileno() in ready:
            return


def _end(keeper: int) -> None:
    """Give the keeper a moment to end its servers; then end what there is."""
    subreaper.wake(keeper)
    deadline = time.monotonic() + MAX_KEEPER_WAIT
    while not subreaper.reap(keeper) and time.monotonic() < deadline:
        time.sleep(subreaper.POLL)
    subreaper.kill_descendants(subreaper.MAX_KILL_WAIT)
