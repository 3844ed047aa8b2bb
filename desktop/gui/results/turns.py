"""Long work in short turns of the loop, where another thread would be the wrong place.

Work that makes many Python objects sets off the garbage collector, and in another thread that may
destroy widgets there: Qt crashes. So such work stays in the loop's thread, a few milliseconds at a
time. Must not import Qt.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")

TURN = 0.006
"""Seconds of work between two turns of the loop."""


async def in_turns(steps: Iterable[T | None]) -> list[T]:
    """All that `steps` gives but None; each step is short, the loop runs in between."""
    taken: list[T] = []
    until = time.monotonic() + TURN
    for step in steps:
        if step is not None:
            taken.append(step)
        if time.monotonic() > until:
            await asyncio.sleep(0)
            until = time.monotonic() + TURN
    return taken


async def json_text(value: Any) -> str:
    """`value` as JSON a person can read, like `structured.to_text`; empty where it is too deep."""
    encoder = json.JSONEncoder(indent=2, ensure_ascii=False, default=str)
    try:
        return "".join(await in_turns(encoder.iterencode(value)))
    except (ValueError, RecursionError):
        return ""
