"""Whether a turn goes back to its provider exactly as it came. Pure."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.llm.messages import AssistantMessage
    from desktop.llm.services.untyped import Object


def replayed(message: AssistantMessage, model: str, source: str) -> list[Object]:
    """A copy of the raw turn where it came from the same provider and model, else nothing.

    Signatures and sealed reasoning are refused, or worth nothing, anywhere else.
    """
    replay = message.replay
    if replay is None or (replay.provider, replay.model) != (source, model):
        return []
    return [deepcopy(dict(item)) for item in replay.items]
