"""The keeper: the parent and the subreaper of all servers of one app; a fork of the guardian.

For each request on the app's socket it starts a server, sends the PID and later the exit code over
that server's channel, and does not reap it, so that PID and process group stay the server's own.
When the app closes a channel, because it is done with the server or has died, the keeper kills and
reaps everything that the server ever started, and closes its end.

Whose a process is that came here because its parent had ended: the server's whose marker is in its
environment, else whose tag it carries. What hides both ends with the next server that ends; nobody
loses both without meaning to. One keeper for all servers costs a fork for each, 1.6 ms of CPU with
its end, and no memory; a keeper for each took 4.0 ms and 0.7 MB. If it is killed, the kernel kills
the servers, the guardian the rest.

A server that ended by a signal may have left what a daemon made for it, such as a container: the
command that its order names is run then, before its channel is closed.

No threads, and nothing is waited for but by `poll`: a server that hangs while it is executed or
while it ends holds up no other. Imports next to nothing.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import time

from desktop.processes import guardian_protocol as protocol
from desktop.processes import subreaper

if sys.platform != "linux":
    raise ImportError("this is for Linux")

_MARKER = protocol.MARKER_VARIABLE.encode()
_AT_KILL = protocol.AT_KILL_VARIABLE.encode()


class _Server:
    """A server from its request to the end of its channel."""

    __slots__ = (
        "at_kill",
        "channel",
        "command",
        "deadline",
        "environment",
        "has_ended",
        "is_reaped",
        "marker",
        "pid",
        "starting",
    )

    def __init__(self, channel: int) -> None:
        self.channel = channel
        self.marker = b""
        self.at_kill: list[bytes] = []
        """The command to run if it ends by a signal, in `environment`."""
        self.environment: dict[bytes, bytes] = {}
        self.command = 0
        """The PID of that command while it runs."""
        self.pid = 0
        self.starting = -1
        """The pipe that tells how the start went; -1 once it has."""
        self.has_ended = self.is_reaped = False
        self.deadline = 0.0
        """Until when it is killed; 0 as long as the app wants it."""


class Keeper:
    """Serves one app: starts its servers, tells it of their ends, ends what it lets go of."""

    def __init__(self, control: socket.socket, guardian: int) -> None:
        """Args: guardian: the parent, with whose end the app gets another one."""
        self._control: socket.socket | None = control
        self._guardian = guardian
        self._servers: dict[int, _Server] = {}
        self._by_pipe: dict[int, _Server] = {}
        self._unkillable: set[int] = set()
        self._poller = select.poll()
        self._wake = subreaper.watch_children()
        own = os.getpid()
        # Kept open: it must not be missed at the limit of open files.
        self._list = os.open(f"/proc/{own}/task/{own}/children", os.O_RDONLY)
        self._watch(control.fileno())
        self._watch(self._wake)
        subreaper.hear_of_end(signal.SIGCHLD)

    def run(self) -> None:
        """Return when the app has closed its socket, and nothing is left of any server."""
        self._look_at_children()  # the guardian may have ended before
        while self._control is not None or self._servers:
            is_ending = any(server.deadline for server in self._servers.values())
            ready = [file for file, _ in self._poller.poll(1 if is_ending else None)]
            for file in ready:
                self._handle(file)
            # Last: a file that it brings may have the number of one that was just closed.
            if self._control is not None and self._control.fileno() in ready:
                self._take_request(self._control)
            for server in list(self._servers.values()):
                if server.deadline:
                    self._end(server)

    def _handle(self, file: int) -> None:
        if file == self._wake:
            subreaper.drain(self._wake)
            self._look_at_children()
        elif (starting := self._by_pipe.get(file)) is not None:
            self._finish_start(starting)
        elif (server := self._servers.get(file)) is not None:  # the app sends nothing there
            self._poller.unregister(file)
            server.deadline = time.monotonic() + subreaper.MAX_KILL_WAIT

    # --- starting -----------------------------------------------------------------------------

    def _take_request(self, control: socket.socket) -> None:
        if os.getppid() != self._guardian:
            self._close_control()  # which takes the request with it: the app asks another guardian
            return
        files = _receive_files(control)
        if files is None:
            self._close_control()
        elif len(files) == protocol.REQUEST_FILES:
            self._start(files)
        else:
            for file in files:
                os.close(file)

    def _start(self, files: list[int]) -> None:
        channel, order, *pipes = files
        server = self._servers[channel] = _Server(channel)
        self._watch(channel)
        try:
            # The app's writing left the position at the end.
            content = os.pread(order, os.fstat(order).st_size, 0)
            folder, argv, environment = protocol.unpack_order(content)
            server.marker = environment.get(_MARKER, b"")
            if at_kill := environment.pop(_AT_KILL, None):
                server.at_kill, server.environment = at_kill.split(b"\n"), environment
            # Every descendant inherits the tag of who forks it.
            with protocol.Tagged(server.marker):
                server.pid, server.starting = fork_server(folder, argv, environment, pipes)
        except OSError as error:  # the limit of processes or files is reached
            self._fail(server, protocol.format_failure(error, protocol.AT_COMMAND))
        else:
            self._by_pipe[server.starting] = server
            self._watch(server.starting)
        finally:
            for file in files[1:]:
                os.close(file)

    def _finish_start(self, server: _Server) -> None:
        """Tell how the start went: a successful exec has closed the pipe without a word."""
        failure = os.read(server.starting, 64)
        self._close_start(server)
        if server.deadline:  # nobody waits for it any more
            return
        if not failure:
            _send_reply(server.channel, protocol.STARTED, b"%d %d" % (server.pid, os.getpid()))
            return
        os.waitpid(server.pid, 0)
        self._fail(server, failure)

    def _close_start(self, server: _Server) -> None:
        self._poller.unregister(server.starting)
        del self._by_pipe[server.starting]
        os.close(server.starting)
        server.starting = -1

    def _fail(self, server: _Server, failure: bytes) -> None:
        _send_reply(server.channel, protocol.FAILED, failure)
        server.is_reaped = True
        self._close(server)

    # --- ending -------------------------------------------------------------------------------

    def _look_at_children(self) -> None:
        """Tell of servers that have ended, and reap what others have left."""
        if os.getppid() != self._guardian:
            self._close_control()
        for server in list(self._servers.values()):
            if server.pid and not (server.has_ended or server.deadline):
                self._report_end(server)
        for pid in self._adopted():
            self._reap(pid)

    def _report_end(self, server: _Server) -> None:
        status = os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is None:
            return
        if server.starting >= 0:  # it ended before it was seen to run; or it never did
            self._finish_start(server)
        if not server.is_reaped:
            server.has_ended = True
            is_exit = status.si_code == os.CLD_EXITED
            code = status.si_status if is_exit else -status.si_status
            _send_reply(server.channel, protocol.ENDED, b"%d" % code)

    def _end(self, server: _Server) -> None:
        """Kill what is left of a server; close its channel if nothing is."""
        # Reaped before the look: its children have come here when it ended.
        server.is_reaped = server.is_reaped or self._reap_server(server)
        left, unknown = self._left_of(server)
        if server.is_reaped and not (left or unknown) and self._has_run(server):
            self._close(server)
            return
        is_over = time.monotonic() > server.deadline
        left += unknown if is_over else []
        subreaper.kill_trees(left if server.is_reaped else [server.pid, *left])
        if is_over:
            subreaper.kill_trees([server.command] if server.command else [])
            self._unkillable.update(left)
            self._close(server)

    def _reap_server(self, server: _Server) -> bool:
        if server.at_kill and server.pid:
            status = os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if status is not None and status.si_code == os.CLD_EXITED:
                server.at_kill = []
        return self._reap(server.pid)

    def _has_run(self, server: _Server) -> bool:
        """Start what its order names for its end by a signal; whether that is over, or nothing."""
        if server.at_kill:
            try:
                # Nobody else's end takes it for something that was left.
                with protocol.Tagged(server.marker):
                    # Its files are the keeper's own, the null device.
                    server.command, told = fork_server(b"", server.at_kill, server.environment, [])
                os.close(told)
            except OSError:  # the limit of processes is reached
                server.command = 0
            server.at_kill = []
            server.deadline = time.monotonic() + protocol.MAX_COMMAND_WAIT
        if server.command and self._reap(server.command):
            server.command = 0
        return not server.command

    def _left_of(self, server: _Server) -> tuple[list[int], list[int]]:
        """What was adopted of it, and of nobody known; and what cannot be told yet."""
        while True:
            left: list[int] = []
            unknown: list[int] = []
            has_reaped = False
            for pid in self._adopted():
                if self._reap(pid):
                    has_reaped = True
                    continue
                is_its = pid not in self._unkillable and self._is_left_of(server, pid)
                if is_its is None:
                    unknown.append(pid)
                elif is_its:
                    left.append(pid)
            if left or unknown or not has_reaped:
                return left, unknown
            # What was reaped may have ended after the look, and so have left children.

    def _reap(self, pid: int) -> bool:
        has_ended = subreaper.reap(pid)
        if has_ended:
            self._unkillable.discard(pid)
        return has_ended

    def _is_left_of(self, server: _Server, pid: int) -> bool | None:
        """Whether a process is of this server, or of nobody known.

        None in the midst of an exec: only its environment may tell that it is another's.
        """
        environment = protocol.read_environment(pid)
        marker = protocol.find_variable(environment or b"", _MARKER)
        servers = self._servers.values()
        owner = next((each for each in servers if marker and each.marker == marker), None)
        if owner is None and (tag := protocol.read_tag(pid)) is not None:
            owner = next((each for each in servers if protocol.tag_for(each.marker) == tag), None)
        if owner is None and environment is None:
            return None
        return owner in (server, None)

    def _adopted(self) -> list[int]:
        """The children that are no servers."""
        servers = self._servers.values()
        ours = {server.pid for server in servers} | {server.command for server in servers}
        return [pid for pid in self._children() if pid not in ours]

    def _children(self) -> list[int]:
        """All of them: there is but one thread, and nobody else reaps while it looks."""
        os.lseek(self._list, 0, os.SEEK_SET)
        content = b""
        while part := os.read(self._list, 65536):
            content += part
        return list(map(int, content.split()))

    def _close(self, server: _Server) -> None:
        """Let go of a server: the end of its channel says that nothing is left."""
        del self._servers[server.channel]
        if server.starting >= 0:
            self._close_start(server)
        if not server.deadline:
            self._poller.unregister(server.channel)
        # A server that is just being executed may hold a copy of it for a moment.
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, server.channel)
        try:
            channel.shutdown(socket.SHUT_RDWR)
        except OSError:  # the app has gone
            pass
        finally:
            channel.close()

    def _close_control(self) -> None:
        if self._control is not None:
            self._poller.unregister(self._control.fileno())
            self._control.close()
            self._control = None

    def _watch(self, file: int) -> None:
        self._poller.register(file, select.POLLIN)


# --- the operating system -------------------------------------------------------------------------


def _receive_files(control: socket.socket) -> list[int] | None:
    """The files of one request; fewer than sent at the limit of open files; None at the end."""
    try:
        data, control_data, _, _ = control.recvmsg(
            1, socket.CMSG_SPACE(4 * protocol.REQUEST_FILES), socket.MSG_CMSG_CLOEXEC
        )
    except OSError:
        return None
    packed = b"".join(
        content
        for level, kind, content in control_data
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS)
    )
    if not data:
        return None
    return [int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, len(packed), 4)]


def fork_server(
    folder: bytes, argv: list[bytes], environment: dict[bytes, bytes], pipes: list[int]
) -> tuple[int, int]:
    """Fork and execute; returns the PID, and a pipe that ends without a word if that succeeds.

    Else it has a failure in the form of a reply.
    """
    keeper = os.getpid()
    reader, writer = os.pipe()  # a successful exec closes it
    try:
        pid = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        raise
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
    return pid, reader


def _become_server(keeper: int, pipes: list[int]) -> None:
    """Give the forked process the session and the pipes that a server expects."""
    os.setsid()
    subreaper.die_with(keeper)
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)


def _send_reply(channel: int, word: bytes, rest: bytes) -> None:
    try:
        os.write(channel, word + b" " + rest + b"\n")
    except OSError:  # the app is gone; reading the channel reports that, too
        return
