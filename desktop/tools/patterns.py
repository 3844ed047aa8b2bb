"""Answers whether a server's regular expression matches, without ever hanging on it.

Python's `re` cannot be interrupted, so an expression that could take exponential time is not run on
a text long enough to matter. Knows nothing of schemas.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

LONGEST_FOR_RISKY: Final = 12
"""Characters that even `(a|a|a)*` gets through at once."""
MOST_STEPS: Final = 10_000_000

_ATOM = r"(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^\\\[\](){}*+?|^$])"
_UNBOUNDED = re.compile(r"(?:[*+]|\{\d*,\}|\{\d*,\d{2,}\}|\{\d{2,}\})")
_TOKEN = re.compile(rf"{_ATOM}|.", re.DOTALL)
_SEPARATED = re.compile(
    rf"^(?:\?:)?(?:(?P<before>{_ATOM})(?P<tail>{_ATOM})[*+]|(?P<body>{_ATOM})[*+](?P<after>{_ATOM}))$",
    re.DOTALL,
)


class UncheckedPatternError(Exception):
    """The expression cannot be tried on this text; the message says why."""


def matches(pattern: object, text: str) -> bool:
    """Whether `pattern` occurs in `text`.

    Raises:
        UncheckedPatternError: it is not a Python expression, or it could take too long.
    """
    if not isinstance(pattern, str):
        raise UncheckedPatternError("the pattern is not text")
    expression = _compiled(pattern)
    if expression is None:
        raise UncheckedPatternError(f"the pattern {pattern!r} is of a dialect not known here")
    risky, repeats = _risk(pattern)
    if (risky and len(text) > LONGEST_FOR_RISKY) or len(text) ** repeats > MOST_STEPS:
        raise UncheckedPatternError(f"the pattern {pattern!r} could take too long on this text")
    return expression.search(text) is not None


def is_readable(pattern: str) -> bool:
    """Whether it is an expression that can be tried here."""
    return _compiled(pattern) is not None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(
            pattern.replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!")
        )
    except (re.error, RecursionError, OverflowError):
        return None


@lru_cache(maxsize=512)
def _risk(pattern: str) -> tuple[bool, int]:
    """Whether a repeated group can match in several ways, and to which power a match can cost."""
    risky, repeats = False, 0 if pattern.startswith("^") else 1
    opened: list[int] = []
    position = 0
    while position < len(pattern):
        token = _TOKEN.match(pattern, position)
        text = token.group() if token else pattern[position]
        if text == "(":
            opened.append(position + 1)
        elif text == ")" and opened:
            body = pattern[opened.pop() : position]
            repeated = _UNBOUNDED.match(pattern, position + 1)
            if repeated is not None and _has_choice(body):
                # With a separator there is one way to match: the group costs one loop.
                risky, repeats = risky or not _is_separated(body), repeats - 1
        elif _UNBOUNDED.match(pattern, position):
            repeats += 1
        position += len(text)
    return risky or bool(re.search(r"\\[1-9]|\(\?P=", pattern)), repeats


def _has_choice(body: str) -> bool:
    return re.search(r"[|?*+]|\{\d*,\d*\}", body.removeprefix("?:")) is not None


def _is_separated(body: str) -> bool:
    """`-[a-z]+` and `[a-z]+-`: the separator is outside the class, so there is one way to match."""
    shape = _SEPARATED.match(body)
    if shape is None:
        return False
    separator = shape["before"] or shape["after"]
    repeated = _compiled(shape["tail"] or shape["body"])
    literal = separator[1:] if separator.startswith("\\") else separator
    escaped = separator.startswith("\\")
    plain = len(literal) == 1 and not (literal.isalnum() if escaped else literal == ".")
    return plain and repeated is not None and not repeated.fullmatch(literal)
