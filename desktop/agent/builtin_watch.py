"""Watches a session's own servers: one that crashes is started again once, and that is said.

Counts anew after a minute of good connection, as `ServerConnection` does. Must not end a session.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.agent.events import BuiltinLost, BuiltinReconnected
from desktop.tasks import TaskGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.agent.events import AgentEvent
    from desktop.servers.connection import ServerConnection
    from desktop.tools.loader import DirectConnections

BACK_LIMIT = 5.0
"""Seconds that the next request to the model waits for a server that is on its way back."""


class BuiltinMonitor:
    """Tells what happens to the servers of one session, until closed."""

    def __init__(self, connections: DirectConnections, tell: Callable[[AgentEvent], None]) -> None:
        self.lost: dict[str, str] = dict(connections.failed)
        """Why each server that is gone for good is gone, by its name."""
        self._tell = tell
        self._away: set[str] = set()
        self._ends: list[Callable[[], None]] = [
            one.state_changed.connect(lambda one=one: self._look(one)) for one in connections
        ]
        self._changed = asyncio.Event()
        self._tasks = TaskGroup("built-in servers")

    async def settle(self) -> None:
        """Wait until no server is on its way back, some seconds at most."""
        try:
            async with asyncio.timeout(BACK_LIMIT):
                while self._away:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return

    async def close(self) -> None:
        for end in self._ends:
            end()
        self._away.clear()
        self._changed.set()
        await self._tasks.close()

    def _look(self, one: ServerConnection) -> None:
        state = one.state
        match state.phase:
            case "reconnecting" if one.name not in self._away and one.name not in self.lost:
                self._crashed(one)
            case "reconnecting" if state.attempt > 1:
                self._give_up(one, state.error)
            case "connected" if one.name in self._away:
                self._away.discard(one.name)
                self._tell(BuiltinReconnected(one.name))
            case "failed" if one.name in self._away:
                self._give_up(one, state.error)
            case _:
                pass
        self._changed.set()

    def _crashed(self, one: ServerConnection) -> None:
        if one.state.attempt > 1:
            self._give_up(one, one.state.error)
            return
        self._away.add(one.name)
        self._tell(BuiltinLost(one.name, one.state.error, restarting=True))

    def _give_up(self, one: ServerConnection, error: str) -> None:
        if one.name in self.lost:
            return
        self._away.discard(one.name)
        self.lost[one.name] = error
        self._tell(BuiltinLost(one.name, error, restarting=False))
        # Not at once: this may be told of outside of any task, and stopping needs one.
        self._tasks.spawn(one.disconnect(), one.name)
