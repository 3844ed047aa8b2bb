"""Tells which arguments are secrets: by the schema, by the name, by how the value looks.

The form covers them, the history leaves them out. Goes by what is written: it cannot know a secret
that stands alone under a harmless name. Must not change anything.

Covers what looks like a secret in a command line or an address, before anybody is shown it.

Pure text to text. Goes by names (`--token`, `API_KEY=`) and by place (`user:password@`): it cannot
know a secret that stands alone.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.tool_types import JsonObject

HIDDEN = "••••"
_SECRET = re.compile(
    r"(key|token|secret|passw|pwd|auth|credential|cookie|session|signature|private|dsn)"
    r"|(^|[_-])pat($|[_-])",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(r"(?P<name>[^\s=?&;]+)=(?P<value>[^&\s]+)")
_OPTION = re.compile(r"(?P<name>(?<!\S)--?[\w-]+)(?P<gap>\s+)(?P<value>[^\s-]\S*)")
_USER_INFO = re.compile(r"(?<=://)[^/@\s]+(?=@)")


def is_secret(name: str) -> bool:
    """Whether a variable, header or option of this name looks as if its value were a secret."""
    return _SECRET.search(name) is not None


def covered_command(words: Iterable[str]) -> str:
    """A command line as a shell would read it, with what looks like a secret covered."""
    return " ".join(map(_quoted, covered_arguments(words)))


def covered_arguments(arguments: Iterable[str]) -> list[str]:
    """`--api-key VALUE`, `--token=VALUE` and `KEY=VALUE` without their values."""
    shown: list[str] = []
    is_value = False
    for argument in arguments:
        shown.append(HIDDEN if is_value else covered_text(argument))
        is_value = argument.startswith("-") and "=" not in argument and is_secret(argument)
    return shown


def covered_text(text: str) -> str:
    """An address, one argument, or a whole command line in one piece, as `sh -c` gets it."""

    def assigned(found: re.Match[str]) -> str:
        return f"{found['name']}={HIDDEN}" if is_secret(found["name"]) else found[0]

    def option(found: re.Match[str]) -> str:
        return f"{found['name']}{found['gap']}{HIDDEN}" if is_secret(found["name"]) else found[0]

    return _OPTION.sub(option, _ASSIGNED.sub(assigned, _USER_INFO.sub(HIDDEN, text)))


def _quoted(argument: str) -> str:
    """As a shell would need it; the dots that cover a secret need no quotes."""
    plain = argument.replace(HIDDEN, "x")
    return argument if shlex.quote(plain) == plain else shlex.quote(argument)


# Narrower than what covers a command line: `key`, `max_tokens` and `author` are ordinary arguments.
_NAME = re.compile(
    r"(^|_)(password|passwd|pwd|passphrase|passcode|secret|authorization|cookie|"
    r"connection_string|dsn|credentials?|(api|private|secret|access|signing|encryption)_?key|"
    r"(access|auth|bearer|refresh|api|bot|github|gitlab|slack|session|id|personal)_?token)$"
    r"|^token$"
)
_VALUE = re.compile(
    r"(?i:(bearer|basic)\s+)[\w.~+/=-]{8,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|(sk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-)[\w-]{10,}"
    r"|AKIA[0-9A-Z]{16}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\."
)


def is_secret_name(name: str) -> bool:
    """Whether an argument of this name looks as if its value were a secret."""
    return _NAME.search(snake(name)) is not None


def is_secret_schema(schema: JsonObject) -> bool:
    """Whether the schema says so itself: `writeOnly`, or the format `password` (OpenAPI 3.1)."""
    return schema.get("writeOnly") is True or schema.get("format") == "password"


def is_secret_value(text: str) -> bool:
    """Whether the text has the form of a token or key that services hand out."""
    return _VALUE.match(text.strip()) is not None


def snake(name: str) -> str:
    """`apiKey`, `api-key` and `API Key` as `api_key`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s.\-]+", "_", name).lower()
