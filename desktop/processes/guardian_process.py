"""The guardian and its keepers: small processes that outlive the app until its servers have ended.

`linux_guardian` starts the guardian, with a socket as standard input. For each request that arrives
there the guardian forks a keeper: the parent and the subreaper of one server. The keeper starts the
server, sends its PID and later its exit code, and does not reap it, so that PID and process group
stay the server's own. When the app closes the channel, because it is done with the server or has
died, the keeper kills and reaps everything below it and exits. If a keeper is killed, the kernel
kills its server, and the rest is reparented to the guardian, which kills it. When the app closes
the socket or dies, the guardian exits once all keepers have, and kills what is left by then.

One keeper a server, not one for all: there is then no doubt which server a daemon belongs to that
left its session and emptied its environment. A keeper costs 1.4 ms of CPU until its server runs
(most of it two forks, and pages that a fork shares and both sides write to), 0.6 ms until it has
ended, and 1.2 MB (PSS; 0.7 MB of it private). No threads. Imports next to nothing, because it has
to start within milliseconds.
"""

from __future__ import annotations

import _socket  # not `socket`, whose class around this one takes 4 ms to import
import ctypes
import gc
import os
import select
import sys
import time

from desktop.processes import guardian_protocol as protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # without its enumerations, which take 4 ms to import

IGNORED_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXFSZ")
"""Meant for the app, which then closes its servers in order, or ignored by any Python."""
MAX_KEEPER_WAIT = 1.0
"""Seconds that keepers get to end their servers after the app has gone."""
MAX_KILL_WAIT = 5.0
"""Seconds of killing everything below; what still runs then cannot be killed."""

_POLL = 0.001
_SET_DEATH_SIGNAL, _SET_NAME, _SET_SUBREAPER = 1, 15, 36  # linux/prctl.h
_libc = ctypes.CDLL(None, use_errno=True)


# --- the guardian -----------------------------------------------------------------------------


def run() -> int:
    """Serve the app whose socket is standard input until it closes it; returns the exit code."""
    ignore_signals()
    gc.disable()  # a collection would write to memory that is shared with the keepers
    adopt_orphans(protocol.GUARDIAN_NAME.encode())
    try:
        control = _take_over_stdin()
    except OSError:  # not started by the app
        return 2
    wake = watch_children()
    keepers = _serve(control, wake)
    _shut_down(keepers)
    return 0


def _take_over_stdin() -> _socket.socket:
    """Move standard input to a descriptor that servers do not inherit; close all other files."""
    control = os.dup(0)
    os.dup2(1, 0)  # the null device
    os.closerange(3, control)
    os.closerange(control + 1, os.sysconf("SC_OPEN_MAX"))
    return _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, control)


def _serve(control: _socket.socket, wake: int) -> set[int]:
    """Handle requests until the app closes the socket; returns the keepers that still run."""
    keepers: set[int] = set()
    poller = select.poll()
    poller.register(control.fileno(), select.POLLIN)
    poller.register(wake, select.POLLIN)
    while True:
        ready = [file for file, _ in poller.poll()]
        if wake in ready:
            drain(wake)
            _reap_and_kill_orphans(keepers)
        if control.fileno() in ready:
            files = _receive_files(control)
            if files is None:
                return keepers
            if len(files) == protocol.REQUEST_FILES:
                try:
                    keepers.add(_fork_keeper(control, wake, files))
                except OSError as error:  # the process limit is reached
                    failure = protocol.format_failure(error, protocol.AT_COMMAND)
                    send_reply(files[0], protocol.FAILED, failure)
            for file in files:
                os.close(file)
            # Each further keeper inherits it and need not load it, which took a fifth of a start.
            __import__("resource")


def _receive_files(control: _socket.socket) -> list[int] | None:
    """The files of one request; fewer than sent at the limit of open files; None at the end."""
    try:
        data, control_data, _, _ = control.recvmsg(
            1, _socket.CMSG_SPACE(4 * protocol.REQUEST_FILES), _socket.MSG_CMSG_CLOEXEC
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
        is_empty = False
        try:
            os.setsid()
            control.close()
            os.close(wake)
            is_empty = run_keeper(files[0], files[1], files[2:])
        finally:
            os._exit(0 if is_empty else 1)
    return pid


def _reap_and_kill_orphans(keepers: set[int]) -> None:
    """Reap what has ended; a keeper that was killed has left its children here: kill them.

    One that ended by itself, with 0, has left none, so that nobody has to look for any.
    """
    may_have_left = False
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            may_have_left = may_have_left or ended[1] != 0 or ended[0] not in keepers
            keepers.discard(ended[0])
    except ChildProcessError:
        return
    if may_have_left:
        kill_trees([pid for pid in protocol.children(os.getpid()) if pid not in keepers])


def _shut_down(keepers: set[int]) -> None:
    deadline = time.monotonic() + MAX_KEEPER_WAIT
    while keepers and time.monotonic() < deadline:
        _reap_and_kill_orphans(keepers)
        time.sleep(_POLL)
    kill_descendants(MAX_KILL_WAIT)


# --- a keeper ---------------------------------------------------------------------------------


def run_keeper(channel: int, order: int, pipes: list[int]) -> bool:
    """Start the server that is ordered; stay until the channel closes and nothing is left.

    Whether nothing is left: what cannot be killed is not waited for without end.
    """
    adopt_orphans(protocol.KEEPER_NAME.encode())
    wake = watch_children()
    # The app's writing left the position at the end.
    content = os.pread(order, os.fstat(order).st_size, 0)
    os.close(order)
    folder, argv, environment = protocol.unpack_order(content)
    # Every descendant inherits the tag, so the cleanup after a crash finds those, too, that have
    # emptied their environment.
    marker = environment.get(protocol.MARKER_VARIABLE.encode(), b"")
    protocol.set_tag(os.getpid(), marker.decode())
    try:
        server, failure = start_server(folder, argv, environment, pipes)
    except OSError as error:  # the limit of processes or files is reached
        server, failure = 0, protocol.format_failure(error, protocol.AT_COMMAND)
    for pipe in pipes:
        os.close(pipe)
    if failure:
        send_reply(channel, protocol.FAILED, failure)
        return True
    send_reply(channel, protocol.STARTED, b"%d %d" % (server, os.getpid()))
    _watch_server(channel, wake, server)
    is_empty = kill_descendants(MAX_KILL_WAIT)
    _wake_guardian()
    return is_empty


def _wake_guardian() -> None:
    """Continue a guardian that was stopped: it would notice neither this exit nor the app's."""
    try:
        os.kill(os.getppid(), signal.SIGCONT)
    except OSError:  # the guardian is gone and the parent is another user's
        return


def _watch_server(channel: int, wake: int, server: int) -> None:
    """Report the server's exit and reap orphans until the app closes the channel."""
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    poller.register(wake, select.POLLIN)
    is_running = True
    while channel not in [file for file, _ in poller.poll()]:
        drain(wake)
        if not is_running:
            _reap([pid for pid in protocol.children(os.getpid()) if pid != server])
        elif (code := _reap_until(server)) is not None:
            is_running = False
            send_reply(channel, protocol.ENDED, b"%d" % code)


def _reap_until(server: int) -> int | None:
    """Reap what has ended but the server; if that has ended, its exit code (-N after signal N)."""
    while status := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        if status.si_pid == server:
            return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status
        os.waitpid(status.si_pid, os.WNOHANG)
    return None


def _reap(pids: list[int]) -> None:
    """Reap those of these children that have ended."""
    for pid in pids:
        try:
            os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            continue


def start_server(
    folder: bytes, argv: list[bytes], environment: dict[bytes, bytes], pipes: list[int]
) -> tuple[int, bytes]:
    """Fork and execute; returns the PID, and what failed in the form of a reply, or nothing."""
    keeper = os.getpid()
    reader, writer = os.pipe()  # a successful exec closes it: its end without data means success
    pid = os.fork()
    if pid == 0:
        place = protocol.IN_FOLDER
        try:
            _become_server(keeper, pipes)
            if folder:
                os.chdir(folder)
            place = protocol.AT_COMMAND
            execute = os.execve if b"/" in argv[0] else os.execvpe
            execute(argv[0], argv, environment)  # what the person configured
        except OSError as error:
            os.write(writer, protocol.format_failure(error, place))
        finally:
            os._exit(127)
    os.close(writer)
    failure = os.read(reader, 64)
    os.close(reader)
    if failure:
        os.waitpid(pid, 0)
    return pid, failure


def _become_server(keeper: int, pipes: list[int]) -> None:
    """Give the forked process the session and the pipes that a server expects."""
    os.setsid()
    die_with(keeper)
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)


def send_reply(channel: int, word: bytes, rest: bytes) -> None:
    try:
        os.write(channel, word + b" " + rest + b"\n")
    except OSError:  # the app is gone; reading the channel reports that, too
        return


# --- both -------------------------------------------------------------------------------------


def ignore_signals() -> None:
    """Do nothing at these signals, and nothing but wake up when a child ends.

    By a handler: executing a server gives back the default to what had one, but not to what was
    ignored; and Python writes to the wake-up descriptor only if a signal has a handler.
    """
    for name in (*IGNORED_SIGNALS, "SIGCHLD"):
        signal.signal(getattr(signal, name), _do_nothing)


def _do_nothing(number: int, frame: object) -> None:
    pass


def watch_children() -> int:
    """Returns a descriptor that is readable after a child ended. Call it again after a fork.

    Needs `ignore_signals`, once.
    """
    reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def drain(reader: int) -> None:
    try:
        while os.read(reader, 4096):
            pass
    except BlockingIOError:
        return


def adopt_orphans(name: bytes) -> None:
    """Become a subreaper, shown as `name` in process lists.

    A subreaper (prctl(2)) becomes the parent of every descendant whose own parent died, whatever
    its session and environment: waiting until it has no child is waiting for all descendants.
    """
    _libc.prctl(_SET_NAME, name, 0, 0, 0)
    if _libc.prctl(_SET_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no subreaper")


def die_with(parent: int) -> None:
    """Have the kernel kill this process when `parent`, which has just forked it, dies."""
    _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the call
        os._exit(1)


def kill_descendants(limit: float) -> bool:
    """Kill and reap all descendants for at most `limit` seconds; whether none is left.

    Looks again until there is none: whatever is forked meanwhile is reparented to this process.
    """
    deadline = time.monotonic() + limit
    while _has_child():
        if time.monotonic() > deadline:
            return False
        kill_trees(protocol.children(os.getpid()))
        time.sleep(_POLL)
    return True


def _has_child() -> bool:
    """Reap, then ask the kernel: a list that is read while children end may miss some."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def kill_trees(pids: list[int]) -> None:
    """Stop each process before looking up its children, then kill all of them.

    A stopped process cannot fork, so a fork bomb is caught. It cannot reap either, so the PIDs
    below it cannot be reused by strangers before the signal arrives.
    """
    tree = list(pids)
    for pid in tree:  # grows while it is iterated
        _send(pid, signal.SIGSTOP)
        tree += protocol.children(pid)
    for pid in tree:
        _send(pid, signal.SIGKILL)


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:  # gone, or another user's
        return
