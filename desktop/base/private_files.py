"""Opens the files of the data folder: regular ones alone, without waiting, for their owner alone.

A pipe in the place of a log or a ledger would hold up a start for ever, and what a tool answered is
nobody else's to read, whatever the umask says. Must not be used for files that a person names: they
have the permissions that person wants. Must not import anything of the project.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE_MODE, FOLDER_MODE = 0o600, 0o700
_OTHERS = 0o077
_NAMES = ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY")
_FLAGS = sum(getattr(os, name, 0) for name in _NAMES)


def open_private(path: str | os.PathLike[str], flags: int) -> int:
    """A descriptor, which the caller closes; the file is made with mode 0600, or is given it.

    Raises:
        OSError: it cannot be opened, or is a pipe, a device or a folder.
    """
    descriptor = os.open(path, flags | _FLAGS, FILE_MODE)
    try:
        status = os.fstat(descriptor)
        _require_file(path, status.st_mode)
        if os.name == "posix" and status.st_mode & _OTHERS and status.st_uid == os.geteuid():
            os.fchmod(descriptor, FILE_MODE)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _require_file(path: str | os.PathLike[str], mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a file", os.fspath(path))


def opener(path: str, flags: int) -> int:
    """For the `opener` of `open`."""
    return open_private(path, flags)


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone.

    Raises:
        OSError: it cannot be made, or something else is there.
    """
    missing = [folder]
    while not missing[-1].parent.exists() and missing[-1] != missing[-1].parent:
        missing.append(missing[-1].parent)
    for each in reversed(missing):
        each.mkdir(mode=FOLDER_MODE, exist_ok=True)


def close_to_others(folder: Path) -> None:
    """Take what others may do from a folder of ours that an earlier version left open to them.

    One that holds anything else is somebody's choice, and left as it is.
    """
    if os.name != "posix":
        return
    try:
        status = os.stat(folder)
        is_open = bool(status.st_mode & _OTHERS) and not status.st_mode & stat.S_ISVTX
        if is_open and status.st_uid == os.geteuid() and _holds_only_ours(folder):
            os.chmod(folder, FOLDER_MODE)
    except OSError:
        return


def _holds_only_ours(folder: Path) -> bool:
    names = {name.partition(".")[0] for name in os.listdir(folder)}
    return bool(names & _SURE) and names <= _SURE | _OURS


_SURE = frozenset(("processes", "window", "history", "crashes"))
"""Beginnings of the names in a data folder, one of which is in any that was used."""
_OURS = frozenset(
    (
        "logs",
        "calls",
        "commands",
        "sessions",
        "approvals",
        "bundles",
        "eras",
        "gateway",
        "mcp",
        "trust",
        "secrets",
    )
)
