"""Keeps one server: its parent and the subreaper of all it ever starts. Runs in a forked guardian.

It starts the server, tells the app its PID and later its exit code, and keeps it unreaped, so that
PID and process group stay the server's own. When the app closes the channel (it is done with the
server, or it died) all that is left below is killed and reaped, and the keeper ends: the end of
the channel says that nothing is left. Should the keeper itself be killed, the kernel kills the
server, and the rest comes to the guardian, which kills it.

One keeper a server, and not one for all, because then there is no doubt which server a daemon
belongs to that left its session and emptied its environment. A fork of the guardian costs 0.3 ms
and 1.2 MB (PSS, 0.7 MB of it private). No thread. Imports next to nothing, see `order`.
"""

from __future__ import annotations

import os
import select

from desktop.processes import order, subreaper, tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # without the enumerations around it, which take 4 ms to import

LIMIT = 5.0
"""Seconds in which all below is killed; what is there after that cannot be killed."""
DEFAULT_AGAIN = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXFSZ")
"""Ignored by the guardian or by every Python; a server expects them as they are by default."""


def watch_children() -> int:
    """A file that is readable after children ended. Once in a process, and again after a fork."""
    reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, _noted)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def _noted(number: int, frame: object) -> None:
    """What the wake-up file is written for; the signal must have a handler."""


def drain(reader: int) -> None:
    try:
        while os.read(reader, 4096):
            pass
    except BlockingIOError:
        return


def keep(channel: int, ordered: int, pipes: list[int]) -> None:
    """Start what is ordered and stay until the channel is closed and nothing is left."""
    subreaper.adopt_orphans(b"mcp-keeper")
    wake = watch_children()
    with open(ordered, "rb") as file:  # the app wrote at the file's end: read from its beginning
        file.seek(0)
        wanted = order.unpack(file.read())
    # Inherited by all that the server starts: a sweep knows them by it, whatever they forget.
    tag.put(os.getpid(), wanted[2].get(order.MARKER.encode(), b"").decode())
    try:
        server, failure = start(*wanted, pipes)
    except OSError as error:  # no further process, no further file
        server, failure = 0, order.failure(error, order.AT_COMMAND)
    for pipe in pipes:
        os.close(pipe)
    if failure:
        tell(channel, order.FAILED, failure)
        return
    tell(channel, order.STARTED, b"%d %d" % (server, os.getpid()))
    _stay(channel, wake, server)
    subreaper.end_below(LIMIT)
    _wake_guardian()


def _wake_guardian() -> None:
    """A guardian that was stopped would see neither this one's end nor that of the app."""
    try:
        os.kill(os.getppid(), signal.SIGCONT)
    except OSError:  # it is gone, and its place is taken by another user's
        return


def _stay(channel: int, wake: int, server: int) -> None:
    """Watch the server and reap orphans until the app closes the channel."""
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    poller.register(wake, select.POLLIN)
    running = True
    while channel not in [file for file, _ in poller.poll()]:
        drain(wake)
        if running and (code := exit_code(server)) is not None:
            running = False
            tell(channel, order.ENDED, b"%d" % code)
        subreaper.reap([pid for pid in subreaper.children(os.getpid()) if pid != server])


def exit_code(pid: int) -> int | None:
    """How a child ended (-N: by signal N), without reaping it; None while it runs."""
    status = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if status is None:
        return None
    return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status


def start(
    folder: bytes, argv: list[bytes], environment: dict[bytes, bytes], pipes: list[int]
) -> tuple[int, bytes]:
    """Fork and execute; the PID, or the errno and the place of what failed."""
    keeper = os.getpid()
    reader, writer = os.pipe()  # closed by the execution: its end without a word means success
    pid = os.fork()
    if pid == 0:
        place = order.IN_FOLDER
        try:
            _prepare(keeper, pipes)
            if folder:
                os.chdir(folder)
            place = order.AT_COMMAND
            os.execvpe(argv[0], argv, environment)  # noqa: S606 - what the person configured
        except OSError as error:
            os.write(writer, order.failure(error, place))
        finally:
            os._exit(127)
    os.close(writer)
    failure = os.read(reader, 64)
    os.close(reader)
    if failure:
        os.waitpid(pid, 0)
    return pid, failure


def _prepare(keeper: int, pipes: list[int]) -> None:
    """Make the forked process what a server expects to be."""
    os.setsid()
    subreaper.die_with(keeper)
    signal.set_wakeup_fd(-1)
    for name in DEFAULT_AGAIN:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)


def tell(channel: int, word: bytes, rest: bytes) -> None:
    try:
        os.write(channel, word + b" " + rest + b"\n")
    except OSError:  # the app is gone; reading the channel says so, too
        return
