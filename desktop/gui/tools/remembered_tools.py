"""What the Tools page remembers from run to run: favourites, recent tools, the chosen one, input.

Kept in the window's INI file and bounded. A value that is secret by its schema, its name or its
form is never written. What cannot be read counts as nothing: anybody can edit the file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from PySide6.QtCore import QObject, Signal

from desktop.redaction.arguments import redact_arguments, remove_places

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from desktop.values.tool_types import JsonObject

MAX_FAVOURITES: Final = 200
MAX_RECENT: Final = 20
MAX_INPUTS: Final = 20
"""Tools whose input is kept."""
MAX_INPUT_LENGTH: Final = 10_000
"""Characters of the input of one tool; a longer one is not kept."""
_FAVOURITES, _RECENT, _CLOSED = "tools/favourites", "tools/recent", "tools/closed"
_CHOSEN, _INPUTS = "tools/chosen", "tools/inputs"


class RememberedTools(QObject):
    """Reads and writes a `QSettings`; tools are named by their key, `server:tool`."""

    changed = Signal()
    """The favourites are others. A run says nothing: a list would move under the person's hand."""

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._favourites = self._texts(_FAVOURITES)[:MAX_FAVOURITES]
        self._recent = self._texts(_RECENT)[:MAX_RECENT]
        self._closed = self._texts(_CLOSED)
        inputs = self._read(_INPUTS)
        self._inputs: dict[str, Any] = inputs if isinstance(inputs, dict) else {}

    @property
    def favourites(self) -> tuple[str, ...]:
        return tuple(self._favourites)

    @property
    def recent(self) -> tuple[str, ...]:
        """The tools that were run, the latest first."""
        return tuple(self._recent)

    @property
    def closed(self) -> frozenset[str]:
        """The sections of the list that are closed, by their ids."""
        return frozenset(self._closed)

    @property
    def chosen(self) -> str:
        """The tool that was looked at last; empty if there was none."""
        value = self._settings.value(_CHOSEN)
        return value if isinstance(value, str) else ""

    @chosen.setter
    def chosen(self, key: str) -> None:
        self._settings.setValue(_CHOSEN, key)

    def toggle_favourite(self, key: str) -> None:
        """Make it one, the last of all, or no longer."""
        if key in self._favourites:
            self._favourites.remove(key)
        else:
            self._favourites = [*self._favourites, key][-MAX_FAVOURITES:]
        self._write(_FAVOURITES, self._favourites)
        self.changed.emit()

    def note_use(self, key: str) -> None:
        """It was run: it comes first of the recent ones."""
        if self._recent[:1] == [key]:
            return
        self._recent = [key, *(other for other in self._recent if other != key)][:MAX_RECENT]
        self._write(_RECENT, self._recent)

    def close_section(self, section: str, *, is_closed: bool) -> None:
        self._closed = [other for other in self._closed if other != section]
        if is_closed:
            self._closed = [*self._closed, section][-MAX_FAVOURITES:]
        self._write(_CLOSED, self._closed)

    def keep_input(self, key: str, arguments: JsonObject, schema: JsonObject) -> None:
        """Keep what is typed, without its secrets; nothing if there is too much of it."""
        before = self._inputs.pop(key, None)
        kept = _without_secrets(arguments, schema)
        if kept:
            self._inputs[key] = kept
        for oldest in list(self._inputs)[:-MAX_INPUTS]:
            del self._inputs[oldest]
        if kept != before:
            self._write(_INPUTS, self._inputs)

    def input_of(self, key: str) -> dict[str, Any]:
        """What was typed for this tool; empty if nothing was, or nothing is kept."""
        kept = self._inputs.get(key)
        return cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}

    def _texts(self, name: str) -> list[str]:
        value = self._read(name)
        texts = cast("list[object]", value) if isinstance(value, list) else []
        return list(dict.fromkeys(text for text in texts if isinstance(text, str)))

    def _read(self, name: str) -> Any:
        try:
            return json.loads(str(self._settings.value(name) or "null"))
        except (ValueError, RecursionError):
            return None

    def _write(self, name: str, value: object) -> None:
        self._settings.setValue(name, json.dumps(value))


def _without_secrets(arguments: JsonObject, schema: JsonObject) -> dict[str, Any]:
    try:
        if not arguments or len(json.dumps(arguments)) > MAX_INPUT_LENGTH:
            return {}
        return remove_places(arguments, redact_arguments(arguments, schema).places)
    except (RecursionError, ValueError, TypeError):
        return {}
