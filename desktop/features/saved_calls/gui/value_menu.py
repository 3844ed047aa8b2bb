"""A menu of values that other saved calls brought, to be put into the arguments of one.

Offers what the last run of each call had; a call that has not run offers its whole result alone.
Must not know how a call is saved.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PySide6.QtWidgets import QMenu, QPushButton

from desktop.base.visible_text import mark_hidden
from desktop.features.saved_calls.expectations import result_value
from desktop.features.saved_calls.value_paths import MISSING
from desktop.features.saved_calls.variables import written
from desktop.values.tool_types import json_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QPlainTextEdit

    from desktop.features.saved_calls.saved_calls import SavedCalls
    from desktop.values.tool_types import JsonPath

_MAX_PATHS = 30
_MAX_DEPTH = 4
_MAX_CALLS = 100
_MAX_SHOWN = 60


class ValueSource(Struct, frozen=True):
    """A saved call, and the paths of values that its last result had."""

    name: str
    paths: tuple[JsonPath, ...] = ()


def value_sources(calls: SavedCalls, without: str = "") -> list[ValueSource]:
    """All calls but `without`, each with the values of its last run."""
    found: list[ValueSource] = []
    for entry in calls.entries:
        outcome = calls.verdicts.get(entry.place)
        value = result_value(outcome.result) if outcome is not None else MISSING
        if entry.call.name != without:
            found.append(ValueSource(entry.call.name, tuple(_paths(value))))
    return found


def _paths(value: Any) -> list[JsonPath]:
    """Where simple values are, the nearest to the root first."""
    found: list[JsonPath] = []
    waiting: list[tuple[Any, JsonPath]] = [(value, ())]
    for here, path in waiting:
        if len(found) >= _MAX_PATHS or len(waiting) > 100 * _MAX_PATHS:
            break
        if len(path) < _MAX_DEPTH and isinstance(here, dict | list):
            items: Any = here.items() if isinstance(here, dict) else enumerate(here[:3])  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
            waiting += [(member, (*path, part)) for part, member in items]
        elif path:
            found.append(path)
    return found


class InsertValueButton(QPushButton):
    """Opens the menu; what is chosen goes to where the cursor of the editor is."""

    def __init__(self, editor: QPlainTextEdit, sources: Sequence[ValueSource]) -> None:
        super().__init__()
        self._editor = editor
        self.sources = list(sources)[:_MAX_CALLS]
        self.choices = QMenu(self)
        for source in self.sources:
            self._offer(source)
        self.setMenu(self.choices)
        self.setVisible(bool(self.sources))
        self.setText(self.tr("Insert value from…"))
        for menu in self.choices.findChildren(QMenu):
            menu.actions()[0].setText(self.tr("the whole result"))

    def insert(self, name: str, path: JsonPath) -> None:
        """Put the placeholder in, with quotes unless the cursor is inside a text already."""
        cursor = self._editor.textCursor()
        before = self._editor.toPlainText()[: cursor.selectionStart()]
        text = json.dumps(written(name, path), ensure_ascii=False)
        cursor.insertText(text[1:-1] if _is_inside_text(before) else text)
        self._editor.setFocus()

    def _offer(self, source: ValueSource) -> None:
        menu = self.choices.addMenu(_label(source.name))
        for path in ((), *source.paths):
            action = menu.addAction(_label(json_path(path)))
            action.triggered.connect(self._inserter(source.name, path))

    def _inserter(self, name: str, path: JsonPath) -> Callable[[], None]:
        return lambda: self.insert(name, path)


def _label(text: str) -> str:
    """A name in a menu: a single & would underline the next letter."""
    shown = mark_hidden(text)
    return (shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}…").replace("&", "&&")


def _is_inside_text(before: str) -> bool:
    """Whether JSON that is cut here is cut inside a text."""
    is_inside = is_escaped = False
    for character in before:
        if is_escaped:
            is_escaped = False
        elif character == "\\":
            is_escaped = is_inside
        elif character == '"':
            is_inside = not is_inside
    return is_inside
