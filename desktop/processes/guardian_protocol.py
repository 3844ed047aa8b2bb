"""What the app and the guardian's process agree on: orders, replies, and the marks of a server.

Both ends import this module. The guardian starts within a few milliseconds and therefore imports
next to nothing: no JSON here, no `resource` unless needed, nothing of the project.

An order cannot contain a NUL byte (the system would reject it, too), so NUL separates its fields.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARKER_VARIABLE = "MCP_DESKTOP_OWNER"
"""Environment variable that a server and its descendants inherit; its value is unique."""
AT_KILL_VARIABLE = "MCP_DESKTOP_AT_KILL"
"""For the keeper alone: the words of the command to run if the server ends by a signal, by line."""
MAX_COMMAND_WAIT = 5.0
"""Seconds for that command, whoever runs it."""
REQUEST_FILES = 5
"""Files sent with a request: the channel, the order, and the server's three pipes."""
STARTED, FAILED, ENDED = b"started", b"failed", b"ended"
"""First words of the replies, followed by: the PIDs of server and keeper; errno and `IN_FOLDER` or
`AT_COMMAND`; the exit code."""
IN_FOLDER, AT_COMMAND = b"folder", b"command"

GUARDIAN_NAME, KEEPER_NAME = "mcp-guardian", "mcp-keeper"
"""Of their processes, as lists of processes show them."""

_RLIMIT_LOCKS = 10
"""RLIMIT_LOCKS of asm-generic/resource.h; the module `resource` has no name for it."""
_LIMITS_LINE = b"Max file locks"
_ENVIRONMENT = slice(47, 49)
"""Start and end of the environment in /proc/pid/stat (proc(5)), counted after the name."""


def format_failure(error: OSError, place: bytes) -> bytes:
    """The part of a reply that follows `FAILED`."""
    return b"%d %s" % (error.errno or 0, place)


def pack_order(folder: str, argv: Sequence[str], environment: Mapping[str, str]) -> bytes:
    """Encode an order; an empty `folder` means the app's current directory.

    Raises:
        ValueError: it contains a NUL byte or an invalid variable name.
    """
    if any(not name or "=" in name for name in environment):
        raise ValueError("illegal environment variable name")
    pairs = [f"{name}={value}" for name, value in environment.items()]
    fields = [folder, str(len(argv)), *argv, *pairs]
    order = "\0".join(fields)
    if order.count("\0") != len(fields) - 1:
        raise ValueError("embedded null byte")
    return os.fsencode(order)


def unpack_order(order: bytes) -> tuple[bytes, list[bytes], dict[bytes, bytes]]:
    """Decode what `pack_order` made: folder, arguments and environment."""
    folder, count, *fields = order.split(b"\0")
    argv, pairs = fields[: int(count)], fields[int(count) :]
    environment: dict[bytes, bytes] = {}
    for pair in pairs:
        name, _, value = pair.partition(b"=")
        environment[name] = value
    return folder, argv, environment


# --- tags -------------------------------------------------------------------------------------
# A process can drop its marker by emptying its environment, and can leave its group and its parent.
# A tag stays: it is the soft limit RLIMIT_LOCKS, which Linux has not enforced since 2.4.25 and
# which every descendant inherits. Only setrlimit on this very limit would remove it.


def tag_for(marker: str | bytes) -> int:
    """The tag of a marker: 60 of its bits; -1, which no process has, if it is not hexadecimal."""
    try:
        return int(marker[:15], 16)
    except ValueError:
        return -1


def set_tag(pid: int, marker: str | bytes) -> None:
    """Tag a process (0: this one) and its future descendants, if the system allows it."""
    if sys.platform != "linux" or tag_for(marker) < 0:  # -1 would mean "no limit"
        return
    import resource

    try:
        _, hard = resource.prlimit(pid, _RLIMIT_LOCKS)
        resource.prlimit(pid, _RLIMIT_LOCKS, (tag_for(marker), hard))
    except (OSError, ValueError):  # gone, another user's, or above its hard limit
        return


class Tagged:
    """A block in which this process has the tag of a marker, for what it forks then (Linux)."""

    def __init__(self, marker: bytes) -> None:
        self._marker = marker
        self._before: tuple[int, int]

    def __enter__(self) -> None:
        if sys.platform == "linux":
            import resource

            self._before = resource.getrlimit(_RLIMIT_LOCKS)
            set_tag(0, self._marker)

    def __exit__(self, *_: object) -> None:
        if sys.platform == "linux":
            import resource

            resource.setrlimit(_RLIMIT_LOCKS, self._before)


def read_tag(pid: int) -> int | None:
    """The tag of a process, or None."""
    try:
        with open(f"/proc/{pid}/limits", "rb") as file:
            limits = file.read()
    except OSError:
        return None
    _, found, rest = limits.partition(_LIMITS_LINE)
    soft = rest.split()[0] if found else b""
    return int(soft) if soft.isdigit() else None


def read_variable(pid: int, name: bytes) -> bytes:
    """A variable in the environment that a process was started with; empty without one.

    Empty as well where the system does not tell: on Windows, and of Apple's own programs.
    """
    if sys.platform == "darwin":
        return _ask_psutil(pid, name)
    return find_variable(read_environment(pid) or b"", name)


def find_variable(environment: bytes, name: bytes) -> bytes:
    """The value of a variable in what `read_environment` read; empty without one."""
    _, found, rest = (b"\0" + environment).partition(b"\0" + name + b"=")
    return rest.partition(b"\0")[0] if found else b""


def read_environment(pid: int) -> bytes | None:
    """The environment that a process was started with (Linux); empty if it may not be read.

    None while that cannot be known: in the midst of an exec, which may wait for a disk, and of a
    zombie. The kernel shows an empty one then, and no place for it.
    """
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            if environment := file.read():
                return environment
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return b""
    bounds = fields[_ENVIRONMENT]
    return b"" if len(set(bounds)) <= 1 and b"0" not in bounds else None


def _ask_psutil(pid: int, name: bytes) -> bytes:
    import psutil  # macOS has no guardian that would have to start within milliseconds

    try:
        return os.fsencode(psutil.Process(pid).environ().get(os.fsdecode(name), ""))
    except (psutil.Error, OSError):
        return b""


def list_pids() -> list[int]:
    """The PIDs of all processes; empty on Windows, where they carry neither marker nor tag."""
    if sys.platform == "darwin":
        import psutil

        return psutil.pids()
    if sys.platform != "linux":
        return []
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:  # too many open files
        return []


def children(pid: int) -> list[int]:
    """The children of all threads of a process, zombies included."""
    pids: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                pids += map(int, file.read().split())
    except OSError:
        return pids
    return pids
