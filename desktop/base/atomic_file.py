"""The config file on the disk: bounded reading, atomic private writing, a few backups.

Knows bytes and paths, nothing of JSON. Every failure is a `ConfigError` that names the path.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable

MAX_FILE_BYTES = 16 * 1024 * 1024
MAX_BACKUPS = 3
_PAUSES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.3)
"""Seconds between the tries to replace a file that somebody has open on Windows."""


def read_file(path: Path) -> bytes | None:
    """The content, or None where there is no file. Never waits on a pipe or a device."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(
                translatable("{path} is not a file", path=path),
                remedy=translatable("Choose another file with --config."),
            )
        if status.st_size > MAX_FILE_BYTES:
            raise ConfigError(
                translatable(
                    "{path} is larger than {limit} MB",
                    path=path,
                    limit=MAX_FILE_BYTES // 1024 // 1024,
                )
            )
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(
            translatable("{path} cannot be read: {strerror}", path=path, strerror=error.strerror),
            remedy=translatable("Check its permissions."),
        ) from error


def exposure(path: Path) -> ConfigError | None:
    """Why somebody else could change what `path` makes this app start; None where nobody can."""
    if os.name != "posix":
        return None
    try:
        statuses = (path.stat(), Path(os.path.realpath(path)).parent.stat())
    except OSError:
        return None
    if any(status.st_uid not in {0, os.geteuid()} for status in statuses):
        return ConfigError(
            translatable(
                "{path} belongs to another user, who could change which programs it starts",
                path=path,
            ),
            remedy=translatable(
                "Take ownership of it: chown {user} {path}", user=os.geteuid(), path=path
            ),
        )
    if any(_others_can_write(status) for status in statuses):
        return ConfigError(
            translatable("Other users can change {path} or its folder", path=path),
            remedy=translatable(
                "Remove their write permission: chmod go-w {path} {folder}",
                path=path,
                folder=path.parent,
            ),
        )
    return None


def _others_can_write(status: os.stat_result) -> bool:
    if sys.platform == "win32":
        return False
    if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
        return False  # as /tmp: what is in it is changed by its owner alone
    # Of a group that has the user's own number, nobody else is a member.
    is_of_others = status.st_gid != os.geteuid()
    return bool(status.st_mode & (stat.S_IWOTH | (stat.S_IWGRP if is_of_others else 0)))


def write_file(path: Path, content: bytes, *, keep_mode: bool = False) -> None:
    """Replace the file as a whole or not at all; readable by its owner alone.

    A symbolic link stays one: what it points to is replaced. Missing folders are created. With
    `keep_mode`, for a file that is another program's, whoever may read it may go on doing so.
    """
    try:
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, content, keep_mode=keep_mode)
    except OSError as error:
        raise ConfigError(
            translatable(
                "{path} cannot be written: {strerror}; nothing was changed",
                path=path,
                strerror=error.strerror,
            ),
            remedy=translatable(
                "Check the permissions of the file and its folder, and the space on the disk."
            ),
        ) from error


def _replace(target: Path, content: bytes, *, keep_mode: bool) -> None:
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    if mode is not None and not mode & stat.S_IWUSR:
        # A rename would not ask; whoever made the file read-only meant it.
        raise PermissionError(errno.EACCES, "it is read-only")
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:  # mkstemp made it 0600
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if keep_mode and mode is not None:
            Path(name).chmod(mode)
        replace_file(name, target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(target.parent)


def replace_file(source: str | Path, target: str | Path) -> None:
    """Rename `source` to `target`, in place of one that is there.

    Windows refuses that while a virus scanner or an editor has the file open: there it is tried
    for about a second, in which this blocks.

    Raises:
        OSError: it cannot be done.
    """
    for pause in _PAUSES if sys.platform == "win32" else ():
        try:
            os.replace(source, target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    os.replace(source, target)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself survive a power cut, where the platform can."""
    if os.name == "nt":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def keep_backup(path: Path, content: bytes) -> Path:
    """Keep `content` beside the file, as `NAME.bak` or up to `.bak3`; returns where.

    The first one stays: it is the file as it was before this app wrote it. Of the others the oldest
    makes room, because each may hold secrets.
    """
    target = Path(os.path.realpath(path))
    suffixes = (".bak", *(f".bak{number}" for number in range(2, MAX_BACKUPS + 1)))
    backups = [target.with_name(target.name + suffix) for suffix in suffixes]
    for backup in backups:
        kept = read_file(backup)
        if kept == content:
            return backup
        if kept is None:
            write_file(backup, content)
            return backup
    oldest = min(backups[1:], key=lambda backup: backup.stat().st_mtime_ns)
    write_file(oldest, content)
    return oldest
