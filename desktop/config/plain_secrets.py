"""Finds the secrets that stand in a server's config as plain text; puts references in their place.

For an export, which refers to variables, and for the keyring of the desktop. Text to text: must not
keep a secret anywhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from desktop.base.later_patterns import compile_later
from desktop.config.imports.warnings import secret_places
from desktop.redaction.policy import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from desktop.config.models import ServerConfig

    Refer = Callable[[str, str, str], str]
    """Gets place, own name and value of a secret, and returns what stands there instead."""

_OPTION: Final = compile_later(r"^(?P<name>--?[\w-]+=|[\w.-]+=)(?P<value>.+)$", re.DOTALL)
_QUERY: Final = compile_later(r"(?P<name>[\w.-]+)=(?P<value>[^&#]*)")
_USER_INFO: Final = compile_later(r"(?<=://)[^/@\s]+(?=@)")
_PATH: Final = compile_later(r"(?:~|\.{0,2}/|[A-Za-z]:\\)")


@dataclass(frozen=True, slots=True)
class PlainSecret:
    """A secret at `place`, as `env.TOKEN`; `name` is what it would be called in the keyring."""

    place: str
    name: str
    value: str = field(repr=False)


def replace_secrets(config: ServerConfig, refer: Refer) -> ServerConfig:
    """A copy with something else in the place of each secret; a header keeps its scheme."""
    places = secret_places(config)

    def put(place: str, value: str, name: str) -> str:
        if place not in places:
            return value
        return _in_place(place, value, lambda secret: refer(place, name, secret))

    return config.changed(
        args=tuple(
            put(f"args[{n}]", argument, _argument_name(config.args, n))
            for n, argument in enumerate(config.args)
        ),
        env={name: put(f"env.{name}", value, name) for name, value in config.env.items()},
        url=put("url", config.url, "secret"),
        headers={n: put(f"headers.{n}", value, n) for n, value in config.headers.items()},
        oauth={n: put(f"oauth.{n}", value, n) for n, value in config.oauth.items()},
    )


def move_secrets(
    config: ServerConfig, taken: Container[str] = ()
) -> tuple[ServerConfig, list[PlainSecret]]:
    """A copy with `${keyring:NAME}` for each secret, and what has to be put into the keyring.

    A file's name is no secret, whatever its variable is called. Args: taken: names that other
    servers' secrets have.
    """
    found: dict[str, PlainSecret] = {}

    def refer(place: str, name: str, value: str) -> str:
        if _PATH.match(value) or not value:
            return value
        own = _free_name(f"{config.name}.{name.lstrip('-')}", value, found, taken)
        found[own] = PlainSecret(place, own, value)
        return f"${{keyring:{own}}}"

    moved = replace_secrets(config, refer)
    return moved, list(found.values())


def new_secrets(before: ServerConfig | None, found: Iterable[PlainSecret]) -> list[PlainSecret]:
    """Those that did not stand in the config before."""
    there = [] if before is None else move_secrets(before)[1]
    known = {secret.value for secret in there}
    return [secret for secret in found if secret.value not in known]


def _free_name(
    wanted: str, value: str, found: dict[str, PlainSecret], taken: Container[str]
) -> str:
    base = re.sub(r"[^A-Za-z0-9_.-]+", "_", wanted)[:180]
    base = base if re.match(r"[A-Za-z_]", base) else f"_{base}"
    name, number = base, 1
    while name in taken or (name in found and found[name].value != value):
        number += 1
        name = f"{base}{number}"
    return name


def _in_place(place: str, value: str, refer: Callable[[str], str]) -> str:
    """The value with its secret part replaced: the scheme of a header, the name of a query stay."""
    if place == "url":
        covered = _USER_INFO.sub(lambda match: refer(match[0]), value)
        return _QUERY.sub(
            lambda match: (
                f"{match['name']}={refer(match['value'])}"
                if is_secret_name(match["name"])
                else match[0]
            ),
            covered,
        )
    if place.startswith("headers."):
        scheme, space, secret = value.partition(" ")
        return f"{scheme} {refer(secret)}" if space else refer(value)
    if place.startswith("args") and (option := _OPTION.match(value)) is not None:
        return f"{option['name']}{refer(option['value'])}"
    return refer(value)


def _argument_name(args: tuple[str, ...], index: int) -> str:
    """What an argument is called: by itself, or by the option before it."""
    name, assigned, _ = args[index].partition("=")
    if assigned:
        return name
    before = args[index - 1] if index else ""
    return before if before.startswith("-") else "secret"
