"""In what two servers differ, in words that hold no secret. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.redaction.detect import HIDDEN, covered_arguments, covered_text, is_secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.config.models import ServerConfig

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class EntryDifference:
    """One place, as `env.TOKEN`, with what stands there now and in the other; '' is nothing."""

    place: str
    ours: str
    theirs: str

    @property
    def is_secret(self) -> bool:
        """Whether both values are covered and look the same."""
        return self.ours == self.theirs


def differences(ours: ServerConfig, theirs: ServerConfig) -> list[EntryDifference]:
    """How they are started or reached; name, switch, limits and rules are a person's own."""
    return [
        *_one("type", ours.transport, theirs.transport),
        *_one("builtin", ours.builtin, theirs.builtin),
        *_one("command", ours.command, theirs.command),
        *_arguments(ours.args, theirs.args),
        *_many("env", ours.env, theirs.env),
        *_one("cwd", ours.cwd or "", theirs.cwd or ""),
        *_one("url", ours.url, theirs.url),
        *_many("headers", ours.headers, theirs.headers),
    ]


def _one(place: str, ours: str, theirs: str) -> Iterator[EntryDifference]:
    if ours != theirs:
        yield EntryDifference(place, _short(covered_text(ours)), _short(covered_text(theirs)))


def _arguments(ours: tuple[str, ...], theirs: tuple[str, ...]) -> Iterator[EntryDifference]:
    if ours != theirs:
        before, after = " ".join(covered_arguments(ours)), " ".join(covered_arguments(theirs))
        yield EntryDifference("args", _short(before), _short(after))


def _many(
    place: str, ours: Mapping[str, str], theirs: Mapping[str, str]
) -> Iterator[EntryDifference]:
    for name in dict.fromkeys((*ours, *theirs)):
        before, after = ours.get(name, ""), theirs.get(name, "")
        if ours.get(name) == theirs.get(name):
            continue
        if is_secret(name):
            yield EntryDifference(f"{place}.{name}", before and HIDDEN, after and HIDDEN)
        else:
            yield EntryDifference(
                f"{place}.{name}", _short(covered_text(before)), _short(covered_text(after))
            )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
