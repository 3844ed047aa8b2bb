"""WebRTC in a real browser: no app reaches the network by it, nor does a frame inside an app."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.features.mcp_apps import loopback
from desktop.features.mcp_apps.loopback import app_headers
from tests import peers
from tests.features.mcp_apps.looking import looking, script

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from desktop.features.mcp_apps.resource import Purpose

QUIET = 5.0
"""Seconds in which something would arrive: 0.1 s where an app is not kept from it."""
pytestmark = [pytest.mark.real_servers, peers.needs_playwright, pytest.mark.timeout(120)]


class Listener(asyncio.DatagramProtocol):
    """A STUN server that says nothing, and a TURN server over TCP that does not either."""

    def __init__(self) -> None:
        self.news = asyncio.Event()

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        del data, addr
        self.news.set()

    async def take(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.news.set()
        writer.close()


@pytest.fixture
async def listener() -> AsyncGenerator[tuple[int, Listener]]:
    """On the same port of 127.0.0.1 for both."""
    made = Listener()
    server = await asyncio.start_server(made.take, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: made, local_addr=("127.0.0.1", port))
    async with server:
        yield port, made
        transport.close()


async def _try(folder: Path, port: int, way: str, *, with_domains: bool, heard: Listener) -> bool:
    """Have an app try it this way. Returns: whether anything of it arrived."""
    hostile = script("hostile_app", "--what", "webrtc", "--listener", port, "--way", way)
    async with looking(folder, hostile=hostile) as person:
        view = await person.show("hostile:show", with_domains=with_domains)
        await person.browse("navigate", url=view.url)
        assert await person.reported() == {"begun": way}
        try:
            async with asyncio.timeout(QUIET):
                await heard.news.wait()
        except TimeoutError:
            return False
        return True


@pytest.mark.parametrize("way", ["itself", "srcdoc", "address"])
async def test_an_app_reaches_nothing_by_webrtc(
    tmp_path: Path, listener: tuple[int, Listener], way: str
) -> None:
    port, heard = listener
    assert not await _try(tmp_path, port, way, with_domains=way == "itself", heard=heard)


@pytest.mark.parametrize("way", ["itself", "srcdoc"])
async def test_an_app_that_is_not_kept_from_it_is_heard(
    tmp_path: Path, listener: tuple[int, Listener], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Else the test above would hold for any reason."""

    def headers(domains: Mapping[Purpose, tuple[str, ...]], host_origin: str) -> dict[str, str]:
        kept = app_headers(domains, host_origin)
        del kept["connection-allowlist"]
        return kept

    monkeypatch.setattr(loopback, "app_headers", headers)
    port, heard = listener
    assert await _try(tmp_path, port, way, with_domains=False, heard=heard)
