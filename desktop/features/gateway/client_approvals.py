"""Whether a call of another program may be sent: by what the person decided about its tool.

Clients of the gateway ask their own person; asking once more about each call would be in the way.
So what was never decided about is sent. What the person said about a tool here holds there, too:
never, ask each time, and always, but not after the tool or its server changed. Must not run a tool.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from desktop.agent.approval_policy import ApprovalPolicy
from desktop.agent.events import ApprovalResponse
from desktop.config.launch_details import Launch
from desktop.values.tool_types import Decision

if TYPE_CHECKING:
    from desktop.agent.approvals import Approvals
    from desktop.agent.events import ApprovalPrompter, ApprovalQuestion
    from desktop.servers.service import McpService
    from desktop.values.tool_types import JsonObject, Origin, ToolDefinition

logger = logging.getLogger(__name__)
NOBODY: Final = (
    "The person wants to be asked about this tool, and nobody can be asked now. Open mcp-desktop, "
    "or change the approval of the tool in its settings."
)


class ClientApprovals:
    """The `Approver` of the calls of one client."""

    def __init__(
        self, approvals: Approvals, prompter: ApprovalPrompter, service: McpService
    ) -> None:
        """Args: prompter: asks the person."""
        self._approvals, self._service = approvals, service
        self._policy = ApprovalPolicy(approvals, prompter, logger.warning, self._launch_of)

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        """Allow what nobody decided about; all else as in a conversation."""
        is_undecided = self._approvals.of(definition.key) is None
        if is_undecided and not self._approvals.problem:  # else it may have been decided about
            return Decision(True, arguments)
        return await self._policy.approve(definition, arguments, call_id=call_id, origin=origin)

    def _launch_of(self, server: str) -> Launch | None:
        connection = self._service.connections.get(server)
        return Launch(connection.config) if connection is not None else None


class NobodyThere:
    """An `ApprovalPrompter` of a run without a screen: it cannot ask, and says so."""

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        """Refuse this call, with what to do about it."""
        return ApprovalResponse("deny", reason=NOBODY)
