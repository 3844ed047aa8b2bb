"""`compare`: what of the tools changed from one server or recording to another, for people and CI.

Only by what the two declare: nothing is called. Breaking is what a caller of the first can stumble
over at the second: a tool or an argument that is gone, a value that is not allowed any more.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import add_server, make_parser
from desktop.cli.output import plain
from desktop.cli.reports import ReportOptions, add_reports, refuse_reports, write_reports
from desktop.cli.runner import CommandPlan, connect, named_server, run_core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.tools.comparison import DeclaredTool, ToolComparison

_NOTES = """\
A and B are each the name of a configured server (started for this, also if it is off) or a
recording (see replay). FILE#SERVER is one server of a recording that has several. A server of
--server that is not named is the next of them: with two, no name is needed.

A change of arguments breaks if they allow less than before, one of output if it allows more;
a schema that cannot be judged (anyOf, pattern, ...) counts as breaking where it differs.

exit codes:
  0 the same, or compatible   1 something breaks   2 wrong usage or config
  3 a server could not be reached   130 interrupted

examples:
  mcp-desktop compare files files-next
  mcp-desktop compare last-week.jsonl#files files --json
  mcp-desktop compare released.jsonl --server 'notes=python server.py' --junit report.xml
  mcp-desktop compare --server 'v1=uvx notes==1' --server 'v2=uvx notes==2'"""


class CompareOptions(ReportOptions):
    """What `compare` is told."""

    sides: list[str]

    @property
    def old(self) -> str:
        return self.sides[0]

    @property
    def new(self) -> str:
        return self.sides[1]


def run(args: list[str], console: Console) -> int:
    parser = make_parser("compare", COMMANDS["compare"], _NOTES)
    parser.add_argument("sides", metavar="A B", nargs="*", help="servers or recordings")
    add_server(parser)
    add_reports(parser)
    options = parser.parse(args, CompareOptions())
    options.sides += [name for name in options.server_names if name not in options.sides]
    if len(options.sides) != 2:
        raise UsageError(
            "Name two servers or recordings to compare.",
            remedy="A server that is in no config is named by --server 'NAME=COMMAND'.",
        )
    refuse_reports(options)
    recorded = {side: _recorded_tools(side) for side in (options.old, options.new)}
    names = list(dict.fromkeys(side for side, tools in recorded.items() if tools is None))
    found = {side: tools for side, tools in recorded.items() if tools is not None}
    if not names:
        return _report(options, found, console)

    def choose(store: ConfigStore) -> list[ServerConfig]:
        return [named_server(store, name) for name in names]

    from desktop.tools.comparison import declared_by

    async def list_and_report(core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, console)
        for name in names:
            connection = core.service.connection(name)
            if not connection.is_connected:
                console.note(plain(connection.state.error or connection.state.words))
                return Exit.UNREACHABLE
            found[name] = declared_by(connection.listed)
        return _report(options, found, console)

    return run_core(options, CommandPlan(choose, list_and_report))


def _recorded_tools(side: str) -> dict[str, DeclaredTool] | None:
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
    from desktop.tools.comparison import declared_in

    return declared_in(chosen)


def _report(
    options: CompareOptions, found: dict[str, dict[str, DeclaredTool]], console: Console
) -> int:
    from desktop.tools.comparison import compare_tools

    comparison = compare_tools(found[options.old], found[options.new])
    if console.as_json:
        console.document(_document(options, comparison))
    else:
        _print(comparison, console)
    is_reported = write_reports(
        options,
        console,
        lambda: _junit(options, comparison, found[options.new]),
        lambda: _markdown(options, comparison),
    )
    if not is_reported:
        return Exit.USAGE
    return Exit.TOOL_ERROR if comparison.is_breaking else Exit.DONE


def _document(options: CompareOptions, found: ToolComparison) -> dict[str, Any]:
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


def _changes(found: ToolComparison) -> Iterator[tuple[str, str, bool, list[str]]]:
    """Each tool that differs: its name, in one word how, whether that breaks, and each change."""
    yield from ((name, "removed", True, []) for name in found.removed)
    yield from ((name, "added", False, []) for name in found.added)
    for name, changes in found.changed.items():
        lines = [f"{each} (breaking)" if each.is_breaking else str(each) for each in changes]
        yield name, "changed", any(each.is_breaking for each in changes), lines


def _junit(options: CompareOptions, found: ToolComparison, now: Iterable[str]) -> str:
    """A test for each tool of either side; what breaks is a failure."""
    from desktop.base.report_text import JunitCase, JunitSuite, to_junit

    broken = {
        name: [f"{name} is {word} (breaking)", *lines]
        for name, word, breaks, lines in _changes(found)
        if breaks
    }
    cases = [
        JunitCase(name, options.new, "failure", broken[name], "breaking")
        if name in broken
        else JunitCase(name, options.new)
        for name in dict.fromkeys((*now, *broken))
    ]
    return to_junit([JunitSuite(f"{options.old} -> {options.new}", cases)])


def _markdown(options: CompareOptions, found: ToolComparison) -> str:
    from desktop.base.report_text import MAX_MARKDOWN, MAX_MESSAGE, markdown_line, markdown_row

    mark = "❌ Breaking changes" if found.is_breaking else "✅ Nothing breaks"
    sides = f"{markdown_line(options.old)} → {markdown_line(options.new)}"
    parts = [f"### {mark}: {sides}\n\n"]
    if rows := list(_changes(found)):
        parts += [markdown_row(["tool", "change", "breaks"]), markdown_row(["---"] * 3)]
    for name, word, breaks, lines in rows:
        told = [word, *(markdown_line(line, MAX_MESSAGE) for line in lines)]
        row = markdown_row([markdown_line(name), "<br>".join(told), "yes" if breaks else "no"])
        if sum(map(len, parts)) + len(row) > MAX_MARKDOWN:
            parts.append("\nMore is left out here; the JUnit report has all that breaks.\n")
            break
        parts.append(row)
    return "".join(parts)


def _print(found: ToolComparison, console: Console) -> None:
    for name in found.removed:
        console.write(f"{console.paint('removed', 'red')}  {plain(name)}  (breaking)")
    for name in found.added:
        console.write(f"{console.paint('added', 'green')}    {plain(name)}")
    for name, changes in found.changed.items():
        console.write(f"{console.paint('changed', 'yellow')}  {plain(name)}")
        for change in changes:
            mark = "  (breaking)" if change.is_breaking else ""
            console.write(f"           {plain(str(change))}{mark}")
    if found.is_empty:
        console.write("The tools are the same.")
    elif not found.is_breaking:
        console.write("Compatible: nothing that worked before breaks.")
