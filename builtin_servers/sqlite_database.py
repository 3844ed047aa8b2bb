"""Runs one SQL statement on one SQLite file, with limits on time, memory and result size.

The file is opened anew for each call, so it may be replaced or locked by another program. Reading
opens it read-only, and the authorizer refuses everything but reading. Even writing never opens
another file (no ATTACH), loads no extension and changes no setting of SQLite.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import cast

from builtin_servers.framework.schema import is_object
from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import Any

    from builtin_servers.framework.tool import CallContext

MAX_SECONDS = 30.0
MAX_ANSWER_CHARS = 1_000_000
MAX_CELL_CHARS = 10_000
_MAX_VALUE_BYTES = 20_000_000
_STEPS_BETWEEN_CHECKS = 200
"""A step may take 10 ms on the longest values; looking this often costs a twelfth of the time."""
_MAX_LOCK_SECONDS = 5.0

_READING_ACTIONS = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_FORBIDDEN_ACTIONS = {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH}
_FORBIDDEN_FUNCTIONS = {"load_extension", "fts3_tokenizer"}
_READING_PRAGMAS = {
    "collation_list",
    "compile_options",
    "database_list",
    "encoding",
    "foreign_key_check",
    "foreign_key_list",
    "index_info",
    "index_list",
    "index_xinfo",
    "integrity_check",
    "page_count",
    "page_size",
    "quick_check",
    "table_info",
    "table_list",
    "table_xinfo",
}
"""Pragmas that only report, whatever their argument."""


class SqliteDatabase:
    """One database file; a statement may take `max_seconds`."""

    def __init__(self, file: str, *, may_write: bool, max_seconds: float = MAX_SECONDS) -> None:
        self._file = Path(file)
        self._may_write = may_write
        self._max_seconds = max_seconds

    def read(
        self, call: CallContext, sql: str, parameters: Any = (), max_rows: int = 1000
    ) -> dict[str, Any]:
        """The `columns`, at most `max_rows` `rows` as objects, and whether they are `truncated`.

        Raises:
            ToolCallError: SQLite refused, a limit was reached, or the statement does not only read.
        """
        with self._open(call, is_write=False) as connection:
            cursor = connection.execute(sql, _bind(parameters))
            if cursor.description is None:
                raise ToolCallError("The statement answers no rows")
            return _collect(cursor, max_rows)

    def write(self, call: CallContext, sql: str, parameters: Any = ()) -> int:
        """Run one statement in a transaction; returns the number of changed rows.

        Raises:
            ToolCallError: SQLite refused, a limit was reached, writing is not allowed, or the
                statement only reads.
        """
        if not self._may_write:
            raise ToolCallError("This server only reads; it writes when it is started with --write")
        with self._open(call, is_write=True) as connection, connection:
            before = connection.total_changes
            cursor = connection.execute(sql, _bind(parameters))
            if cursor.description is not None and "RETURNING" not in sql.upper():
                raise ToolCallError("The statement changes nothing; read_query shows its rows")
            cursor.fetchmany(1)
            return connection.total_changes - before

    @contextmanager
    def _open(self, call: CallContext, *, is_write: bool) -> Generator[sqlite3.Connection]:
        mode = "rwc" if is_write else "ro"
        if not is_write and not self._file.is_file():
            raise ToolCallError(f"There is no database {str(self._file)[:500]!r} yet")
        uri = f"{sqlite_uri(self._file.absolute().as_uri())}?mode={mode}"
        end = monotonic() + self._max_seconds
        try:
            with closing(sqlite3.connect(uri, timeout=_MAX_LOCK_SECONDS, uri=True)) as connection:
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
                connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
                connection.text_factory = _decode
                connection.set_authorizer(_authorize_writing if is_write else _authorize_reading)
                connection.set_progress_handler(
                    lambda: call.is_cancelled or monotonic() > end, _STEPS_BETWEEN_CHECKS
                )
                yield connection
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            raise ToolCallError(_explain(error, self._max_seconds, is_write=is_write)) from error


def format_rows(found: Mapping[str, Any]) -> str:
    """The columns and then each row as one line of JSON: exact, and shorter than objects."""
    import json

    lines = [json.dumps(found["columns"], ensure_ascii=False)]
    lines += [json.dumps(list(row.values()), ensure_ascii=False) for row in found["rows"]]
    if found["truncated"]:
        lines.append(f"[Only the first {len(found['rows'])} rows are shown.]")
    return "\n".join(lines)


def sqlite_uri(uri: str) -> str:
    """The `file:` URL of a path for SQLite, which takes no host: `file:////server/share`."""
    return uri if uri.startswith("file:///") else f"file://{uri.removeprefix('file:')}"


def _collect(cursor: sqlite3.Cursor, max_rows: int) -> dict[str, Any]:
    columns = _make_unique([column[0] for column in cursor.description])
    rows: list[dict[str, Any]] = []
    size = 0
    for row in cursor:
        cells = [_to_json(value) for value in row]
        size += sum(len(value) if isinstance(value, str) else 8 for value in cells)
        if len(rows) == max_rows or size > MAX_ANSWER_CHARS:
            return {"columns": columns, "rows": rows, "truncated": True}
        rows.append(dict(zip(columns, cells, strict=True)))
    return {"columns": columns, "rows": rows, "truncated": False}


def _make_unique(names: Sequence[str]) -> list[str]:
    """Number repeated column names, so that none is lost in an object."""
    seen: dict[str, None] = {}
    for name in names:
        unique, number = name, 2
        while unique in seen:
            unique, number = f"{name}_{number}", number + 1
        seen[unique] = None
    return list(seen)


def _to_json(value: object) -> object:
    if isinstance(value, bytes):
        digits = value[: MAX_CELL_CHARS // 2].hex()
        return f"x'{digits}'" + (f" … ({len(value)} bytes)" if len(digits) < 2 * len(value) else "")
    if isinstance(value, str) and len(value) > MAX_CELL_CHARS:
        return f"{value[:MAX_CELL_CHARS]}… ({len(value)} characters)"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    return value


def _bind(parameters: object) -> Any:
    if is_object(parameters):
        values = list(parameters.values())
    elif isinstance(parameters, list | tuple):
        parameters = values = list(cast("Sequence[object]", parameters))
    else:
        raise ToolCallError("parameters is a list for ? or an object for :name")
    if any(isinstance(value, list | dict) for value in values):
        raise ToolCallError("A parameter is a text, a number, true, false or null")
    return parameters


def _decode(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _authorize_reading(
    action: int, first: str | None, second: str | None, _: str | None, __: str | None
) -> int:
    if action == sqlite3.SQLITE_PRAGMA:
        return sqlite3.SQLITE_OK if first in _READING_PRAGMAS else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and second in _FORBIDDEN_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
        return sqlite3.SQLITE_OK  # SQLite itself declares json_each so; the file is read-only
    return sqlite3.SQLITE_OK if action in _READING_ACTIONS else sqlite3.SQLITE_DENY


def _authorize_writing(
    action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
) -> int:
    if action in (sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_FUNCTION):
        return _authorize_reading(action, first, second, database, trigger)
    return sqlite3.SQLITE_DENY if action in _FORBIDDEN_ACTIONS else sqlite3.SQLITE_OK


def _explain(error: Exception, max_seconds: float, *, is_write: bool) -> str:
    text = str(error)
    if "one statement at a time" in text:
        return "Only one statement at a time"
    if text == "interrupted":
        return f"Cancelled, or stopped at the limit of {max_seconds:g} s"
    if "not authorized" in text or "prohibited" in text or "readonly" in text:
        allowed = "" if is_write else ": this tool only reads"
        return f"SQLite: {text}{allowed}"
    return f"SQLite: {text}"
