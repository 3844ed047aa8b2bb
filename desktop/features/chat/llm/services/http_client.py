"""The HTTP connection to one provider: sends a request and reads its events, within limits.

Plain httpx2 with its server-sent events, and not the providers' SDKs: those take one to three
seconds to import and 80 MB to install, build their types on the event loop, follow redirects with
the key, put no limit on an answer, and raise in the middle of a stream for arguments that are not
valid JSON, so that only their HTTP client would be used. Must not know a provider. Imports httpx2:
only imported itself when the first request is sent.
"""

from __future__ import annotations

import codecs
import json
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

import httpx2

from desktop.base.bounded_http import (
    CODINGS,
    TOO_LARGE,
    TOO_SLOW,
    BodyError,
    bound,
    open_client,
)
from desktop.base.errors import DesktopError
from desktop.base.http_proxy import PROXY_FAULTS, proxy_for, shown_proxy
from desktop.base.refusal_words import find_words
from desktop.base.translatable import translatable
from desktop.features.chat.llm.services.errors import (
    CHECK_ADDRESS,
    TRY_AGAIN,
    ProviderError,
    connection_error,
    event_error,
    http_error,
    rejected_answer,
    silence_error,
)
from desktop.features.chat.llm.services.response import STREAM_ENDED
from desktop.features.models.json_values import as_object, as_objects

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping

    from desktop.features.chat.llm.services.limits import RequestLimits
    from desktop.features.models.json_values import JsonObject

MAX_BYTES: Final = 64_000_000
MAX_EVENT_BYTES: Final = 8_000_000
_MAX_ERROR_BYTES: Final = 1_000_000
_CONNECT_SECONDS: Final = 20.0
_FIELDS: Final = (b"data:", b"event:", b":", b"id:", b"retry:", b"error:")
"""What a stream of events begins with."""
_ERROR, _AS_EVENT = b"error:", b"event: error\ndata:"
_BEGINNING: Final = 64
_WHOLE: Final = frozenset(("choices", "candidates", "content", "output"))
"""Which of these a whole answer has."""
_END: Final = "[DONE]"
"""The last event of OpenAI's Chat Completions is not JSON."""


class ProviderHttp:
    """Connections to one provider. Raises `ProviderError`, whatever goes wrong below it."""

    def __init__(self, label: str, base_url: str, headers: Mapping[str, str]) -> None:
        """Takes 0.2 s, for the certificates: make it in a thread.

        Args:
            label: what the provider is called in an error.
            base_url: what the paths of the requests are appended to.
            headers: sent with each request; with the key.
        """
        self._label, self._base_url = label, base_url
        with self._provider_errors():
            # Redirects are not followed: the key would go along to wherever they lead.
            self._client = open_client(headers, base_url=base_url)

    @property
    def _label_on_the_way(self) -> str:
        """The provider with the proxy that may be to blame in its place."""
        proxy = proxy_for(self._base_url)
        if not proxy:
            return self._label
        return translatable(
            "{label} (through the proxy {proxy})", label=self._label, proxy=shown_proxy(proxy)
        )

    async def stream_events(
        self, path: str, content: bytes, limits: RequestLimits
    ) -> AsyncGenerator[JsonObject]:
        """Post JSON and yield the events of the answer; closing it closes the connection."""
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        with self._provider_errors(limits.silence, limits.duration):
            async with self._open(
                "POST", path, limits.silence, limits.duration, content=content, headers=headers
            ) as response:
                beginning = await _begin(response)
                if not _begins_stream(beginning, response):
                    for each in self._parse_document(response, await response.aread()):
                        yield each
                    return
                response.headers["content-type"] = "text/event-stream"
                source = httpx2.EventSource(response, MAX_EVENT_BYTES)
                events = cast("AsyncGenerator[httpx2.ServerSentEvent]", aiter(source))
                async with aclosing(events):
                    async for event in events:
                        data = event.data.strip()
                        if data == _END:
                            yield STREAM_ENDED
                            return
                        if data.startswith(("{", "[")):
                            yield self._parse_event(data, event.event)
                        elif data and event.event == "error":
                            raise http_error(self._label, 0, data)

    async def fetch(self, path: str, parameters: Mapping[str, str], seconds: float) -> JsonObject:
        """The JSON object at a path."""
        with self._provider_errors(seconds, seconds):
            async with self._open("GET", path, seconds, seconds, params=parameters) as response:
                return self._parse_object(await response.aread())

    async def post(self, path: str, content: bytes, seconds: float) -> JsonObject:
        """Post JSON; the JSON object that is answered."""
        headers = {"Content-Type": "application/json"}
        with self._provider_errors(seconds, seconds):
            async with self._open(
                "POST", path, seconds, seconds, content=content, headers=headers
            ) as response:
                return self._parse_object(await response.aread())

    async def close(self) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def _open(
        self, method: str, path: str, silence: float, duration: float, **request: Any
    ) -> AsyncGenerator[httpx2.Response]:
        timeout = httpx2.Timeout(silence, connect=_CONNECT_SECONDS)
        async with self._client.stream(method, path, timeout=timeout, **request) as response:
            bound(response, MAX_BYTES, duration, CODINGS)
            await self._check(response)
            yield response

    async def _check(self, response: httpx2.Response) -> None:
        """Raise for an answer that is not one, before it is read."""
        if response.is_redirect:
            message = translatable(
                "{label} redirects to another address, which is not followed.", label=self._label
            )
            raise ProviderError("provider", message, CHECK_ADDRESS)
        if response.is_error:
            body = await response.aread()
            is_proxys = response.status_code in PROXY_FAULTS
            label = self._label_on_the_way if is_proxys else self._label
            raise http_error(label, response.status_code, _parse_error(body), response.headers)

    def _parse_event(self, text: str, name: str = "") -> JsonObject:
        event = self._parse_object(text)
        if (error := event_error(self._label, event, name)) is not None:
            raise error
        return event

    def _parse_document(self, response: httpx2.Response, content: bytes) -> list[JsonObject]:
        """What came in place of a stream: a whole answer, the chunks as a list, or an error."""
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        value = _parse_error(content)
        parts = as_objects(value) or [as_object(value)]
        for part in parts:
            if (error := event_error(self._label, part)) is not None:
                raise error
        if not any(part.keys() & _WHOLE for part in parts):
            words = value if isinstance(value, str) and kind == "text/html" else ""
            said = f" ({find_words(words)})" if words else ""
            why = translatable("a document of type {kind}", kind=f"{kind or '?'}{said}")
            raise rejected_answer(self._label, why)
        return [*parts, STREAM_ENDED]

    def _parse_object(self, text: str | bytes) -> JsonObject:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise rejected_answer(self._label, str(error)) from None
        if not isinstance(value, dict):
            raise rejected_answer(
                self._label, translatable("{kind} in place of an object", kind=type(value).__name__)
            )
        return cast("JsonObject", value)

    def _unread(self, why: str, duration: float) -> ProviderError:
        if why == TOO_LARGE:
            return _too_large(self._label)
        if why == TOO_SLOW:
            message = translatable(
                "{label} did not finish within {seconds:g} seconds.",
                label=self._label,
                seconds=duration,
            )
            return ProviderError("timeout", message, TRY_AGAIN)
        return rejected_answer(
            self._label, translatable("a compressed answer, though none was asked for")
        )

    @contextmanager
    def _provider_errors(
        self, silence: float = _CONNECT_SECONDS, duration: float = _CONNECT_SECONDS
    ) -> Generator[None]:
        """What httpx2 raises inside is raised as a `ProviderError`."""
        try:
            yield
        except DesktopError as error:  # a proxy that cannot be used
            raise ProviderError("connection", str(error.args[0]), error.remedy) from None
        except (httpx2.ConnectTimeout, httpx2.ConnectError) as error:
            raise connection_error(self._label_on_the_way, error, self._base_url) from None
        except httpx2.TimeoutException:
            raise silence_error(self._label, silence) from None
        except BodyError as error:
            raise self._unread(str(error), duration) from None
        except httpx2.SSEError:
            raise _too_large(self._label) from None
        except (httpx2.RemoteProtocolError, httpx2.ReadError) as error:
            raise connection_error(self._label_on_the_way, error, was_open=True) from None
        except httpx2.HTTPError as error:
            raise connection_error(self._label_on_the_way, error) from None
        except (httpx2.InvalidURL, UnicodeError, ExceptionGroup):
            # A port beyond 65535 comes out of a task group; a key may not be ASCII.
            message = f"{self._label} cannot be asked at this address with this key."
            remedy = "Check the key and the address of the provider."
            raise ProviderError("request", message, remedy) from None


async def _begin(response: httpx2.Response) -> bytes:
    """The first bytes of an answer, which are read again with the rest."""
    stream = response.stream
    if not isinstance(stream, httpx2.AsyncByteStream):
        return b""
    response.stream = begun = _BegunStream(stream)
    return await begun.begin()


def _begins_stream(beginning: bytes, response: httpx2.Response) -> bool:
    """Whether events follow: many servers give them another type, or none."""
    if beginning.startswith(_FIELDS):
        return True
    is_declared = response.headers.get("content-type", "").lower().startswith("text/event-stream")
    return is_declared and not beginning.startswith((b"{", b"["))


class _BegunStream(httpx2.AsyncByteStream):
    """A stream that was looked into: without the mark of its byte order, its `error:` an event.

    llama.cpp sends its errors as a field of their own, which is none of the specification.
    """

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner
        self._chunks = aiter(inner)
        self._first = b""

    async def begin(self) -> bytes:
        """Read until there is more than white space; the beginning without it."""
        async for chunk in self._chunks:
            self._first += chunk
            is_mark = codecs.BOM_UTF8.startswith(self._first)
            if not is_mark and self._first.removeprefix(codecs.BOM_UTF8).strip():
                break
        self._first = self._first.removeprefix(codecs.BOM_UTF8)
        return self._first.lstrip()[:_BEGINNING]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held, at_line = b"", True
        chunk, self._first = self._first, b""
        while True:
            if data := held + chunk:
                begins = at_line
                last = data[data.rfind(b"\n") + 1 :]
                # What may become such a line waits for the rest of it.
                held = last if (at_line or b"\n" in data) and _ERROR.startswith(last) else b""
                at_line = not last or bool(held)
                data = data.removesuffix(held)
                if begins and data.startswith(_ERROR):
                    data = _AS_EVENT + data.removeprefix(_ERROR)
                yield data.replace(b"\n" + _ERROR, b"\n" + _AS_EVENT)
            try:
                chunk = await anext(self._chunks)
            except StopAsyncIteration:
                break
        yield held

    async def aclose(self) -> None:
        await self._inner.aclose()


def _parse_error(body: bytes) -> object:
    """The body of an error as JSON, or as its text."""
    try:
        return json.loads(body[:_MAX_ERROR_BYTES])
    except (ValueError, RecursionError):
        return body[:_MAX_ERROR_BYTES].decode("utf-8", "replace")


def _too_large(label: str) -> ProviderError:
    message = translatable("{label} sent a larger answer than is accepted.", label=label)
    return ProviderError("provider", message, CHECK_ADDRESS)
