"""A response is kept within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx2
import pytest

from desktop.llm.services import bounds
from desktop.llm.services.faults import UnacceptableError
from tests.llm.loopback.exchange import Reply
from tests.llm.loopback.script import Script

if TYPE_CHECKING:
    from tests.llm.loopback.server import Loopback


async def fetch(loopback: Loopback, reply: Reply) -> bytes:
    loopback.play(Script([reply]))
    async with httpx2.AsyncClient(**bounds.client_options(), timeout=bounds.timeout()) as client:
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
        url = f"{loopback.url}/v1/chat/completions"
        return (await client.post(url, json=body)).content


async def test_what_is_small_passes(loopback: Loopback) -> None:
    assert await fetch(loopback, Reply(pieces=[b"ab\n", b"c"])) == b"ab\nc"


@pytest.mark.parametrize(("limit", "pieces"), [("MOST_BYTES", b"1234\n"), ("LONGEST_LINE", b"12")])
async def test_what_is_too_large_is_cut_off(
    limit: str, pieces: bytes, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, limit, 20)
    with pytest.raises(UnacceptableError, match="more than is taken"):
        await fetch(loopback, Reply(pieces=[pieces] * 20))


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=307, headers={"Location": "http://127.0.0.1:1/"}),
        Reply(headers={"Content-Encoding": "br"}),
    ],
)
async def test_what_leads_elsewhere_or_is_compressed_is_refused(
    reply: Reply, loopback: Loopback
) -> None:
    with pytest.raises(UnacceptableError):
        await fetch(loopback, reply)
