"""Names of models, up to a limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.llm.services.listing import MOST_MODELS, ids

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass
class Model:
    id: str


async def test_an_endless_list_ends() -> None:
    async def endless() -> AsyncIterator[Model]:
        while True:
            yield Model("m")

    assert len(await ids(endless())) == MOST_MODELS
