"""The tools that a conversation keeps: those that its first answered request told the model of.

Providers seal a model's thinking to the tools it was made with and refuse it beside others, and a
prompt cache begins with the tools. So what comes and goes with the servers changes what can be
called, not what is told. Values alone: must not know a session or a file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import Struct

from desktop.base.translatable import join_list, join_texts, translatable
from desktop.values.tool_types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_STORED_LENGTH: Final = 4_000_000
"""Characters of all definitions that are stored; with more, a stored conversation keeps none."""
_NAMED: Final = 2
"""Tools that a sentence names."""


class ToolChanges(Struct, frozen=True):
    """How the tools that there are now differ from those that a conversation keeps, by key."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.new or self.changed or self.gone)

    @property
    def sentence(self) -> str:
        """What a person is told of them."""
        new = changed = gone = ""
        if self.new:
            new = translatable("New since then: {tools}.", tools=_listed(self.new))
        if self.changed:
            changed = translatable("Changed: {tools}.", tools=_listed(self.changed))
        if self.gone:
            gone = translatable("Not available now: {tools}.", tools=_listed(self.gone))
        first = translatable("This conversation keeps the tools that it began with.")
        return join_texts(" ", first, new, changed, gone)


class KeptTools(Struct, frozen=True):
    """`definitions` as they were told; `since` is the number of a message in the `MessageTree`.

    What the model thought before that message belongs to other tools, and is not sent any more.
    """

    definitions: tuple[ToolDefinition, ...]
    since: int = 0

    def changes(self, offered: Iterable[ToolDefinition]) -> ToolChanges:
        """What is different in the tools that could be told of now."""
        now = {tool.key: tool for tool in offered}
        kept = {tool.key: tool for tool in self.definitions}
        return ToolChanges(
            tuple(key for key in now if key not in kept),
            tuple(key for key in now if key in kept and not _is_same(now[key], kept[key])),
            tuple(key for key in kept if key not in now),
        )

    def to_json(self) -> dict[str, Any]:
        """What is stored of it: what a model is told of each tool."""
        tools = [
            {
                "server": tool.server,
                "name": tool.name,
                "title": tool.title,
                "description": tool.description,
                "inputSchema": dict(tool.input_schema),
            }
            for tool in self.definitions
        ]
        is_small = len(json.dumps(tools, default=str)) <= MAX_STORED_LENGTH
        return {"since": self.since, "tools": tools if is_small else None}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> KeptTools | None:
        """What was stored; None where it was too much. Raises one of `KeyError`, `TypeError`."""
        tools = value["tools"]
        if tools is None:
            return None
        return cls(tuple(map(_definition, cast("list[Any]", tools))), int(value["since"]))


def _is_same(one: ToolDefinition, other: ToolDefinition) -> bool:
    """Whether a model is told the same of both."""
    return one is other or (one.title, one.description, one.input_schema) == (
        other.title,
        other.description,
        other.input_schema,
    )


def _definition(value: Mapping[str, Any]) -> ToolDefinition:
    server, name, title, description = (
        _text(value[each]) for each in ("server", "name", "title", "description")
    )
    schema: dict[str, Any] = dict(value["inputSchema"])
    return ToolDefinition(server, name, title, description, input_schema=schema)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _listed(keys: tuple[str, ...]) -> str:
    more = (f"… ({len(keys):,})",) if len(keys) > _NAMED else ()
    return join_list((*keys[:_NAMED], *more))
