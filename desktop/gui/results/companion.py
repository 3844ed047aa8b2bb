"""What a feature shows beside a result: where none does, a result stands alone.

Must not know what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtWidgets import QFrame

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.values.tool_types import JsonObject, ToolResult


class Companion(QFrame):
    """Is there for one result."""

    def end(self) -> None:
        """Go on no more: another result takes its place."""


MakeCompanion: TypeAlias = "Callable[[str, JsonObject, ToolResult, QWidget], Companion | None]"
"""For the tool with a key, the arguments of a call and its result, with a parent."""
