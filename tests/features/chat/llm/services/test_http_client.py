"""The connection to a provider: what is accepted of an answer, and for how long."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.chat.llm.services import http_client
from desktop.features.chat.llm.services.errors import ProviderError
from desktop.features.chat.llm.services.http_client import ProviderHttp
from desktop.features.chat.llm.services.limits import MAX_MODELS, RequestLimits
from tests.features.models.loopback import models
from tests.features.models.loopback.exchange import EVENTS, Reply, data_event
from tests.features.models.loopback.script import Script

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from tests.features.models.loopback.exchange import Request
    from tests.features.models.loopback.server import Loopback

BODY = b'{"model": "m", "messages": [{"role": "user", "content": "x"}]}'


@asynccontextmanager
async def connection(loopback: Loopback) -> AsyncGenerator[ProviderHttp]:
    http = ProviderHttp("Them", f"{loopback.url}/v1", {"Authorization": "Bearer key"})
    try:
        yield http
    finally:
        await http.close()


async def stream(loopback: Loopback, reply: Reply, **limits: Any) -> list[Any]:
    loopback.play(Script([reply]))
    async with connection(loopback) as http:
        asked = http.stream_events("/chat/completions", BODY, RequestLimits(**limits))
        async with aclosing(asked) as events:
            return [event async for event in events]


def events(*pieces: bytes, **fields: Any) -> Reply:
    return Reply(pieces=pieces, content_type=EVENTS, **fields)


async def test_events_arrive_as_objects_up_to_the_end(loopback: Loopback) -> None:
    pieces = (b": hello\n\n", data_event({"a": 1})[:9], data_event({"a": 1})[9:], b"id: 7\n\n")
    done = (data_event({"b": "\u540d"}), b"data: [DONE]\n\n", data_event({"c": 3}))
    assert await stream(loopback, events(*pieces, *done)) == [{"a": 1}, {"b": "\u540d"}, {}]


CHUNK: Any = {"choices": [{"index": 0, "delta": {"content": "x"}}]}


@pytest.mark.parametrize("kind", ["text/plain", "application/octet-stream", "", "application/json"])
@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n\n", b": here\n\n", b"event: x\n"])
async def test_a_stream_is_known_by_its_bytes(kind: str, before: bytes, loopback: Loopback) -> None:
    reply = Reply(pieces=[before, data_event(CHUNK)], content_type=kind)
    assert await stream(loopback, reply) == [CHUNK]


async def test_a_mark_of_byte_order_may_come_in_pieces(loopback: Loopback) -> None:
    pieces = [b"\xef", b"\xbb", b"\xbfda", data_event(CHUNK)[2:]]
    assert await stream(loopback, events(*pieces)) == [CHUNK]


WHOLE: list[Any] = [{"choices": []}, {"candidates": []}, {"output": []}]


@pytest.mark.parametrize("kind", ["application/json", EVENTS, "text/plain"])
@pytest.mark.parametrize("whole", WHOLE)
async def test_a_whole_answer_in_place_of_a_stream_is_read(
    kind: str, whole: Any, loopback: Loopback
) -> None:
    reply = Reply(pieces=[json.dumps(whole).encode()], content_type=kind)
    assert await stream(loopback, reply) == [whole, {}]


async def test_chunks_as_a_list_are_read(loopback: Loopback) -> None:
    reply = Reply(pieces=[json.dumps([CHUNK, CHUNK]).encode()], content_type="application/json")
    assert await stream(loopback, reply) == [CHUNK, CHUNK, {}]


async def test_what_is_no_json_between_events_is_passed_over(loopback: Loopback) -> None:
    pieces = [data_event(CHUNK), b"data: keepalive\n\n", b"data: [DONE] \n\n"]
    assert await stream(loopback, events(*pieces)) == [CHUNK, {}]


ERROR = b'{"code": 400, "message": "no such adapter"}'


@pytest.mark.parametrize(
    "pieces",
    [
        [b"error: " + ERROR + b"\n\n"],
        [b": x\n\ner", b"ror: " + ERROR + b"\n\n"],
        [data_event(CHUNK) + b"error:" + ERROR + b"\n\n"],
        [b"event: error\ndata: " + ERROR + b"\n\n"],
        [b"event: error\ndata: no such adapter\n\n"],
        [b'data: {"object": "error", "message": "no such adapter"}\n\n'],
        [b'data: {"error": "no such adapter"}\n\n'],
        [b'data: {"detail": ["no such adapter"]}\n\n'],
        [b'{"error": "no such adapter"}'],
        [b'data: {"base_resp": {"status_code": 2013, "status_msg": "no such adapter"}}\n\n'],
    ],
)
async def test_an_error_in_a_stream_of_any_form_is_told_and_is_final(
    pieces: list[bytes], loopback: Loopback
) -> None:
    with pytest.raises(ProviderError, match="refused the request: no such adapter") as raised:
        await stream(loopback, events(*pieces))
    assert not raised.value.is_transient


async def test_words_that_look_like_an_error_inside_a_line_are_not_one(loopback: Loopback) -> None:
    said: Any = {"choices": [{"delta": {"content": "error: x"}}], "model": "error:"}
    cut = data_event(said)
    at = cut.index(b"error")
    assert await stream(loopback, events(cut[:at], cut[at : at + 3], cut[at + 3 :])) == [said]


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply({"a": 1}), "application/json"),
        (events(b"data: {\n\n"), "not an answer"),
        (events(b"data: [1]\n\n"), "list in place of an object"),
        (events(b"data: " + b"[" * 100_000 + b"\n\n"), "not an answer"),
        (Reply(status=307, headers={"Location": "http://127.0.0.1:1/"}), "redirects"),
        (events(data_event({"a": 1}), headers={"Content-Encoding": "br"}), "compressed"),
    ],
)
async def test_what_is_not_an_answer_is_refused(reply: Reply, why: str, loopback: Loopback) -> None:
    with pytest.raises(ProviderError, match=why) as raised:
        await stream(loopback, reply)
    assert (raised.value.kind, raised.value.is_transient) == ("provider", False)
    assert len(loopback.requests) == 1


@pytest.mark.parametrize("limit", ["MAX_BYTES", "MAX_EVENT_BYTES"])
@pytest.mark.parametrize("piece", [b"data: 12", b": 12345678901234567890\n"])
async def test_what_is_too_large_is_cut_off(
    limit: str, piece: bytes, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, limit, 100)
    if limit == "MAX_EVENT_BYTES" and piece.startswith(b":"):
        assert await stream(loopback, events(*[piece] * 99)) == []  # comments are not kept
        return
    with pytest.raises(ProviderError, match="larger answer"):
        await stream(loopback, events(*[piece] * 99))


async def test_an_error_may_be_as_large_as_an_answer(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "MAX_BYTES", 1000)
    with pytest.raises(ProviderError, match="larger answer"):
        await stream(loopback, Reply(pieces=[b"x" * 999] * 9, status=500))


async def test_a_provider_that_says_that_it_is_still_there_is_waited_for(
    loopback: Loopback,
) -> None:
    """Comments are not events, but they are a sign of life."""
    loop = asyncio.get_running_loop()
    begun, silence = loop.time(), 0.5

    def slow() -> Iterator[bytes]:
        while loop.time() < begun + 2 * silence:
            yield b": still here\n\n"
        yield data_event({"a": 1})

    reply = Reply(pieces=slow(), content_type=EVENTS)
    assert await stream(loopback, reply, silence=silence) == [{"a": 1}]


async def test_a_provider_that_never_finishes_is_not_waited_for(loopback: Loopback) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b": still here\n\n"

    reply = Reply(pieces=endless(), content_type=EVENTS)
    with pytest.raises(ProviderError, match="did not finish") as raised:
        await stream(loopback, reply, duration=0.2)
    assert raised.value.kind == "timeout"
    assert await asyncio.to_thread(loopback.hung_up.wait, 10)


async def test_an_address_that_is_none_is_said(loopback: Loopback) -> None:
    http = ProviderHttp("Them", "http://127.0.0.1:99999", {})
    with pytest.raises(ProviderError):
        await http.fetch("/models", {}, 5)
    await http.close()
    with pytest.raises(ProviderError, match="cannot be asked"):
        ProviderHttp("Them", loopback.url, {"Authorization": "Bearer \u540d"})


async def test_the_list_of_models_is_read_page_by_page_to_a_limit(
    loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop.features.chat.llm.services.anthropic import AnthropicMessages
    from desktop.features.chat.llm.services.gemini import GeminiContents

    asked: list[str] = []

    def endless(request: Request) -> Reply:
        asked.append(request.path)
        name = f"m{len(asked)}"
        listed = [{"id": name, "name": f"models/{name}"}] * 500
        for model in listed:
            model["supportedGenerationMethods"] = ["generateContent"]  # type: ignore[assignment]
        return Reply({"data": listed, "models": listed, "has_more": True, "nextPageToken": name})

    monkeypatch.setattr(models, "reply", endless)
    for api in (AnthropicMessages("x", "X"), GeminiContents("x", "X")):
        asked.clear()
        async with connection(loopback) as http:
            names = await api.list_models(http, 5)
        assert (len(names), names[0].name, len(asked)) == (MAX_MODELS, "m1", 4)
        assert "m1" in asked[1]


CLASH = {"http_proxy": "http", "https_proxy": "http", "all_proxy": "socks5"}


@pytest.mark.parametrize("names", [("all_proxy",), tuple(CLASH), ("HTTP_PROXY",)])
async def test_a_model_on_this_machine_is_asked_past_every_proxy(
    names: tuple[str, ...], loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in names:
        monkeypatch.setenv(name, f"{CLASH.get(name, 'http')}://127.0.0.1:9")
    assert await stream(loopback, events(data_event(CHUNK))) == [CHUNK]


@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        ("http://user:hunter2@127.0.0.1:9", r"Them \(through the proxy http://127.0.0.1:9\)"),
        ("socks5://user:hunter2@127.0.0.1:9", r"through the proxy socks5://127.0.0.1:9"),
        ("socks4://user:hunter2@127.0.0.1:9", "the proxy socks4://127.0.0.1:9 uses a kind"),
    ],
)
async def test_a_proxy_that_is_to_blame_is_named_without_its_password(
    proxy: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    http = ProviderHttp("Them", "http://model.invalid/v1", {})
    try:
        with pytest.raises(ProviderError, match=words) as raised:
            await http.fetch("/models", {}, 5)
        assert "hunter2" not in raised.value.message
    finally:
        await http.close()
