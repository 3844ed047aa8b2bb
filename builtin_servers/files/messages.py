"""Formats paths, sizes and errors for messages. A file name always stays on one line."""

from __future__ import annotations

import errno
import os

from builtin_servers.framework.tool import ToolCallError

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


def explain_error(error: OSError, path: str) -> ToolCallError:
    """The error to raise for `path`; it does not contain the path that the system used."""
    number = error.errno or 0
    return ToolCallError(f"{format_path(path)} {_REASONS.get(number, os.strerror(number))}")


def format_path(path: str) -> str:
    """The path on one line, with control characters and invalid bytes escaped."""
    clipped = path if len(path) <= 1000 else path[:1000] + "…"
    if clipped.isprintable():
        return clipped
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in clipped
    )


def utf8_path(path: str) -> str:
    """The path for JSON: bytes that are not UTF-8 become the replacement character."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def format_size(size: int) -> str:
    """`size` bytes in the largest unit that gives at least 1, such as `2.9 KB`."""
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} TB"
