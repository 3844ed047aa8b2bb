"""The guardian: a small process that outlives the app for as long as it takes to end its servers.

Started by `guardian` with its end of a socket as standard input. For each byte that comes with the
files of a request it forks a `keeper`, which does the rest. It is the subreaper above the keepers:
what comes to it is what a killed keeper left, and is killed. The end of the socket means that the
app is gone or needs it no more: the keepers have seen the end of their own channels; they get a
moment, then all that is left is killed. No thread. Imports next to nothing, see `order`.
"""

from __future__ import annotations

import _socket  # not `socket`: the class around this one takes 4 ms to import
import gc
import os
import select
import sys
import time

from desktop.processes import keeper, subreaper
from desktop.processes.order import AT_COMMAND, FAILED, FILES, failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # without the enumerations around it, which take 4 ms to import

IGNORED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE")
"""Meant for the app, which then closes its servers in order."""
KEEPERS_LIMIT = 1.0
"""Seconds the keepers get to end what they keep, once the app is gone."""
_POLL = 0.001


def run() -> int:
    """Serve the app whose socket is standard input until it closes it; returns the exit code."""
    for name in IGNORED:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    gc.disable()  # touches every object, and with it memory that the keepers share
    subreaper.adopt_orphans(b"mcp-guardian")
    try:
        control = _own_socket()
    except OSError:  # started by somebody else
        return 2
    wake = keeper.watch_children()
    keepers = _serve(control, wake)
    _leave(keepers)
    return 0


def _own_socket() -> _socket.socket:
    """Standard input moved to where no server inherits it; all other files closed."""
    control = os.dup(0)
    os.dup2(1, 0)  # the null device
    os.closerange(3, control)
    os.closerange(control + 1, os.sysconf("SC_OPEN_MAX"))
    return _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, control)


def _serve(control: _socket.socket, wake: int) -> set[int]:
    """Take requests until there can be no more; returns the keepers that run."""
    keepers: set[int] = set()
    poller = select.poll()
    poller.register(control.fileno(), select.POLLIN)
    poller.register(wake, select.POLLIN)
    while True:
        ready = [file for file, _ in poller.poll()]
        if wake in ready:
            keeper.drain(wake)
            _look_after(keepers)
        if control.fileno() in ready:
            files = _receive(control)
            if files is None:
                return keepers
            if len(files) == FILES:
                try:
                    keepers.add(_fork_keeper(control, wake, files))
                except OSError as error:  # the system lets it have no further process
                    keeper.tell(files[0], FAILED, failure(error, AT_COMMAND))
            for file in files:
                os.close(file)


def _receive(control: _socket.socket) -> list[int] | None:
    """The files of one request; None at the end. Fewer than were sent where there is no room."""
    try:
        data, control_data, _, _ = control.recvmsg(
            1, _socket.CMSG_SPACE(4 * FILES), _socket.MSG_CMSG_CLOEXEC
        )
    except OSError:
        return None
    packed = b"".join(
        content
        for level, kind, content in control_data
        if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS)
    )
    if not data:
        return None
    return [int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, len(packed), 4)]


def _fork_keeper(control: _socket.socket, wake: int, files: list[int]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            control.close()
            os.close(wake)
            keeper.keep(files[0], files[1], files[2:])
        finally:
            os._exit(0)
    return pid


def _look_after(keepers: set[int]) -> None:
    """Reap what ended. Children that are no keepers are what a killed one left: kill them."""
    here = subreaper.children(os.getpid())
    gone = subreaper.reap(here)
    keepers -= gone
    subreaper.kill_trees([pid for pid in here if pid not in keepers | gone])


def _leave(keepers: set[int]) -> None:
    deadline = time.monotonic() + KEEPERS_LIMIT
    while keepers and time.monotonic() < deadline:
        _look_after(keepers)
        time.sleep(_POLL)
    subreaper.end_below(keeper.LIMIT)
