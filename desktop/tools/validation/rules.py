"""Business rules: what a tool's arguments must keep beyond what its schema can say.

`Rules` holds them for the executor; `ConfiguredRules` keeps those of the config in it (`toolRules`:
`end >= start`). A rule that fails, or returns something else than issues, becomes a warning that
names it and never stops a call. A rule in the config runs no code: it is a path, an operator, and a
path or a value.
"""

from __future__ import annotations

import inspect
import json
import operator
from datetime import date, datetime
from fnmatch import fnmatchcase
from glob import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, cast

from msgspec import Struct

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.values.tool_types import ValidationIssue, json_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from desktop.config.store import ConfigStore
    from desktop.values.tool_types import JsonObject, JsonPath

MAX_ISSUES: Final = 100
MAX_RULE_TEXT: Final = 500
"""Characters of a written rule."""


class Rule(Protocol):
    """Looks at arguments that fit the schema and returns what is wrong; must not change them.

    Called on the loop at each change of a form: it must be quick and must not wait.
    """

    def __call__(self, arguments: JsonObject, /) -> Iterable[ValidationIssue] | None: ...


class _Entry(Struct, frozen=True):
    pattern: str
    rule: Rule
    name: str


class Rules:
    """The rules of all tools, by the tools that they are for."""

    def __init__(self) -> None:
        self._entries: tuple[_Entry, ...] = ()

    @property
    def revision(self) -> object:
        """Another object after each rule that comes or goes: what was found before may not hold."""
        return self._entries

    def add(self, pattern: str, rule: Rule, name: str = "") -> Callable[[], None]:
        """Check every call of the tools whose key matches with a rule.

        Args:
            pattern: a key `server:tool`, or one with `*` for any part (`calendar:*`, `*:book`).
            rule: see `Rule`.
            name: its name in warnings; without one, the name of its function.

        Returns: a function that removes it; safe to call twice.
        """
        called = name or getattr(rule, "__name__", type(rule).__name__)
        entry = _Entry(pattern, rule, called)
        self._entries = (*self._entries, entry)

        def remove() -> None:
            self._entries = tuple(each for each in self._entries if each is not entry)

        return remove

    def check(self, key: str, arguments: JsonObject) -> list[ValidationIssue]:
        """All issues of the rules for this tool, at most `MAX_ISSUES`; never raises."""
        issues: list[ValidationIssue] = []
        for entry in self._entries:
            if fnmatchcase(key, entry.pattern):
                issues += _apply(entry, arguments)
        return issues[:MAX_ISSUES]


def _apply(entry: _Entry, arguments: JsonObject) -> list[ValidationIssue]:
    answer: Any = None
    try:
        answer = entry.rule(arguments)
        items: list[Any] = list(islice(answer, MAX_ISSUES)) if answer is not None else []
    except Exception as error:  # noqa: BLE001 - somebody else's code, which must not stop a call
        if inspect.iscoroutine(answer):
            answer.close()
        return [_failed(entry.name, f"{type(error).__name__}: {error!s:.200}")]
    issues = [item for item in items if isinstance(item, ValidationIssue)]
    if len(issues) == len(items):
        return issues
    return [
        *issues,
        _failed(entry.name, translatable("it returned something that is not a finding")),
    ]


def _failed(name: str, why: str) -> ValidationIssue:
    message = translatable("The rule {name!r} could not be applied: {why}", name=name, why=why)
    return ValidationIssue((), "rule", message, "warning", "ruleFailed")


# --- written rules ----------------------------------------------------------------------------

_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq,
    "!=": operator.ne, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
_RULE = compile_later(r"\s*(?P<left>[^\s<>=!]+)\s*(?P<sign>[<>=!]=|[<>])\s*(?P<right>[^\s=].*?)\s*")
_PART = compile_later(r"(?:^|\.)([^.\[\]\s'\"()]+)|\[(\d{1,9})\]")
_ABSENT: Final = object()


class RuleTextError(ValueError):
    """The text is not a rule; the message shows what one looks like."""


class Comparison(Struct, frozen=True):
    """One comparison; a `Rule`. Holds if a value is missing: `required` reports that."""

    text: str
    left: JsonPath
    sign: str
    right: JsonPath | None
    literal: Any = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `end >= start`, `items[0].count > 0` or `mode != "off"`.

        Raises:
            RuleTextError: it is not a comparison.
        """
        match = _RULE.fullmatch(text) if len(text) <= MAX_RULE_TEXT else None
        if match is None:
            raise RuleTextError(f"{text!r:.80} is no rule such as 'end >= start'")
        left, sign, right = match["left"], match["sign"], match["right"]
        try:
            literal: Any = json.loads(right)
        except ValueError:
            return cls(text.strip(), _path(left), sign, _path(right))
        if isinstance(literal, list | dict):
            raise RuleTextError("a rule compares with a number, a text, true, false or null")
        return cls(text.strip(), _path(left), sign, None, literal)

    def __call__(self, arguments: JsonObject, /) -> list[ValidationIssue]:
        """The issue, at the left value; empty where the comparison holds.

        Raises:
            TypeError: the two cannot be compared.
        """
        left = _at(arguments, self.left)
        right = self.literal if self.right is None else _at(arguments, self.right)
        if left is _ABSENT or right is _ABSENT:
            return []
        compare = _OPERATORS[self.sign]
        if compare(*_comparable(left, right, is_order=self.sign not in {"==", "!="})):
            return []
        other = json.dumps(self.literal, ensure_ascii=False) if self.right is None else ""
        message = translatable(
            "{message} (your rule {rule})",
            message=_broken(self.sign, other or json_path(self.right or ())),
            rule=self.text,
        )
        return [ValidationIssue(self.left, "rule", message, code="comparison")]


def _broken(sign: str, other: str) -> str:
    messages = {
        ">=": translatable("must not be less than {other}", other=other),
        "<=": translatable("must not be more than {other}", other=other),
        "==": translatable("must be the same as {other}", other=other),
        "!=": translatable("must not be the same as {other}", other=other),
        ">": translatable("must be more than {other}", other=other),
        "<": translatable("must be less than {other}", other=other),
    }
    return messages[sign]


def _path(text: str) -> JsonPath:
    parts: list[str | int] = []
    end = 0
    for part in _PART.finditer(text):
        if part.start() != end:
            break
        parts.append(part[1] if part[1] is not None else int(part[2]))
        end = part.end()
    if not parts or end != len(text):
        raise RuleTextError(f"{text!r:.80} is no path such as items[0].name")
    return tuple(parts)


def _at(arguments: Any, path: JsonPath) -> Any:
    here = arguments
    for part in path:
        try:
            here = here[part]
        except (LookupError, TypeError):
            return _ABSENT
    return here


def _comparable(left: Any, right: Any, *, is_order: bool) -> tuple[Any, Any]:
    """Numbers as they are; texts as dates or moments if both are such, else as text.

    Raises:
        TypeError: they have no order, like moments with and without a time zone.
    """
    if isinstance(left, str) and isinstance(right, str):
        for read in (date.fromisoformat, datetime.fromisoformat):
            try:
                return read(left), read(right)
            except ValueError:
                continue
        return left, right
    is_numbers = all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in (left, right)
    )
    if is_order and not is_numbers:
        raise TypeError("only two numbers or two texts have an order")
    return cast("tuple[Any, Any]", (left, right))


class ConfiguredRules:
    """Keeps the rules those of the config, also after it changes."""

    def __init__(self, rules: Rules, store: ConfigStore) -> None:
        self._rules = rules
        self._store = store
        self._remove: list[Callable[[], None]] = []
        store.changed.connect(self._read)
        self._read()

    def _read(self) -> None:
        for remove in self._remove:
            remove()
        self._remove = [
            self._rules.add(f"{escape(name)}:{tool}", rule_of(text), text)
            for name, config in self._store.servers.items()
            for tool, texts in config.tool_rules.items()
            for text in texts
        ]


def rule_of(text: str) -> Rule:
    """The rule in a text; for a text that is not a rule, one that always fails and says why."""
    try:
        return Comparison.parse(text)
    except RuleTextError as error:
        reason = error

        def fail(_: JsonObject, /) -> None:
            raise reason

        return fail
