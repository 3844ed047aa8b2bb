"""Writes, copies, moves: a file is there whole or not at all; nothing is replaced unasked."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from builtin_servers.call import ToolError
from builtin_servers.files.roots import open_file
from builtin_servers.files.wording import explain, show_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from builtin_servers.files.roots import Place

_BLOCK = 1024 * 1024


def write_file(place: Place, content: bytes) -> bool:
    """Put `content` in the place of what is there; whether a file was there. Raises `ToolError`."""
    place.require_name()
    before = place.stat()
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise ToolError(f"{show_path(place.path)} is not a regular file")
    mode = None if before is None else stat.S_IMODE(before.st_mode)
    _put(place, [content], mode, may_replace=True)
    return before is not None


def copy_file(source: Place, target: Place) -> None:
    """Copy a regular file to where nothing is. Raises `ToolError`."""
    target.require_name()
    fd = open_file(source)
    try:
        mode = stat.S_IMODE(os.fstat(fd).st_mode)
        _put(target, _blocks(fd), mode, may_replace=False)
    finally:
        os.close(fd)


def move(source: Place, target: Place) -> None:
    """Give a file or folder another name, where nothing has that name. Raises `ToolError`."""
    source.require_name()
    target.require_name()
    there = source.stat()
    if there is None:
        raise ToolError(f"{show_path(source.path)} does not exist")
    if target.stat() is not None:
        raise ToolError(f"{show_path(target.path)} exists already; nothing was moved")
    try:
        if stat.S_ISREG(there.st_mode):
            _move_file(source, target)
        else:
            _rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV or not stat.S_ISREG(there.st_mode):
            raise explain(error, target.path) from error
        copy_file(source, target)
        os.unlink(source.name, dir_fd=source.folder)


def make_folder(place: Place) -> bool:
    """Make one folder; whether it had to be made. Raises `ToolError`."""
    there = place.stat()
    if there is not None and stat.S_ISDIR(there.st_mode):
        return False
    try:
        os.mkdir(place.name, dir_fd=place.folder)
    except OSError as error:
        raise explain(error, place.path) from error
    return True


def _put(place: Place, content: Iterable[bytes], mode: int | None, *, may_replace: bool) -> None:
    """Write a new file beside, then give it the name: readers see the old file or the new one."""
    name = f".{os.urandom(6).hex()}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    part = None
    try:
        part = os.open(name, flags, 0o666 if mode is None else 0o600, dir_fd=place.folder)
        _fill(part, content)
        if mode is not None:
            os.fchmod(part, mode)
        os.fsync(part)
        if may_replace:
            os.rename(name, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        else:
            _link(place.folder, name, place)
    except OSError as error:
        raise explain(error, place.path) from error
    finally:
        if part is not None:
            os.close(part)
            with suppress(OSError):
                os.unlink(name, dir_fd=place.folder)


def _fill(fd: int, content: Iterable[bytes]) -> None:
    for block in content:
        unwritten = memoryview(block)
        while unwritten:
            unwritten = unwritten[os.write(fd, unwritten) :]


def _blocks(fd: int) -> Iterator[bytes]:
    while block := os.read(fd, _BLOCK):
        yield block


def _move_file(source: Place, target: Place) -> None:
    _link(source.folder, source.name, target)
    with suppress(FileNotFoundError):  # a file system without links: it was renamed
        os.unlink(source.name, dir_fd=source.folder)


def _link(folder: int, name: str, target: Place) -> None:
    """A second name, which never replaces a file that came there meanwhile, as a rename would."""
    try:
        os.link(
            name,
            target.name,
            src_dir_fd=folder,
            dst_dir_fd=target.folder,
            follow_symlinks=False,
        )
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK):
            raise
        os.rename(name, target.name, src_dir_fd=folder, dst_dir_fd=target.folder)


def _rename(source: Place, target: Place) -> None:
    os.rename(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder)
