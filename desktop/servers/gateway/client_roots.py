"""The roots of a client of the gateway, asked for while a server works on one of its requests.

A client is asked each time: what it names may change, and nothing is kept for another request.
Must not decide which client it is.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import mcp_types as types

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from desktop.servers.gateway.questions import Asker

logger = logging.getLogger(__name__)
LIMIT: Final = 10.0
"""Seconds in which a client names them; no person is asked."""
MAX_ROOTS: Final = 1_000
"""Roots of a client that a server is told of."""


class RootsOfClient:
    """The client of one request, as a `Caller`."""

    def __init__(self, asker: Asker, client: Hashable) -> None:
        self.client = client
        self._asker = asker

    async def roots(self) -> Sequence[types.Root] | None:
        """Ask the client; None where it did not declare roots, refuses or is silent."""
        capabilities = self._asker.capabilities
        if capabilities is None or capabilities.roots is None:
            return None
        try:
            async with asyncio.timeout(LIMIT):
                answer = await self._asker.ask(types.ListRootsRequest())
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: a client may do anything
            logger.info("a client did not name its roots: %s", type(error).__name__)
            return None
        return answer.roots[:MAX_ROOTS] if isinstance(answer, types.ListRootsResult) else None
