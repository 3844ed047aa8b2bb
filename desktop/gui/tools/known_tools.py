"""The tools there are now, and for a while those there were: so that a past call can be shown.

Holds definitions; imports no Qt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.tool_types import ToolDefinition

_MOST_GONE: Final = 1000


class KnownTools:
    """Definitions by key; of the gone ones the latest `_MOST_GONE`."""

    def __init__(self) -> None:
        self._now: dict[str, ToolDefinition] = {}
        self._gone: dict[str, ToolDefinition] = {}

    @property
    def tools(self) -> Sequence[ToolDefinition]:
        return list(self._now.values())

    def replace(self, tools: Sequence[ToolDefinition]) -> None:
        """These are all there are now."""
        before, self._now = self._now, {tool.key: tool for tool in tools}
        self._gone |= {key: tool for key, tool in before.items() if key not in self._now}
        for key in list(self._gone)[: max(0, len(self._gone) - _MOST_GONE)]:
            del self._gone[key]

    def now(self, key: str) -> ToolDefinition | None:
        return self._now.get(key)

    def last(self, key: str) -> ToolDefinition | None:
        """As it is now, or as it was when it was last there."""
        return self._now.get(key) or self._gone.get(key)
