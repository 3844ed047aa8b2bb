"""Where in a JSON text a value stands, so that a finding can be shown at its line. Imports no Qt.

Takes text that is known to be JSON; says nothing about whether it is.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Path: TypeAlias = tuple[str | int, ...]

LONGEST: Final = 1_000_000
"""Characters looked through: about 0.3 s."""
_NO_JSON: Final = ("NaN", "Infinity", "-Infinity")
_MOST_DEEP: Final = 100
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def find_places(text: str, paths: Iterable[Path]) -> dict[Path, int]:
    """The offset of each path's value, of its key where it has one; else of the nearest around it.

    A text longer than `LONGEST` has all of them at its start.
    """
    wanted = list(paths)
    around = {path[:length] for path in wanted for length in range(len(path) + 1)}
    found: dict[Path, int] = {}
    if len(text) <= LONGEST:
        _Scan(text, around, found).run()
    return {path: _nearest(path, found) for path in wanted}


def find_unkept(text: str) -> int:
    """The offset of the first key that is there twice, or of a word that JSON does not have; or 0.

    For text that only fails for one of these; a parser tells the place of everything else.
    """
    keys: list[set[str]] = []
    is_key = False
    for token in _TOKEN.finditer(text[:LONGEST]):
        mark = token[0]
        if mark in "{[":
            keys.append(set())
            is_key = mark == "{"
        elif mark in "}]":
            keys.pop()
            is_key = False
        elif mark == ",":
            is_key = bool(keys[-1])
        elif mark == ":":
            is_key = False
        elif (is_key and mark in keys[-1]) or mark in _NO_JSON:
            return token.start()
        elif is_key:
            keys[-1].add(mark)
    return 0


def _nearest(path: Path, found: dict[Path, int]) -> int:
    return next((found[path[:n]] for n in range(len(path), -1, -1) if path[:n] in found), 0)


class _Scan:
    """One pass over the tokens; `_path` is where it is, a key or index for each open bracket."""

    def __init__(self, text: str, wanted: set[Path], found: dict[Path, int]) -> None:
        self._text = text
        self._wanted = wanted
        self._found = found
        self._path: list[str | int] = []
        self._is_key = False

    def run(self) -> None:
        for token in _TOKEN.finditer(self._text):
            mark = token[0]
            if mark == ":":
                self._is_key = False
            elif mark in "}]":
                self._path.pop()
                self._is_key = False
            elif mark == ",":
                self._go_on()
            elif self._is_key:
                self._path[-1] = str(json.loads(mark))
                self._note(token.start())
            else:
                self._begin(mark, token.start())

    def _go_on(self) -> None:
        last = self._path[-1]
        if isinstance(last, int):
            self._path[-1] = last + 1
        else:
            self._is_key = True

    def _begin(self, mark: str, at: int) -> None:
        """A value: where it has a key, that one was noted already."""
        self._note(at)
        if mark == "{":
            self._path.append("")
            self._is_key = True
        elif mark == "[":
            self._path.append(0)

    def _note(self, at: int) -> None:
        if len(self._path) <= _MOST_DEEP and (path := tuple(self._path)) in self._wanted:
            self._found.setdefault(path, at)
