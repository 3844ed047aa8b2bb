"""Has a configured model answer what a server wants of one, for `RequestTerminal`.

Must not ask the person: it is asked after they agreed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.errors import UsageError

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.features.chat.llm.sampling import Proposal
    from desktop.servers.requests import SamplingAnswer, SamplingRequest


class ConfiguredSampler:
    """Asks a configured provider."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def propose(self, request: SamplingRequest) -> str:
        return str(self._find(request) or "")

    async def answer(self, request: SamplingRequest) -> SamplingAnswer:
        from desktop.features.chat.agent.agent import Agent
        from desktop.features.chat.llm.sampling import answer_sampling
        from desktop.features.chat.llm.services import make_service

        if (proposal := self._find(request)) is None:
            raise UsageError("No provider has a model configured.")
        agent = self._core.part(Agent)
        service = make_service(proposal.provider, agent.keys, learned=agent.learned)
        try:
            return await answer_sampling(service, proposal.model, request)
        finally:
            await service.close()

    def _find(self, request: SamplingRequest) -> Proposal | None:
        from desktop.features.chat.llm.sampling import propose_model  # few servers ask for it

        return propose_model(request.hints, self._core.store.providers)
