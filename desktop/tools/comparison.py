"""What of the tools changed from one server, or recording of one, to another.

Only by what the two declare: nothing is called. Breaking is what a caller of the first can stumble
over at the second: a tool or an argument that is gone, a value that is not allowed any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.tools.schema_changes import SchemaChange, find_changes
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.servers.recording import RecordedServer
    from desktop.values.tool_types import ToolDefinition


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """What is compared of a tool."""

    description: str
    arguments: Any
    output: Any


@dataclass(slots=True)
class ToolComparison:
    """The names of tools, and what changed of those that both have."""

    added: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    changed: dict[str, list[SchemaChange]] = field(default_factory=dict[str, Any])

    @property
    def is_breaking(self) -> bool:
        changes = [change for of_tool in self.changed.values() for change in of_tool]
        return bool(self.removed) or any(change.is_breaking for change in changes)

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed)


def declared_by(tools: Iterable[ToolDefinition]) -> dict[str, DeclaredTool]:
    """By its name, what a connected server declares."""
    return {
        tool.name: DeclaredTool(tool.description, tool.input_schema, tool.output_schema)
        for tool in tools
    }


def declared_in(server: RecordedServer) -> dict[str, DeclaredTool]:
    """By its name, what a recorded server declared."""
    return {
        str(tool.get("name")): DeclaredTool(
            str(tool.get("description") or ""),
            object_of(tool.get("inputSchema")),
            tool.get("outputSchema"),
        )
        for tool in server.entries("tools/list", "tools")
    }


def compare_tools(
    old: Mapping[str, DeclaredTool], new: Mapping[str, DeclaredTool]
) -> ToolComparison:
    """All that changed from `old` to `new`; what is in neither is the same."""
    found = ToolComparison(
        added=[name for name in new if name not in old],
        removed=[name for name in old if name not in new],
    )
    for name in old:
        if name in new and (changes := _changes_of(old[name], new[name])):
            found.changed[name] = changes
    return found


def _changes_of(old: DeclaredTool, new: DeclaredTool) -> list[SchemaChange]:
    changes: list[SchemaChange] = []
    if old.description != new.description:
        changes.append(SchemaChange("", "description changed", is_breaking=False))
    changes += find_changes(old.arguments, new.arguments, "input")
    if (old.output is None) != (new.output is None):
        words = "output schema was removed" if new.output is None else "output schema is new"
        changes.append(SchemaChange("", words, is_breaking=new.output is None))
    elif old.output is not None:
        for change in find_changes(old.output, new.output, "output"):
            where = f"output {change.where}".rstrip()
            changes.append(SchemaChange(where, change.words, change.is_breaking))
    return changes
