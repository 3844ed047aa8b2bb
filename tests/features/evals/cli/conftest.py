"""A model that a test plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.features.evals.played_model import PlayedModel
from tests.features.models.loopback.server import Loopback

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def model() -> Iterator[PlayedModel]:
    with Loopback() as server:
        yield PlayedModel(server)
