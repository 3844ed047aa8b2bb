"""One loopback server for all tests of the model side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.llm.loopback.server import Loopback

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def _loopback() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def loopback(_loopback: Loopback) -> Loopback:
    """The server, with no answers left over from another test."""
    _loopback.requests.clear()
    _loopback.answers.clear()
    return _loopback
