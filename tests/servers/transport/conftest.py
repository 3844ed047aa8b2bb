"""A reader that tells what it told besides messages."""

from __future__ import annotations

import pytest

from tests.servers.transport.heard import Heard


@pytest.fixture
def heard() -> Heard:
    return Heard()
