"""Which field a `ConfigError` is about: its sentences begin with the key. Must not know widgets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.errors import ConfigError

_SENTENCE = re.compile(r'"(?P<key>[A-Za-z_]+)[^"]*" (?P<words>.+)', re.DOTALL)
_FIELDS = {"type": "transport", "connectTimeout": "connect_timeout"}


def by_field(error: ConfigError, fields: frozenset[str]) -> tuple[dict[str, str], str]:
    """What is wrong with which of `fields`, and what is left to be said of the whole."""
    found: dict[str, str] = {}
    rest: list[str] = []
    for sentence in str(error.args[0]).split("; "):
        match = _SENTENCE.fullmatch(sentence)
        key = match["key"] if match is not None else ""
        field = _FIELDS.get(key, key)
        if match is None or field not in fields:
            rest.append(sentence)
        else:
            found[field] = f"{found[field]}; {match['words']}" if field in found else match["words"]
    if error.remedy:
        rest.append(error.remedy)
    return found, "\n".join(rest)
