"""Whether the clients of the model providers can be loaded: in a bundle a part may be missing.

Makes each with a key that is none; sends nothing.
"""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING

from desktop.cli.self_checks.check import CheckSkippedError

if TYPE_CHECKING:
    from collections.abc import Callable

_NO_KEY = "self-test"


def _touch(*parts: object) -> None:
    """They load when they are asked for."""


def _openai() -> None:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(api_key=_NO_KEY)
    _touch(client.chat.completions, client.responses)


def _anthropic() -> None:
    from anthropic import AsyncAnthropic

    _touch(AsyncAnthropic(api_key=_NO_KEY).messages)


def _gemini() -> None:
    from google import genai
    from google.genai import errors, types

    _touch(genai.Client(api_key=_NO_KEY).aio.models, errors, types)


CLIENTS: dict[str, Callable[[], None]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google.genai": _gemini,
}
"""By the package each needs."""


async def load() -> str:
    """Load those that are installed.

    Raises:
        CheckSkippedError: none is.
    """
    found = [package for package in CLIENTS if _is_there(package)]
    if not found:
        raise CheckSkippedError("this installation has no client of a model provider")
    for package in found:
        await asyncio.to_thread(CLIENTS[package])
    return f"loaded: {', '.join(found)}"


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package above it
        return False
