"""What a conversion did to a schema, change by change, for a person to read.

Also counts what was loosened, as that decides what may stay under `not`. Decides nothing itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from desktop.translatable import TranslatableText

Kind: TypeAlias = Literal["renamed", "dropped", "loosened", "added", "moved"]
Path: TypeAlias = tuple[str | int, ...]

MOST_CHANGES: Final = 200
"""Changes that are told of one tool; more is nothing a person reads."""
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a provider is told differently from how the server declared it.

    `kind`: "renamed"; "dropped" for what says nothing about values (titles, comments); "loosened"
    for a rule that is gone or weaker (never stronger); "added" for what the provider insists on;
    "moved" for the same thing said in another way. `path` is a JSON Pointer (RFC 6901) into the
    server's schema, through its references; "" is the schema itself.
    """

    kind: Kind
    path: str
    sentence: TranslatableText


@dataclass(slots=True)
class Report:
    """Collects the changes of one tool; `loosened` counts all, also those not kept."""

    changes: dict[Change, None] = field(default_factory=dict[Change, None])
    loosened: int = 0

    def add(self, kind: Kind, path: Path, sentence: TranslatableText) -> None:
        if kind == "loosened":
            self.loosened += 1
        if len(self.changes) < MOST_CHANGES:
            self.changes[Change(kind, pointer(path), _bounded(sentence))] = None


def _bounded(sentence: TranslatableText) -> TranslatableText:
    """The same with less in its places, where a schema put much there."""
    if len(sentence) <= _LONGEST:
        return sentence
    room = _LONGEST // 2
    values = {
        name: f"{value[: room - 1]}…" if isinstance(value, str) and len(value) > room else value
        for name, value in sentence.values.items()
    }
    return TranslatableText(sentence.pattern, values)


def pointer(path: Path) -> str:
    """The JSON Pointer of a path."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
