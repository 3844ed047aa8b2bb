"""What the app asks a keeper to start, and what the keeper answers, as bytes.

Both ends use it: the app, and the guardian's program, which starts in a few milliseconds and
therefore imports next to nothing. So: no JSON, and nothing of the project.
Nothing in an order can hold a NUL byte (the system would not take it either): it parts the fields.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARKER = "MCP_DESKTOP_OWNER"
"""Environment variable that a server and its descendants inherit; its value is unique."""
FILES = 5
"""Files that come with a request: the channel, the order, and the server's three pipes."""
STARTED, FAILED, ENDED = b"started", b"failed", b"ended"
"""First words of the answers: with the PIDs of server and keeper; with errno and `IN_FOLDER` or
`AT_COMMAND`; with the exit code."""
IN_FOLDER, AT_COMMAND = b"folder", b"command"


def failure(error: OSError, place: bytes) -> bytes:
    """What follows `FAILED`."""
    return b"%d %s" % (error.errno or 0, place)


def pack(folder: str, argv: Sequence[str], environment: Mapping[str, str]) -> bytes:
    """One order; an empty `folder` is the one the app is in.

    Raises:
        ValueError: a NUL byte in it, or a name in the environment that cannot be one.
    """
    if any(not name or "=" in name for name in environment):
        raise ValueError("illegal environment variable name")
    pairs = [f"{name}={value}" for name, value in environment.items()]
    fields = [os.fsencode(text) for text in (folder, str(len(argv)), *argv, *pairs)]
    if any(b"\0" in field for field in fields):
        raise ValueError("embedded null byte")
    return b"\0".join(fields)


def unpack(order: bytes) -> tuple[bytes, list[bytes], dict[bytes, bytes]]:
    """Folder, arguments and environment of what `pack` made."""
    folder, count, *fields = order.split(b"\0")
    argv, pairs = fields[: int(count)], fields[int(count) :]
    environment: dict[bytes, bytes] = {}
    for pair in pairs:
        name, _, value = pair.partition(b"=")
        environment[name] = value
    return folder, argv, environment
