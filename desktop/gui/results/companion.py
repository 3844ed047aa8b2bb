"""What a feature shows beside a result: where none does, a result stands alone.

Must not know what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from PySide6.QtWidgets import QFrame

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.values.tool_types import JsonObject, ToolResult


class Companion(QFrame):
    """Is there for one result."""

    def end(self) -> None:
        """Go on no more: another result takes its place."""


class Enclosures(Protocol):
    """What a feature has for the model in one conversation; it goes with the next question."""

    @property
    def is_empty(self) -> bool: ...
    def enclose(self, question: str) -> str:
        """The question with all of it below, which waits no more."""
        ...

    def make_view(self, parent: QWidget, home: QWidget) -> QWidget:
        """Shows what waits, and lets a person leave it out; the focus goes `home` then."""
        ...


class ShownConversation(Protocol):
    """What a result may be part of: its model may be told something."""

    enclosures: Enclosures | None


CompanionOf: TypeAlias = "Callable[[str, JsonObject, ToolResult, QWidget], Companion | None]"
"""For the tool with a key, the arguments of a call and its result, with a parent."""
MakeCompanion: TypeAlias = (
    "Callable[[ShownConversation | None, str, JsonObject, ToolResult, QWidget], Companion | None]"
)
"""As `CompanionOf`, in a conversation or in none."""
