"""A provider that says that it is still there is waited for."""

from __future__ import annotations

import asyncio

import pytest

from desktop.llm.services.hearing import heard, listening


async def turn_of_the_loop() -> None:
    await asyncio.get_running_loop().run_in_executor(None, lambda: None)


async def hear(silence: float, longest: float, seconds: float) -> None:
    """Hear something again and again for `seconds`."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    async with listening(silence, begun + longest):
        while loop.time() < begun + seconds:
            heard()
            await turn_of_the_loop()


async def test_silence_is_over_at_the_limit() -> None:
    with pytest.raises(TimeoutError):
        async with listening(0.01, asyncio.get_running_loop().time() + 60):
            await asyncio.Event().wait()


async def test_what_was_heard_puts_the_limit_off() -> None:
    await hear(silence=0.3, longest=60, seconds=0.6)


async def test_it_is_not_put_off_for_ever() -> None:
    with pytest.raises(TimeoutError):
        await hear(silence=60, longest=0.01, seconds=60)


def test_nobody_needs_to_listen() -> None:
    heard()
