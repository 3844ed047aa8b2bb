"""How much a server may use, as people write it: `1 GB`, and `memory=1 GB, processes=100` at once.

The one reader of both. Must not know what holds a server to it.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable

LEAST_MEMORY: Final = 32_000_000
"""Bytes; with less, no server starts."""
MOST_MEMORY: Final = 10**15
_UNITS: Final = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_SIZE: Final = compile_later(r"(?P<count>\d{1,9}(?:\.\d{1,3})?)\s{0,3}(?P<unit>[KMGkmg]i?[Bb])")
_PART: Final = compile_later(r"\s*(?P<key>[A-Za-z]+)\s*=\s*(?P<value>[^=,;]*?)\s*")


def read_memory(value: object) -> object:
    """Bytes of `512 MB` or `1.5 GiB`; a number is taken as bytes, and 0 as no limit.

    Raises:
        ValueError: it is none of these, in words that finish a sentence.
    """
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is not None:
        value = int(Decimal(match["count"]) * _UNITS[match["unit"].lower()])
    if type(value) is not int or (value and not LEAST_MEMORY <= value <= MOST_MEMORY):
        raise ValueError(
            translatable('must be a size such as "512 MB" or "1 GB", at least {least}',
                         least=memory_text(LEAST_MEMORY))
        )  # fmt: skip
    return value


def memory_text(count: int) -> str:
    """Bytes as they are written in a file: in the largest unit that says exactly as many."""
    for unit in ("GB", "GiB", "MB", "MiB", "KB", "KiB"):
        in_unit = Decimal(count) / _UNITS[unit.lower()]
        if in_unit >= 1 and in_unit == round(in_unit, 3):
            return f"{in_unit.normalize():f} {unit}"
    return str(count)


def read_limits(text: str) -> dict[str, object]:
    """`memory=1 GB, processes=100` by key; an empty text has none.

    Raises:
        ValueError: it is written in another way, in words that finish a sentence.
    """
    found: dict[str, object] = {}
    for part in re.split(r"[,;]", text) if text.strip() else ():
        match = _PART.fullmatch(part)
        if match is None or match["key"] in found:
            raise ValueError(
                translatable("must be written as {example}", example="memory=1 GB, processes=100")
            )
        value = match["value"].removesuffix("%").strip()
        found[match["key"]] = int(value) if re.fullmatch(r"[0-9]{1,9}", value) else value
    return found
