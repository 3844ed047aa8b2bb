"""What the Chat page and the settings of providers need of the core, and no more.

Must not import Qt or the core itself when it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.base.signals import Signal
    from desktop.config.providers import ProviderSettings
    from desktop.features.chat.agent.session import AgentSession
    from desktop.features.chat.agent.session_info import Builtin, SessionTerms
    from desktop.features.chat.agent.session_store import SessionStore
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.features.chat.llm.tool_choice import ToolChoice
    from desktop.features.models.formats import ApiFormat
    from desktop.features.models.model_facts import ModelFacts
    from desktop.tools.approvals import ApprovalPrompter

KeyPlace: TypeAlias = Literal["unknown", "keyring", "session", "environment", "missing", "unneeded"]
"""Where a provider's key is: not looked for yet; in the keyring; in the environment; nowhere.

A server of a person's own may need none.
"""


class Providers(Protocol):
    """The configured providers and their keys; a key is never given out."""

    @property
    def changed(self) -> Signal[[]]:
        """Providers, or what is known of their keys."""
        ...

    @property
    def problem(self) -> str:
        """Why the keyring could not be asked; empty where it could."""
        ...

    def all(self) -> Sequence[ProviderSettings]: ...
    def get(self, name: str) -> ProviderSettings | None: ...
    def is_removable(self, name: str) -> bool: ...
    def key_place(self, name: str) -> KeyPlace: ...
    def key_name(self, name: str) -> str:
        """The environment variable that has the key, or would have it."""
        ...

    async def look_for_keys(self) -> None:
        """Find out where each key is. Never raises."""
        ...

    def api_format(self, name: str) -> ApiFormat: ...
    def facts(self, name: str, model: str) -> ModelFacts:
        """What is known of a model, from the config, its server or its documentation."""
        ...

    def service(self, name: str) -> CompletionService:
        """A new service, the caller's to close. Raises `DesktopError`."""
        ...

    def save(self, provider: ProviderSettings) -> None:
        """Add or replace. Raises `ConfigError`."""
        ...

    async def remove(self, name: str) -> None:
        """Take it out of the file, and its key out of the keyring. Raises `DesktopError`."""
        ...

    async def set_key(self, name: str, key: str) -> None:
        """Keep a key in the keyring, or forget it where it is empty. Raises `DesktopError`."""
        ...


class Sessions(Protocol):
    """The agent's sessions; `AgentSessions` is one."""

    @property
    def store(self) -> SessionStore: ...
    async def create(
        self,
        service: CompletionService,
        model: str,
        prompter: ApprovalPrompter,
        *,
        builtins: Sequence[Builtin] = (),
        choice: ToolChoice | None = None,
        system: str = "",
        terms: SessionTerms | None = None,
    ) -> AgentSession: ...
    async def reopen(
        self,
        session: str,
        service: CompletionService,
        prompter: ApprovalPrompter,
        *,
        model: str = "",
    ) -> AgentSession: ...
