"""What servers ask of the person: forms, addresses to open, answers of a model; and the queue.

`ServerRequests` holds what all servers wait for, whoever shows it. Its limits keep one server from
crowding the person out, and nothing waits where nobody is there to answer. Must not show anything
nor open an address, and knows no model. Source: MCP specification 2025-11-25, client/elicitation
and client/sampling.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
import time
from collections import defaultdict, deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from msgspec import Struct, field

from desktop.base.errors import DesktopError, UsageError
from desktop.base.signals import Signal
from desktop.base.translatable import join_texts, translatable
from desktop.servers.elicited_form import find_problems
from desktop.servers.timeouts import TimeoutScheduler
from desktop.values.json_schema import object_of
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.config.imports.warnings import ImportWarning
    from desktop.values.tool_types import Content, JsonObject, ToolDefinition

logger = logging.getLogger(__name__)

MAX_PER_SERVER: Final = 10
"""Requests of one server that wait for a person at a time."""
MAX_PENDING: Final = 50
"""Requests of all servers that wait at a time."""
MAX_WAIT: Final = 1800.0
"""Seconds after which an unanswered request is taken for dismissed."""
MAX_FORM: Final = 200_000
"""Characters of a form or an address with all that belongs to it."""
MAX_PROMPT: Final = 4_000_000
"""Characters of a prompt with its images (as base64) and tools: some images of a screen."""
MAX_SAMPLINGS: Final = 20
"""Answers of a model that one server may ask for in a minute."""
MAX_TOKENS: Final = 32_000
"""Tokens of one such answer; a server that asks for more gets these."""
BY_HAND: Final = "typed by the person"
"""The model that a server is told of where a person answered instead."""
_MINUTE: Final = 60.0
_MAX_REFUSALS: Final = 200
"""Refusals that are remembered, so that each is said once."""


# --- what is asked --------------------------------------------------------------------------------


class ElicitationRequest(Struct, frozen=True):
    """A form: `schema` is the server's own, flat as the specification wants it.

    `secret_fields` names those that seem to ask for a password: to be warned of.
    """

    message: str
    schema: JsonObject
    secret_fields: tuple[str, ...] = ()


class UrlElicitationRequest(Struct, frozen=True):
    """An address that the person should open; never opened without them.

    `host` is empty where programs may read it differently. `dangers` is what an install link would
    be warned of. `blocks_call`: a call cannot be made until the person has finished there, so
    `Accepted` means that they have; else it means that they open it.
    """

    message: str
    url: str
    elicitation_id: str = ""
    host: str = ""
    dangers: tuple[ImportWarning, ...] = ()
    blocks_call: bool = False

    @property
    def is_web(self) -> bool:
        """Whether it is an address of the web: everything else is refused."""
        return self.url.lower().startswith(("https://", "http://"))


def ask_to_open(
    message: str, url: str, *, elicitation_id: str = "", blocks_call: bool = False
) -> UrlElicitationRequest:
    """A request to open an address, with what a person should know of it."""
    from desktop.config.imports.dangers import address_dangers, host_of  # few servers ask for it

    host, dangers = host_of(url)[0] or "", tuple(address_dangers("url", url))
    return UrlElicitationRequest(message, url, elicitation_id, host, dangers, blocks_call)


class ToolUse(Struct, frozen=True):
    """A model wants one of the server's own tools to be run, by the server."""

    call_id: str
    name: str
    arguments: JsonObject


class ToolOutcome(Struct, frozen=True):
    """What came of a `ToolUse`, as the server tells the model."""

    call_id: str
    content: tuple[Content, ...] = ()
    structured: Any = None
    is_error: bool = False


SamplingBlock: TypeAlias = "Content | ToolUse | ToolOutcome"


class SamplingMessage(Struct, frozen=True):
    """One message of the conversation that a server made up."""

    role: Literal["user", "assistant"]
    blocks: tuple[SamplingBlock, ...]


class SamplingRequest(Struct, frozen=True):
    """A conversation that a server wants a model to go on with.

    `max_tokens` is within `MAX_TOKENS`. `hints` are names of models, or parts of them, in the order
    of preference; `priorities` has `cost`, `speed`, `intelligence` from 0 to 1 where given. `tools`
    are the server's own: it runs them itself. `context` is `none`, or the servers of which more
    should be told, which is not done. `dataclasses.replace` makes what a person corrected.
    """

    messages: tuple[SamplingMessage, ...]
    max_tokens: int
    system: str = ""
    temperature: float | None = None
    stop_sequences: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    priorities: Mapping[str, float] = field(default_factory=dict[str, float])
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: Literal["auto", "required", "none"] = "auto"
    context: str = "none"


Request: TypeAlias = ElicitationRequest | UrlElicitationRequest | SamplingRequest


class PendingRequest(Struct, frozen=True):
    """A request that waits for its answer; `id` is unique in this run of the app."""

    id: str
    server: str
    request: Request


# --- what is answered -----------------------------------------------------------------------------


class Accepted(Struct, frozen=True):
    """Yes: with what the form holds, or (of an address) with nothing."""

    content: JsonObject = field(default_factory=dict[str, Any])


class Declined(Struct, frozen=True):
    """No; the server is told `reason` where the protocol has a place for it."""

    reason: str = ""


class Dismissed(Struct, frozen=True):
    """Neither yes nor no: closed, or left alone for too long."""


class SamplingAnswer(Struct, frozen=True):
    """What a model, named `model`, or the person said; `stop` as the protocol calls it."""

    blocks: tuple[SamplingBlock, ...]
    model: str
    stop: str = "endTurn"


Answer: TypeAlias = Accepted | Declined | Dismissed | SamplingAnswer
End: TypeAlias = Literal["answered", "withdrawn", "expired"]
"""Why a request waits no longer: answered; its server, call or session ended it; `MAX_WAIT`."""
FormCheck: TypeAlias = "Callable[[JsonObject, JsonObject], Sequence[ValidationIssue]]"
"""What is wrong with a form's content, by its schema; warnings do not matter."""


class MisfitError(DesktopError):
    """An answer does not fit the form and was not sent; `issues` says where."""

    def __init__(self, issues: Sequence[ValidationIssue]) -> None:
        super().__init__(join_texts("\n", *(str(issue) for issue in issues)))
        self.issues = tuple(issues)


# --- the queue ------------------------------------------------------------------------------------


class ServerRequests:
    """The requests of all servers of one app.

    `answerer` is asked first and answers at once, or returns None and sees to it that `answer` is
    called; while there is none, everything is declined. `added` and `removed` follow what waits;
    `notice_posted` has a server's name and a sentence on what was refused, again only after a
    minute without such a request.
    """

    def __init__(
        self, check: FormCheck | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Args: check: finds what is wrong with a form's content. clock: seconds, for the rate."""
        self.answerer: Callable[[PendingRequest], Answer | None] | None = None
        self.added: Signal[[PendingRequest]] = Signal()
        self.removed: Signal[[PendingRequest, End]] = Signal()
        self.notice_posted: Signal[[str, str]] = Signal()
        self._check = check
        self._clock = clock
        self._numbers = itertools.count(1)
        self._waiting: dict[str, tuple[PendingRequest, asyncio.Future[Answer]]] = {}
        self._refused_at: dict[tuple[str, str], float] = {}
        self._samplings: defaultdict[str, deque[float]] = defaultdict(deque)
        self._timeouts = TimeoutScheduler()

    @property
    def pending(self) -> tuple[PendingRequest, ...]:
        """What waits now, the oldest first."""
        return tuple(pending for pending, _ in self._waiting.values())

    async def ask(self, server: str, request: Request) -> Answer:
        """Wait for the answer; being cancelled withdraws the request.

        Returns:
            `Declined` at once where it may not be asked, `Dismissed` where nobody answered in time.
        """
        if refusal := self._refusal(server, request):
            return self._refused(server, refusal)
        pending = PendingRequest(str(next(self._numbers)), server, request)
        answerer = self.answerer
        if answerer is None:
            words = translatable("nobody is here to answer")
            return self._refused(server, words)
        if (answer := answerer(pending)) is not None:
            return self._checked_or_refused(pending, answer)
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[pending.id] = pending, answered
        self.added.send(pending)
        limit = self._timeouts.within(MAX_WAIT)
        try:
            with limit:
                return await answered
            return Dismissed()
        finally:
            self._remove(pending, "expired" if limit.expired else "withdrawn")

    def answer(self, request_id: str, answer: Answer) -> None:
        """Answer what waits.

        Raises:
            UsageError: nobody waits for it any more.
            MisfitError: a form's content does not fit; it still waits.
        """
        if request_id not in self._waiting:
            raise UsageError(translatable("This request is no longer open."))
        pending, answered = self._waiting[request_id]
        if issues := self.misfits(pending.request, answer):
            raise MisfitError(issues)
        if not answered.done():
            answered.set_result(answer)
        self._remove(pending, "answered")

    def misfits(self, request: Request, answer: Answer) -> list[ValidationIssue]:
        """What keeps an answer from being sent; empty where nothing does."""
        if not isinstance(answer, Accepted) or not isinstance(request, ElicitationRequest):
            return []
        fields = object_of(request.schema.get("properties"))
        unasked = [
            ValidationIssue((name,), "rule", translatable("was not requested"), code="undeclared")
            for name in answer.content
            if name not in fields
        ]
        found = self._check(request.schema, answer.content) if self._check is not None else ()
        return [*unasked, *(issue for issue in found if issue.severity == "error")]

    def complete(self, server: str, elicitation_id: str) -> None:
        """A server says that what was to be done at an address is done."""
        for pending in self.pending:
            request = pending.request
            if (
                isinstance(request, UrlElicitationRequest)
                and pending.server == server
                and request.elicitation_id == elicitation_id
            ):
                self.answer(pending.id, Accepted())

    def close(self) -> None:
        """Decline what still waits, and all that comes."""
        self.answerer = None
        for pending in self.pending:
            self.answer(pending.id, Dismissed())
        self._timeouts.close()

    def _refusal(self, server: str, request: Request) -> str:
        """Why this must not be asked, continuing a sentence; empty where it may."""
        if words := _fault_of(request):
            return words
        if isinstance(request, SamplingRequest) and not self._is_within_rate(server):
            return translatable("more than {limit} model answers in a minute", limit=MAX_SAMPLINGS)
        of_server = sum(pending.server == server for pending in self.pending)
        if of_server >= MAX_PER_SERVER or len(self._waiting) >= MAX_PENDING:
            return translatable("too many requests are already waiting for an answer")
        return ""

    def _is_within_rate(self, server: str) -> bool:
        asked, now = self._samplings[server], self._clock()
        while asked and asked[0] <= now - _MINUTE:
            asked.popleft()
        if len(asked) >= MAX_SAMPLINGS:
            return False
        asked.append(now)
        return True

    def _refused(self, server: str, words: str) -> Declined:
        now = self._clock()
        is_news = now - self._refused_at.pop((server, words), -math.inf) >= _MINUTE
        self._refused_at[server, words] = now
        if len(self._refused_at) > _MAX_REFUSALS:
            del self._refused_at[next(iter(self._refused_at))]
        if is_news:  # once, however often it goes on asking
            sentence = translatable(
                "A request from {server} was declined: {words}.", server=server, words=words
            )
            logger.info("%s", sentence)
            self.notice_posted.send(server, sentence)
        return Declined(words)

    def _checked_or_refused(self, pending: PendingRequest, answer: Answer) -> Answer:
        if issues := self.misfits(pending.request, answer):
            words = translatable("the answer does not fit ({issue})", issue=issues[0])
            return self._refused(pending.server, words)
        return answer

    def _remove(self, pending: PendingRequest, end: End) -> None:
        if self._waiting.pop(pending.id, None) is None:
            return
        self.removed.send(pending, end)


def _fault_of(request: Request) -> str:
    """What is wrong with a request, continuing a sentence; empty where nothing is."""
    limit = MAX_PROMPT if isinstance(request, SamplingRequest) else MAX_FORM
    if _is_longer(request, limit):
        return translatable("it has more than {limit} characters", limit=limit)
    if isinstance(request, ElicitationRequest):
        return join_texts(", ", *find_problems(request.schema))
    if isinstance(request, UrlElicitationRequest) and not request.is_web:
        return translatable("the address is not a web address")
    return ""


def _is_longer(value: object, limit: int) -> bool:
    """Whether all texts in a request have more characters than `limit`; bytes count as base64."""
    waiting: list[object] = [value]
    length = 0
    while waiting and length <= limit:
        here = waiting.pop()
        length += 1
        if isinstance(here, str):
            length += len(here)
        elif isinstance(here, bytes):
            length += len(here) * 4 // 3
        elif isinstance(here, Mapping):
            members = cast("Mapping[str, object]", here)
            waiting += [*members, *members.values()]
        elif isinstance(here, list | tuple):
            waiting += cast("Sequence[object]", here)
        elif isinstance(here, Struct):
            waiting += [getattr(here, name) for name in here.__struct_fields__]
    return length > limit
