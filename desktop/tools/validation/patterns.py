r"""Tries a stranger's regular expression on a text, in bounded time and memory.

Python's `re` cannot be interrupted: no look at an expression tells for sure whether it explodes.
So it is run by `regex`, which looks at its clock inside the match and gives up. What that clock
does not cover is bounded before: the length of the expression, its repeats, and the copies that
`regex` makes of what stands before a fixed count.

The dialect is ECMA-262's, which JSON Schema means, as far as Python servers read it the same way
(`\w` and `\d` know all scripts). What exists only in `regex` (recursion, fuzzy matching) is not
taken. The form reads schemas with this: `regex` is imported at the first expression.
"""

from __future__ import annotations

import re
import sys
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from regex import Pattern

MAX_PATTERN: Final = 4_000
"""Characters of an expression: the longest of zod's own has 1,200."""
MAX_REPEATS: Final = 200
"""`?`, `*`, `+` and `{}` in an expression: between two looks at the clock, `regex` goes through
about their square."""
MAX_COPIES: Final = 5_000
"""Product of nested fixed counts: `regex` compiles `(?:ab){3}` as three copies."""
MAX_MATCH_SECONDS: Final = 0.05
"""CPU seconds for one expression on one text; what people mean ends in microseconds."""

_MAX_REMEMBERED: Final = 512
_TOKEN: Final = compile_later(
    r"""(?P<class>\[\^?\]?(?:\\.|[^\]\\])*\])
    |(?P<escape>\\(?:u\{[0-9A-Fa-f]{1,6}\}|[pP]\{\w[\w=]{0,60}\}|k<\w+>|c[A-Za-z]|.))
    |(?P<group>\(\?(?:[:=!]|<[=!]|P?<[A-Za-z_]\w*>|[ims]+\)|[ims]*(?:-[ims]+)?:)|\((?!\?))
    |(?P<end>\))
    |(?P<count>\{(?P<least>\d+)(?:,\d*)?\})
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_KNOWN_LETTERS: Final = frozenset("dDwWsSbBnrtvfxupP")
_SPECIAL_ESCAPE: Final = compile_later(r"\\u\{([0-9A-Fa-f]{1,6})\}|\\c([A-Za-z])|\\k<(\w+)>")
_CLASS_PART: Final = compile_later(
    r"\\(?:u\{[0-9A-Fa-f]{1,6}\}|[pP]\{\w[\w=]{0,60}\}|c[A-Za-z]|.)|.", re.DOTALL
)


class UncheckedPatternError(Exception):
    """The expression was not tried on this text, or not to the end; the message says why."""


def matches(pattern: object, text: str) -> bool:
    """Whether `pattern` occurs in `text`; after about `MAX_MATCH_SECONDS` it is given up.

    Raises:
        UncheckedPatternError: it is no expression that is known here, is larger than the limits
            of this module, or takes too long on this text.
    """
    if not isinstance(pattern, str):
        raise UncheckedPatternError(translatable("the pattern is not text"))
    expression = _compiled(pattern)
    if isinstance(expression, str):
        raise UncheckedPatternError(expression)
    if len(text) >= _slow.get(pattern, len(text) + 1):
        raise UncheckedPatternError(_too_long(pattern))
    try:
        return expression.search(text, timeout=MAX_MATCH_SECONDS) is not None
    except (TimeoutError, MemoryError):
        _remember_slow(pattern, len(text))
        raise UncheckedPatternError(_too_long(pattern)) from None


def is_readable(pattern: str) -> bool:
    """Whether it is an expression that can be tried here."""
    return not isinstance(_compiled(pattern), str)


# --- what was slow ----------------------------------------------------------------------------

# A form validates at each key: an expression that was given up on a text is not tried again on
# one as long. Validation also runs in worker threads.
_slow: dict[str, int] = {}
_slow_lock = threading.Lock()


def _remember_slow(pattern: str, length: int) -> None:
    with _slow_lock:
        if len(_slow) >= _MAX_REMEMBERED:
            _slow.clear()
        _slow[pattern] = length


def _too_long(pattern: str) -> str:
    return translatable(
        "the pattern {pattern!r} could take too long on this text", pattern=_shortened(pattern)
    )


def _shortened(pattern: str) -> str:
    return pattern if len(pattern) <= 200 else pattern[:200] + "…"


# --- reading ----------------------------------------------------------------------------------


@lru_cache(maxsize=_MAX_REMEMBERED)
def _compiled(pattern: str) -> Pattern[str] | str:
    """The expression, or why there is none."""
    if len(pattern) > MAX_PATTERN:
        return translatable(
            "the pattern {pattern!r} is longer than {limit} characters",
            pattern=_shortened(pattern),
            limit=MAX_PATTERN,
        )
    unknown = translatable(
        "the pattern {pattern!r} uses an unsupported dialect", pattern=_shortened(pattern)
    )
    translated = _translate(pattern)
    if translated is None:
        return unknown
    if _is_too_large(pattern):
        return translatable(
            "the pattern {pattern!r} has too many repetitions", pattern=_shortened(pattern)
        )
    import regex

    try:
        return regex.compile(translated, regex.VERSION0)
    except (regex.error, RecursionError, OverflowError, ValueError, MemoryError):
        return unknown


def _translate(pattern: str) -> str | None:
    """ECMA-262 as `regex` writes it; nothing for what is of neither."""
    parts: list[str] = []
    for token in _TOKEN.finditer(pattern):
        text = token.group()
        if text == "(" and not token["group"]:
            return None  # `(?R)` and the like: a group that only one of the dialects has
        if token["class"]:
            text = _translate_class(text)
        elif token["escape"]:
            text = _translate_escape(text)
        elif text in "{}":
            text = "\\" + text  # no count: ECMA-262 takes it as it stands, `regex` as fuzziness
        if not text:
            return None
        parts.append(text)
    return "".join(parts)


def _translate_class(text: str) -> str:
    """`[...]`; empty if an escape in it is of neither dialect."""
    parts = ["\\[" if part == "[" else part for part in _CLASS_PART.findall(text[1:-1])]
    parts = [_translate_escape(part) if part.startswith("\\") else part for part in parts]
    return f"[{''.join(parts)}]" if all(parts) else ""


def _translate_escape(text: str) -> str:
    """An escaped character; empty for a letter that means nothing in ECMA-262."""
    if special := _SPECIAL_ESCAPE.fullmatch(text):
        code, control, name = special.groups()
        if name:
            return f"(?P={name})"
        number = int(code, 16) if code else ord(control) & 31
        return re.escape(chr(number)) if number <= sys.maxunicode else ""
    is_unknown = text[1].isascii() and text[1].isalpha() and text[1] not in _KNOWN_LETTERS
    return "" if is_unknown else text


def _is_too_large(pattern: str) -> bool:
    """Whether its repeats, or the copies made of what is counted, exceed the limits."""
    repeats = last = 0
    sizes = [0]  # of each open group, with the copies
    for token in _TOKEN.finditer(pattern):
        if token["group"]:
            sizes.append(0)
        elif token["end"] and len(sizes) > 1:
            last = max(1, sizes.pop())
            sizes[-1] += last
        elif token["count"]:
            repeats += 1
            copied = last * max(1, int(token["least"]))
            sizes[-1] += copied - last
            last = copied
        elif token["other"] and token.group() in "?*+":
            repeats += 1
        else:
            last = 1
            sizes[-1] += 1
        if repeats > MAX_REPEATS or sizes[-1] > MAX_COPIES:
            return True
    return False
