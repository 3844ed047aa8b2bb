"""Where the keys and the values of a JSON text are: one walk over it, for what looks for places.

Reads JSON with comments and trailing commas, which has to be valid already: a parser says what is
wrong and where, and `parser_message` says that as the window does. Must not judge a text, nor make
values of it.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind: TypeAlias = Literal["key", "value", "open", "close", "comma"]
"""`value` is one without parts: a text, a number, a word. `open` is the begin of any other."""

_TOKEN: Final = compile_later(
    r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[{}\[\]:,]|[^\s{}\[\]:,"/]+', re.DOTALL
)


def walk(text: str) -> Iterator[tuple[Kind, re.Match[str], list[str | int]]]:
    """Each place in the order of the text: what is there, the token, and the path of its value.

    The path has a key or an index for each open bracket around. It is one list, which changes as
    the walk goes on. A bracket has the path of its own value, a comma that of the value before it.
    """
    path: list[str | int] = []
    is_key = False
    for token in _TOKEN.finditer(text):
        match token[0][0]:
            case "/":
                continue
            case "{" | "[" as bracket:
                yield "open", token, path
                is_key = bracket == "{"
                path.append("" if is_key else 0)
            case "}" | "]":
                path.pop()
                is_key = False
                yield "close", token, path
            case ",":
                yield "comma", token, path
                last = path[-1]
                is_key = not isinstance(last, int)
                path[-1] = last + 1 if isinstance(last, int) else last
            case ":":
                is_key = False
            case _ if is_key:
                path[-1] = str(json.loads(token[0]))
                yield "key", token, path
            case _:
                yield "value", token, path


def is_commented(text: str) -> bool:
    """Whether there is a comment in it."""
    return any(token[0][0] == "/" for token in _TOKEN.finditer(text))


def parser_message(message: str) -> str:
    """What Python's own reader says, as a sentence of ours where it is one that is known."""
    known = (
        translatable("Expecting value"),
        translatable("Expecting ',' delimiter"),
        translatable("Expecting ':' delimiter"),
        translatable("Expecting property name enclosed in double quotes"),
        translatable("Illegal trailing comma before end of object"),
        translatable("Illegal trailing comma before end of array"),
        translatable("Extra data"),
        translatable("Unterminated string starting at"),
        translatable("Invalid control character at"),
        translatable("Invalid \\escape"),
        translatable("Invalid \\uXXXX escape"),
    )
    return next((text for text in known if text == message.removesuffix(": ")), message)
