"""The secret values in a server's own config: by the names of variables, headers and arguments.

Must not hide anything itself: that is the redaction's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from desktop.redaction.detect import is_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.config.models import ServerConfig

SHORTEST = 4
"""Characters that a value needs to be searched for: shorter ones are parts of everything."""
_NO_SECRETS = frozenset(
    ("true", "false", "none", "null", "auto", "basic", "bearer", "default", "disabled", "enabled")
)


def secrets_of(config: ServerConfig) -> frozenset[str]:
    """The secret values that a server, its config expanded, is given: by environment, header, URL.

    Of `Bearer VALUE` the value counts, too: a server tells it without the scheme.
    """
    found = {value for name, value in config.env.items() if is_secret(name)}
    for name, value in config.headers.items():
        if is_secret(name):
            found |= {value, value.rpartition(" ")[2]}
    found |= {*_of_arguments(config.args), *_of_url(config.url)}
    return frozenset(value for value in map(str.strip, found) if _is_worth_hiding(value))


def _of_arguments(arguments: Iterable[str]) -> Iterator[str]:
    is_value = False
    for argument in arguments:
        name, assigned, value = argument.partition("=")
        if is_value:
            yield argument
        elif assigned and is_secret(name):
            yield value
        is_value = argument.startswith("-") and not assigned and is_secret(argument)


def _of_url(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query)
    except ValueError:
        return
    yield from (value for name, value in query if is_secret(name))
    if parts.password:
        yield from (parts.password, unquote(parts.password))


def _is_worth_hiding(value: str) -> bool:
    return len(value) >= SHORTEST and value.lower() not in _NO_SECRETS
