"""Everything that a server would be started or reached with, in full, to be read before a yes.

What somebody else wrote is not redacted by its look, because that could hide code: `TOKEN=x;curl …`
is no token. Only what this machine knows as a secret is covered in it. Must not judge: `dangers`
does.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from desktop.paths import APP
from desktop.redaction.command_line import redact_words
from desktop.redaction.policy import PLACEHOLDER, is_secret_name, redact_text
from desktop.visible_text import escape_hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from desktop.config.models import ServerConfig
    from desktop.redaction.redactor import Redaction

_PLAIN: Final = re.compile(r"(?:(?P<scheme>[A-Za-z]+) +)?[\w.~+=-]{4,}")
"""A value that can be nothing but a secret: no folder, no address, nothing that a shell obeys."""


@dataclass(frozen=True, slots=True)
class LaunchDetail:
    """One thing that is used: `place` as in the config, `value` in full and on one line.

    Places are `command` (with all arguments, quoted as for a shell), `cwd`, `env.NAME`, `url` and
    `headers.NAME`.
    """

    place: str
    value: str


def launch_details(
    config: ServerConfig, known: Redaction, *, is_own: bool
) -> tuple[LaunchDetail, ...]:
    """All details of a server, the command or the address first.

    Args:
        config: as it would be written, its variables not expanded.
        known: the secrets of this machine.
        is_own: whether the person wrote it: then what looks secret is covered, too.
    """

    def shown(text: str) -> str:
        return escape_hidden(redact_text(text) if is_own else known.known_text(text))

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
        yield written(word if shlex.quote(plain) == plain else shlex.quote(word))


def _without_plain_secret(name: str, value: str, *, is_own: bool) -> str:
    """The value of a variable or header, covered where it is a secret and surely nothing else."""
    if "${" in value or not value or not is_secret_name(name):
        return value
    plain = _PLAIN.fullmatch(value)
    if plain is None:
        return PLACEHOLDER if is_own else value
    scheme = plain["scheme"]
    return f"{scheme} {PLACEHOLDER}" if scheme else PLACEHOLDER
