"""Composes the gateways of one core: what its clients call goes through an executor of their own.

So it is approved by what the person decided about tools, and stands in the history and the activity
of the core with the client's name. Must not know how a client is reached.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from desktop.agent.client_approvals import ClientApprovals, NobodyThere
from desktop.history.store import HistoryRecorder
from desktop.servers.gateway.gateway import Gateway
from desktop.servers.gateway.questions import Questions
from desktop.tools.client_tools import ClientTools
from desktop.tools.executor import ToolExecutor

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from desktop.agent.events import ApprovalPrompter
    from desktop.core import Core
    from desktop.servers.requests import Answer, PendingRequest


def _nobody(_: str) -> ApprovalPrompter:
    return NobodyThere()


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
        approver = ClientApprovals(core.sessions.approvals, self._prompter_of(client), core.service)
        executor = ToolExecutor(
            core.registry, approver=approver, rules=core.rules, spill=core.spill
        )
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
