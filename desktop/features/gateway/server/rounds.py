"""Requests of clients from which the client can be asked something: within them, or between rounds.

Up to 2025-11-25 a client is asked over its open request. Since 2026-07-28 the request is answered
with the question, and the client sends it again with what it answered: meanwhile the call goes on
here, held for a while. Must not know what is called. Source: MCP specification 2026-07-28, basic,
multi-round-trip requests.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import mcp_types as types

from desktop.base.tasks import spawn
from desktop.features.gateway.server.questions import ClientRequest
from desktop.features.gateway.server.sdk import MCPError, ServerMessageMetadata

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from desktop.features.gateway.server.questions import Asker, ClientAnswer
    from desktop.features.gateway.server.sdk import ServerRequestContext

T = TypeVar("T")
MAX_HELD: Final = 100
"""Calls that wait for a client to send them again."""
HELD_LIMIT: Final = 600.0
"""Seconds after which a call is ended whose client did not come back."""
_QUESTION: Final = "question"


class OpenRequest:
    """A request whose client is asked while it is open."""

    def __init__(self, context: ServerRequestContext[Any, Any], client: Hashable) -> None:
        self._session = context.session
        self._request_id = context.request_id
        self.client = client

    @property
    def capabilities(self) -> types.ClientCapabilities | None:
        return self._session.client_capabilities

    async def ask(self, request: ClientRequest) -> ClientAnswer:
        # Over this request's own stream: over HTTP there may be no other.
        related = ServerMessageMetadata(related_request_id=self._request_id)
        if isinstance(request, types.ListRootsRequest):
            return await self._session.send_request(
                request, types.ListRootsResult, metadata=related
            )
        if isinstance(request, types.ElicitRequest):
            return await self._session.send_request(request, types.ElicitResult, metadata=related)
        kind = types.CreateMessageResultWithTools if request.params.tools else _PLAIN
        return await self._session.send_request(request, kind, metadata=related)


_PLAIN: Final = types.CreateMessageResult


class HeldRequest:
    """A call that goes on between the requests of a client which only asks and never listens."""

    def __init__(
        self,
        run: Callable[[Asker], Awaitable[Any]],
        capabilities: types.ClientCapabilities | None,
        client: Hashable,
    ) -> None:
        self.client = client
        self.capabilities = capabilities
        self._asked: ClientRequest | None = None
        self._answer: asyncio.Future[ClientAnswer] | None = None
        self._news = asyncio.Event()
        self._task = spawn(self._run(run), "a client's call")
        self._timer: asyncio.TimerHandle | None = None

    async def _run(self, run: Callable[[Asker], Awaitable[T]]) -> T | MCPError:
        try:
            return await run(self)
        except MCPError as error:  # raised on where it is waited for: no fault of the task
            return error
        finally:
            self._news.set()

    async def ask(self, request: ClientRequest) -> ClientAnswer:
        self._asked = request
        self._answer = asyncio.get_running_loop().create_future()
        self._news.set()
        try:
            return await self._answer
        finally:
            self._asked = self._answer = None

    async def next(self) -> Any:
        """The result, or what the client is asked before it comes.

        Raises:
            MCPError: what the call ended with.
        """
        try:
            await self._news.wait()
        except asyncio.CancelledError:
            self.cancel()
            raise
        self._news.clear()
        if self._asked is not None and not self._task.done():
            return self._asked
        outcome = await self._task
        if isinstance(outcome, MCPError):
            raise outcome
        return outcome

    def hold(self, ended: Callable[[], object]) -> None:
        """Go on while nobody waits; `ended` is called if that takes too long."""

        def give_up() -> None:
            ended()
            self.cancel()

        self._timer = asyncio.get_running_loop().call_later(HELD_LIMIT, give_up)

    def take_up(self, answers: types.InputResponses | None) -> None:
        """Go on with what the client answered; nothing is no answer, and it is asked again."""
        if self._timer is not None:
            self._timer.cancel()
        answer = (answers or {}).get(_QUESTION)
        if answer is not None and self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)
        else:
            self._news.set()

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._task.cancel()


class HeldRequests:
    """The calls between two rounds, by what the client has to bring back."""

    def __init__(self) -> None:
        self._held: dict[str, HeldRequest] = {}

    async def run(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.InputResponseRequestParams,
        client: Hashable,
        run: Callable[[Asker], Awaitable[T]],
    ) -> T | types.InputRequiredResult:
        """Begin or go on with a call; returns its result, or what the client has to answer.

        Raises:
            MCPError: there is no such call any more, or too many wait.
        """
        state = params.request_state
        if state is None:
            call = HeldRequest(run, context.session.client_capabilities, client)
        elif (found := self._held.pop(state, None)) is not None:
            call = found
            call.take_up(params.input_responses)
        else:
            raise MCPError(types.INVALID_PARAMS, "This call has ended: nobody answered in time.")
        outcome = await call.next()
        if not isinstance(outcome, ClientRequest):
            return cast("T", outcome)
        if len(self._held) >= MAX_HELD:
            call.cancel()
            raise MCPError(types.INTERNAL_ERROR, "Too many calls are waiting for an answer.")
        token = secrets.token_urlsafe()
        self._held[token] = call
        call.hold(lambda: self._held.pop(token, None))
        return types.InputRequiredResult(input_requests={_QUESTION: outcome}, request_state=token)

    def close(self) -> None:
        """End the calls that wait."""
        for call in self._held.values():
            call.cancel()
        self._held.clear()
