"""The presets of an installation: one file of its data folder, read when it is asked for.

Not in the config: a preset can allow calls without a question, and other programs write configs.
Must not open a conversation.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.atomic_file import read_file, write_file
from desktop.base.errors import DesktopError, UsageError
from desktop.base.private_files import make_private_folder
from desktop.base.translatable import translatable
from desktop.features.chat.agent.session_info import ChatSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.base.paths import Paths

_FILE: Final = "presets.json"
MAX_BYTES: Final = 4_000_000
MAX_NAME: Final = 60
_WRONG: Final = (AttributeError, DesktopError, KeyError, RecursionError, TypeError, ValueError)


class Presets:
    """Reads the file at each question, so that a window and a terminal agree."""

    def __init__(self, paths: Paths) -> None:
        self._path = paths.data / _FILE

    def all(self) -> dict[str, ChatSettings]:
        """By name, in their order; what cannot be read is left out.

        Raises:
            DesktopError: the file is there and is none.
        """
        found: dict[str, ChatSettings] = {}
        for name, entry in self._read().items():
            try:
                found[name] = ChatSettings.from_json(cast("Mapping[str, Any]", entry))
            except _WRONG:
                continue
        return found

    def get(self, name: str) -> ChatSettings:
        """Raises `UsageError` with the names that there are."""
        known = self.all()
        if name not in known:
            names = ", ".join(known) or translatable("none")
            raise UsageError(
                translatable('There is no preset "{name}".', name=name[:MAX_NAME]),
                remedy=translatable("There are: {names}.", names=names),
            )
        return known[name]

    def save(self, name: str, settings: ChatSettings) -> None:
        """Add or replace. Raises `DesktopError`."""
        name = " ".join(name.split())
        if not 0 < len(name) <= MAX_NAME:
            raise UsageError(
                translatable("A preset needs a name of at most {count} letters.", count=MAX_NAME)
            )
        self._write({**self._read(), name: settings.to_json()})

    def remove(self, name: str) -> None:
        """Raises `DesktopError`."""
        self._write({key: value for key, value in self._read().items() if key != name})

    def _read(self) -> dict[str, Any]:
        content = read_file(self._path)
        if not content:
            return {}
        try:
            read: object = json.loads(content) if len(content) <= MAX_BYTES else None
        except (RecursionError, ValueError):
            read = None
        if not isinstance(read, dict):
            raise DesktopError(
                translatable("{file} holds no presets.", file=self._path),
                remedy=translatable("Mend it, or move it away."),
            )
        return cast("dict[str, Any]", read)

    def _write(self, presets: dict[str, Any]) -> None:
        make_private_folder(self._path.parent)
        write_file(self._path, json.dumps(presets, ensure_ascii=False, indent=2).encode())
