"""`WireTools`: the tools of one request, and the way back from what the model says to a tool.

A name is looked up, never parsed. Nothing here raises for what a model wrote.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from desktop.llm.formats.api_format import MOST_TOOLS, PROVIDERS, ApiFormat
from desktop.llm.formats.arguments import (
    UnreadableArgumentsError,
    parsed,
    without_spare_nulls,
)
from desktop.llm.formats.conversion import convert
from desktop.llm.formats.declaration import Declaration, Verdict
from desktop.llm.formats.renaming import with_original_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.tools.definition import JsonObject, ToolDefinition

_NEAR, _LONGEST_NAME = 3, 200
_MOST_COMPARED: Final = 2_000


@dataclass(frozen=True, slots=True)
class UnknownTool:
    """The model called what is not there; `sentence` tells it so."""

    name: str
    near: tuple[str, ...]

    @property
    def sentence(self) -> str:
        said = f"There is no tool {self.name[:_LONGEST_NAME]!r}."
        return f"{said} Available are, among others: {', '.join(self.near)}." if self.near else said


@dataclass(frozen=True, slots=True)
class ReadArguments:
    """Arguments under the server's own names, or the sentence that the model gets instead."""

    arguments: JsonObject = field(default_factory=dict[str, Any])
    error: str = ""


@dataclass(frozen=True, slots=True)
class WireTools:
    """`tools` is the exact value of the request's `tools`: leave the field out where it is empty.

    `declarations` are those in it, `quarantined` those left out with their reason; `warnings` are
    sentences for a person. Keep the table as long as the conversation: names are resolved by it.
    """

    api_format: ApiFormat
    tools: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    declarations: tuple[Declaration, ...] = ()
    quarantined: tuple[Declaration, ...] = ()
    warnings: tuple[str, ...] = ()
    _known: Mapping[str, tuple[Declaration, ToolDefinition]] = field(
        default_factory=dict[str, "tuple[Declaration, ToolDefinition]"], repr=False
    )

    @property
    def tokens(self) -> int:
        """What all of them cost in every request; an estimate."""
        return sum(each.tokens for each in self.declarations)

    def find(self, wire_name: str) -> str | UnknownTool:
        """The key `server:tool` of a name that a model gave."""
        found = self._find(wire_name)
        return found[0].key if found else UnknownTool(wire_name, self._near(wire_name))

    def read_arguments(self, wire_name: str, raw: str | Mapping[str, Any] | None) -> ReadArguments:
        """The arguments of a call as a model gave them: a JSON text or an object already."""
        found = self._find(wire_name)
        if found is None:
            return ReadArguments(error=UnknownTool(wire_name, self._near(wire_name)).sentence)
        declaration, definition = found
        try:
            given = parsed(raw)
        except UnreadableArgumentsError as error:
            return ReadArguments(error=str(error))
        named = with_original_names(given, declaration.renamed_properties)
        return ReadArguments(without_spare_nulls(definition.input_schema, named))

    def _find(self, wire_name: str) -> tuple[Declaration, ToolDefinition] | None:
        if (exact := self._known.get(wire_name)) is not None:
            return exact
        folded = wire_name[:_LONGEST_NAME].casefold()
        alike = [name for name in self._known if name.casefold() == folded]
        return self._known[alike[0]] if len(alike) == 1 else None

    def _near(self, wire_name: str) -> tuple[str, ...]:
        names = list(self._known)[:_MOST_COMPARED]
        near = get_close_matches(wire_name[:_LONGEST_NAME], names, _NEAR)
        bare = {known[1].name: name for name, known in self._known.items()}
        if wire_name in bare:
            near.insert(0, bare[wire_name])
        return tuple(dict.fromkeys(near)) or tuple(names[:_NEAR])


def make_wire_tools(
    named: Iterable[tuple[str, ToolDefinition]], api_format: ApiFormat
) -> WireTools:
    """The table for one request from definitions with their wire names. Pure; safe in a thread."""
    known: dict[str, tuple[Declaration, ToolDefinition]] = {}
    quarantined: list[Declaration] = []
    for name, definition in named:
        made = convert(definition, name, api_format)
        if made.verdict is Verdict.REJECTED:
            quarantined.append(made)
        elif name in known:
            quarantined.append(_twice(made, known[name][0]))
        else:
            known[name] = (made, definition)
    sent = tuple(made for made, _ in known.values())
    return WireTools(
        api_format,
        _tools_field([dict(made.body) for made in sent], api_format),
        sent,
        tuple(quarantined),
        _warnings(len(sent), api_format) + tuple(made.reason for made in quarantined),
        known,
    )


def _tools_field(bodies: list[dict[str, Any]], api_format: ApiFormat) -> list[dict[str, Any]]:
    # Several Tool objects with functions are refused by Gemini: all are in one.
    is_gemini = api_format is ApiFormat.GEMINI
    return [{"functionDeclarations": bodies}] if is_gemini and bodies else bodies


def _twice(made: Declaration, other: Declaration) -> Declaration:
    reason = f"{made.key} is not offered: {other.key} has the name {made.wire_name!r} already."
    return Declaration(made.key, made.wire_name, made.api_format, Verdict.REJECTED, reason=reason)


def _warnings(count: int, api_format: ApiFormat) -> tuple[str, ...]:
    most = MOST_TOOLS.get(api_format)
    if most is None or count <= most:
        return ()
    provider = PROVIDERS[api_format]
    return (
        f"{provider} takes at most {most} tools in a request and would refuse these {count}: "
        "choose fewer servers, or switch tools off.",
    )
