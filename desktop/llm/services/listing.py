"""Reads the names of a provider's models, page by page, up to a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterable

MOST_MODELS: Final = 2000


class _Model(Protocol):
    id: str


async def ids(models: AsyncIterable[_Model]) -> list[str]:
    """The ids in their order; an SDK asks for the next page while it is read."""
    found: list[str] = []
    async for model in models:
        found.append(model.id)
        if len(found) >= MOST_MODELS:
            break
    return found
