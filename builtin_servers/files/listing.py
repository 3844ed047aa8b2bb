"""What was found, as a text with one line an entry and as data."""

from __future__ import annotations

import stat
from itertools import islice

from builtin_servers.call import Reply, ToolError
from builtin_servers.files.walking import MOST_ENTRIES, describe, iso, walk
from builtin_servers.files.wording import json_path, show_path, show_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from builtin_servers.call import Call
    from builtin_servers.files.roots import Place


def show_entries(entries: list[dict[str, Any]], order: str) -> Reply:
    """A folder's entries by name, or the largest or newest first."""
    if order != "name":
        entries = sorted(entries, key=lambda entry: entry[order], reverse=True)
    shown = entries[:MOST_ENTRIES]
    lines = [_line(entry) for entry in shown]
    size = sum(entry["size"] for entry in entries if entry["type"] == "file")
    folders = sum(entry["type"] == "directory" for entry in entries)
    summary = f"{len(entries) - folders} files, {folders} directories, {show_size(size)}"
    if len(shown) < len(entries):
        summary += f"; only the first {len(shown)} entries are shown"
    structured = {"entries": shown, "total": len(entries), "total_size": size}
    return Reply("\n".join([*lines, "", summary]), structured)


def find_paths(
    place: Place,
    call: Call,
    fits: Callable[[str], bool],
    excluded: Callable[[str], bool],
    most: int,
) -> Reply:
    """The paths below a folder that fit, folders too."""
    found = (entry for entry in walk(place, call, excluded) if fits(entry.path))
    paths = [json_path(f"{place.path}/{entry.path}") for entry in islice(found, most + 1)]
    more, paths = len(paths) > most, paths[:most]
    lines = [show_path(path) for path in paths]
    if more:
        lines.append(f"[Only the first {most} are shown.]")
    return Reply("\n".join(lines) or "No matches found", {"paths": paths, "truncated": more})


def show_matches(found: dict[str, Any]) -> Reply:
    """Lines as `path:line: text`, with context as `path-line- text`."""
    lines: list[str] = []
    for match in found["matches"]:
        path, number = show_path(match["path"]), match["line"]
        before = match.get("before", ())
        lines += [f"{path}-{number - len(before) + i}- {text}" for i, text in enumerate(before)]
        lines.append(f"{path}:{number}: {match['text']}")
        lines += [
            f"{path}-{number + i}- {text}" for i, text in enumerate(match.get("after", ()), 1)
        ]
        lines += ["--"] if "before" in match else []
    lines += [f"[{note}.]" for note in found["notes"]]
    return Reply("\n".join(lines) or "No matches found", found)


def show_info(place: Place) -> Reply:
    """All that is known of one entry, a link as itself. Raises `ToolError`."""
    found = place.stat()
    if found is None:
        raise ToolError(f"{show_path(place.path)} does not exist")
    known = describe(place.path, found)
    known["path"] = known.pop("name")
    known |= {
        "accessed": iso(found.st_atime),
        "changed": iso(found.st_ctime),
        "permissions": f"{stat.S_IMODE(found.st_mode):03o}",
    }
    return Reply("\n".join(f"{key}: {value}" for key, value in known.items()), known)


def _line(entry: dict[str, Any]) -> str:
    name = show_path(entry["name"])
    if entry["type"] == "directory":
        return f"[DIR] {name}"
    if entry["type"] == "file":
        return f"[FILE] {name}  {show_size(entry['size'])}"
    return f"[{entry['type'].upper()}] {name}"
