"""A rule that a person can write down: `end >= start` compares two values of the arguments.

No language, nothing is run: a path, an operator, and a path, a number or a text in quotes. Must not
compare what cannot be compared: then it raises, and the `RuleBook` says so.
"""

from __future__ import annotations

import json
import operator
import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, Self, cast

from desktop.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.tool_types import JsonObject

Path = tuple[str | int, ...]

LONGEST: Final = 500
"""Characters of a rule."""
_NAMES: Final[Mapping[str, tuple[Callable[[Any, Any], bool], str]]] = {
    ">=": (operator.ge, "must not be less than"),
    "<=": (operator.le, "must not be more than"),
    "==": (operator.eq, "must be the same as"),
    "!=": (operator.ne, "must not be the same as"),
    ">": (operator.gt, "must be more than"),
    "<": (operator.lt, "must be less than"),
}
_RULE = re.compile(r"\s*(?P<left>[^\s<>=!]+)\s*(?P<sign>[<>=!]=|[<>])\s*(?P<right>[^\s=].*?)\s*")
_PART = re.compile(r"(?:^|\.)([^.\[\]\s'\"()]+)|\[(\d{1,9})\]")
_ABSENT: Final = object()


class RuleTextError(ValueError):
    """The text is no rule; the message says what one looks like."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison; a `Rule`. Holds where either value is not there: that is `required`'s."""

    text: str
    left: Path
    sign: str
    right: Path | None
    literal: Any = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `end >= start`, `items[0].count > 0` or `mode != "off"`.

        Raises:
            RuleTextError: it is none of these.
        """
        found = _RULE.fullmatch(text) if len(text) <= LONGEST else None
        if found is None:
            raise RuleTextError(f"{text!r:.80} is no rule such as 'end >= start'")
        left, sign, right = found["left"], found["sign"], found["right"]
        try:
            literal: Any = json.loads(right)
        except ValueError:
            return cls(text.strip(), _path(left), sign, _path(right))
        if isinstance(literal, list | dict):
            raise RuleTextError("a rule compares with a number, a text, true, false or null")
        return cls(text.strip(), _path(left), sign, None, literal)

    def __call__(self, arguments: JsonObject, /) -> list[ValidationIssue]:
        """The finding, at the left value.

        Raises:
            TypeError: the two cannot be compared.
        """
        left = _at(arguments, self.left)
        right = self.literal if self.right is None else _at(arguments, self.right)
        if left is _ABSENT or right is _ABSENT:
            return []
        compare, words = _NAMES[self.sign]
        if compare(*_comparable(left, right, is_order=self.sign not in {"==", "!="})):
            return []
        other = json.dumps(self.literal, ensure_ascii=False) if self.right is None else ""
        message = f"{words} {other or _written(self.right or ())} (your rule {self.text})"
        return [
            ValidationIssue(
                self.left, "rule", message, code="comparison", values={"rule": self.text}
            )
        ]


def _path(text: str) -> Path:
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


def _written(path: Path) -> str:
    return ValidationIssue(path, "rule", "").where


def _at(arguments: Any, path: Path) -> Any:
    here = arguments
    for part in path:
        try:
            here = here[part]
        except (LookupError, TypeError):
            return _ABSENT
    return here


def _comparable(left: Any, right: Any, *, is_order: bool) -> tuple[Any, Any]:
    """Numbers as they are; texts as moments or dates where both are, else letter by letter.

    Raises:
        TypeError: they have no order; a moment with a time zone and one without have none.
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
