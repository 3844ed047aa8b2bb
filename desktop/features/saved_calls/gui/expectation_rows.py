"""Expectations as rows of a form, and back to what a file has. Pure; must not know widgets.

What a row cannot say (a snapshot without its text, seconds beside it) is carried along unchanged.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.features.saved_calls.value_paths import parse_path, parse_pattern
from desktop.gui.form.model.json_text import JsonTextError, read_json, write_json
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.values.tool_types import JsonObject

RowKind: TypeAlias = Literal[
    "success", "error", "contains", "equals", "matches", "snapshot", "seconds"
]
KINDS: Final[tuple[RowKind, ...]] = (
    *("success", "error", "contains", "equals", "matches", "snapshot", "seconds"),
)
_ONCE: Final = frozenset[RowKind](("success", "error", "matches", "snapshot", "seconds"))


class Row(Struct, frozen=True):
    """One expectation: `path` of `equals`, `text` as it was typed, `has_text` of a snapshot."""

    kind: RowKind
    text: str = ""
    path: str = ""
    has_text: bool = True


class RowError(ValueError):
    """What is wrong with the row `index`."""

    def __init__(self, index: int, words: str) -> None:
        super().__init__(words)
        self.index = index


def rows_of(expect: JsonObject) -> list[Row]:
    """The rows for what a file expects; it has to be valid."""
    rows: list[Row] = []
    error = expect.get("error", False)
    if error is not False:
        rows.append(Row("error", "" if error is True else str(error)))
    contains: Any = expect.get("contains", [])
    texts = [contains] if isinstance(contains, str) else list_of(contains)
    rows += [Row("contains", str(text)) for text in texts]
    rows += [
        Row("equals", _shown(value), path)
        for path, value in object_of(expect.get("equals")).items()
    ]
    if (schema := expect.get("matches")) is not None:
        rows.append(Row("matches", write_json(schema)))
    if (snapshot := expect.get("snapshot")) not in (None, False):
        options = object_of(snapshot)
        ignored: Any = options.get("ignore", [])
        paths = [ignored] if isinstance(ignored, str) else list_of(ignored)
        rows.append(Row("snapshot", ", ".join(map(str, paths)), has_text=options.get("text", True)))
    if (seconds := expect.get("seconds")) is not None:
        rows.append(Row("seconds", f"{seconds:g}"))
    return rows or [Row("success")]


def expect_of(rows: Iterable[Row]) -> dict[str, Any]:
    """What a file has for the rows.

    Raises:
        RowError: one is not whole, or two contradict each other.
    """
    expect: dict[str, Any] = {}
    seen: set[str] = set()
    for index, row in enumerate(rows):
        try:
            _add(expect, row, seen)
        except JsonTextError as error:
            raise RowError(index, str(error)) from None
        except ValueError as error:
            raise RowError(index, error.args[0]) from None
    return expect


def _add(expect: dict[str, Any], row: Row, seen: set[str]) -> None:
    if row.kind in _ONCE and row.kind in seen:
        raise ValueError(translatable("This is said twice."))
    if {"success", "error"} <= {*seen, row.kind}:
        raise ValueError(translatable("A call cannot both succeed and report an error."))
    seen.add(row.kind)
    text = row.text.strip()
    match row.kind:
        case "success":
            pass
        case "error":
            expect["error"] = text or True
        case "contains":
            expect.setdefault("contains", []).append(_contained(row.text))
        case "equals":
            _add_value(expect.setdefault("equals", {}), row.path.strip(), text)
        case "matches":
            expect["matches"] = _schema(text)
        case "snapshot":
            expect["snapshot"] = _snapshot(row)
        case "seconds":
            expect["seconds"] = _seconds(text)


def _contained(text: str) -> str:
    if not text:
        raise ValueError(translatable("Enter the text that has to be there."))
    return text


def _add_value(values: dict[str, Any], path: str, text: str) -> None:
    parse_path(path)
    if path in values:
        raise ValueError(translatable("Another row has this path."))
    values[path] = _value(text)


def _schema(text: str) -> Any:
    if not text.startswith("{"):
        raise ValueError(translatable("Enter a JSON Schema."))
    return read_json(text)


def _snapshot(row: Row) -> Any:
    paths = [path for part in row.text.split(",") if (path := part.strip())]
    for path in paths:
        parse_pattern(path)
    options: dict[str, Any] = {"ignore": paths} if paths else {}
    return (options if row.has_text else options | {"text": False}) or True


def _seconds(text: str) -> float:
    try:
        seconds = float(text.replace(",", "."))
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 86_400:
        raise ValueError(translatable("Enter a number of seconds, such as 2.5."))
    return seconds


def _value(text: str) -> Any:
    """JSON, or else a text that does not look as if it were meant to be JSON."""
    try:
        return read_json(text)
    except JsonTextError:
        if not text or text[0] in '{["':
            raise
        return text


def _shown(value: Any) -> str:
    if isinstance(value, str) and value and value == value.strip() and "\n" not in value:
        try:
            if _value(value) == value:
                return value
        except JsonTextError:
            pass
    return json.dumps(value, ensure_ascii=False)
