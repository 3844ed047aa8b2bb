"""The seam to a person: what is asked before a call is sent, and what can be answered.

Holds; decides nothing: the policy asks only where a person has not decided already.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject, ToolDefinition

Choice: TypeAlias = Literal["once", "always", "never", "deny"]
"""Allow this call; this tool from now on; refuse this tool from now on; refuse this call."""


@dataclass(frozen=True, slots=True)
class ApprovalQuestion:
    """May this call be sent? `arguments` fit the tool's schema; all texts are the server's: data.

    `difference` is not empty where the tool was allowed for always and is another one by now: lines
    of a unified diff. Where `can_always` is False the answer "always" counts as "once".
    """

    call_id: str
    definition: ToolDefinition
    arguments: JsonObject
    difference: str = ""
    can_always: bool = True


@dataclass(frozen=True, slots=True)
class ApprovalResponse:
    """`arguments`, where a person corrected them, are sent instead; None leaves them.

    `reason` is what the model is told beside a refusal; it may be empty.
    """

    choice: Choice
    arguments: JsonObject | None = None
    reason: str = ""


class ApprovalPrompter(Protocol):
    """Asks a person. Several questions may be open at a time: queue them or show them together.

    Being cancelled means that nobody waits for the answer any more: the question goes.
    """

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse: ...
