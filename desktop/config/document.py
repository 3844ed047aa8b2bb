"""The text of a config file and the JSON in it: parsed with places, rendered in its own style.

Knows JSON with comments, nothing of servers. Numbers with a fraction stay `Decimal`, so that a save
does not change their digits. No error repeats a line of the file: it may hold a secret.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import jsonyx
from jsonyx.allow import COMMENTS, TRAILING_COMMA
from msgspec import Struct, field

from desktop.base.ascii_text import first_wide
from desktop.base.errors import ConfigError
from desktop.base.json_places import is_commented, walk
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.values.tool_types import JsonPath

if TYPE_CHECKING:
    from collections.abc import Iterator

JsonObject: TypeAlias = dict[str, Any]
_INDENT = compile_later(r"^([ \t]+)\S", re.MULTILINE)
_REMEDY = translatable(
    "Fix the file in an editor, then reload. Until then the app does not write to it."
)


class Document(Struct, frozen=True):
    """One version of a file: its parsed `data` and the `text` it came from."""

    data: JsonObject = field(default_factory=dict[str, Any])
    text: str = ""
    duplicates: dict[JsonPath, tuple[int, ...]] = field(default_factory=dict[JsonPath, Any])
    """Keys that stand twice in one object, with their lines."""

    @property
    def has_comments(self) -> bool:
        return is_commented(self.text)

    def line_of(self, path: JsonPath) -> int | None:
        """The line of the key at `path`, if it is in the text."""
        return next((line for at, line in _members(self.text) if at == path), None)


def as_object(value: object) -> JsonObject | None:
    """`value` if it is a JSON object, with the type that `isinstance` cannot give it."""
    return cast("JsonObject", value) if isinstance(value, dict) else None


def scalar_text(value: object) -> str | None:
    """A text, number or boolean as JSON writes it; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float | Decimal) else None


def parse(content: bytes, what: str) -> Document:
    """Read an object from JSON with comments; `what` names it in errors. Raises `ConfigError`."""
    data, is_repeated = parse_value(content, what)
    if (found := as_object(data)) is None:
        message = f"{what} must be a JSON object, {{ ... }}, not a single value or a list"
        raise ConfigError(message, line=1, column=1, remedy=_REMEDY)
    text = content.decode(jsonyx.detect_encoding(content))
    return Document(found, text, _duplicates(text) if is_repeated else {})


def parse_value(content: bytes, what: str) -> tuple[object, bool]:
    """Any value from JSON with comments, and whether a key stands twice in one object.

    Raises:
        ConfigError: it is no JSON, or nested too deeply; `what` is named.
    """
    repeated: list[bool] = []

    def keep_order(pairs: list[tuple[str, Any]]) -> JsonObject:
        result = dict(pairs)
        repeated.extend([True] * (len(result) < len(pairs)))
        return result

    try:
        data: object = jsonyx.loads(
            content,
            allow=COMMENTS | TRAILING_COMMA,
            hooks={"object": keep_order, "float": Decimal},
        )
    except jsonyx.TruncatedSyntaxError as error:
        raise _wide_error(content, what) or _syntax_error(error, what) from None
    except RecursionError:
        raise ConfigError(
            translatable("{what} is nested too deeply", what=what), remedy=_REMEDY
        ) from None
    except (ValueError, ArithmeticError):
        raise ConfigError(
            translatable("{what} contains a number with too many digits", what=what), remedy=_REMEDY
        ) from None
    return data, bool(repeated)


def _wide_error(content: bytes, what: str) -> ConfigError | None:
    """The error of a text that an input method wrote with full-width marks: the first is named."""
    try:
        text = content.decode(jsonyx.detect_encoding(content))
    except UnicodeError:
        return None
    if (found := first_wide(text)) is None:
        return None
    mark, meant, at = found
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return ConfigError(
        translatable(
            "{what} is not valid JSON: {mark} at line {line}, column {column} is a full-width "
            "character",
            what=what,
            mark=mark,
            line=line,
            column=column,
        ),
        line=line,
        column=column,
        remedy=translatable("Write {meant} in its place.", meant=meant),
    )


def _syntax_error(error: jsonyx.TruncatedSyntaxError, what: str) -> ConfigError:
    line, column = error.lineno or 1, error.colno
    # What its codec says is of no use to a person.
    words = "it is not UTF-8 text" if error.msg.startswith("(unicode error)") else error.msg
    words = _said(words)
    return ConfigError(
        translatable(
            "{what} is not valid JSON: {words} at line {line}, column {column}",
            what=what,
            words=words,
            line=line,
            column=column,
        ),
        line=line,
        column=column,
        remedy=_REMEDY,
    )


def _said(message: str) -> str:
    """What the reader says, as a sentence of ours where it is one that is known."""
    known = (
        translatable("it is not UTF-8 text"),
        translatable("Expecting value"),
        translatable("Expecting comma"),
        translatable("Expecting colon"),
        translatable("Expecting key"),
        translatable("Expecting end of file"),
        translatable("Unescaped control character"),
        translatable("Invalid backslash escape"),
        translatable("Unterminated array"),
        translatable("Unterminated object"),
        translatable("Unterminated string"),
        translatable("Unterminated comment"),
    )
    reworded = {
        "Missing commas are not allowed": translatable("a comma is missing"),
        "Unquoted keys are not allowed": translatable("keys must be quoted"),
    }
    return reworded.get(message) or next((one for one in known if one == message), message)


def render(data: JsonObject, like: str = "") -> str:
    """Write `data` with the indentation and line ends of the text `like`."""
    indent = found[1] if (found := _INDENT.search(like)) else "  "
    text = jsonyx.dumps(data, indent=indent, types={"float": Decimal})
    return text.replace("\n", "\r\n") if "\r\n" in like else text


def _duplicates(text: str) -> dict[JsonPath, tuple[int, ...]]:
    lines: dict[JsonPath, list[int]] = {}
    for path, line in _members(text):
        lines.setdefault(path, []).append(line)
    found = {path: tuple(at) for path, at in lines.items() if len(at) > 1}
    # Keys inside of a repeated object only look repeated.
    return {
        path: at
        for path, at in found.items()
        if not any(path[:n] in found for n in range(len(path)))
    }


def _members(text: str) -> Iterator[tuple[JsonPath, int]]:
    """Every key of every object in valid JSON, with the line it is on."""
    line, seen = 1, 0
    for kind, token, path in walk(text):
        if kind == "key":
            line += text.count("\n", seen, token.start())
            seen = token.start()
            yield tuple(path), line
