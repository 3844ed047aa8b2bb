"""Which field a `ConfigError` is about: its sentences begin with the key. Must not know widgets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.gui.spoken import spoken
from desktop.translatable import split_joined

if TYPE_CHECKING:
    from desktop.errors import ConfigError

_SENTENCE = re.compile(r'"(?P<key>[A-Za-z_]+)[^"]*" (?P<words>.+)', re.DOTALL)
_FIELDS = {"type": "transport", "connectTimeout": "connect_timeout"}


def by_field(error: ConfigError, fields: frozenset[str]) -> tuple[dict[str, str], str]:
    """What is wrong with which of `fields`, and what is left to be said of the whole."""
    found: dict[str, str] = {}
    rest: list[str] = []
    for part in split_joined(error.args[0]):
        words = spoken(part)  # which begins with the key in every language
        match = _SENTENCE.fullmatch(words)
        key = match["key"] if match is not None else ""
        field = _FIELDS.get(key, key)
        if match is None or field not in fields:
            rest.append(words)
        else:
            found[field] = f"{found[field]}; {match['words']}" if field in found else match["words"]
    if error.remedy:
        rest.append(spoken(error.remedy))
    return found, "\n".join(rest)
