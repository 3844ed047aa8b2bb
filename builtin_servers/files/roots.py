"""Resolves paths inside the allowed folders and never leaves them, whatever others do meanwhile.

A path is walked one name at a time from an open folder. The system never follows a symbolic link:
the link is read and its target is walked in the same way. So neither `..`, nor a link, nor a folder
that is swapped for a link between two steps leads outside. Needs the *at calls of POSIX.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager

from builtin_servers.files.messages import explain_error, format_path
from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

_MAX_LINKS = 40
if sys.platform == "win32":  # where nothing is opened
    _FOLDER = 0
else:
    _FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", 0)
NO_ROOTS = (
    "No folder is allowed yet. Give this server the folders it may use as arguments, such as "
    "mcp-desktop builtin filesystem /home/me/project, or as roots of the client"
)


class RootedPath:
    """A name in an open folder, which need not exist; `name` is `.` for an allowed folder.

    `folder` is the open file descriptor, `path` the absolute path for messages.
    """

    __slots__ = ("folder", "name", "path")

    def __init__(self, folder: int, name: str, path: str) -> None:
        self.folder = folder
        self.name = name
        self.path = path

    def stat(self) -> os.stat_result | None:
        """The status of the entry, of a link itself; None if there is nothing."""
        try:
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise explain_error(error, self.path) from error

    def refuse_root(self) -> None:
        if self.name == ".":
            raise ToolCallError(f"{format_path(self.path)} is an allowed folder itself: it stays")


class Roots:
    """The allowed folders, by their real paths and as they were given."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.real = tuple(os.path.realpath(os.path.expanduser(folder)) for folder in folders)
        as_given = tuple(os.path.abspath(os.path.expanduser(folder)) for folder in folders)
        self._aliases = (*zip(self.real, self.real, strict=True),)
        self._aliases += (*zip(as_given, self.real, strict=True),)

    @contextmanager
    def resolve(self, path: str, *, follow: bool = True) -> Generator[RootedPath]:
        """The entry that `path` names; with `follow`, the target of a link at its end.

        A relative path starts in the first allowed folder. The folder stays open inside the
        block. Raises `ToolCallError`.
        """
        root, names = self._split(path)
        walk = _PathWalk(self, root, names, path)
        try:
            yield walk.run(follow=follow)
        finally:
            walk.close()

    def _split(self, path: str) -> tuple[str, list[str]]:
        if "\0" in path:
            raise ToolCallError("A path cannot have a NUL character")
        if not self.real:
            raise ToolCallError(NO_ROOTS)
        full = os.path.normpath(os.path.join(self.real[0], os.path.expanduser(path)))
        found = self.split_absolute(full)
        if found is None:
            raise ToolCallError(
                f"{format_path(path)} is outside the allowed folders: {self.description}"
            )
        return found

    def split_absolute(self, path: str) -> tuple[str, list[str]] | None:
        """The innermost allowed folder above a normalised absolute path, and the names below it."""
        parts = _names(path)
        best: tuple[str, list[str]] | None = None
        for alias, root in self._aliases:
            above = _names(alias)
            if parts[: len(above)] == above and (
                best is None or len(parts) - len(above) < len(best[1])
            ):
                best = root, parts[len(above) :]
        return best

    def list_levels(self, path: str) -> list[str]:
        """Every level from the allowed folder down to `path`, outermost first."""
        root, names = self._split(path)
        return [os.path.join(root, *names[:count]) for count in range(1, len(names) + 1)]

    @property
    def description(self) -> str:
        return ", ".join(format_path(root) for root in self.real)


class _PathWalk:
    """One walk from an allowed folder: the folders open so far, and the names still to walk."""

    def __init__(self, roots: Roots, root: str, names: Sequence[str], requested: str) -> None:
        self._roots = roots
        self._requested = requested
        self._open: list[int] = []
        self._names: list[str] = []
        self._start(root, names)
        self._links = 0

    def run(self, *, follow: bool) -> RootedPath:
        while self._waiting:
            name = self._waiting.pop()
            if name == "..":
                self._up()
            elif self._waiting or follow:
                target = self._link_target(name)
                if target is not None:
                    self._jump(target)
                elif self._waiting:
                    self._down(name)
                else:
                    return self._make_path(name)
            else:
                return self._make_path(name)
        if not self._names:
            return self._make_path(".")
        name = self._names.pop()
        os.close(self._open.pop())
        return self._make_path(name)

    def close(self) -> None:
        while self._open:
            os.close(self._open.pop())

    def _start(self, root: str, names: Sequence[str]) -> None:
        self.close()
        self._root = root
        self._names.clear()
        self._waiting = [*reversed(names)]
        try:
            self._open.append(os.open(root, _FOLDER))
        except OSError as error:
            raise explain_error(error, root) from error

    def _make_path(self, name: str) -> RootedPath:
        below = [*self._names, name] if name != "." else []
        return RootedPath(self._open[-1], name, os.path.join(self._root, *below))

    def _down(self, name: str) -> None:
        try:
            self._open.append(os.open(name, _FOLDER, dir_fd=self._open[-1]))
        except OSError as error:
            raise explain_error(error, self._make_path(name).path) from error
        self._names.append(name)

    def _up(self) -> None:
        if not self._names:
            raise self._outside()
        self._names.pop()
        os.close(self._open.pop())

    def _link_target(self, name: str) -> str | None:
        try:
            return os.readlink(name, dir_fd=self._open[-1])
        except OSError:  # not a link, or nothing: whoever opens it reports what is wrong
            return None

    def _jump(self, target: str) -> None:
        self._links += 1
        if self._links > _MAX_LINKS:
            raise ToolCallError(f"{format_path(self._requested)}: too many symbolic links")
        if not os.path.isabs(target):
            self._waiting += reversed(_names(target))
            return
        found = self._roots.split_absolute(os.path.normpath(target))
        if found is None:
            raise self._outside()
        rest = [*reversed(self._waiting)]
        self._start(found[0], [*found[1], *rest])

    def _outside(self) -> ToolCallError:
        return ToolCallError(f"{format_path(self._requested)} leads out of the allowed folders")


def open_file(rooted: RootedPath) -> int:
    """Open a regular file for reading; never blocks on a pipe. Raises `ToolCallError`."""
    if sys.platform == "win32":
        raise OSError("Windows cannot guard folders")
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        fd = os.open(rooted.name, flags, dir_fd=rooted.folder)
    except OSError as error:
        raise explain_error(error, rooted.path) from error
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    os.close(fd)
    what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
    raise ToolCallError(f"{format_path(rooted.path)} is {what}")


def open_folder(rooted: RootedPath) -> int:
    """Open a folder to list it. Raises `ToolCallError`."""
    if sys.platform == "win32":
        raise OSError("Windows cannot guard folders")
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(rooted.name, flags, dir_fd=rooted.folder)
    except OSError as error:
        raise explain_error(error, rooted.path) from error


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]
