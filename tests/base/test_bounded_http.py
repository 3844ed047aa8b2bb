"""An answer is read up to its limits, whatever it is packed in, and closes what is below it."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING

import httpx2
import pytest

from desktop.base.bounded_http import (
    CODINGS,
    DAMAGED,
    TOO_LARGE,
    TOO_SLOW,
    UNKNOWN_CODING,
    BodyError,
    bound,
    open_client,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Body(httpx2.AsyncByteStream):
    """Chunks as they come from a connection."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = chunks
        self.read = 0
        self.is_closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            self.read += 1
            yield chunk

    async def aclose(self) -> None:
        self.is_closed = True


def answer(*chunks: bytes, coding: str = "") -> tuple[httpx2.Response, Body]:
    body = Body(*chunks)
    headers = {"content-encoding": coding} if coding else {}
    return httpx2.Response(200, headers=headers, stream=body), body


async def drain(pieces: AsyncIterator[bytes]) -> None:
    async for piece in pieces:
        assert len(piece) <= 1_000_000


async def test_an_answer_is_read_to_its_last_allowed_byte_and_closed() -> None:
    response, body = answer(b"ab", b"cd")
    bound(response, 4)
    assert await response.aread() == b"abcd"
    assert body.is_closed


async def test_an_answer_that_is_too_large_is_not_read_to_its_end() -> None:
    response, body = answer(b"ab", b"cd", b"ef")
    bound(response, 3)
    with pytest.raises(BodyError, match=TOO_LARGE):
        await response.aread()
    assert body.read == 2


async def test_an_answer_that_takes_too_long_is_given_up() -> None:
    response, _ = answer(b"ab", b"cd")
    bound(response, 10, seconds=-1)
    with pytest.raises(BodyError, match=TOO_SLOW):
        await response.aread()


@pytest.mark.parametrize("coding", [*CODINGS, "br"])
async def test_what_is_compressed_unasked_is_not_unpacked(coding: str) -> None:
    response, body = answer(gzip.compress(b"a"), coding=coding)
    bound(response, 1000)
    with pytest.raises(BodyError, match=UNKNOWN_CODING):
        await response.aread()
    assert body.read == 0


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("gzip", gzip.compress(b"text" * 1000)),
        ("deflate", zlib.compress(b"text" * 1000)),
        ("deflate", zlib.compress(b"text" * 1000)[2:-4]),
    ],
    ids=["gzip", "deflate", "deflate without a header"],  # gzip has the time in it
)
async def test_what_was_asked_for_compressed_is_unpacked(coding: str, packed: bytes) -> None:
    response, _ = answer(packed[:20], packed[20:], coding=coding)
    bound(response, 4000, codings=CODINGS)
    assert await response.aread() == b"text" * 1000
    assert "content-encoding" not in response.headers


async def test_a_bomb_ends_at_the_limit_and_not_where_it_is_unpacked() -> None:
    response, _ = answer(gzip.compress(b"\0" * 50_000_000), coding="gzip")
    bound(response, 1_000_000, codings=CODINGS)
    pieces = response.aiter_bytes()
    first = len(await anext(pieces))
    with pytest.raises(BodyError, match=TOO_LARGE):
        await drain(pieces)
    assert 0 < first <= 1_000_000


async def test_what_cannot_be_unpacked_is_said() -> None:
    response, _ = answer(b"not gzip at all", coding="gzip")
    bound(response, 1000, codings=CODINGS)
    with pytest.raises(BodyError, match=DAMAGED):
        await response.aread()


async def test_a_client_asks_for_nothing_compressed_and_follows_no_redirect() -> None:
    async with open_client({"Accept": "a/b"}, "http://localhost/base") as client:
        asked = client.build_request("GET", "/path")
        assert (asked.headers["accept-encoding"], asked.headers["accept"]) == ("identity", "a/b")
        assert (str(asked.url), client.follow_redirects) == ("http://localhost/base/path", False)
