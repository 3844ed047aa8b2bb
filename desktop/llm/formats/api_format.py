"""The four request formats, and what each says of names and numbers of tools.

Sources: the docstrings of openai 3.52, anthropic 2.11 and google-genai 3.4, and the servers' own
error messages where those are stricter. Names nothing of a schema: see the emitters.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final


class ApiFormat(StrEnum):
    """A request format of a provider, by the name that `mcp-desktop tools --format` takes."""

    OPENAI = "openai"
    OPENAI_RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


MOST_TOOLS: Final = {ApiFormat.OPENAI: 128, ApiFormat.OPENAI_RESPONSES: 128, ApiFormat.GEMINI: 512}
"""Tools in one request; the whole request is refused above it. Anthropic documents none."""

WIRE_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,62}")
"""What all providers take, met whole: Gemini wants a letter first and has refused 64 characters."""

PROVIDERS: Final = {
    ApiFormat.OPENAI: "OpenAI",
    ApiFormat.OPENAI_RESPONSES: "OpenAI",
    ApiFormat.ANTHROPIC: "Anthropic",
    ApiFormat.GEMINI: "Gemini",
}
