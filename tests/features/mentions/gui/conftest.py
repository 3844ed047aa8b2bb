"""The Chat page of the chat's own tests, over a server that offers prompts and resources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.features.chat.gui.conftest import desk, page, providers
from tests.gui.conftest import *  # noqa: F403 - its `__all__` is what a window needs
from tests.gui.offers import offering_core

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core

__all__ = ["desk", "page", "providers"]


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    async with offering_core(tmp_path) as made:
        yield made
