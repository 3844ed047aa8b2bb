from __future__ import annotations

import csv
import io

import pytest

from desktop.gui.results.table_rows import Table
from desktop.gui.results.table_text import Form, written

TABLE = Table(
    ("id", "text"),
    [{"id": 1, "text": 'a "b", c'}, {"text": "x|y\nz\\"}, {"id": None, "text": ["ü", {}]}],
)


@pytest.mark.parametrize(("form", "dialect"), [("csv", "excel"), ("tsv", "excel-tab")])
def test_cells_come_back_whole_from_csv_and_tsv(form: Form, dialect: str) -> None:
    text = "".join(written(TABLE, [2, 0, 1], form))
    assert list(csv.reader(io.StringIO(text, newline=""), dialect=dialect)) == [
        ["id", "text"],
        ["", '["ü", {}]'],
        ["1", 'a "b", c'],
        ["", "x|y\nz\\"],
    ]


def test_a_markdown_table_has_a_line_for_each_row() -> None:
    assert "".join(written(TABLE, [0, 1], "markdown")).splitlines() == [
        "| id | text |",
        "| --- | --- |",
        '| 1 | a "b", c |',
        "|  | x\\|y z\\\\ |",
    ]
