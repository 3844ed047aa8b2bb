"""Business rules: what a tool's arguments must keep beyond what its schema can say.

An adapter or a person adds them to the `RuleBook` that the executor is given. A rule that fails or
answers with something else is a warning that names it, and never stops a call. Knows no tool.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol

from desktop.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.tool_types import JsonObject

MOST_ISSUES: Final = 100


class Rule(Protocol):
    """Looks at arguments that fit the schema and returns what is wrong; must not change them.

    Called on the loop at each change of a form: it has to be quick, and must not wait.
    """

    def __call__(self, arguments: JsonObject, /) -> Iterable[ValidationIssue] | None: ...


@dataclass(frozen=True, slots=True)
class _Entry:
    pattern: str
    rule: Rule
    name: str


class RuleBook:
    """Rules by the tools that they are for."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []

    def add(self, pattern: str, rule: Rule, name: str = "") -> Callable[[], None]:
        """Hold a rule against every call of the tools whose key matches.

        Args:
            pattern: a key `server:tool`, or one with `*` for any part (`calendar:*`, `*:book`).
            rule: see `Rule`.
            name: what a warning calls it; without one, its function's name.

        Returns: what takes it out again, safe to call twice.
        """
        called = name or getattr(rule, "__name__", type(rule).__name__)
        entry = _Entry(pattern, rule, called)
        self._entries.append(entry)

        def remove() -> None:
            self._entries = [each for each in self._entries if each is not entry]

        return remove

    def check(self, key: str, arguments: JsonObject) -> list[ValidationIssue]:
        """What the rules for this tool find, at most `MOST_ISSUES`; never raises."""
        found: list[ValidationIssue] = []
        for entry in self._entries:
            if fnmatchcase(key, entry.pattern):
                found += _ask(entry, arguments)
        return found[:MOST_ISSUES]


def _ask(entry: _Entry, arguments: JsonObject) -> list[ValidationIssue]:
    found: Any = None
    try:
        found = entry.rule(arguments)
        issues: list[Any] = list(islice(found, MOST_ISSUES)) if found is not None else []
    except Exception as error:  # noqa: BLE001 - somebody else's code, which must not stop a call
        if inspect.iscoroutine(found):
            found.close()
        return [_failed(entry.name, f"{type(error).__name__}: {error!s:.200}")]
    kept = [each for each in issues if isinstance(each, ValidationIssue)]
    if len(kept) == len(issues):
        return kept
    return [*kept, _failed(entry.name, "it returned something that is no finding")]


def _failed(name: str, why: str) -> ValidationIssue:
    words = f"The rule {name!r} could not be applied: {why}"
    return ValidationIssue((), "rule", words, "warning", "ruleFailed", {"name": name, "why": why})
