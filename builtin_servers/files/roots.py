"""Finds a path inside the allowed folders without ever leaving them, whatever others do meanwhile.

A path is walked one name at a time from an open folder; a symbolic link is never followed by the
system: it is read, and its target is walked the same way. So neither `..`, nor a link, nor a folder
that is swapped for a link between two steps leads outside. Needs the *at calls of POSIX.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager

from builtin_servers.call import ToolError
from builtin_servers.files.wording import explain, show_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

_MOST_LINKS = 40
_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", 0)


class Place:
    """An entry of an open folder, which need not exist. `name` is `.` for an allowed folder."""

    __slots__ = ("folder", "name", "path")

    def __init__(self, folder: int, name: str, path: str) -> None:
        self.folder = folder
        self.name = name
        self.path = path

    def stat(self) -> os.stat_result | None:
        """What is there, a link as itself; None where there is nothing."""
        try:
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise explain(error, self.path) from error

    def require_name(self) -> None:
        if self.name == ".":
            raise ToolError(f"{show_path(self.path)} is an allowed folder itself: it stays")


class Roots:
    """The allowed folders, each by its real path and as it was given."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.real = tuple(os.path.realpath(os.path.expanduser(folder)) for folder in folders)
        given = tuple(os.path.abspath(os.path.expanduser(folder)) for folder in folders)
        self._aliases = (*zip(self.real, self.real, strict=True),)
        self._aliases += (*zip(given, self.real, strict=True),)

    @contextmanager
    def find(self, path: str, *, follow: bool = True) -> Generator[Place]:
        """The entry that `path` means; with `follow`, what a link at its end leads to.

        A relative path starts in the first allowed folder. Raises `ToolError`.
        """
        root, names = self._split(path)
        walk = _Walk(self, root, names, path)
        try:
            yield walk.run(follow=follow)
        finally:
            walk.close()

    def _split(self, path: str) -> tuple[str, list[str]]:
        if "\0" in path:
            raise ToolError("A path cannot have a NUL character")
        if not self.real:
            raise ToolError(NO_ROOTS)
        full = os.path.normpath(os.path.join(self.real[0], os.path.expanduser(path)))
        found = self.split_absolute(full)
        if found is None:
            raise ToolError(f"{show_path(path)} is outside the allowed folders: {self.shown}")
        return found

    def split_absolute(self, path: str) -> tuple[str, list[str]] | None:
        """The innermost allowed folder that a normal absolute path is in, and the names below."""
        parts = _names(path)
        best: tuple[str, list[str]] | None = None
        for alias, root in self._aliases:
            above = _names(alias)
            if parts[: len(above)] == above and (
                best is None or len(parts) - len(above) < len(best[1])
            ):
                best = root, parts[len(above) :]
        return best

    def steps(self, path: str) -> list[str]:
        """Every folder on the way from the allowed folder to `path`, outermost first."""
        root, names = self._split(path)
        return [os.path.join(root, *names[:count]) for count in range(1, len(names) + 1)]

    @property
    def shown(self) -> str:
        return ", ".join(show_path(root) for root in self.real)


class _Walk:
    """One walk from an allowed folder: the open folders so far, and the names still to go."""

    def __init__(self, roots: Roots, root: str, names: Sequence[str], asked: str) -> None:
        self._roots = roots
        self._asked = asked
        self._open: list[int] = []
        self._names: list[str] = []
        self._start(root, names)
        self._links = 0

    def run(self, *, follow: bool) -> Place:
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
                    return self._place(name)
            else:
                return self._place(name)
        if not self._names:
            return self._place(".")
        name = self._names.pop()
        os.close(self._open.pop())
        return self._place(name)

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
            raise explain(error, root) from error

    def _place(self, name: str) -> Place:
        below = [*self._names, name] if name != "." else []
        return Place(self._open[-1], name, os.path.join(self._root, *below))

    def _down(self, name: str) -> None:
        try:
            self._open.append(os.open(name, _FOLDER, dir_fd=self._open[-1]))
        except OSError as error:
            raise explain(error, self._place(name).path) from error
        self._names.append(name)

    def _up(self) -> None:
        if not self._names:
            raise self._outside()
        self._names.pop()
        os.close(self._open.pop())

    def _link_target(self, name: str) -> str | None:
        try:
            return os.readlink(name, dir_fd=self._open[-1])
        except OSError:  # no link, or nothing: whoever opens it will say what is wrong
            return None

    def _jump(self, target: str) -> None:
        self._links += 1
        if self._links > _MOST_LINKS:
            raise ToolError(f"{show_path(self._asked)}: too many symbolic links")
        if not os.path.isabs(target):
            self._waiting += reversed(_names(target))
            return
        found = self._roots.split_absolute(os.path.normpath(target))
        if found is None:
            raise self._outside()
        rest = [*reversed(self._waiting)]
        self._start(found[0], [*found[1], *rest])

    def _outside(self) -> ToolError:
        return ToolError(f"{show_path(self._asked)} leads out of the allowed folders")


def open_file(place: Place) -> int:
    """Open a regular file for reading; never waits for a pipe. Raises `ToolError`."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        fd = os.open(place.name, flags, dir_fd=place.folder)
    except OSError as error:
        raise explain(error, place.path) from error
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    os.close(fd)
    what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
    raise ToolError(f"{show_path(place.path)} is {what}")


def open_folder(place: Place) -> int:
    """Open a folder to list it. Raises `ToolError`."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(place.name, flags, dir_fd=place.folder)
    except OSError as error:
        raise explain(error, place.path) from error


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]


NO_ROOTS = (
    "No folder is allowed yet. Give this server the folders it may use as arguments, such as "
    "mcp-desktop builtin filesystem /home/me/project"
)
