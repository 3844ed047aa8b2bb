"""Tells which arguments are secrets: by the schema, by the name, by how the value looks.

The form covers them, the history leaves them out. Goes by what is written: it cannot know a secret
that stands alone under a harmless name. Must not change anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject

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
