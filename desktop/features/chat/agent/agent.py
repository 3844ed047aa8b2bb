"""`Agent`: what one run has for its conversations, made when it is first asked for.

The only module of the agent that knows the core: `core.part(Agent)`. Holds no logic of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.paths import current_folder
from desktop.bootstrap import session_server
from desktop.features.chat.agent.session_context import SessionContext
from desktop.features.chat.agent.sessions import AgentSessions
from desktop.features.chat.llm.keys import Keys
from desktop.features.models.model_facts import LearnedFacts
from desktop.history.store import HistoryRecorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.models import ServerConfig
    from desktop.core import Core
    from desktop.features.chat.agent.session_info import Builtin
    from desktop.tools.executor import ToolExecutor
    from desktop.tools.registry import ToolRegistry


class Agent:
    """The sessions, the keys of model providers, and what the providers said of their models."""

    def __init__(self, core: Core) -> None:
        """Starts nothing and reads nothing; ends with the core."""
        self._core = core
        self.keys = Keys(refuse=core.store.refusal)
        self.learned = LearnedFacts()
        self.sessions = AgentSessions(
            SessionContext(
                core.service,
                core.surroundings,
                core.rules,
                core.paths,
                core.approvals,
                builtin=self._session_server,
                record=self._record,
                spill=core.spill,
                settings=lambda: core.store.settings,
            )
        )
        core.ending.append(self.sessions)

    def _session_server(self, server: Builtin) -> ServerConfig:
        core = self._core
        # The folder in which a person types, for what they type; a window has none.
        folder = current_folder() if core.launcher.own_path_first else None
        return session_server(core.store, server.name, server.arguments, folder=folder)

    def _record(self, runs: ToolExecutor, tools: ToolRegistry) -> Callable[[], None]:
        core = self._core
        return HistoryRecorder(runs, tools, core.history, core.traffic.redaction).close
