"""Estimates how many tokens a text costs, without a tokenizer and without the network.

One token for each four bytes of UTF-8. OpenAI's help ("What are tokens and how to count them?")
says "1 token ~= 4 characters in English"; a Chinese character has three bytes and costs about 0.7
tokens with the vocabularies of 2024 and later, so bytes fit both. The providers' own tokenizers
are unpublished or downloaded at first use, and differ from each other by a third on JSON. So it is
an estimate, to be shown as one: good enough to see which server costs what, not to fill a context.
"""

from __future__ import annotations

import json
from typing import Any, Final

BYTES_PER_TOKEN: Final = 4


def estimate_tokens(value: Any) -> int:
    """Tokens of a text, or of a JSON value as it is sent (compact); at least 1 unless empty."""
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    size = len(value) if value.isascii() else len(value.encode("utf-8", "replace"))
    return -(-size // BYTES_PER_TOKEN)
