"""Lists folders and walks through them, as a text with one line per entry and as JSON.

Walks from open folder to open folder and never follows a link.
"""

from __future__ import annotations

import os
import stat
from itertools import islice

from builtin_servers.files.messages import explain_error, format_path, format_size, utf8_path
from builtin_servers.files.roots import RootedPath, open_folder
from builtin_servers.framework.tool import ToolCallError, ToolReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from builtin_servers.framework.tool import CallContext

MAX_ENTRIES = 2_000
MAX_VISITED = 200_000
_MAX_DEPTH = 60
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "directory"),
    (stat.S_ISLNK, "symlink"),
)


class FolderEntry:
    """One step of a walk: path below the start, open folder, name in it, kind."""

    __slots__ = ("folder", "is_folder", "name", "path")

    def __init__(self, folder: int, name: str, path: str, *, is_folder: bool) -> None:
        self.folder = folder
        self.name = name
        self.path = path
        self.is_folder = is_folder


def list_folder(rooted: RootedPath) -> list[dict[str, Any]]:
    """The entries of one folder, sorted by name: `name`, `type`, `size` in bytes, `modified`."""
    fd = open_folder(rooted)
    try:
        return [_describe(fd, name) for name in sorted(os.listdir(fd))]
    except OSError as error:
        raise explain_error(error, rooted.path) from error
    finally:
        os.close(fd)


def describe_entry(name: str, found: os.stat_result) -> dict[str, Any]:
    """One entry as JSON; the time is UTC in ISO 8601."""
    return {
        "name": utf8_path(name),
        "type": entry_kind(found.st_mode),
        "size": found.st_size,
        "modified": to_iso_time(found.st_mtime),
    }


def entry_kind(mode: int) -> str:
    for is_kind, word in _KINDS:
        if is_kind(mode):
            return word
    return "other"


def to_iso_time(seconds: float) -> str:
    from datetime import UTC, datetime, timedelta

    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))
    return moment.isoformat().replace("+00:00", "Z")


def walk_folder(
    rooted: RootedPath,
    call: CallContext,
    excluded: Callable[[str], bool],
    max_depth: int = _MAX_DEPTH,
) -> Iterator[FolderEntry]:
    """Everything below a folder, a folder before its content; skips what cannot be opened.

    Raises:
        ToolCallError: There are too many entries, or the client cancelled.
    """
    fd = open_folder(rooted)
    try:
        for visited, entry in enumerate(_below(fd, "", excluded, max_depth)):
            if visited == MAX_VISITED:
                raise ToolCallError(f"There are more than {visited} entries: start further down")
            if call.is_cancelled:
                raise ToolCallError("Cancelled")
            yield entry
    finally:
        os.close(fd)


def _below(
    fd: int, above: str, excluded: Callable[[str], bool], levels: int
) -> Iterator[FolderEntry]:
    with os.scandir(fd) as scan:
        entries = sorted((item.name, item.is_dir(follow_symlinks=False)) for item in scan)
    for name, is_folder in entries:
        path = above + name
        if excluded(path):
            continue
        yield FolderEntry(fd, name, path, is_folder=is_folder)
        if is_folder and levels > 1:
            yield from _inside(fd, name, path, excluded, levels - 1)


def _inside(
    fd: int, name: str, path: str, excluded: Callable[[str], bool], levels: int
) -> Iterator[FolderEntry]:
    try:
        inner = open_folder(RootedPath(fd, name, path))
    except ToolCallError:
        return
    try:
        yield from _below(inner, path + "/", excluded, levels)
    finally:
        os.close(inner)


def build_tree(
    rooted: RootedPath, call: CallContext, excluded: Callable[[str], bool], max_depth: int
) -> tuple[list[dict[str, Any]], bool]:
    """The entries below as nested objects (`name`, `type`, `children`), and whether all fit."""
    top: list[dict[str, Any]] = []
    children = {"": top}
    for count, entry in enumerate(walk_folder(rooted, call, excluded, min(max_depth, _MAX_DEPTH))):
        if count == MAX_ENTRIES:
            return top, False
        above, _, _ = entry.path.rpartition("/")
        node: dict[str, Any] = {"name": utf8_path(entry.name), "type": "file"}
        if entry.is_folder:
            node |= {"type": "directory", "children": []}
            children[entry.path] = node["children"]
        children[above].append(node)
    return top, True


def _describe(fd: int, name: str) -> dict[str, Any]:
    try:
        return describe_entry(name, os.stat(name, dir_fd=fd, follow_symlinks=False))
    except OSError:  # deleted since it was listed, or not readable
        return {"name": utf8_path(name), "type": "other", "size": 0, "modified": ""}


def show_entries(entries: list[dict[str, Any]], order: str) -> ToolReply:
    """A folder's entries by name, or with the largest or newest first."""
    if order != "name":
        entries = sorted(entries, key=lambda entry: entry[order], reverse=True)
    listed = entries[:MAX_ENTRIES]
    lines = [_format_entry(entry) for entry in listed]
    size = sum(entry["size"] for entry in entries if entry["type"] == "file")
    folders = sum(entry["type"] == "directory" for entry in entries)
    summary = f"{len(entries) - folders} files, {folders} directories, {format_size(size)}"
    if len(listed) < len(entries):
        summary += f"; only the first {len(listed)} entries are shown"
    structured = {"entries": listed, "total": len(entries), "total_size": size}
    return ToolReply("\n".join([*lines, "", summary]), structured)


def show_sizes(entries: list[dict[str, Any]], order: str) -> ToolReply:
    """A folder's entries in the words of the reference: `[FILE] name   size`, then the sums."""
    if order == "size":
        entries = sorted(entries, key=lambda entry: entry["size"], reverse=True)
    lines = [
        f"[DIR] {entry['name']}"
        if entry["type"] == "directory"
        else f"[FILE] {entry['name']:<30} {format_size(entry['size']):>10}"
        for entry in entries[:MAX_ENTRIES]
    ]
    if len(entries) > MAX_ENTRIES:
        lines.append(f"[Only the first {MAX_ENTRIES} entries are shown.]")
    folders = sum(entry["type"] == "directory" for entry in entries)
    size = sum(entry["size"] for entry in entries if entry["type"] != "directory")
    sums = [
        f"Total: {len(entries) - folders} files, {folders} directories",
        f"Combined size: {format_size(size)}",
    ]
    return ToolReply("\n".join([*lines, "", *sums]))


def find_paths(
    rooted: RootedPath,
    call: CallContext,
    matches: Callable[[str], bool],
    excluded: Callable[[str], bool],
    max_results: int,
) -> ToolReply:
    """The paths of files and folders below a folder that match, at most `max_results`."""
    found = (entry for entry in walk_folder(rooted, call, excluded) if matches(entry.path))
    paths = [utf8_path(f"{rooted.path}/{entry.path}") for entry in islice(found, max_results + 1)]
    more, paths = len(paths) > max_results, paths[:max_results]
    lines = [format_path(path) for path in paths]
    if more:
        lines.append(f"[Only the first {max_results} are shown.]")
    return ToolReply("\n".join(lines) or "No matches found", {"paths": paths, "truncated": more})


def show_matches(found: dict[str, Any]) -> ToolReply:
    """Matching lines as `path:line: text`, context as `path-line- text`."""
    lines: list[str] = []
    for match in found["matches"]:
        path, number = format_path(match["path"]), match["line"]
        before = match.get("before", ())
        lines += [f"{path}-{number - len(before) + i}- {text}" for i, text in enumerate(before)]
        lines.append(f"{path}:{number}: {match['text']}")
        lines += [
            f"{path}-{number + i}- {text}" for i, text in enumerate(match.get("after", ()), 1)
        ]
        lines += ["--"] if "before" in match else []
    lines += [f"[{note}.]" for note in found["notes"]]
    return ToolReply("\n".join(lines) or "No matches found", found)


def show_info(rooted: RootedPath) -> ToolReply:
    """The status of one entry, of a link itself. Raises `ToolCallError`."""
    found = rooted.stat()
    if found is None:
        raise ToolCallError(f"{format_path(rooted.path)} does not exist")
    known = describe_entry(rooted.path, found)
    known["path"] = known.pop("name")
    known |= {
        "accessed": to_iso_time(found.st_atime),
        "changed": to_iso_time(found.st_ctime),
        "permissions": f"{stat.S_IMODE(found.st_mode):03o}",
    }
    return ToolReply("\n".join(f"{key}: {value}" for key, value in known.items()), known)


def _format_entry(entry: dict[str, Any]) -> str:
    name = format_path(entry["name"])
    if entry["type"] == "directory":
        return f"[DIR] {name}"
    if entry["type"] == "file":
        return f"[FILE] {name}  {format_size(entry['size'])}"
    return f"[{entry['type'].upper()}] {name}"
