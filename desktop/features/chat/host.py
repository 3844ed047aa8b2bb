"""`AgentHost`: the `McpHost` that also runs agent sessions, for programs that import it.

Must not print or ask anything by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.errors import UsageError
from desktop.features.chat.agent.agent import Agent
from desktop.host import McpHost

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType

    from desktop.config.models import ServerConfig
    from desktop.config.providers import ProviderSettings
    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.tools.approvals import ApprovalQuestion, ApprovalResponse


class AgentHost(McpHost):
    """The servers of a config file or of a program, their tools, and sessions that use them."""

    def __init__(
        self,
        config: str | os.PathLike[str] | None = None,
        data: str | os.PathLike[str] | None = None,
        *,
        servers: Iterable[ServerConfig | str] = (),
    ) -> None:
        """As `McpHost`: reads nothing and starts nothing yet."""
        super().__init__(config, data, servers=servers)
        self._services: list[CompletionService] = []

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        """End all sessions, servers and processes."""
        try:
            await super().__aexit__(exc_type, exc_val, exc_tb)
        finally:  # the sessions have ended: nobody asks a provider any more
            for service in self._services:
                await service.close()

    async def open_session(
        self,
        provider: str,
        approve: Callable[[ApprovalQuestion], bool],
        *,
        model: str = "",
        builtins: Sequence[str] = (),
        system: str = "",
    ) -> AgentSession:
        """Start a conversation with a model that may call tools of the servers and of built-ins.

        Args:
            provider: a name in the config, or `openai`, `anthropic`, `gemini`.
            approve: decides on each call before it is sent; it must not block.
            model: the provider's name for it; without it the one in the config.
            builtins: built-in servers to start for this session alone, such as `"calculator"`.
            system: the system prompt.

        Raises:
            UsageError: there is no such provider or built-in server, or no model is chosen.
        """
        from desktop.features.chat.agent.session_info import Builtin
        from desktop.features.chat.llm.services import make_service

        settings = self._find_provider(provider)
        if not (model := model or settings.model):
            raise UsageError(f"No model is chosen for {provider}.", remedy="Give `model`.")
        agent = self.core.part(Agent)
        service = make_service(settings, agent.keys, learned=agent.learned)
        self._services.append(service)
        return await agent.sessions.create(
            service,
            model,
            _CallablePrompter(approve),
            builtins=[Builtin(name) for name in builtins],
            system=system,
        )

    def _find_provider(self, name: str) -> ProviderSettings:
        providers = self.core.store.providers
        if (settings := providers.get(name)) is None:
            known = ", ".join(providers)
            raise UsageError(f"There is no provider {name!r}.", remedy=f"There are: {known}.")
        return settings


class _CallablePrompter:
    """Answers each question with what a function says, and remembers none."""

    def __init__(self, approve: Callable[[ApprovalQuestion], bool]) -> None:
        self._approve = approve

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        from desktop.tools.approvals import ApprovalResponse

        return ApprovalResponse("once" if self._approve(question) else "deny")
