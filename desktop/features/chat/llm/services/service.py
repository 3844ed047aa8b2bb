"""`ProviderService`: one provider as a `CompletionService`: sends, retries, limits and reports.

Everything that differs between providers is in its `ProviderApi`. Must not import an HTTP library:
that happens in a thread, when the first request is sent.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.translatable import map_values, translatable
from desktop.features.chat.llm.completion import (
    Completed,
    CompletionError,
    Remark,
    Retrying,
    TokenCount,
)
from desktop.features.chat.llm.services.conversation import has_pictures
from desktop.features.chat.llm.services.errors import ProviderError, rejected_answer, silence_error
from desktop.features.chat.llm.services.limits import RequestLimits, RetryPolicy
from desktop.features.chat.llm.services.response import STREAM_ENDED, ResponseBuilder
from desktop.features.models.messages import Replay
from desktop.features.models.model_facts import LearnedFacts, address_of, documented, written_facts

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence

    from desktop.config.providers import ProviderSettings
    from desktop.features.chat.llm.completion import CompletionEvent, CompletionRequest
    from desktop.features.chat.llm.services.http_client import ProviderHttp
    from desktop.features.models.formats import ApiFormat, WireTools
    from desktop.features.models.json_values import JsonObject
    from desktop.features.models.model_facts import ListedModel, ModelFacts

logger = logging.getLogger(__name__)
_MAX_SECONDS_ON_LOOP: Final = 0.008
"""Half a frame of work before everything else on the loop gets its turn."""
MAX_COUNTED_BYTES: Final = 20_000_000
"""Of a request that is only counted; no provider takes more than some ten megabytes."""
FACTS_SECONDS: Final = 5.0
"""For what a server says of its models before the first request."""
_MIN_SECRET: Final = 8
"""Characters; a shorter key is a placeholder such as "none", which may stand in any text."""


class ResponseReader(Protocol):
    """Reads the events of one turn into its builder; an object of JSON each, not to be trusted."""

    @property
    def builder(self) -> ResponseBuilder: ...

    def begin_response(self) -> None:
        """Forget what a response that did not come to its end left behind."""
        ...

    def read(self, event: JsonObject) -> Iterable[CompletionEvent]:
        """Raises `ProviderError` for an error that came inside the stream."""
        ...

    def continue_body(self, body: JsonObject) -> JsonObject | None:
        """The first request with what came so far, if the provider paused the turn."""
        ...

    def replay_items(self) -> Sequence[JsonObject]:
        """The turn as the provider wants it back; empty where the neutral message is enough."""
        ...


class ProviderApi(Protocol):
    """One request format of one provider. Maps and reads; neither waits nor retries."""

    @property
    def name(self) -> str:
        """The provider's name in the config."""
        ...

    @property
    def label(self) -> str:
        """What the provider is called in a sentence."""
        ...

    @property
    def api_format(self) -> ApiFormat: ...

    @property
    def address(self) -> str:
        """The URL that paths are appended to."""
        ...

    def headers(self, key: str) -> dict[str, str]: ...

    def path(self, model: str) -> str:
        """Where a request for this model is posted."""
        ...

    def build_body(
        self, request: CompletionRequest, tools: WireTools | None, source: str
    ) -> JsonObject:
        """The request as JSON; turns whose `Replay.provider` is `source` go as they came. Pure."""
        ...

    def make_reader(self, builder: ResponseBuilder) -> ResponseReader: ...

    async def list_models(self, http: ProviderHttp, seconds: float) -> list[ListedModel]: ...

    def counting_request(self, model: str, tools: WireTools | None) -> tuple[str, JsonObject]:
        """Path and body that ask what a short message and `tools` come to. Pure.

        Raises:
            ProviderError: this API has no counter.
        """
        ...

    def read_count(self, answer: JsonObject) -> int:
        """The tokens in the answer to that; 0 where it does not say."""
        ...


class _Connection(Struct):
    http: ProviderHttp
    key: str


ALONE: Final = translatable(
    "Shorten this question, select fewer tools, or start the model with a larger window "
    "(llama-server -c, Ollama num_ctx)."
)
"""In place of "start a new conversation", where the conversation is one question."""


class KnownModels:
    """What is known of the models of one provider, and what follows from it for a request."""

    def __init__(
        self, address: str, settings: ProviderSettings | None, learned: LearnedFacts
    ) -> None:
        self.settings = settings
        self._learned = learned
        self.is_asked = False
        """Whether its server was asked what its models can do."""
        self._address = address_of(settings) if settings is not None else address
        self._told: set[str] = set()
        self._answered: set[str] = set()

    @property
    def is_worth_asking(self) -> bool:
        """Whether its server is a person's own, which knows its models better than anybody."""
        return self.settings is not None and self.settings.may_be_local

    def learn(self, model: str, facts: ModelFacts) -> None:
        """Remember what its server said."""
        self._learned.learn(self._address, model, facts)

    def note_answer(self, model: str) -> None:
        """Have its server asked again: Ollama has a window for a model once it is loaded."""
        if model not in self._answered and not self.facts(model).window:
            self.is_asked = False
        self._answered.add(model)

    def facts(self, model: str) -> ModelFacts:
        """What the config and the server say; what is documented is too rough to refuse by it."""
        said = self._learned.said(self._address, model)
        return written_facts(self.settings).over(said) if self.settings is not None else said

    def tuned(self, request: CompletionRequest) -> CompletionRequest:
        """With what the config says of the model, and what is known of it."""
        facts, settings = self.facts(request.model), self.settings
        if settings is None:
            return replace(request, facts=facts)
        return replace(
            request,
            max_tokens=request.max_tokens or settings.max_tokens or None,
            effort=request.effort or settings.effort,
            temperature=None if _refuses_any(settings) else settings.temperature,
            facts=facts,
        )

    def is_sent_otherwise(self, request: CompletionRequest) -> bool:
        """Whether what was learned since it was tuned changes what is sent."""
        before, now = request.facts, self.facts(request.model)
        if before.sees is not False and now.sees is False:
            return has_pictures(request.messages)
        return now.reasoning != before.reasoning

    def remarks(self, request: CompletionRequest, tools: WireTools | None) -> Iterable[Remark]:
        """What the person should know of this model, once."""
        model, facts, settings = request.model, self.facts(request.model), self.settings
        if settings is not None and settings.temperature is not None and _refuses_any(settings):
            yield from self._remark(
                translatable("Anthropic takes no temperature: the one in your config is not sent.")
            )
        if facts.sees is False and has_pictures(request.messages):
            yield from self._remark(
                translatable(
                    "{model} does not see pictures: a note is sent in their place.", model=model
                )
            )
        if facts.calls is False and tools is not None and tools.tools:
            yield from self._remark(
                translatable(
                    "{model} is not given your tools: the chat template of its server has no room "
                    "for them.",
                    model=model,
                )
            )

    def _remark(self, sentence: str) -> Iterable[Remark]:
        if sentence not in self._told:
            self._told.add(sentence)
            yield Remark(sentence)

    def refusal(self, model: str, tools: WireTools) -> CompletionError | None:
        """Why nothing is sent: the tools alone are more than the model reads."""
        window = self.facts(model).window
        if not window or tools.tokens < window:
            return None
        message = translatable(
            "The tools take about {tokens:,} tokens, and {model} reads {window:,} at most. Nothing "
            "was sent.",
            tokens=tools.tokens,
            model=model,
            window=window,
        )
        remedy = translatable(
            "Choose fewer tools, or start the model with a larger window (llama-server -c, Ollama "
            "num_ctx)."
        )
        return CompletionError("tools", message, remedy=remedy)


def _refuses_any(settings: ProviderSettings) -> bool:
    """Anthropic takes no temperature. Source: the requests of its SDK, version 2.14."""
    return settings.kind == "anthropic" and not settings.other_origin


class ProviderService:
    """A provider behind one `ProviderApi`."""

    def __init__(
        self,
        api: ProviderApi,
        find_key: Callable[[], Awaitable[str]],
        limits: RequestLimits | None = None,
        retries: RetryPolicy | None = None,
        *,
        settings: ProviderSettings | None = None,
        learned: LearnedFacts | None = None,
    ) -> None:
        """Make it.

        Args:
            api: of the provider.
            find_key: called before each request, so that a new key takes effect at once.
            limits: of a request.
            retries: when it is sent again.
            settings: what the config says of its model.
            learned: where it is remembered what servers say of their models; without, here.
        """
        self._known = KnownModels(api.address, settings, learned or LearnedFacts())
        self._api = api
        self._find_key = find_key
        self._limits = limits or RequestLimits()
        self._retries = retries or RetryPolicy()
        self._connection: _Connection | None = None
        self._connecting = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._api.name

    @property
    def api_format(self) -> ApiFormat:
        return self._api.api_format

    def window(self, model: str) -> int:
        """See `CompletionService.window`."""
        return self._known.facts(model).over(documented(model)).window

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        """See `CompletionService.stream`."""
        http = await self._connect()
        load = request.load_tools
        tools = await load(self.api_format) if load else None
        if (tools is not None and tools.tools) or has_pictures(request.messages):
            await self._ask_once(http)  # of others nothing depends on the model
        await self._check_room(http, request.model, tools)
        for is_last in (False, False, True):  # there are two facts by which it is sent otherwise
            request = self._known.tuned(request)
            for remark in self._known.remarks(request, tools):
                yield remark
            try:
                async with aclosing(self._send(http, request, tools)) as events:
                    async for event in events:
                        yield event
            except _OtherwiseError as error:
                if is_last:
                    raise error.failure from None
            else:
                return

    async def _send(
        self, http: ProviderHttp, request: CompletionRequest, tools: WireTools | None
    ) -> AsyncGenerator[CompletionEvent]:
        source = f"{self.name}/{self.api_format}"
        first = body = await asyncio.to_thread(self._api.build_body, request, tools, source)
        path = self._api.path(request.model)
        reader = self._api.make_reader(ResponseBuilder(self._limits))
        for _ in range(self._limits.continuations + 1):
            content = await asyncio.to_thread(_encode, body)
            async with aclosing(self._attempts(http, path, content, reader, request)) as events:
                async for event in events:
                    yield event
            if (following := reader.continue_body(first)) is None:
                break
            body = following
        items = tuple(reader.replay_items())
        self._known.note_answer(request.model)
        replay = Replay(source, items, request.model) if items else None
        yield Completed(reader.builder.build_message(replay), tools)

    async def list_models(self) -> list[str]:
        """Names that `CompletionRequest.model` takes, sorted. Raises `CompletionError`."""
        http = await self._connect()
        limit = self._limits.listing
        try:
            async with asyncio.timeout(limit):
                return sorted(model.name for model in await self._list(http, limit))
        except TimeoutError:
            raise self._failure(silence_error(self._api.label, limit)) from None
        except ProviderError as error:
            raise self._failure(error) from None

    async def _list(self, http: ProviderHttp, seconds: float) -> list[ListedModel]:
        """The models, and what is said of each is remembered."""
        found = await self._api.list_models(http, seconds)
        for model in found:
            self._known.learn(model.name, model.facts)
        self._known.is_asked = True
        return found

    async def _ask_once(self, http: ProviderHttp, *, again: bool = False) -> None:
        """Let a person's own server say what its models can do, once, before the first request."""
        if not self._known.is_worth_asking or (self._known.is_asked and not again):
            return
        self._known.is_asked = True
        try:
            async with asyncio.timeout(FACTS_SECONDS):
                await self._list(http, FACTS_SECONDS)
        except (TimeoutError, ProviderError):
            return  # the request itself says what is wrong

    async def _check_room(self, http: ProviderHttp, model: str, tools: WireTools | None) -> None:
        """Refuse what cannot be answered; the server may have been started with more since."""
        if tools is not None and self._known.refusal(model, tools) is not None:
            await self._ask_once(http, again=True)
            if (refusal := self._known.refusal(model, tools)) is not None:
                raise refusal

    async def count_tools(self, model: str, tools: WireTools) -> TokenCount:
        """See `CompletionService.count_tools`: the difference between with and without them."""
        label = self._api.label
        try:
            asked = [self._api.counting_request(model, each) for each in (tools, None)]
            http = await self._connect()
            async with asyncio.timeout(self._limits.listing):
                whole, bare = [await self._count(http, *each) for each in asked]
        except TimeoutError:
            raise self._failure(silence_error(label, self._limits.listing)) from None
        except ProviderError as error:
            raise self._failure(error) from None
        return TokenCount(max(0, whole - bare), label, model)

    async def _count(self, http: ProviderHttp, path: str, body: JsonObject) -> int:
        content = await asyncio.to_thread(_encode, body)
        if len(content) > MAX_COUNTED_BYTES:
            label = self._api.label
            message = translatable(
                "These tools are too many to be counted by {label}.", label=label
            )
            raise ProviderError("request", message, translatable("Select fewer tools."))
        tokens = self._api.read_count(await http.post(path, content, self._limits.listing))
        if tokens <= 0:
            raise rejected_answer(self._api.label, translatable("a count without a number"))
        return tokens

    async def close(self) -> None:
        """Close the connections. A request afterwards opens new ones."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.http.close()

    async def _connect(self) -> ProviderHttp:
        key = await self._find_key()
        async with self._connecting:
            if self._connection is None or self._connection.key != key:
                await self.close()
                try:
                    http = await asyncio.to_thread(_make_http, self._api, key)
                except ProviderError as error:
                    raise self._failure(error) from None
                self._connection = _Connection(http, key)
            return self._connection.http

    async def _attempts(
        self,
        http: ProviderHttp,
        path: str,
        content: bytes,
        reader: ResponseReader,
        request: CompletionRequest,
    ) -> AsyncGenerator[CompletionEvent]:
        """The events of one request, which is sent again as long as nothing arrived."""
        waited = 0.0
        for attempt in count(1):
            is_begun = False
            try:
                async with aclosing(self._attempt(http, path, content, reader)) as events:
                    async for event in events:
                        is_begun = True
                        yield event
            except ProviderError as failure:
                error = failure
                if error.kind == "context" and len(request.messages) == 1:
                    error.remedy = ALONE
            else:
                return
            self._known.learn(request.model, error.facts)
            if not is_begun and self._known.is_sent_otherwise(request):
                raise _OtherwiseError(self._failure(error, is_begun))
            seconds = self._retries.delay(attempt, error.retry_after, waited)
            if is_begun or seconds is None or not error.is_transient:
                raise self._failure(error, is_begun)
            yield Retrying(seconds, self._remove_key(error.message), attempt)
            await self._retries.wait(seconds)
            waited += seconds

    async def _attempt(
        self, http: ProviderHttp, path: str, content: bytes, reader: ResponseReader
    ) -> AsyncGenerator[CompletionEvent]:
        """The deltas of one response, to its end or to what is accepted of it."""
        builder = reader.builder
        reader.begin_response()
        loop = asyncio.get_running_loop()
        begun, number = loop.time(), 0
        async with aclosing(http.stream_events(path, content, self._limits)) as events:
            async for event in events:
                if event is STREAM_ENDED:
                    builder.end()
                for delta in self._read(reader, event):
                    yield delta
                number += 1
                if builder.is_cut or number >= self._limits.events:
                    for delta in builder.cut():
                        yield delta
                    return
                if loop.time() - begun > _MAX_SECONDS_ON_LOOP:
                    # What has arrived already is read without ever waiting.
                    await asyncio.sleep(0)
                    begun = loop.time()
        if builder.stop is None:
            message = translatable(
                "{label} broke off in the middle of its answer.", label=self._api.label
            )
            remedy = translatable("Try again.")
            raise ProviderError("connection", message, remedy, is_transient=True)

    def _read(self, reader: ResponseReader, event: JsonObject) -> list[CompletionEvent]:
        try:
            return list(reader.read(event))
        except (AttributeError, TypeError, LookupError, ValueError) as error:
            label = self._api.label
            logger.warning("an answer of %s could not be read", label, exc_info=error)
            raise rejected_answer(label, translatable("an event of another shape")) from None

    def _failure(self, error: ProviderError, is_begun: bool = False) -> CompletionError:
        message = self._remove_key(error.message)
        if is_begun and error.kind != "timeout" and "broke off" not in message:
            message = translatable("The answer broke off. {why}", why=message)
        return CompletionError(error.kind, message, remedy=error.remedy)

    def _remove_key(self, text: str) -> str:
        """Some servers repeat the key in their errors."""
        key = self._connection.key if self._connection else ""
        is_secret = len(key) >= _MIN_SECRET
        return map_values(text, lambda words: words.replace(key, "[key]")) if is_secret else text


class _OtherwiseError(Exception):
    """The model told what it cannot take: the same is sent without it; else it is `failure`."""

    def __init__(self, failure: CompletionError) -> None:
        super().__init__()
        self.failure = failure


def _make_http(api: ProviderApi, key: str) -> ProviderHttp:
    from desktop.features.chat.llm.services.http_client import ProviderHttp

    return ProviderHttp(api.label, api.address, api.headers(key))


def _encode(body: JsonObject) -> bytes:
    # A half of a surrogate pair, which a turn that is sent back may hold, becomes a question mark.
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
