"""Writes rows of a table as CSV, TSV or Markdown, on any thread. Must not import Qt."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from desktop.gui.results.table_rows import MISSING, cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.gui.results.table_rows import Table

Form: TypeAlias = Literal["csv", "tsv", "markdown"]


def written(table: Table, rows: Iterable[int], form: Form) -> str:
    """The rows with these numbers, in this order, below their columns. Cells are whole."""
    lines = ([_text(cell(table.rows[row], column)) for column in table.columns] for row in rows)
    if form == "markdown":
        return _markdown(table.columns, lines)
    text = io.StringIO(newline="")
    writer = csv.writer(text, dialect="excel-tab" if form == "tsv" else "excel")
    writer.writerow(table.columns)
    writer.writerows(lines)
    return text.getvalue()


def _markdown(columns: tuple[str, ...], lines: Iterable[list[str]]) -> str:
    rows = [_row(columns), _row("---" for _ in columns), *map(_row, lines)]
    return "\n".join(rows) + "\n"


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
