"""Patterns for paths: `*`, `?`, `[a-z]`, `{a,b}` in a name, `**` for any folders between.

A pattern without a slash means a name at any depth. Matching takes time in proportion to pattern
and path, whatever they are: no backtracking over names.
"""

from __future__ import annotations

import re
from fnmatch import translate

from builtin_servers.call import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_LONGEST = 500
_MOST_ALTERNATIVES = 64


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """Whether a relative path, its names parted by `/`, fits. Raises `ToolError`."""
    if not pattern or len(pattern) > _LONGEST:
        raise ToolError(f"A pattern has 1 to {_LONGEST} characters")
    matchers = [_compile(one) for one in _alternatives(pattern)]
    return lambda path: any(matches(path) for matches in matchers)


def compile_globs(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Whether a path fits any of them."""
    compiled = [compile_glob(pattern) for pattern in patterns]
    return lambda path: any(matches(path) for matches in compiled)


def _compile(pattern: str) -> Callable[[str], bool]:
    names = [name for name in pattern.split("/") if name not in ("", ".")]
    if len(names) == 1 and "/" not in pattern.strip("/") and not pattern.startswith("/"):
        names.insert(0, "**")
    parts = [None if name == "**" else _compile_name(name) for name in names]
    return lambda path: _fits(parts, path.split("/"))


def _compile_name(name: str) -> re.Pattern[str]:
    return re.compile(translate(re.sub(r"\*+", "*", name)))


def _fits(parts: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Each step keeps the places in `parts` that are reached after one more name."""
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


def _alternatives(pattern: str) -> list[str]:
    waiting, done = [pattern], list[str]()
    while waiting:
        one = waiting.pop()
        found = re.search(r"\{([^{}]*,[^{}]*)\}", one)
        if found is None:
            done.append(one)
        else:
            waiting += [one[: found.start()] + o + one[found.end() :] for o in found[1].split(",")]
        if len(waiting) + len(done) > _MOST_ALTERNATIVES:
            raise ToolError(f"A pattern may stand for at most {_MOST_ALTERNATIVES} others")
    return done


_END = re.compile("")
