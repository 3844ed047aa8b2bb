"""Lists folders and walks through them, from open folder to open folder; links are not followed."""

from __future__ import annotations

import os
import stat

from builtin_servers.call import ToolError
from builtin_servers.files.roots import Place, open_folder
from builtin_servers.files.wording import explain, json_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from builtin_servers.call import Call

MOST_ENTRIES = 2_000
MOST_VISITED = 200_000
_DEEPEST = 60


class Entry:
    """What the walk meets: its path below the start, its name in the open folder, its kind."""

    __slots__ = ("folder", "is_folder", "name", "path")

    def __init__(self, folder: int, name: str, path: str, *, is_folder: bool) -> None:
        self.folder = folder
        self.name = name
        self.path = path
        self.is_folder = is_folder


def list_folder(place: Place) -> list[dict[str, Any]]:
    """The entries of one folder by name: `name`, `type`, `size` in bytes, `modified`."""
    fd = open_folder(place)
    try:
        return [_describe(fd, name) for name in sorted(os.listdir(fd))]
    except OSError as error:
        raise explain(error, place.path) from error
    finally:
        os.close(fd)


def describe(name: str, found: os.stat_result) -> dict[str, Any]:
    """One entry as data; a time is UTC in ISO 8601."""
    return {
        "name": json_path(name),
        "type": kind_of(found.st_mode),
        "size": found.st_size,
        "modified": iso(found.st_mtime),
    }


def kind_of(mode: int) -> str:
    for is_kind, word in _KINDS:
        if is_kind(mode):
            return word
    return "other"


def iso(seconds: float) -> str:
    from datetime import UTC, datetime, timedelta

    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    return moment.isoformat().replace("+00:00", "Z")


def walk(
    place: Place, call: Call, excluded: Callable[[str], bool], deepest: int = _DEEPEST
) -> Iterator[Entry]:
    """All below a folder, a folder before what is in it; what cannot be opened is passed over.

    Raises:
        ToolError: there is too much, or the client cancelled.
    """
    fd = open_folder(place)
    try:
        for visited, entry in enumerate(_below(fd, "", excluded, deepest)):
            if visited == MOST_VISITED:
                raise ToolError(f"There are more than {visited} entries: start further down")
            if call.is_cancelled:
                raise ToolError("Cancelled")
            yield entry
    finally:
        os.close(fd)


def _below(fd: int, above: str, excluded: Callable[[str], bool], levels: int) -> Iterator[Entry]:
    with os.scandir(fd) as found:
        entries = sorted((one.name, one.is_dir(follow_symlinks=False)) for one in found)
    for name, is_folder in entries:
        path = above + name
        if excluded(path):
            continue
        yield Entry(fd, name, path, is_folder=is_folder)
        if is_folder and levels > 1:
            yield from _inside(fd, name, path, excluded, levels - 1)


def _inside(
    fd: int, name: str, path: str, excluded: Callable[[str], bool], levels: int
) -> Iterator[Entry]:
    try:
        inner = open_folder(Place(fd, name, path))
    except ToolError:
        return
    try:
        yield from _below(inner, path + "/", excluded, levels)
    finally:
        os.close(inner)


def tree(
    place: Place, call: Call, excluded: Callable[[str], bool], deepest: int
) -> tuple[list[dict[str, Any]], bool]:
    """What is below as nested objects (`name`, `type`, `children`), and whether that is all."""
    top: list[dict[str, Any]] = []
    children = {"": top}
    for count, entry in enumerate(walk(place, call, excluded, min(deepest, _DEEPEST))):
        if count == MOST_ENTRIES:
            return top, False
        above, _, _ = entry.path.rpartition("/")
        node: dict[str, Any] = {"name": json_path(entry.name), "type": "file"}
        if entry.is_folder:
            node |= {"type": "directory", "children": []}
            children[entry.path] = node["children"]
        children[above].append(node)
    return top, True


def _describe(fd: int, name: str) -> dict[str, Any]:
    try:
        return describe(name, os.stat(name, dir_fd=fd, follow_symlinks=False))
    except OSError:  # gone since it was listed, or not ours to look at
        return {"name": json_path(name), "type": "other", "size": 0, "modified": ""}


_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "directory"),
    (stat.S_ISLNK, "symlink"),
)
