"""The tool form: how soon a large schema can be filled in, what a keystroke takes in a long form.

Beside it the bare widgets of the same form: a label and a line for each field.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from tests.benchmarks.harness import ROOT, Row, alternate, median

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication, QWidget

    from desktop.gui.form.schema_form import SchemaForm

CORPUS = ROOT.parent / "shared" / "corpus"
LEVELS, WIDE, RUNS, KEYS = 6, 200, 5, 12
_WORDS = "What it is for, what it may be, and what happens without it. " * 3


def large_schema() -> dict[str, Any]:
    """About 12 kB in six levels, as the largest tool of the corpus has them."""
    schema: Any = {"type": "string", "description": _WORDS}
    for level in range(LEVELS):
        plain = {
            f"field_{level}_{n}": {"type": kind, "description": _WORDS}
            for n, kind in enumerate(("string", "integer", "boolean", "number", "string", "string"))
        }
        choice = {"enum": ["one", "two", "three"], "description": _WORDS}
        schema = {
            "type": "object",
            "properties": {**plain, "choice": choice, "inner": schema},
            "required": [f"field_{level}_0", "inner"],
        }
    return schema


def largest_of_corpus() -> dict[str, Any] | None:
    tools = (
        tool["inputSchema"]
        for file in CORPUS.glob("*.json")
        for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]
    )
    return max(tools, key=lambda schema: len(json.dumps(schema)), default=None)


def _application() -> QApplication:
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance()
    return application if isinstance(application, QApplication) else QApplication([])


def _shown(make: Callable[[], QWidget]) -> Callable[[], float]:
    """Milliseconds until the widget is painted in a page that scrolls."""
    from PySide6.QtWidgets import QScrollArea

    def run() -> float:
        application = _application()
        page = QScrollArea()
        page.setWidgetResizable(True)
        page.resize(700, 900)
        began = time.perf_counter()
        page.setWidget(make())
        page.show()
        page.repaint()
        took = time.perf_counter() - began
        for _ in range(100):
            application.processEvents()
        page.close()
        return took * 1e3

    return run


def _bare(count: int) -> QWidget:
    from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

    widget = QWidget()
    column = QVBoxLayout(widget)
    for number in range(count):
        column.addWidget(QLabel(f"field {number}"))
        column.addWidget(QLabel(_WORDS))
        column.addWidget(QLineEdit())
    return widget


def _keystrokes() -> tuple[float, float, float]:
    """Median and worst time of a key in a form of many fields, all drawn; of the check after it."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QLineEdit, QScrollArea

    from desktop.gui.form.schema_form import SchemaForm
    from desktop.gui.theme import Theme

    application = _application()
    kinds = ("integer", "string", "boolean", "number")
    properties = {f"p{n}": {"type": kinds[n % 4], "description": "words"} for n in range(WIDE)}
    page = QScrollArea()
    form = SchemaForm({"type": "object", "properties": properties}, Theme(application, "light"))
    page.setWidget(form)
    page.setWidgetResizable(True)
    page.show()
    for _ in range(WIDE):
        application.processEvents()
    editor = form.findChildren(QLineEdit)[3]
    times: list[float] = []
    for _ in range(KEYS):
        began = time.perf_counter()
        QTest.keyClicks(editor, "7")
        application.processEvents()
        times.append((time.perf_counter() - began) * 1e3)
    assert form.value(), "the keys went elsewhere"
    check = _worst_turn(application, form)
    page.close()
    return median(times), max(times[1:]), check  # the first one imports the validation


def _worst_turn(application: QApplication, form: SchemaForm) -> float:
    """Milliseconds of the longest turn of the loop until what was typed is checked."""
    checked: list[object] = []
    form.checked.connect(checked.append)
    worst, end = 0.0, time.monotonic() + 5
    while not checked and time.monotonic() < end:
        began = time.perf_counter()
        application.processEvents()
        worst = max(worst, (time.perf_counter() - began) * 1e3)
    assert checked, "nothing was checked"
    return worst


def measure() -> list[Row]:
    from desktop.gui.form.schema_form import SchemaForm
    from desktop.gui.theme import Theme

    theme = Theme(_application(), "light")
    schemas = {"12 kB in 6 levels": large_schema(), "largest of the corpus": largest_of_corpus()}
    rows: list[Row] = []
    for name, schema in schemas.items():
        if schema is None:
            continue
        make = _shown(lambda schema=schema: SchemaForm(schema, theme))
        ours, bare = alternate(RUNS, make, _shown(lambda: _bare(LEVELS * 8)))
        rows.append(Row(f"form, {name}: painted", ours, bare, "ms", "< 50 ms"))
    usual, worst, check = _keystrokes()
    rows.append(Row(f"form of {WIDE} fields: a keystroke", usual, None, "ms", "< 16 ms"))
    rows.append(Row(f"form of {WIDE} fields: the slowest keystroke", worst, None, "ms", ""))
    rows.append(Row(f"form of {WIDE} fields: the check after it", check, None, "ms", "< 16 ms"))
    return rows
