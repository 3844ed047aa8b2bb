"""One loopback server for all tests of the model side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.features.models.loopback.server import Loopback

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def _loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def loopback(_loopback: Loopback) -> Loopback:
    """The server, with no answers left over from another test."""
    _loopback.reset()
    return _loopback
