"""Who may say yes or no to a call before it is sent: the seam for a person, a policy or a test.

Holds no policy of its own. Must not run a tool.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from desktop.tools.call import Origin
    from desktop.tools.definition import JsonObject, ToolDefinition


@dataclass(frozen=True, slots=True)
class Decision:
    """`arguments` are what is to be sent: those asked about, or as the person corrected them.

    `reason` is a sentence for whoever made the call, a model too; empty where there is none.
    """

    allowed: bool
    arguments: JsonObject
    reason: str = ""


class Approver(Protocol):
    """Decides on one call. May take as long as a person takes; being cancelled means no call."""

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision: ...
