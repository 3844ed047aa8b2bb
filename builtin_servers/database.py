"""One SQL statement on one SQLite file, with limits on time, memory and answer.

Opened anew for each call, so a file that is replaced or locked by another program is no trouble.
Reading opens the file read-only and lets the authorizer refuse all but reading; even writing never
opens another file (no ATTACH), loads no extension and changes no setting of SQLite.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import cast

from builtin_servers.call import ToolError
from builtin_servers.rpc import is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import Any

    from builtin_servers.call import Call

TIME_LIMIT = 30.0
ANSWER_LIMIT = 1_000_000
CELL_LIMIT = 10_000
_VALUE_LIMIT = 20_000_000
_STEPS = 20_000
_LOCK_WAIT = 5.0

_READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_NEVER = {sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH}
_REFUSED_FUNCTIONS = {"load_extension", "fts3_tokenizer"}
_PRAGMAS = {
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
"""What can be asked and, whatever its argument, sets nothing."""


class Database:
    """The file, and whether it may be written."""

    def __init__(self, file: str, *, may_write: bool, limit: float = TIME_LIMIT) -> None:
        self._file = Path(file)
        self._may_write = may_write
        self._limit = limit

    def read(self, call: Call, sql: str, parameters: Any = (), most: int = 1000) -> dict[str, Any]:
        """The `columns`, at most `most` `rows` as objects, and whether they are `truncated`.

        Raises:
            ToolError: what SQLite says, a limit, or that this is not reading.
        """
        with self._open(call, is_write=False) as connection:
            cursor = connection.execute(sql, _bind(parameters))
            if cursor.description is None:
                raise ToolError("The statement answers no rows")
            return _collect(cursor, most)

    def write(self, call: Call, sql: str, parameters: Any = ()) -> int:
        """Run a statement that changes the file, wholly or not at all; how many rows it changed.

        Raises:
            ToolError: what SQLite says, a limit, or that writing is not allowed.
        """
        if not self._may_write:
            raise ToolError("This server only reads; it writes when it is started with --write")
        with self._open(call, is_write=True) as connection, connection:
            before = connection.total_changes
            connection.execute(sql, _bind(parameters)).fetchmany(1)
            return connection.total_changes - before

    @contextmanager
    def _open(self, call: Call, *, is_write: bool) -> Generator[sqlite3.Connection]:
        mode = "rwc" if is_write else "ro"
        if not is_write and not self._file.is_file():
            raise ToolError(f"There is no database {str(self._file)[:500]!r} yet")
        uri = f"{self._file.absolute().as_uri()}?mode={mode}"
        end = monotonic() + self._limit
        try:
            with closing(sqlite3.connect(uri, _LOCK_WAIT, uri=True)) as connection:
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_LIMIT)
                connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
                connection.text_factory = _decode
                connection.set_authorizer(_authorize_writing if is_write else _authorize_reading)
                connection.set_progress_handler(
                    lambda: call.is_cancelled or monotonic() > end, _STEPS
                )
                yield connection
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            raise ToolError(_explain(error, self._limit, is_write=is_write)) from error


def show_rows(found: Mapping[str, Any]) -> str:
    """The columns and each row as one line of JSON: exact, and shorter than objects."""
    import json

    lines = [json.dumps(found["columns"], ensure_ascii=False)]
    lines += [json.dumps(list(row.values()), ensure_ascii=False) for row in found["rows"]]
    if found["truncated"]:
        lines.append(f"[Only the first {len(found['rows'])} rows are shown.]")
    return "\n".join(lines)


def _collect(cursor: sqlite3.Cursor, most: int) -> dict[str, Any]:
    columns = _distinct([column[0] for column in cursor.description])
    rows: list[dict[str, Any]] = []
    size = 0
    for row in cursor:
        shown = [_to_json(value) for value in row]
        size += sum(len(value) if isinstance(value, str) else 8 for value in shown)
        if len(rows) == most or size > ANSWER_LIMIT:
            return {"columns": columns, "rows": rows, "truncated": True}
        rows.append(dict(zip(columns, shown, strict=True)))
    return {"columns": columns, "rows": rows, "truncated": False}


def _distinct(names: Sequence[str]) -> list[str]:
    """Columns of one name are told apart by a number: none is lost in an object."""
    seen: dict[str, None] = {}
    for name in names:
        one, number = name, 2
        while one in seen:
            one, number = f"{name}_{number}", number + 1
        seen[one] = None
    return list(seen)


def _to_json(value: object) -> object:
    if isinstance(value, bytes):
        shown = value[: CELL_LIMIT // 2].hex()
        return f"x'{shown}'" + (f" … ({len(value)} bytes)" if len(shown) < 2 * len(value) else "")
    if isinstance(value, str) and len(value) > CELL_LIMIT:
        return f"{value[:CELL_LIMIT]}… ({len(value)} characters)"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    return value


def _bind(parameters: object) -> Any:
    if is_object(parameters):
        values = list(parameters.values())
    elif isinstance(parameters, list | tuple):
        parameters = values = list(cast("Sequence[object]", parameters))
    else:
        raise ToolError("parameters is a list for ? or an object for :name")
    if any(isinstance(value, list | dict) for value in values):
        raise ToolError("A parameter is a text, a number, true, false or null")
    return parameters


def _decode(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _authorize_reading(
    action: int, first: str | None, second: str | None, _: str | None, __: str | None
) -> int:
    if action == sqlite3.SQLITE_PRAGMA:
        return sqlite3.SQLITE_OK if first in _PRAGMAS else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and second in _REFUSED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_UPDATE and first == "sqlite_master":
        return sqlite3.SQLITE_OK  # SQLite's own way to declare json_each; the file is read-only
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def _authorize_writing(
    action: int, first: str | None, second: str | None, database: str | None, trigger: str | None
) -> int:
    if action in (sqlite3.SQLITE_PRAGMA, sqlite3.SQLITE_FUNCTION):
        return _authorize_reading(action, first, second, database, trigger)
    return sqlite3.SQLITE_DENY if action in _NEVER else sqlite3.SQLITE_OK


def _explain(error: Exception, limit: float, *, is_write: bool) -> str:
    text = str(error)
    if "one statement at a time" in text:
        return "Only one statement at a time"
    if text == "interrupted":
        return f"Cancelled, or stopped at the limit of {limit:g} s"
    if "not authorized" in text or "prohibited" in text or "readonly" in text:
        allowed = "" if is_write else ": this tool only reads"
        return f"SQLite: {text}{allowed}"
    return f"SQLite: {text}"
