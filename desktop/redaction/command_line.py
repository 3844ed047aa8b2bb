"""Command lines with the values that look secret replaced, to be shown to a person.

Understands words and options; `policy` decides what is secret. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.base.command_line import quoted
from desktop.base.later_patterns import compile_later
from desktop.redaction.policy import PLACEHOLDER, is_secret_name, redact_text

if TYPE_CHECKING:
    from collections.abc import Iterable

_WHOLE = compile_later(r"(?P<name>-{0,2}[\w.-]+)=\S", re.DOTALL)


def redact_command(words: Iterable[str]) -> str:
    """A command line, quoted for a shell, with what looks secret replaced."""
    return " ".join(map(_quote, redact_words(words)))


def redact_words(words: Iterable[str]) -> list[str]:
    """The words with the values of `--api-key VALUE`, `--token=VALUE`, `KEY=VALUE` replaced."""
    redacted: list[str] = []
    is_value = False
    for word in words:
        redacted.append(PLACEHOLDER if is_value else _redact_word(word))
        is_value = is_secret_option(word)
    return redacted


def is_secret_option(word: str) -> bool:
    """Whether the word after this option is a secret."""
    return word.startswith("-") and "=" not in word and is_secret_name(word)


def _redact_word(word: str) -> str:
    # The shell has split words already: what follows `=` is the value, spaces and `&` included.
    whole = _WHOLE.match(word)
    if whole is not None and is_secret_name(whole["name"]):
        return f"{whole['name']}={PLACEHOLDER}"
    return redact_text(word)


def _quote(word: str) -> str:
    """Quote a word for a shell; the placeholder needs no quotes."""
    plain = word.replace(PLACEHOLDER, "x")
    return word if quoted(plain) == plain else quoted(word)
