"""How many tokens a model reads at most, as its provider documents it; nothing is asked for.

A model of a person's own server has the window that it was started with, which nobody tells: only
names of the providers' own models are known, also behind a gateway (`openai/gpt-4o`).
"""

from __future__ import annotations

import re
from typing import Final

_WINDOWS: Final = tuple(
    (re.compile(pattern), tokens)
    for pattern, tokens in (
        (r"claude-(instant|1)", 100_000),
        (r"claude-", 200_000),
        (r"gpt-[5-9]", 400_000),
        (r"gpt-4\.1", 1_047_576),
        (r"(chat)?gpt-4o|gpt-4-turbo|gpt-4-\d{4}-preview|o1-(mini|preview)", 128_000),
        (r"o[1-9](-|$)", 200_000),
        (r"gpt-4-32k", 32_768),
        (r"gpt-4(-|$)", 8_192),
        (r"gpt-3\.5-turbo", 16_385),
        (r"gemini-1\.5-pro", 2_097_152),
        (r"gemini-", 1_048_576),
    )
)


def context_window(model: str) -> int:
    """Tokens that the model reads at most; 0 where that is not known."""
    name = model.rpartition("/")[2].lower()
    return next((tokens for pattern, tokens in _WINDOWS if pattern.match(name)), 0)
