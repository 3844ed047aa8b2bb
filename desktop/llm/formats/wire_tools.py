"""`WireTools`: the tools of one request, and the way back from what the model says to a tool.

A name is looked up, never parsed. Nothing here raises for what a model wrote.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.llm.formats.arguments import (
    UnreadableArgumentsError,
    drop_spare_nulls,
    parse_arguments,
    restore_names,
)
from desktop.llm.formats.declaration import MAX_TOOLS, PROVIDERS, ApiFormat, Declaration, Verdict
from desktop.llm.formats.tool_formats import convert
from desktop.sentence import sentence
from desktop.tools.naming import WireNames

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from desktop.tools.definition import JsonObject, ToolDefinition

REJECTED = Verdict.REJECTED


@dataclass(frozen=True, slots=True)
class UnknownTool:
    """The model called what is not there; `sentence` tells it so, with the nearest names."""

    sentence: str


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
    _names: WireNames = field(default_factory=lambda: WireNames(()), repr=False)

    @property
    def tokens(self) -> int:
        """What all of them cost in every request; an estimate."""
        return sum(each.tokens for each in self.declarations)

    def find(self, wire_name: str) -> str | UnknownTool:
        """The key `server:tool` of a name that a model gave."""
        found = self._find(wire_name)
        return found[0].key if found else UnknownTool(self._names.unknown(wire_name))

    def read_arguments(self, wire_name: str, raw: str | Mapping[str, Any] | None) -> ReadArguments:
        """The arguments of a call as a model gave them: a JSON text or an object already."""
        found = self._find(wire_name)
        if found is None:
            return ReadArguments(error=self._names.unknown(wire_name))
        declaration, definition = found
        try:
            given = parse_arguments(raw)
        except UnreadableArgumentsError as error:
            return ReadArguments(error=str(error))
        named = restore_names(given, declaration.renamed_properties)
        return ReadArguments(drop_spare_nulls(definition.input_schema, named))

    def _find(self, wire_name: str) -> tuple[Declaration, ToolDefinition] | None:
        if (exact := self._known.get(wire_name)) is not None:
            return exact
        meant = self._names.find(wire_name)
        return self._known.get(self._names.name(*meant)) if meant else None


def make_wire_tools(
    definitions: Iterable[ToolDefinition], api_format: ApiFormat, *, direct: Container[str] = ()
) -> WireTools:
    """The table for one request. Pure, safe in a thread.

    `direct` are the servers that a session holds itself. Of a tool that a server lists twice the
    last counts, as in the registry.
    """
    named = {(tool.server, tool.name): tool for tool in definitions}
    names = WireNames(named, direct)
    made = [(convert(tool, names.name(*both), api_format), tool) for both, tool in named.items()]
    known = {one.wire_name: (one, tool) for one, tool in made if one.verdict is not REJECTED}
    sent = tuple(one for one, _ in known.values())
    quarantined = tuple(one for one, _ in made if one.verdict is REJECTED)
    return WireTools(
        api_format,
        _tools_field([dict(one.body) for one in sent], api_format),
        sent,
        quarantined,
        _warnings(len(sent), api_format) + tuple(one.reason for one in quarantined),
        known,
        WireNames(((tool.server, tool.name) for _, tool in known.values()), direct),
    )


def _tools_field(bodies: list[dict[str, Any]], api_format: ApiFormat) -> list[dict[str, Any]]:
    # Several Tool objects with functions are refused by Gemini: all are in one.
    is_gemini = api_format is ApiFormat.GEMINI
    return [{"functionDeclarations": bodies}] if is_gemini and bodies else bodies


def _warnings(count: int, api_format: ApiFormat) -> tuple[str, ...]:
    most = MAX_TOOLS.get(api_format)
    if most is None or count <= most:
        return ()
    provider = PROVIDERS[api_format]
    return (
        sentence(
            "{provider} takes at most {most} tools in a request and would refuse these {count}: "
            "choose fewer servers, or switch tools off.",
            provider=provider,
            most=most,
            count=count,
        ),
    )
