"""`compare`: what of the tools changed from one server or recording to another, for people and CI.

Only by what the two declare: nothing is called. Breaking is what a caller of the first can stumble
over at the second: a tool or an argument that is gone, a value that is not allowed any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.cli.commands import COMMANDS
from desktop.cli.options import Exit, Options, make_parser
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, connect, named_server, run_core
from desktop.errors import UsageError
from desktop.json_schema import object_of

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.tools.schema_changes import SchemaChange

_NOTES = """\
A and B are each the name of a configured server (started for this, also if it is off) or a
recording (see replay). FILE#SERVER is one server of a recording that has several.

A change of arguments breaks if they allow less than before, one of output if it allows more;
a schema that cannot be judged (anyOf, pattern, ...) counts as breaking where it differs.

exit codes:
  0 the same, or compatible   1 something breaks   2 wrong usage or config
  3 a server could not be reached   130 interrupted

examples:
  mcp-desktop compare files files-next
  mcp-desktop compare last-week.jsonl#files files --json"""


class CompareOptions(Options):
    """What `compare` is told."""

    old: str = ""
    new: str = ""


def run(args: list[str], console: Console) -> int:
    parser = make_parser("compare", COMMANDS["compare"], _NOTES)
    parser.add_argument("old", metavar="A", help="a server or a recording")
    parser.add_argument("new", metavar="B", help="what it is compared with")
    options = parser.parse(args, CompareOptions())
    recorded = {side: _recorded_tools(side) for side in (options.old, options.new)}
    names = list(dict.fromkeys(side for side, tools in recorded.items() if tools is None))
    found = {side: tools for side, tools in recorded.items() if tools is not None}
    if not names:
        return _report(options, found, console)

    def choose(store: ConfigStore) -> list[ServerConfig]:
        return [named_server(store, name) for name in names]

    async def list_and_report(core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, console)
        for name in names:
            connection = core.service.connection(name)
            if not connection.is_connected:
                console.note(plain(connection.state.error or connection.state.words))
                return Exit.UNREACHABLE
            found[name] = {
                tool.name: _Declared(tool.description, tool.input_schema, tool.output_schema)
                for tool in connection.listed
            }
        return _report(options, found, console)

    return run_core(options, CommandPlan(choose, list_and_report))


@dataclass(frozen=True, slots=True)
class _Declared:
    """What is compared of a tool."""

    description: str
    arguments: Any
    output: Any


def _recorded_tools(side: str) -> dict[str, _Declared] | None:
    """The tools of a recording; None where this is the name of a server."""
    file, _, server = side.partition("#")
    path = Path(file)
    if not path.is_file():
        return None
    from desktop.servers.recording import read_recording

    recording = read_recording(path)
    if server:
        chosen = recording.servers.get(server)
    else:
        chosen = next(iter(recording.servers.values()), None)
    if chosen is None or (not server and len(recording.servers) > 1):
        names = ", ".join(f"{file}#{name}" for name in recording.servers) or "none"
        raise UsageError(f"{side} is not one recorded server.", remedy=f"Recorded: {names}.")
    return {
        str(tool.get("name")): _Declared(
            str(tool.get("description") or ""),
            object_of(tool.get("inputSchema")),
            tool.get("outputSchema"),
        )
        for tool in chosen.entries("tools/list", "tools")
    }


@dataclass(slots=True)
class _Comparison:
    added: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    changed: dict[str, list[SchemaChange]] = field(default_factory=dict[str, Any])

    @property
    def is_breaking(self) -> bool:
        changes = [change for of_tool in self.changed.values() for change in of_tool]
        return bool(self.removed) or any(change.is_breaking for change in changes)


def _compare(old: dict[str, _Declared], new: dict[str, _Declared]) -> _Comparison:
    found = _Comparison(
        added=[name for name in new if name not in old],
        removed=[name for name in old if name not in new],
    )
    for name in old:
        if name in new and (changes := _changes_of(old[name], new[name])):
            found.changed[name] = changes
    return found


def _changes_of(old: _Declared, new: _Declared) -> list[SchemaChange]:
    from desktop.tools.schema_changes import SchemaChange, find_changes

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


def _report(
    options: CompareOptions, found: dict[str, dict[str, _Declared]], console: Console
) -> int:
    comparison = _compare(found[options.old], found[options.new])
    if console.as_json:
        console.document(_document(options, comparison))
    else:
        _print(comparison, console)
    return Exit.TOOL_ERROR if comparison.is_breaking else Exit.DONE


def _document(options: CompareOptions, found: _Comparison) -> dict[str, Any]:
    changed = {
        name: [
            {"where": change.where, "change": change.words, "breaking": change.is_breaking}
            for change in changes
        ]
        for name, changes in found.changed.items()
    }
    return {
        "from": options.old,
        "to": options.new,
        "breaking": found.is_breaking,
        "added": found.added,
        "removed": found.removed,
        "changed": changed,
    }


def _print(found: _Comparison, console: Console) -> None:
    for name in found.removed:
        console.write(f"{console.paint('removed', 'red')}  {plain(name)}  (breaking)")
    for name in found.added:
        console.write(f"{console.paint('added', 'green')}    {plain(name)}")
    for name, changes in found.changed.items():
        console.write(f"{console.paint('changed', 'yellow')}  {plain(name)}")
        for change in changes:
            mark = "  (breaking)" if change.is_breaking else ""
            console.write(f"           {plain(str(change))}{mark}")
    if not (found.added or found.removed or found.changed):
        console.write("The tools are the same.")
    elif not found.is_breaking:
        console.write("Compatible: nothing that worked before breaks.")
