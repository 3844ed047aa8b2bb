"""Words for paths, sizes and what went wrong with a file. A name of a file is shown on one line."""

from __future__ import annotations

import errno
import os

from builtin_servers.call import ToolError

_REASONS = {
    errno.ENOENT: "does not exist",
    errno.ENOTDIR: "is not a folder, or a part of it is not",
    errno.EISDIR: "is a folder",
    errno.ELOOP: "is a symbolic link, or became one just now",
    errno.EACCES: "cannot be used: permission denied",
    errno.EPERM: "cannot be used: not permitted",
    errno.EEXIST: "exists already",
    errno.ENOTEMPTY: "exists already and is not empty",
    errno.ENAMETOOLONG: "has a name that is too long",
    errno.ENOSPC: "cannot be written: the disk is full",
    errno.EROFS: "cannot be written: the file system is read-only",
    errno.ENXIO: "is not a regular file",
    errno.EINVAL: "is not possible here",
}


def explain(error: OSError, path: str) -> ToolError:
    """What happened to `path`, without the system's own path in it."""
    number = error.errno or 0
    return ToolError(f"{show_path(path)} {_REASONS.get(number, os.strerror(number))}")


def show_path(path: str) -> str:
    """The path on one line: control characters and broken bytes as escapes."""
    clipped = path if len(path) <= 1000 else path[:1000] + "…"
    if clipped.isprintable():
        return clipped
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in clipped
    )


def json_path(path: str) -> str:
    """The path for JSON: bytes that are no UTF-8 as the replacement character."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def show_size(size: int) -> str:
    """Bytes in the largest unit that leaves at least 1."""
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} TB"
