"""Requests over the pipes of a process, without what the SDK does for other transports.

For each request its dispatcher opens a memory stream, a scope with a clock that a person's answer
stops, and a span of OpenTelemetry: as much work as the rest of a call. Over pipes, under a limit of
ours and while nobody traces, a future does. All else of a request (its id, the token of its
progress, the words to the server when it is given up) is the dispatcher's own, and a request that
asks for more goes the SDK's way. Must not know what is requested.
"""

from __future__ import annotations

import asyncio
import logging
import math
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self

import anyio
from mcp_types import CONNECTION_CLOSED, ErrorData
from pydantic_core import to_json

from desktop.later_tracing import is_traced
from desktop.servers.sdk import MCPError
from desktop.servers.transport.message_stream import MessageWriter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp import Client
    from mcp.shared.dispatcher import ProgressFnT

logger = logging.getLogger(__name__)

GOODBYE_LIMIT: Final = 5.0
"""Seconds in which a server is told that a request was given up, as the SDK has it."""
_KNOWN_OPTIONS: Final = frozenset({"timeout", "on_progress", "cancel_on_abandon", "headers"})
_USED: Final = (
    "_allocate_id", "_cancel_outbound", "_closed", "_final_write", "_pending", "_running",
    "_write_stream", "send_raw_request",
)  # fmt: skip
"""Of the SDK's dispatcher."""


class _Waiting:
    """Whoever waits for one answer, in the shape in which the dispatcher keeps them."""

    __slots__ = ("answer", "on_progress")

    def __init__(self, on_progress: ProgressFnT | None) -> None:
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.on_progress = on_progress

    @property
    def send(self) -> Self:
        """Not kept: a circle would hold a large answer until garbage is looked for."""
        return self

    def send_nowait(self, outcome: dict[str, Any] | ErrorData) -> None:
        """Take the answer; the dispatcher calls this."""
        if not self.answer.done():
            self.answer.set_result(outcome)


def send_directly(client: Client) -> None:
    """Make an open SDK client send its requests in this way where its server is a process.

    A dispatcher that looks different from the one that this was written for is left as it is.
    """
    dispatcher: Any = getattr(client.session, "_dispatcher", None)
    if not all(hasattr(dispatcher, name) for name in _USED):
        logger.debug("the SDK's dispatcher is not known here; its own way is taken")
    elif isinstance(dispatcher._write_stream, MessageWriter):
        dispatcher.send_raw_request = _DirectRequests(dispatcher).send


class _DirectRequests:
    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._send_their_way = dispatcher.send_raw_request
        self._writer: MessageWriter = dispatcher._write_stream
        self._writer.reader.take_answer = self._take_answer

    async def send(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        opts: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> dict[str, Any]:
        """In place of `JSONRPCDispatcher.send_raw_request`; raises what that raises."""
        dispatcher = self._dispatcher
        if given or opts is None or not self._is_plain(method, opts):
            return await self._send_their_way(method, params, opts, **given)
        request_id: int = dispatcher._allocate_id()
        while request_id in dispatcher._pending:
            request_id = dispatcher._allocate_id()
        waiting = _Waiting(opts.get("on_progress"))
        line = _request(request_id, method, params, wants_progress=waiting.on_progress is not None)
        await anyio.lowlevel.checkpoint_if_cancelled()  # before anything was sent
        dispatcher._pending[request_id] = waiting
        try:
            await self._writer.send_line(line)
            outcome = await waiting.answer
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            outcome = _closed()
        except asyncio.CancelledError:
            if opts.get("cancel_on_abandon", True):
                await self._give_up(request_id)
            raise
        finally:
            dispatcher._pending.pop(request_id, None)
        if isinstance(outcome, ErrorData):
            raise MCPError(code=outcome.code, message=outcome.message, data=outcome.data)
        return outcome

    def _take_answer(self, request_id: object, result: dict[str, Any]) -> bool:
        waiting = self._dispatcher._pending.get(request_id) if type(request_id) is int else None
        if not isinstance(waiting, _Waiting):
            return False
        waiting.send_nowait(result)
        return True

    def _is_plain(self, method: str, opts: Mapping[str, Any]) -> bool:
        return (
            opts.get("timeout") == math.inf
            and _KNOWN_OPTIONS.issuperset(opts)
            and method != "tools/list"  # the rest of a long list is answered here
            and self._dispatcher._running
            and not self._dispatcher._closed
            and not is_traced()
        )

    async def _give_up(self, request_id: int) -> None:
        dispatcher = self._dispatcher
        await dispatcher._final_write(
            partial(dispatcher._cancel_outbound, request_id, "caller cancelled", None),
            shield=True,
            timeout=GOODBYE_LIMIT,
            describe=f"courtesy cancel for caller-cancelled request {request_id!r}",
        )


def _request(
    request_id: int, method: str, params: Mapping[str, Any] | None, *, wants_progress: bool
) -> bytes:
    """One message, as the SDK writes it: the token of its progress is its id."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    given = dict(params) if params is not None else {}
    if wants_progress:
        given["_meta"] = {**(given.get("_meta") or {}), "progressToken": request_id}
    elif not given.get("_meta", True):
        del given["_meta"]
    if given:
        message["params"] = given
    return to_json(message, inf_nan_mode="null")


def _closed() -> ErrorData:
    return ErrorData(code=CONNECTION_CLOSED, message="Connection closed")
