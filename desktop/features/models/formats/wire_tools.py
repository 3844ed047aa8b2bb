"""The tools of one request, and how the names and arguments of a model lead back to them.

A name is looked up, never parsed. Nothing here raises for what a model wrote.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.features.models.formats.arguments import (
    UnreadableArgumentsError,
    drop_spare_nulls,
    parse_arguments,
    restore_names,
)
from desktop.features.models.formats.declaration import (
    MAX_TOOLS,
    PROVIDERS,
    ApiFormat,
    Declaration,
    Verdict,
)
from desktop.features.models.formats.tool_formats import convert
from desktop.tools.wire_names import WireNames

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from desktop.tools.wire_names import Naming
    from desktop.values.tool_types import JsonObject, ToolDefinition


class UnknownTool(Struct, frozen=True):
    """The model called a tool that does not exist; `sentence` tells it so, with similar names."""

    sentence: str


class ReadArguments(Struct, frozen=True):
    """Arguments under the server's own names, or an error as a sentence for the model."""

    arguments: JsonObject = msgspec.field(default_factory=dict[str, Any])
    error: str = ""


@dataclass(frozen=True, slots=True)
class WireTools:
    """`tools` is the exact value of the request's `tools`: leave the field out where it is empty.

    `declarations` are those in it, `quarantined` those left out with their reason; `warnings` are
    sentences for a person. Keep the table as long as the conversation: names are resolved by it.
    `definitions` are all that it was made of, those left out too.
    """

    api_format: ApiFormat
    tools: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    declarations: tuple[Declaration, ...] = ()
    quarantined: tuple[Declaration, ...] = ()
    warnings: tuple[str, ...] = ()
    definitions: tuple[ToolDefinition, ...] = field(default=(), repr=False)
    _known: Mapping[str, tuple[Declaration, ToolDefinition]] = field(
        default_factory=dict[str, "tuple[Declaration, ToolDefinition]"], repr=False
    )
    _names: WireNames = field(default_factory=lambda: WireNames(()), repr=False)

    @property
    def tokens(self) -> int:
        """An estimate of what all tools cost in every request."""
        return sum(each.tokens for each in self.declarations)

    def find(self, wire_name: str) -> str | UnknownTool:
        """The key `server:tool` of a name that a model wrote."""
        found = self._find(wire_name)
        return found[0].key if found else UnknownTool(self._names.unknown(wire_name))

    def read_arguments(self, wire_name: str, raw: str | Mapping[str, Any] | None) -> ReadArguments:
        """The arguments of a call as a model wrote them: JSON text, or already an object."""
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
    definitions: Iterable[ToolDefinition],
    api_format: ApiFormat,
    *,
    direct: Container[str] = (),
    naming: Naming | None = None,
) -> WireTools:
    """The table for one request. Pure, safe in a thread.

    `direct` are the servers that a session holds itself. Of a tool that a server lists twice the
    last counts, as in the registry. See `WireNames` for `naming`.
    """
    named = {(tool.server, tool.name): tool for tool in definitions}
    names = WireNames(named, direct, naming)
    known: dict[str, tuple[Declaration, ToolDefinition]] = {}
    rejected: list[Declaration] = []
    for identity, tool in named.items():
        declaration = convert(tool, names.name(*identity), api_format)
        if declaration.verdict is Verdict.REJECTED:
            rejected.append(declaration)
        else:
            known[declaration.wire_name] = declaration, tool
    sent = tuple(declaration for declaration, _ in known.values())
    return WireTools(
        api_format,
        _tools_field([dict(declaration.body) for declaration in sent], api_format),
        sent,
        tuple(rejected),
        limit_warnings(len(sent), api_format)
        + tuple(declaration.reason for declaration in rejected),
        tuple(named.values()),
        known,
        WireNames(((tool.server, tool.name) for _, tool in known.values()), direct, naming),
    )


def _tools_field(bodies: list[dict[str, Any]], api_format: ApiFormat) -> list[dict[str, Any]]:
    # Several Tool objects with functions are refused by Gemini: all are in one.
    is_gemini = api_format is ApiFormat.GEMINI
    return [{"functionDeclarations": bodies}] if is_gemini and bodies else bodies


def limit_warnings(count: int, api_format: ApiFormat) -> tuple[str, ...]:
    """What a provider says to so many tools in a request; nothing where it takes them."""
    most = MAX_TOOLS.get(api_format)
    if most is None or count <= most:
        return ()
    provider = PROVIDERS[api_format]
    return (
        translatable(
            "{provider} accepts at most {most} tools per request, not {count}. Choose "
            "fewer servers, or switch tools off.",
            provider=provider,
            most=most,
            count=count,
        ),
    )
