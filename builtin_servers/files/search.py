"""Searches the content of files, and compiles the patterns that select paths.

A regular expression can run longer than anyone will wait, and Python cannot interrupt one. So the
search runs in a forked process: the system limits its CPU time, and the parent kills it at the time
limit or when the client cancels.

A pattern has `*`, `?`, `[a-z]` and `{a,b}` in a name, `**` for any folders between; without a slash
it means a name at any depth. Matching takes time in proportion to pattern and path: there is no
backtracking over names.
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
from fnmatch import translate
from time import monotonic

from builtin_servers.files.listing import walk_folder
from builtin_servers.files.messages import format_size, utf8_path
from builtin_servers.files.roots import RootedPath, open_file
from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from builtin_servers.framework.tool import CallContext

MAX_SECONDS = 20.0
MAX_FILE_BYTES = 10 * 1024 * 1024
_MAX_LINE_CHARS = 500
_POLL = 0.05
_MAX_PATTERN_CHARS = 500
_MAX_ALTERNATIVES = 64
_END = re.compile("")


class ContentSearch:
    """What to search for and where, and how much of it to return."""

    __slots__ = ("context", "excluded", "files", "max_results", "pattern")

    def __init__(
        self,
        pattern: re.Pattern[str],
        files: Callable[[str], bool],
        excluded: Callable[[str], bool],
        *,
        context: int,
        max_results: int,
    ) -> None:
        self.pattern = pattern
        self.files = files
        self.excluded = excluded
        self.context = context
        self.max_results = max_results


def compile_pattern(text: str, *, is_regex: bool, ignore_case: bool) -> re.Pattern[str]:
    """Raises `ToolCallError` if `text` is not a valid regular expression."""
    try:
        return re.compile(text if is_regex else re.escape(text), re.I if ignore_case else 0)
    except (re.error, RecursionError, OverflowError) as error:
        raise ToolCallError(f"The pattern is no regular expression: {error}") from error


def search_content(
    rooted: RootedPath, call: CallContext, search: ContentSearch, timeout: float = MAX_SECONDS
) -> dict[str, Any]:
    """The matching lines as `matches`, and what was left out as `notes`; `timeout` in seconds."""
    if sys.platform == "win32":
        raise OSError("Windows cannot guard folders")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _run_child(writer, rooted, call, search, timeout)
    os.close(writer)
    try:
        return _collect(reader, call, search, timeout)
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _collect(
    reader: int, call: CallContext, search: ContentSearch, timeout: float
) -> dict[str, Any]:
    end = monotonic() + timeout
    matches: list[dict[str, Any]] = []
    notes: list[str] = []
    for line in _lines(reader, call, end):
        found = json.loads(line)
        if "error" in found:
            raise ToolCallError(found["error"])
        if "note" in found:
            notes.append(found["note"])
        elif "path" in found:
            matches.append(found)
        else:
            return {"matches": matches, "notes": notes}
    if len(matches) < search.max_results:
        notes.append(
            f"The search was stopped at its limit of {timeout:g} s; not all files were read"
        )
    return {"matches": matches, "notes": notes}


def _lines(reader: int, call: CallContext, end: float) -> Iterator[bytes]:
    rest = b""
    while (left := end - monotonic()) > 0:
        if call.is_cancelled:
            raise ToolCallError("Cancelled")
        if not select.select([reader], [], [], min(left, _POLL))[0]:
            continue
        chunk = os.read(reader, 64 * 1024)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


def _run_child(
    writer: int, rooted: RootedPath, call: CallContext, search: ContentSearch, timeout: float
) -> None:
    """Search and write the matches to the pipe. Never returns: the process ends here."""
    if sys.platform == "win32":
        raise OSError("Windows cannot guard folders")
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        seconds = int(timeout) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        with os.fdopen(writer, "wb") as pipe:
            try:
                for found in _find(rooted, call, search):
                    pipe.write(json.dumps(found).encode() + b"\n")
                    pipe.flush()
            except ToolCallError as error:
                pipe.write(json.dumps({"error": str(error)}).encode() + b"\n")
    except Exception:  # noqa: BLE001 - nothing may escape into the forked copy of the server
        sys.excepthook(*sys.exc_info())  # pyright: ignore[reportArgumentType] - there is one
    finally:
        os._exit(0)


def _find(rooted: RootedPath, call: CallContext, search: ContentSearch) -> Iterator[dict[str, Any]]:
    found = 0
    for file in _files(rooted, call, search):
        for match in _find_in(file, search):
            yield match
            found += "path" in match
            if found == search.max_results:
                yield {"note": f"Only the first {found} matches are shown"}
                yield {}
                return
    yield {}


def _files(rooted: RootedPath, call: CallContext, search: ContentSearch) -> Iterator[RootedPath]:
    there = rooted.stat()
    if there is not None and stat.S_ISREG(there.st_mode):
        yield RootedPath(rooted.folder, rooted.name, rooted.name)
        return
    for entry in walk_folder(rooted, call, search.excluded):
        if not entry.is_folder and search.files(entry.path):
            yield RootedPath(entry.folder, entry.name, entry.path)


def _find_in(file: RootedPath, search: ContentSearch) -> Iterator[dict[str, Any]]:
    try:
        fd = open_file(file)
    except ToolCallError:  # a link, a pipe, or not readable
        return
    with os.fdopen(fd, "rb") as opened:
        content = opened.read(MAX_FILE_BYTES + 1)
    if b"\0" in content[:8192]:
        return
    if len(content) > MAX_FILE_BYTES:
        timeout = format_size(MAX_FILE_BYTES)
        yield {"note": f"Of {utf8_path(file.path)} only the first {timeout} were searched"}
    lines = content[:MAX_FILE_BYTES].decode("utf-8", "replace").splitlines()
    for index, line in enumerate(lines):
        if search.pattern.search(line):
            yield _match(file.path, lines, index, search.context)


def _match(path: str, lines: list[str], index: int, context: int) -> dict[str, Any]:
    match: dict[str, Any] = {
        "path": utf8_path(path),
        "line": index + 1,
        "text": lines[index][:_MAX_LINE_CHARS],
    }
    if context:
        match["before"] = [
            line[:_MAX_LINE_CHARS] for line in lines[max(0, index - context) : index]
        ]
        match["after"] = [line[:_MAX_LINE_CHARS] for line in lines[index + 1 : index + 1 + context]]
    return match


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """A function that tells whether a relative path matches. Raises `ToolCallError`."""
    if not pattern or len(pattern) > _MAX_PATTERN_CHARS:
        raise ToolCallError(f"A pattern has 1 to {_MAX_PATTERN_CHARS} characters")
    matchers = [_compile(alternative) for alternative in _expand_braces(pattern)]
    return lambda path: any(matches(path) for matches in matchers)


def compile_globs(patterns: Iterable[str]) -> Callable[[str], bool]:
    """A function that tells whether a path matches any of the patterns."""
    compiled = [compile_glob(pattern) for pattern in patterns]
    return lambda path: any(matches(path) for matches in compiled)


def _compile(pattern: str) -> Callable[[str], bool]:
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    if len(names) == 1 and "/" not in pattern.strip("/") and not pattern.startswith("/"):
        names.insert(0, "**")
    parts = [None if name == "**" else _compile_name(name) for name in names]
    return lambda path: _matches(parts, path.split("/"))


def _compile_name(name: str) -> re.Pattern[str]:
    return re.compile(translate(re.sub(r"\*+", "*", name)))


def _matches(parts: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Each step computes the positions in `parts` that can be reached after one more name."""
    reached = _pass_stars(parts, {0})
    for name in names:
        after: set[int] = set()
        for index in reached:
            part = parts[index] if index < len(parts) else _END
            if part is None:
                after.add(index)
            elif part is not _END and part.match(name):
                after.add(index + 1)
        reached = _pass_stars(parts, after)
    return len(parts) in reached


def _pass_stars(parts: Sequence[re.Pattern[str] | None], reached: set[int]) -> set[int]:
    for index in sorted(reached):
        while index < len(parts) and parts[index] is None:
            index += 1
            reached = {*reached, index}
    return reached


def _expand_braces(pattern: str) -> list[str]:
    waiting, done = [pattern], list[str]()
    while waiting:
        alternative = waiting.pop()
        found = re.search(r"\{([^{}]*,[^{}]*)\}", alternative)
        if found is None:
            done.append(alternative)
        else:
            waiting += [
                alternative[: found.start()] + choice + alternative[found.end() :]
                for choice in found[1].split(",")
            ]
        if len(waiting) + len(done) > _MAX_ALTERNATIVES:
            raise ToolCallError(f"A pattern may stand for at most {_MAX_ALTERNATIVES} others")
    return done
