"""`Service`: one provider as a `CompletionService`: sends, tries again, limits, and tells.

Everything that differs between providers is in its `Api`. Must not import an SDK.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from desktop.llm.completion import Completed, CompletionError, Retrying
from desktop.llm.messages import Replay
from desktop.llm.services.draft import Draft
from desktop.llm.services.faults import Fault, FaultError, UnacceptableError, short
from desktop.llm.services.hearing import listening
from desktop.llm.services.limits import Limits
from desktop.llm.services.retries import Retries
from desktop.translatable import map_values

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator

    from desktop.llm.completion import CompletionEvent, CompletionRequest
    from desktop.llm.formats import ApiFormat
    from desktop.llm.services.api import Api, Reader
    from desktop.llm.services.untyped import Object

logger = logging.getLogger(__name__)
_TURN: Final = 0.008
"""Seconds of work before everything else on the loop gets its turn: half a frame."""


@dataclass(slots=True)
class _Connected:
    client: Any
    key: str


class Service:
    """A provider behind one `Api`. The SDK is imported, in a thread, at the first request."""

    def __init__(
        self,
        api: Api,
        find_key: Callable[[], Awaitable[str]],
        limits: Limits | None = None,
        retries: Retries | None = None,
    ) -> None:
        """Args: find_key: asked before each request, so that a new key counts at once."""
        self._api = api
        self._find_key = find_key
        self._limits = limits or Limits()
        self._retries = retries or Retries()
        self._connected: _Connected | None = None
        self._connecting = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._api.name

    @property
    def api_format(self) -> ApiFormat:
        return self._api.api_format

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[CompletionEvent]:
        """See `CompletionService.stream`."""
        client = await self._client()
        load = request.load_tools
        tools = await load(self.api_format) if load else None
        source = f"{self.name}/{self.api_format}"
        first = body = await asyncio.to_thread(self._api.body, request, tools, source)
        reader = self._api.reader(Draft(self._limits))
        for _ in range(self._limits.continuations + 1):
            async with aclosing(self._attempts(client, body, reader)) as events:
                async for event in events:
                    yield event
            if (following := reader.continuation(first)) is None:
                break
            body = following
        raw = tuple(reader.raw())
        replay = Replay(source, raw, request.model) if raw else None
        yield Completed(reader.draft.message(replay), tools)

    async def list_models(self) -> list[str]:
        """Names that `CompletionRequest.model` takes, sorted. Raises `CompletionError`."""
        client = await self._client()
        limit = self._limits.listing
        try:
            with self._told(limit):
                async with asyncio.timeout(limit):
                    return sorted(await self._api.models(client))
        except FaultError as error:
            raise self._failure(error.fault) from None

    async def close(self) -> None:
        """Close the connections. A request afterwards opens new ones."""
        connected, self._connected = self._connected, None
        if connected is not None:
            await self._api.close(connected.client)

    async def _client(self) -> Any:
        key = await self._find_key()
        async with self._connecting:
            if self._connected is None or self._connected.key != key:
                await self.close()
                self._connected = _Connected(await self._connect(key), key)
            return self._connected.client

    async def _connect(self, key: str) -> Any:
        try:
            return await asyncio.to_thread(self._api.connect, key)
        except ImportError as error:
            package = self._api.package
            raise CompletionError(
                "package",
                f"{self._api.label} needs a package that is not installed ({error.name}).",
                remedy=f'Install it: pip install "mcp-desktop[{package}]"',
            ) from None

    async def _attempts(
        self, client: Any, body: Object, reader: Reader
    ) -> AsyncGenerator[CompletionEvent]:
        """The events of one request, which is sent again as long as nothing was said."""
        waited = 0.0
        for attempt in count(1):
            is_said = False
            try:
                async with aclosing(self._once(client, body, reader)) as events:
                    async for event in events:
                        is_said = True
                        yield event
            except FaultError as error:
                fault = error.fault
            else:
                return
            seconds = self._retries.pause(attempt, fault.after, waited)
            if is_said or seconds is None or not fault.is_passing:
                raise self._failure(fault, is_said)
            yield Retrying(seconds, self._scrubbed(fault.message), attempt)
            await self._retries.wait(seconds)
            waited += seconds

    async def _once(
        self, client: Any, body: Object, reader: Reader
    ) -> AsyncGenerator[CompletionEvent]:
        """One attempt: the deltas of one response, to its end or to what is taken of it."""
        draft, silence = reader.draft, self._limits.silence
        reader.begin()
        loop = asyncio.get_running_loop()
        until, turn = loop.time() + self._limits.longest, loop.time()
        async with aclosing(self._api.events(client, body)) as events:
            for number in count():
                with self._told(silence):
                    async with listening(silence, until):
                        event = await anext(events, None)
                    deltas = list(reader.read(event)) if event is not None else []
                for delta in deltas:
                    yield delta
                if event is None:
                    break
                if loop.time() - turn > _TURN:
                    # What has arrived already is read without ever waiting.
                    await asyncio.sleep(0)
                    turn = loop.time()
                if draft.is_cut or number >= self._limits.events:
                    for delta in draft.cut():
                        yield delta
                    return
        if draft.stop is None:
            message = f"{self._api.label} broke off in the middle of its answer."
            raise FaultError(Fault("connection", message, "Try again.", is_passing=True))

    @contextmanager
    def _told(self, limit: float) -> Generator[None]:
        """Whatever an SDK raises inside is raised as a `FaultError`."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - SDKs raise what their libraries raise
            raise FaultError(self._fault(error, limit)) from None

    def _fault(self, error: Exception, limit: float) -> Fault:
        """What an error means; an error of this app is raised as it is."""
        label = self._api.label
        if isinstance(error.__cause__, UnacceptableError):
            error = error.__cause__
        if (fault := self._api.fault(error)) is not None:
            return fault
        match error:
            case FaultError():
                return error.fault
            case UnacceptableError():
                return Fault("provider", f"{label} {error}", "Check the address of the provider.")
            case TimeoutError():
                message = f"{label} sent nothing for {limit:g} seconds."
                return Fault("timeout", message, "Try again, or choose another model.")
            case ValueError():
                what = short(str(error))
                return Fault("provider", f"{label} sent what is not an answer: {what}")
            case AttributeError() | TypeError() | LookupError():
                # An SDK that met a shape it does not expect, or a fault of ours.
                logger.warning("an answer of %s could not be read", label, exc_info=error)
                return Fault("provider", f"{label} sent what is not an answer.")
            case _:
                raise error

    def _failure(self, fault: Fault, is_said: bool = False) -> CompletionError:
        message = self._scrubbed(fault.message)
        if is_said and fault.kind != "timeout":
            message = f"The answer broke off. {message}"
        return CompletionError(fault.kind, message, remedy=fault.remedy)

    def _scrubbed(self, text: str) -> str:
        """Without the key, which some servers repeat in their errors."""
        key = self._connected.key if self._connected else ""
        return map_values(text, lambda said: said.replace(key, "[key]")) if len(key) >= 8 else text
