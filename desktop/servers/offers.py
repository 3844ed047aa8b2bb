"""`ServerOffers`: what a server has beside tools, made when somebody asks for it.

A launch pays nothing for it, not even an import: most runs only call tools. Must not decide what is
read: `ServerResources` and `ServerPrompts` do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.servers.calls import Requester
    from desktop.servers.context import Spill
    from desktop.servers.prompts import ServerPrompts
    from desktop.servers.resources import ServerResources
    from desktop.servers.session import Session
    from desktop.values.prompt_types import PromptResult
    from desktop.values.resource_types import ReadResult


class ServerOffers:
    """The resources and the prompts of one server."""

    def __init__(self, server: Requester, spill: Spill) -> None:
        """Args: server: the connection, by which everything is sent. spill: of the context."""
        self._server, self._spill = server, spill
        self.resource_read: Signal[[str, ReadResult]] = Signal()
        """A read that somebody asked for ended: the URI, and what came of it."""
        self.prompt_filled: Signal[[str, Mapping[str, str], PromptResult]] = Signal()
        """A prompt was asked for: its name, the arguments, and what came of it."""
        self._resources: ServerResources | None = None
        self._prompts: ServerPrompts | None = None

    @property
    def resources(self) -> ServerResources:
        if self._resources is None:
            from desktop.servers.resources import ServerResources

            self._resources = ServerResources(self._server, self.resource_read, self._spill)
        return self._resources

    @property
    def prompts(self) -> ServerPrompts:
        if self._prompts is None:
            from desktop.servers.prompts import ServerPrompts

            self._prompts = ServerPrompts(self._server, self.prompt_filled, self._spill)
        return self._prompts

    def join(self, session: Session) -> None:
        """Take up in a session that is open now what was asked for in an earlier one."""
        session.readers |= {"resources": self._list_resources, "prompts": self._list_prompts}
        if self._resources is not None:
            session.spawn(self._resources.follow(session), "follow resources")
        if self._prompts is not None:
            session.spawn(self._prompts.follow(session), "follow prompts")

    async def _list_resources(self) -> None:
        if self._resources is not None:
            await self._resources.read_again()

    async def _list_prompts(self) -> None:
        if self._prompts is not None:
            await self._prompts.read_again()

    def forget(self) -> None:
        """Offer nothing: the server is gone. Whoever asked before is served by its next session."""
        if self._resources is not None:
            self._resources.forget()
        if self._prompts is not None:
            self._prompts.forget()
