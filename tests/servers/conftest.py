"""Servers at URLs: two that live as long as the tests of this folder, and one to be killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web_servers import PATHS, WebServer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@pytest.fixture(scope="package")
def web_servers() -> Iterator[Mapping[str, WebServer]]:
    """One of each transport, for tests that leave it as it was: each costs a second to start."""
    with WebServer("http") as http, WebServer("sse") as sse:
        yield {"http": http, "sse": sse}


@pytest.fixture(params=PATHS)
def web(request: pytest.FixtureRequest, web_servers: Mapping[str, WebServer]) -> WebServer:
    return web_servers[request.param]


@pytest.fixture(params=PATHS)
def mortal_web(request: pytest.FixtureRequest) -> Iterator[WebServer]:
    """A server of the test's own, that may be killed."""
    with WebServer(request.param) as server:
        yield server
