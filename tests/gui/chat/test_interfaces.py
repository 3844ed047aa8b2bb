"""The core's own parts are what the ports ask for; pyright holds them to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.chat.providers import ModelProviders
from desktop.llm.keys import Keys

if TYPE_CHECKING:
    from desktop.core import Core
    from desktop.gui.chat.interfaces import Providers, Sessions


async def test_sessions_and_providers_of_the_core_fit(core: Core) -> None:
    sessions: Sessions = core.sessions
    providers: Providers = ModelProviders(core.store, Keys({}))
    assert sessions.store.folder.name == "sessions"
    assert [provider.name for provider in providers.all()] == ["openai", "anthropic", "gemini"]
