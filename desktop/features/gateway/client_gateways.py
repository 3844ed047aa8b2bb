"""Composes the gateways of one core: what its clients call goes through an executor of their own.

So it is approved by what the person decided about tools, and stands in the history and the activity
of the core with the client's name. Must not know how a client is reached.
"""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from desktop.config.launch_details import Launch
from desktop.features.gateway.client_tools import ClientTools
from desktop.features.gateway.server.gateway import Gateway
from desktop.features.gateway.server.questions import Questions
from desktop.history.store import HistoryRecorder
from desktop.servers.service import why_away
from desktop.tools.approval_policy import ApprovalPolicy
from desktop.tools.approvals import ApprovalResponse
from desktop.tools.executor import ToolExecutor
from desktop.values.tool_types import Decision

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from desktop.core import Core
    from desktop.servers.requests import Answer, PendingRequest
    from desktop.servers.service import McpService
    from desktop.tools.approvals import ApprovalPrompter, ApprovalQuestion, Approvals
    from desktop.values.tool_types import JsonObject, Origin, ToolCall, ToolDefinition

logger = logging.getLogger(__name__)
NOBODY: Final = (
    "The person wants to be asked about this tool, and nobody can be asked now. Open mcp-desktop, "
    "or change the approval of the tool in its settings."
)


def _nobody(_: str) -> ApprovalPrompter:
    return NobodyThere()


class _CallersPrompter:
    """Asks about each call under the name of the client that makes it: over HTTP there are many."""

    def __init__(self, prompter_of: Callable[[str], ApprovalPrompter], client: str) -> None:
        self._prompter_of, self._client = prompter_of, client
        self._callers: dict[str, str] = {}

    def follow(self, executor: ToolExecutor) -> None:
        executor.started.connect(self._note)
        executor.finished.connect(lambda call, _: self._callers.pop(call.call_id, None))

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        client = self._callers.get(question.call_id) or self._client
        return await self._prompter_of(client).ask(question)

    def _note(self, call: ToolCall) -> None:
        self._callers[call.call_id] = call.model


class ClientGateways:
    """Opens a gateway for each client, or one for all that come over HTTP."""

    def __init__(
        self,
        core: Core,
        prompter_of: Callable[[str], ApprovalPrompter] = _nobody,
        otherwise: Callable[[PendingRequest], Answer | None] | None = None,
    ) -> None:
        """Make it.

        Args:
            core: has the servers; its config is followed by somebody else.
            prompter_of: asks the person about the calls of a client of this name.
            otherwise: asked what a server asks where no client can be; None: it is declined.
        """
        self._core, self._prompter_of = core, prompter_of
        self.questions = Questions(core.requests, otherwise)

    @asynccontextmanager
    async def open(self, client: str = "") -> AsyncGenerator[Gateway]:
        """A gateway until the end of the block; `client` is what its entry calls the one client."""
        core = self._core
        prompter = _CallersPrompter(self._prompter_of, client)
        approver = ClientApprovals(core.approvals, prompter, core.service)
        executor = ToolExecutor(
            core.registry,
            approver=approver,
            rules=core.rules,
            spill=core.spill,
            away=partial(why_away, core.service),
        )
        prompter.follow(executor)
        tools = ClientTools(core.registry, executor)
        recorder = HistoryRecorder(executor, core.registry, core.history, core.traffic.redaction)
        unfollow = executor.stepped.connect(core.executor.stepped.send)
        gateway = Gateway(core.service, self.questions, tools, lambda: core.store.gateway, client)
        end = core.store.changed.connect(gateway.offer_again)
        try:
            yield gateway
        finally:
            end()
            await gateway.close()
            tools.close()
            unfollow()
            recorder.close()

    def close(self) -> None:
        """Ask no client anything more."""
        self.questions.close()


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
