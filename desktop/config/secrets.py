"""Finds the secret values in a server's own config, by the names of variables, headers, arguments.

Must not hide anything itself: `Redaction` does, with these values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from desktop.redaction.command_line import is_secret_option
from desktop.redaction.policy import is_secret_name, is_worth_hiding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.config.models import ServerConfig


def secrets_of(config: ServerConfig) -> frozenset[str]:
    """The secret values that a server, its config expanded, is given: by environment, header, URL.

    Of `Bearer VALUE` the value counts, too: a server may repeat it without the scheme.
    """
    found = {value for name, value in config.env.items() if is_secret_name(name)}
    for name, value in config.headers.items():
        if is_secret_name(name):
            found |= {value, value.rpartition(" ")[2]}
    found |= {*_of_arguments(config.args), *_of_url(config.url)}
    return frozenset(value for value in map(str.strip, found) if is_worth_hiding(value))


def _of_arguments(arguments: Iterable[str]) -> Iterator[str]:
    is_value = False
    for argument in arguments:
        name, assigned, value = argument.partition("=")
        if is_value:
            yield argument
        elif assigned and is_secret_name(name):
            yield value
        is_value = is_secret_option(argument)


def _of_url(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        query = parse_qsl(parts.query)
    except ValueError:
        return
    yield from (value for name, value in query if is_secret_name(name))
    if parts.password:
        yield from (parts.password, unquote(parts.password))
