"""Finds the secret values in a server's own config: by name, by form, and by where they come from.

Must not hide anything itself: `Redaction` does, with these values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from desktop.config.models import OAUTH_SECRETS
from desktop.config.variables import secrets_in, variables_in
from desktop.redaction.command_line import is_secret_option
from desktop.redaction.policy import find_secret_values, is_secret_name, is_worth_hiding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from desktop.config.models import ServerConfig


def secrets_of(config: ServerConfig) -> frozenset[str]:
    """The secret values that a server, its config expanded, is given: by environment, header, URL.

    Of `Bearer VALUE` the value counts, too: a server may repeat it without the scheme.
    """
    found = {value for name, value in config.env.items() if is_secret_name(name)}
    for name, value in config.headers.items():
        if is_secret_name(name):
            found |= {value, value.rpartition(" ")[2]}
    found |= {value for name, value in config.oauth.items() if name in OAUTH_SECRETS}
    found |= {*_of_arguments(config.args), *_of_url(config.url)}
    for text in (*config.env.values(), *config.args, *config.headers.values(), config.url):
        found.update(find_secret_values(text))
    return _worth_hiding(found)


def inherited_secrets_of(config: ServerConfig, environ: Mapping[str, str]) -> frozenset[str]:
    """The values of secret variables of `environ` that the config, as written, hands on.

    `FOO: ${GITHUB_TOKEN}` has a harmless name once it is expanded.
    """
    texts = (*config.env.values(), *config.args, *config.headers.values(), config.url)
    texts += tuple(config.oauth[name] for name in OAUTH_SECRETS if name in config.oauth)
    names = {name for text in texts for name in variables_in(text) if is_secret_name(name)}
    return _worth_hiding(environ.get(name, "") for name in names)


def kept_secrets_of(config: ServerConfig, kept: Mapping[str, str]) -> frozenset[str]:
    """The values of the keyring's secrets that the config, as written, hands on."""
    return _worth_hiding(kept.get(name, "") for name in secrets_in(config))


def machine_secrets(environ: Mapping[str, str]) -> frozenset[str]:
    """The values of the variables of this machine that are secret by their names."""
    return _worth_hiding(
        value for name, value in environ.items() if is_secret_name(name, "inherited")
    )


def _worth_hiding(values: Iterable[str]) -> frozenset[str]:
    return frozenset(value for value in map(str.strip, values) if is_worth_hiding(value))


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
