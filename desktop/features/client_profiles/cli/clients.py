"""`clients`: how servers come through in other MCP clients, as a table and in sentences.

Starts what is named, calls nothing. Must not judge: see `desktop.features.client_profiles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.listing import asked_servers
from desktop.cli.options import add_server, make_parser
from desktop.cli.output import cut, layout, plain
from desktop.cli.reports import ReportOptions, add_reports, refuse_reports, write_reports
from desktop.cli.runner import CommandPlan, connect, run_core
from desktop.features.client_profiles.profiles import (
    FRESH_DAYS,
    Profile,
    all_profiles,
    find_profile,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.client_profiles.verdicts import ClientFinding, ClientVerdict, Surface

    _Judged: TypeAlias = tuple[Surface, list[ClientVerdict]]

_NOTES: Final = """\
Holds what each server declares against what is known of each client: which names of tools it takes
and how many tools, what it cuts or drops of descriptions and schemas, and which part of a result
its model gets. The latest calls of the server in the history are looked at, too (--last). Nothing
is called. A recording (FILE, or FILE#SERVER where it has several) stands for a server.

verdicts:
  works      nothing is known that would not reach the model
  renamed    all of it reaches the model, some tools under another name
  cut        something ends early, or a part of a schema is dropped
  not shown  a tool, or a part of a result, does not reach the model
  refused    requests, calls or the whole server fail
  unknown    nobody says what this server depends on

Each sentence names its source and its date; what was read in somebody else's table is "secondhand",
and what is older than 180 days is said. A client is one of those listed, or the file of a profile,
which `mcp-desktop capture` makes.

exit codes:
  0 done   1 a client of --require does not get all of it, or that is unknown
  2 wrong usage or config   3 a server could not be reached   130 interrupted

examples:
  mcp-desktop clients --server 'notes=python server.py'
  mcp-desktop clients notes --require cursor,claude-code
  mcp-desktop clients session.jsonl#notes --only codex --json"""
_COLOURS: Final[dict[str, Colour]] = {
    "works": "green",
    "renamed": "green",
    "unknown": "dim",
    "cut": "yellow",
    "not shown": "red",
    "refused": "red",
}
_ALONE: Final = frozenset({"client_info_name", "client_info_version"})
"""Cells that no verdict needs."""


class ClientsOptions(ReportOptions):
    """What `clients` is told."""

    places: list[str]
    require: list[str] | None = None
    only: list[str] | None = None
    last: int = 50


def run(args: list[str], console: Console) -> int:
    parser = make_parser("clients", COMMANDS["clients"], _NOTES)
    add = parser.add_argument
    add("places", metavar="SERVER|RECORDING", nargs="*", help="configured servers, or recordings")
    add_server(parser)
    clients = {"metavar": "CLIENT[,CLIENT]", "action": "append"}
    add("--require", help="fail unless these get all of it; repeatable", **clients)
    add("--only", help="show these clients alone; repeatable", **clients)
    add("--last", metavar="N", type=int, default=50, help="results of the history to look at (50)")
    add_reports(parser)
    options = parser.parse(args, ClientsOptions())
    refuse_reports(options)
    if options.last < 0:
        raise UsageError("--last must be 0 or more.")
    required, only = _profiles(options.require), _profiles(options.only)
    from desktop.features.client_profiles.surfaces import recorded_surface

    recorded = {place: recorded_surface(place) for place in options.places}
    surfaces = [surface for surface in recorded.values() if surface is not None]
    names = [place for place, surface in recorded.items() if surface is None]
    show = _Show(options, required, _asked(only, required), surfaces, console)
    if surfaces and not names and not options.server:
        return show.conclude()

    def choose(store: ConfigStore) -> list[ServerConfig]:
        found = asked_servers(store, list(dict.fromkeys([*names, *options.server_names])))
        if not found:
            raise UsageError(
                "No server is switched on.", remedy="Name one: --server 'NAME=COMMAND or URL'."
            )
        return found

    return run_core(options, CommandPlan(choose, show.run))


def _profiles(given: list[str] | None) -> list[Profile]:
    names = [name for text in given or () for name in text.split(",") if name.strip()]
    return [find_profile(name) for name in dict.fromkeys(names)]


def _asked(only: list[Profile], required: list[Profile]) -> list[Profile]:
    """Those that are shown: the chosen, or all, and the required in any case."""
    shown = only or (() if required else all_profiles())
    return list({profile.id: profile for profile in (*shown, *required)}.values())


class _Show:
    """One run of the command."""

    def __init__(
        self,
        options: ClientsOptions,
        required: list[Profile],
        profiles: list[Profile],
        surfaces: list[Surface],
        console: Console,
    ) -> None:
        self._options, self._console = options, console
        self._required = {profile.id for profile in required}
        self._profiles, self._surfaces = profiles, surfaces
        self._is_away = False

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        from desktop.features.client_profiles.surfaces import earlier_results, surface_of
        from desktop.history.store import HistoryError

        await connect(core, chosen, self._console)
        for connection in core.service.connections.values():
            if not connection.is_connected:
                self._console.note(plain(connection.state.error or connection.state.words))
                self._is_away = True
                continue
            try:
                results = await earlier_results(core.history, connection.name, self._options.last)
            except HistoryError as error:
                self._console.note(plain(str(error)))
                results = []
            self._surfaces.append(surface_of(connection, results))
        return self.conclude()

    def conclude(self) -> int:
        from desktop.features.client_profiles.verdicts import by_weight, judge

        judged = [
            (surface, by_weight(judge(surface, self._profiles))) for surface in self._surfaces
        ]
        failed = [
            f"{each.profile.id} does not get all of {surface.server}: {each.verdict}"
            for surface, verdicts in judged
            for each in verdicts
            if each.profile.id in self._required and not each.verdict.is_whole
        ]
        if self._console.as_json:
            servers = [_document(surface, verdicts) for surface, verdicts in judged]
            ok = not failed and not self._is_away
            self._console.document({"ok": ok, "servers": servers})
        else:
            for surface, verdicts in judged:
                self._print(surface, verdicts)
        for words in failed:
            self._console.note(plain(words))
        is_reported = write_reports(
            self._options, self._console, lambda: self._junit(judged), lambda: _markdown(judged)
        )
        if not is_reported:
            return Exit.USAGE
        if self._is_away:
            return Exit.UNREACHABLE
        return Exit.TOOL_ERROR if failed else Exit.DONE

    def _junit(self, judged: list[_Judged]) -> str:
        """A test for each client that is shown; only those that are required can fail."""
        from desktop.base.report_text import JunitCase, JunitSuite, to_junit

        suites: list[JunitSuite] = []
        for surface, verdicts in judged:
            cases: list[JunitCase] = []
            for each in verdicts:
                if each.verdict.is_whole or each.profile.id not in self._required:
                    cases.append(JunitCase(each.profile.id, surface.server))
                    continue
                lines = [f"{finding.verdict}: {finding.message}" for finding in each.findings]
                word = each.verdict.value
                cases.append(
                    JunitCase(each.profile.id, surface.server, "failure", lines or [word], word)
                )
            suites.append(JunitSuite(surface.server, cases))
        return to_junit(suites)

    def _print(self, surface: Surface, verdicts: list[ClientVerdict]) -> None:
        console = self._console
        has = f"tools: {len(surface.tools)}, earlier results: {len(surface.results)}"
        console.write(console.paint(plain(surface.server), "bold") + f"  {has}")
        told = [each for each in verdicts if each.findings or each.verdict != "unknown"]
        if told:
            self._print_table(told)
        for each in told:
            if each.findings:
                console.write("")
                console.write(console.paint(each.profile.label, "bold"))
                for finding in each.findings:
                    self._print_finding(finding)
        if silent := [each.profile.label for each in verdicts if each not in told]:
            console.write("")
            console.write("Unknown, as nobody says what becomes of names and results there:")
            console.write(f"  {', '.join(silent)}")

    def _print_table(self, verdicts: list[ClientVerdict]) -> None:
        rows = [
            [
                each.profile.label,
                each.profile.id,
                cut(each.profile.version, 20),
                f"{len(_lost(each))}" if _lost(each) else "",
                each.verdict.value,
            ]
            for each in verdicts
        ]
        header = ("CLIENT", "NAME", "VERSION", "TOOLS", "VERDICT")
        first, *lines = layout(
            header, rows, None, lambda cell: self._console.paint(cell, _COLOURS[cell])
        )
        self._console.write(self._console.paint(first, "bold"))
        self._console.write("\n".join(lines))

    def _print_finding(self, finding: ClientFinding) -> None:
        word = "" if finding.verdict == "works" else finding.verdict.value
        mark = self._console.paint(f"{word:<9}", _COLOURS[finding.verdict])
        self._console.write(f"  {mark} {plain(str(finding.message))}")
        self._console.write(self._console.paint(f"            {_source(finding)}", "dim"))


def _markdown(judged: list[_Judged]) -> str:
    from desktop.base.report_text import MAX_MARKDOWN, MAX_MESSAGE, markdown_line, markdown_row

    parts: list[str] = []
    for surface, verdicts in judged:
        told = [each for each in verdicts if each.findings or each.verdict != "unknown"]
        parts.append(f"### {markdown_line(surface.server)} in other clients\n\n")
        parts += [markdown_row(["client", "verdict", "why"]), markdown_row(["---"] * 3)]
        for each in told:
            said = (markdown_line(str(finding.message), MAX_MESSAGE) for finding in each.findings)
            row = markdown_row([each.profile.label, each.verdict.value, "<br>".join(said)])
            if sum(map(len, parts)) + len(row) > MAX_MARKDOWN:
                return "".join((*parts, "\nMore is left out here.\n"))
            parts.append(row)
        parts.append("\n")
    return "".join(parts)


def _lost(verdict: ClientVerdict) -> set[str]:
    """The tools that do not come through as they are."""
    return {
        tool for finding in verdict.findings if finding.verdict != "works" for tool in finding.tools
    }


def _source(finding: ClientFinding) -> str:
    return "; ".join(_about(finding))


def _about(finding: ClientFinding) -> Iterator[str]:
    cell = finding.cell
    yield f"{cell.source} ({cell.date})"
    if cell.seen == "secondhand":
        yield "secondhand"
    if cell.is_old:
        yield f"older than {FRESH_DAYS} days"
    if cell.note:
        yield plain(cell.note)


def _document(surface: Surface, verdicts: Sequence[ClientVerdict]) -> dict[str, Any]:
    return {
        "server": surface.server,
        "tools": len(surface.tools),
        "results": len(surface.results),
        "clients": [
            {
                "client": each.profile.id,
                "label": each.profile.label,
                "version": each.profile.version,
                "verdict": each.verdict.value,
                "findings": [_finding(finding) for finding in each.findings],
                "unknown": _without(each.unknown),
            }
            for each in verdicts
        ],
    }


def _without(cells: Iterable[str]) -> list[str]:
    return [name for name in cells if name not in _ALONE]


def _finding(finding: ClientFinding) -> dict[str, Any]:
    cell = finding.cell
    return {
        "verdict": finding.verdict.value,
        "message": str(finding.message),
        "tools": list(finding.tools),
        "source": cell.source,
        "date": cell.date.isoformat(),
        "seen": cell.seen,
        "old": cell.is_old,
        "note": cell.note,
    }
