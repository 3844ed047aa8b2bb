"""Searches the content of files, in a process of its own that can be ended at any moment.

A regular expression can take longer than anyone will wait, and Python cannot interrupt one: the
process has a limit in CPU time from the system, and the parent ends it at the limit or when the
client cancels.
"""

from __future__ import annotations

import json
import os
import re
import resource
import select
import signal
import stat
import sys
from time import monotonic

from builtin_servers.call import ToolError
from builtin_servers.files.roots import Place, open_file
from builtin_servers.files.walking import walk
from builtin_servers.files.wording import json_path, show_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from builtin_servers.call import Call

LIMIT = 20.0
FILE_LIMIT = 10 * 1024 * 1024
_LINE_SHOWN = 500
_POLL = 0.05


class Search:
    """What to look for, and how much of what is found to tell."""

    __slots__ = ("context", "excluded", "files", "most", "pattern")

    def __init__(
        self,
        pattern: re.Pattern[str],
        files: Callable[[str], bool],
        excluded: Callable[[str], bool],
        *,
        context: int,
        most: int,
    ) -> None:
        self.pattern = pattern
        self.files = files
        self.excluded = excluded
        self.context = context
        self.most = most


def compile_pattern(text: str, *, is_regex: bool, ignore_case: bool) -> re.Pattern[str]:
    """Raises `ToolError` where `text` is no regular expression."""
    try:
        return re.compile(text if is_regex else re.escape(text), re.I if ignore_case else 0)
    except (re.error, RecursionError, OverflowError) as error:
        raise ToolError(f"The pattern is no regular expression: {error}") from error


def search_content(
    place: Place, call: Call, search: Search, limit: float = LIMIT
) -> dict[str, Any]:
    """The lines found, as `matches`, and what was left out, as `notes`. `limit` is in seconds."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _be_the_child(writer, place, call, search, limit)
    os.close(writer)
    try:
        return _collect(reader, call, search, limit)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _collect(reader: int, call: Call, search: Search, limit: float) -> dict[str, Any]:
    end = monotonic() + limit
    matches: list[dict[str, Any]] = []
    notes: list[str] = []
    for line in _lines(reader, call, end):
        found = json.loads(line)
        if "error" in found:
            raise ToolError(found["error"])
        if "note" in found:
            notes.append(found["note"])
        elif "path" in found:
            matches.append(found)
        else:
            return {"matches": matches, "notes": notes}
    if len(matches) < search.most:
        notes.append(f"The search was stopped at its limit of {limit:g} s; not all files were read")
    return {"matches": matches, "notes": notes}


def _lines(reader: int, call: Call, end: float) -> Iterator[bytes]:
    rest = b""
    while (left := end - monotonic()) > 0:
        if call.is_cancelled:
            raise ToolError("Cancelled")
        if not select.select([reader], [], [], min(left, _POLL))[0]:
            continue
        chunk = os.read(reader, 64 * 1024)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def _be_the_child(writer: int, place: Place, call: Call, search: Search, limit: float) -> None:
    """Never returns: whatever happens, this process ends here."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        seconds = int(limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        with os.fdopen(writer, "wb") as pipe:
            try:
                for found in _find(place, call, search):
                    pipe.write(json.dumps(found).encode() + b"\n")
                    pipe.flush()
            except ToolError as error:
                pipe.write(json.dumps({"error": str(error)}).encode() + b"\n")
    except Exception:  # noqa: BLE001 - the boundary of the process
        sys.excepthook(*sys.exc_info())  # pyright: ignore[reportArgumentType] - there is one
    finally:
        os._exit(0)


def _find(place: Place, call: Call, search: Search) -> Iterator[dict[str, Any]]:
    found = 0
    for file in _files(place, call, search):
        for match in _find_in(file, search):
            yield match
            found += "path" in match
            if found == search.most:
                yield {"note": f"Only the first {found} matches are shown"}
                yield {}
                return
    yield {}


def _files(place: Place, call: Call, search: Search) -> Iterator[Place]:
    there = place.stat()
    if there is not None and stat.S_ISREG(there.st_mode):
        yield Place(place.folder, place.name, place.name)
        return
    for entry in walk(place, call, search.excluded):
        if not entry.is_folder and search.files(entry.path):
            yield Place(entry.folder, entry.name, entry.path)


def _find_in(file: Place, search: Search) -> Iterator[dict[str, Any]]:
    try:
        fd = open_file(file)
    except ToolError:  # a link, a pipe, or not ours to read
        return
    with os.fdopen(fd, "rb") as opened:
        content = opened.read(FILE_LIMIT + 1)
    if b"\0" in content[:8192]:
        return
    if len(content) > FILE_LIMIT:
        limit = show_size(FILE_LIMIT)
        yield {"note": f"Of {json_path(file.path)} only the first {limit} were searched"}
    lines = content[:FILE_LIMIT].decode("utf-8", "replace").splitlines()
    for index, line in enumerate(lines):
        if search.pattern.search(line):
            yield _match(file.path, lines, index, search.context)


def _match(path: str, lines: list[str], index: int, context: int) -> dict[str, Any]:
    match: dict[str, Any] = {
        "path": json_path(path),
        "line": index + 1,
        "text": lines[index][:_LINE_SHOWN],
    }
    if context:
        match["before"] = [line[:_LINE_SHOWN] for line in lines[max(0, index - context) : index]]
        match["after"] = [line[:_LINE_SHOWN] for line in lines[index + 1 : index + 1 + context]]
    return match
