"""Writes rows of a table as CSV, TSV or Markdown. Must not import Qt."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from desktop.gui.results.table_rows import MISSING, cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.gui.results.table_rows import Table

Form: TypeAlias = Literal["csv", "tsv", "markdown"]


_ROWS = 50  # written in one go


def written(table: Table, rows: Sequence[int], form: Form) -> Iterator[str]:
    """The rows with these numbers, in this order, below their columns, piece by piece.

    Cells are whole.
    """
    yield _lines([table.columns], form)
    if form == "markdown":
        yield _row("---" for _ in table.columns) + "\n"
    for start in range(0, len(rows), _ROWS):
        part = (table.rows[row] for row in rows[start : start + _ROWS])
        yield _lines(([_text(cell(row, name)) for name in table.columns] for row in part), form)


def _lines(rows: Iterable[Sequence[str]], form: Form) -> str:
    if form == "markdown":
        return "".join(f"{_row(row)}\n" for row in rows)
    text = io.StringIO(newline="")
    csv.writer(text, dialect="excel-tab" if form == "tsv" else "excel").writerows(rows)
    return text.getvalue()


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_escaped(cell) for cell in cells)} |"


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").splitlines())


def _text(value: Any) -> str:
    if value is MISSING or value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""
