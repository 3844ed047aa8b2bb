"""A decision on a call says what is to be sent, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.tools.approval import Approver, Decision
from desktop.tools.definition import JsonObject, ToolDefinition

if TYPE_CHECKING:
    from desktop.tools.call import Origin


class ReadsOnly:
    """What a policy looks like: no dialog, no waiting."""

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        allowed = origin == "person" or definition.annotations.read_only is True
        return Decision(allowed, arguments, "" if allowed else f"{definition.key} may change data.")


async def test_a_policy_answers_with_the_arguments_to_send_or_a_reason() -> None:
    policy: Approver = ReadsOnly()
    tool = ToolDefinition("files", "delete")
    yes = await policy.approve(tool, {"path": "a"}, call_id="1", origin="person")
    no = await policy.approve(tool, {"path": "a"}, call_id="2", origin="agent")
    assert yes == Decision(True, {"path": "a"})
    assert (no.allowed, no.reason) == (False, "files:delete may change data.")
