"""Connections that died without a word are found out."""

from __future__ import annotations

import socket
import sys

import httpx2
import pytest

from desktop.servers.transport.http_connections import BETWEEN, IDLE, LOOKS, connections_to
from tests.http_stub import serving


async def test_tcp_looks_whether_a_silent_server_lives() -> None:
    if sys.platform == "darwin":
        pytest.skip("the system has no such option")
    async with serving() as stub:
        client = httpx2.AsyncClient(transport=connections_to(stub.config()))
        async with client, client.stream("GET", stub.address) as answer:
            made = answer.extensions["network_stream"].get_extra_info("socket")
            assert made.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
            told = [made.getsockopt(socket.IPPROTO_TCP, option) for option in options]
            assert told == [IDLE, BETWEEN, LOOKS]
