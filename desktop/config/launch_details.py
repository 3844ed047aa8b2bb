"""What a server is started or reached with: in full, to be read before a yes, and as a fingerprint.

Only a provider's origin and kind decide: who gets the conversations, and a key.
What somebody else wrote is not redacted by its look, because that could hide code: `TOKEN=x;curl …`
is no token. Only what this machine knows as a secret is covered in it. The fingerprint is what a
decision of the person holds for: trust in a server (`trust`), and approvals of its tools. Must not
judge: `dangers` does.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from desktop.base.command_line import quoted
from desktop.base.later_patterns import compile_later
from desktop.base.paths import APP
from desktop.base.visible_text import escape_hidden
from desktop.config.models import OAUTH_SECRETS
from desktop.config.providers import ProviderSettings, origin_of
from desktop.redaction.command_line import redact_words
from desktop.redaction.policy import PLACEHOLDER, is_secret_name, redact_text
from desktop.redaction.redactor import Redaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from desktop.config.models import ServerConfig

Launched: TypeAlias = "ServerConfig | ProviderSettings"
"""What a person agrees to: how a server is started or reached, or where a provider is."""
_PLAIN: Final = compile_later(r"(?:(?P<scheme>[A-Za-z]+) +)?[\w.~+=-]{4,}")
"""A value that can be nothing but a secret: no folder, no address, nothing that a shell obeys."""
_REFERENCE: Final = compile_later(r"\$\{[^}]*\}")
_TAG: Final = "1:"
"""Begins each fingerprint: another way to make them gets another one, and is asked about again."""


class LaunchDetail(Struct, frozen=True):
    """One thing that is used: `place` as in the config, `value` in full and on one line.

    Places are `command` (with all arguments, quoted as for a shell), `cwd`, `env.NAME`, `url`,
    `headers.NAME`, `oauth.NAME`, `tls.NAME`, `sandbox`,
    `limits` and `roots`; of a provider `baseUrl` alone.
    """

    place: str
    value: str


def launch_details(config: Launched, known: Redaction, *, is_own: bool) -> tuple[LaunchDetail, ...]:
    """All details of a server or a provider, the command or the address first.

    Args:
        config: as it would be written, its variables not expanded.
        known: the secrets of this machine.
        is_own: whether the person wrote it: then what looks secret is covered, too.
    """

    def shown(text: str) -> str:
        return escape_hidden(redact_text(text) if is_own else known.known_text(text))

    if isinstance(config, ProviderSettings):
        return (LaunchDetail("baseUrl", shown(config.base_url)),)
    found: list[LaunchDetail] = []
    if config.transport == "stdio":
        found.append(LaunchDetail("command", _command_line(config, known, is_own=is_own)))
        if config.cwd:
            found.append(LaunchDetail("cwd", shown(config.cwd)))
    else:
        found.append(LaunchDetail("url", shown(config.url)))
    for place, values in (("env", config.env), ("headers", config.headers)):
        for name, value in values.items():
            covered = _without_plain_secret(name, value, is_own=is_own)
            found.append(LaunchDetail(f"{place}.{escape_hidden(name)}", shown(covered)))
    for name, value in config.oauth.items():
        is_open = name not in OAUTH_SECRETS or "${" in value
        found.append(LaunchDetail(f"oauth.{name}", shown(value) if is_open else PLACEHOLDER))
    found += [LaunchDetail(f"tls.{name}", shown(value)) for name, value in config.tls.items()]
    found += [LaunchDetail(place, shown(text)) for place, text in _bounds(config)]
    if config.roots:
        found.append(LaunchDetail("roots", " ".join(_quoted(config.roots, shown))))
    return tuple(found)


def _command_line(config: ServerConfig, known: Redaction, *, is_own: bool) -> str:
    start = (APP, "builtin", config.builtin) if config.builtin else (config.command,)
    words: Iterable[str] = (*start, *config.args)
    words = redact_words(words) if is_own else map(known.known_text, words)
    return " ".join(_quoted(words, escape_hidden))


def _quoted(words: Iterable[str], written: Callable[[str], str]) -> Iterator[str]:
    for word in words:
        # The placeholder needs no quotes.
        plain = word.replace(PLACEHOLDER, "x")
        yield written(word if quoted(plain) == plain else quoted(word))


def _without_plain_secret(name: str, value: str, *, is_own: bool) -> str:
    """The value of a variable or header, covered where it is a secret and surely nothing else."""
    if "${" in value or not value or not is_secret_name(name):
        return value
    plain = _PLAIN.fullmatch(value)
    if plain is None:
        return PLACEHOLDER if is_own else value
    scheme = plain["scheme"]
    return f"{scheme} {PLACEHOLDER}" if scheme else PLACEHOLDER


class LaunchPart(Struct, frozen=True):
    """One detail as it is kept: `shown` without anything that looks secret, `hash` of all of it."""

    shown: str
    hash: str


def launch_fingerprint(config: Launched) -> str:
    """A hash, with a version tag, of all that decides what a name stands for.

    Not of what changes without the server changing: a token in a variable or a header.
    """
    parts = sorted(_decisive(config))
    kind = config.kind if isinstance(config, ProviderSettings) else config.transport
    return _TAG + _hash(json.dumps([kind, *parts], separators=(",", ":")))


def launch_parts(config: Launched) -> dict[str, LaunchPart]:
    """The details by place, to be kept and compared with those of a later time."""
    details, decisive = launch_details(config, Redaction(), is_own=True), _decisive(config)
    return {
        detail.place: LaunchPart(detail.value, _hash(value))
        for detail, (_, value) in zip(details, decisive, strict=True)
    }


def _decisive(config: Launched) -> list[tuple[str, str]]:
    """Place and value, in the order of `launch_details`; without what may change unasked."""
    if isinstance(config, ProviderSettings):
        return [("baseUrl", origin_of(config.base_url))]
    found: list[tuple[str, str]] = []
    if config.transport == "stdio":
        found.append(("command", json.dumps((config.builtin, config.command, *config.args))))
        if config.cwd:
            found.append(("cwd", config.cwd))
    else:
        found.append(("url", config.url))
    for name, value in config.env.items():
        # Any variable may name code to load; a token under the name of one decides nothing.
        is_token = is_secret_name(name) and _PLAIN.fullmatch(value) is not None
        found.append((f"env.{name}", "" if is_token else value))
    for name, value in config.headers.items():
        # No code, but which variables of this machine are sent.
        found.append((f"headers.{name}", " ".join(_REFERENCE.findall(value))))
    for name, value in config.oauth.items():
        is_secret = name in OAUTH_SECRETS
        found.append((f"oauth.{name}", " ".join(_REFERENCE.findall(value)) if is_secret else value))
    found += [(f"tls.{name}", value) for name, value in config.tls.items()]
    found += _bounds(config)
    if config.roots:
        found.append(("roots", json.dumps(config.roots)))
    return found


def _bounds(config: ServerConfig) -> Iterator[tuple[str, str]]:
    """What it is held to: place and value."""
    if config.sandbox.is_on:
        said = config.sandbox.in_file
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        yield "sandbox", text
    if config.limits.are_set:
        yield "limits", json.dumps(config.limits.in_file, ensure_ascii=False)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Launch:
    """What a server's name stands for in a session, as decisions are bound to it."""

    def __init__(self, config: ServerConfig, *, with_args: bool = True) -> None:
        """`with_args` is False where the person chose arguments and folder for the session."""
        chosen = {"args": (), "cwd": None, "roots": ()}
        self._config = config if with_args else config.model_copy(update=chosen)

    @property
    def fingerprint(self) -> str:
        return launch_fingerprint(self._config)

    def matches(self, fingerprint: str) -> bool:
        """Whether a decision with this fingerprint, also one of an earlier version, is about it."""
        return fingerprint == (
            self.fingerprint if ":" in fingerprint else _earlier_hash(self._config)
        )

    def describe(self) -> dict[str, str]:
        """All of it by place, without secrets, to compare a later one with."""
        return {place: part.shown for place, part in launch_parts(self._config).items()}


def _earlier_hash(config: ServerConfig) -> str:
    """The fingerprint of versions that did not look at variables and headers."""
    parts: dict[str, object] = {
        "transport": config.transport,
        "command": config.command,
        "builtin": config.builtin,
        "args": list(config.args),
        "cwd": config.cwd or "",
        "url": config.url,
    }
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return _hash(text)
