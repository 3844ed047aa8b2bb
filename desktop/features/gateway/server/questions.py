"""What a server asks in the middle of a call goes to the client that made the call.

A form, an address, or an answer of a model: to a client that said it can be asked so; else it is
declined, as on a terminal with nobody at it. A server does not say for which call it asks, so while
two clients call one server, neither is asked: it could be the other's question. Must not answer by
itself.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, Protocol

import mcp_types as types

from desktop.base.errors import UsageError
from desktop.base.tasks import spawn
from desktop.servers.client_features import block_from_sdk, block_to_sdk
from desktop.servers.requests import (
    Accepted,
    Declined,
    Dismissed,
    ElicitationRequest,
    MisfitError,
    SamplingAnswer,
    UrlElicitationRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Hashable, Sequence

    from desktop.servers.requests import (
        Answer,
        End,
        PendingRequest,
        Request,
        SamplingMessage,
        SamplingRequest,
        ServerRequests,
    )

logger = logging.getLogger(__name__)

Question = types.ElicitRequest | types.CreateMessageRequest
ClientRequest = Question | types.ListRootsRequest
ClientAnswer = (
    types.ElicitResult
    | types.CreateMessageResult
    | types.CreateMessageResultWithTools
    | types.ListRootsResult
)
REFUSED: Final = "the client cannot be asked this"
ROOTS_LIMIT: Final = 10.0
"""Seconds in which a client names its roots; no person is asked."""
MAX_ROOTS: Final = 1_000
"""Roots of a client that a server is told of."""


class Asker(Protocol):
    """One running request of a client, in which it can be asked something."""

    @property
    def client(self) -> Hashable:
        """The same for all requests of one client."""
        ...

    @property
    def capabilities(self) -> types.ClientCapabilities | None: ...

    async def ask(self, request: ClientRequest) -> ClientAnswer:
        """Ask it; raises whatever goes wrong with that."""
        ...


class RootsOfClient:
    """The client of one request, as a `Caller`: it names its roots while a server works on it.

    It is asked each time: what it names may change, and nothing is kept for another request.
    """

    def __init__(self, asker: Asker) -> None:
        self.client = asker.client
        self._asker = asker

    async def roots(self) -> Sequence[types.Root] | None:
        """Ask the client; None where it did not declare roots, refuses or is silent."""
        capabilities = self._asker.capabilities
        if capabilities is None or capabilities.roots is None:
            return None
        try:
            async with asyncio.timeout(ROOTS_LIMIT):
                answer = await self._asker.ask(types.ListRootsRequest())
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: a client may do anything
            logger.info("a client did not name its roots: %s", type(error).__name__)
            return None
        return answer.roots[:MAX_ROOTS] if isinstance(answer, types.ListRootsResult) else None


class Questions:
    """Hands on what all servers of one `ServerRequests` ask, to the clients of all gateways."""

    def __init__(
        self,
        requests: ServerRequests,
        otherwise: Callable[[PendingRequest], Answer | None] | None = None,
    ) -> None:
        """Args: otherwise: asked where no client can be; None: then it is declined."""
        self._requests, self._otherwise = requests, otherwise
        self._open: dict[str, dict[int, Asker]] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._numbers = itertools.count()
        self._end = requests.removed.connect(self._withdraw)

    def close(self) -> None:
        """Hand on nothing any more; what waits is taken back."""
        self._end()
        for task in self._asking.values():
            task.cancel()

    @contextmanager
    def during(self, server: str, asker: Asker) -> Generator[None]:
        """A block in which `server` may ask the client of one request."""
        number = next(self._numbers)
        self._open.setdefault(server, {})[number] = asker
        try:
            yield
        finally:
            askers = self._open[server]
            del askers[number]
            if not askers:
                del self._open[server]

    def is_calling(self, server: str) -> bool:
        """Whether a client is calling this server now."""
        return server in self._open

    def answer(self, pending: PendingRequest) -> Answer | None:
        """Ask the client that calls the server, as a `ServerRequests.answerer`."""
        askers = list(self._open.get(pending.server, {}).values())
        if not askers:
            return self._elsewhere(pending, "no client is calling the server")
        if len({asker.client for asker in askers}) > 1:
            return self._elsewhere(pending, "several clients are calling the server")
        asker = askers[-1]
        if not _can_be_asked(asker.capabilities, pending.request):
            return self._elsewhere(pending, REFUSED)
        task = spawn(self._ask(asker, pending), f"ask a client for {pending.server}")
        self._asking[pending.id] = task
        task.add_done_callback(lambda _: self._asking.pop(pending.id, None))
        return None

    def _elsewhere(self, pending: PendingRequest, reason: str) -> Answer | None:
        if self._otherwise is not None:
            return self._otherwise(pending)
        logger.info("a request from %s was declined: %s", pending.server, reason)
        return Declined(reason)

    async def _ask(self, asker: Asker, pending: PendingRequest) -> None:
        try:
            answer = answer_in(await asker.ask(request_out(pending.request)))
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: a client may do anything
            logger.info("a client did not answer %s: %r", pending.server, error)
            answer = Declined("the client refused")
        with suppress(UsageError):  # withdrawn meanwhile
            try:
                self._requests.answer(pending.id, answer)
            except MisfitError as error:
                logger.info("an answer for %s does not fit its form: %s", pending.server, error)
                self._requests.answer(pending.id, Declined("the answer does not fit"))

    def _withdraw(self, pending: PendingRequest, end: End) -> None:
        if end != "answered" and (task := self._asking.get(pending.id)) is not None:
            task.cancel()


def _can_be_asked(capabilities: types.ClientCapabilities | None, request: Request) -> bool:
    if capabilities is None:
        return False
    if isinstance(request, ElicitationRequest | UrlElicitationRequest):
        can = capabilities.elicitation
        if can is None:
            return False
        if isinstance(request, UrlElicitationRequest):
            return can.url is not None
        return can.form is not None or can.url is None  # `{}` means forms
    can_sample = capabilities.sampling
    return can_sample is not None and (not request.tools or can_sample.tools is not None)


def request_out(request: Request) -> Question:
    """What a server asked, for the client."""
    if isinstance(request, ElicitationRequest):
        form = types.ElicitRequestFormParams(
            message=request.message, requested_schema=dict(request.schema)
        )
        return types.ElicitRequest(params=form)
    if isinstance(request, UrlElicitationRequest):
        url = types.ElicitRequestURLParams(
            message=request.message, url=request.url, elicitation_id=request.elicitation_id
        )
        return types.ElicitRequest(params=url)
    return types.CreateMessageRequest(params=_sampling_out(request))


def _sampling_out(request: SamplingRequest) -> types.CreateMessageRequestParams:
    hints = [types.ModelHint(name=name) for name in request.hints]
    preferences = types.ModelPreferences(
        hints=hints or None,
        cost_priority=request.priorities.get("cost"),
        speed_priority=request.priorities.get("speed"),
        intelligence_priority=request.priorities.get("intelligence"),
    )
    tools = [
        types.Tool(
            name=tool.name,
            title=tool.title or None,
            description=tool.description or None,
            input_schema=dict(tool.input_schema),
        )
        for tool in request.tools
    ]
    return types.CreateMessageRequestParams(
        messages=[_message_out(message) for message in request.messages],
        max_tokens=request.max_tokens,
        system_prompt=request.system or None,
        temperature=request.temperature,
        stop_sequences=list(request.stop_sequences) or None,
        model_preferences=preferences if hints or request.priorities else None,
        tools=tools or None,
        tool_choice=types.ToolChoice(mode=request.tool_choice) if tools else None,
    )


def _message_out(message: SamplingMessage) -> types.SamplingMessage:
    blocks = [block_to_sdk(block) for block in message.blocks]
    return types.SamplingMessage(
        role=message.role, content=blocks[0] if len(blocks) == 1 else blocks
    )


def answer_in(answer: ClientAnswer) -> Answer:
    """What a client answered, for the server.

    Raises:
        TypeError: it is the answer to another question.
    """
    if isinstance(answer, types.ListRootsResult):
        raise TypeError("roots are no answer to this")
    if isinstance(answer, types.ElicitResult):
        if answer.action == "accept":
            return Accepted(dict(answer.content or {}))
        return Declined() if answer.action == "decline" else Dismissed()
    content = answer.content if isinstance(answer.content, list) else [answer.content]
    return SamplingAnswer(
        tuple(block_from_sdk(block) for block in content),
        answer.model,
        answer.stop_reason or "endTurn",
    )
