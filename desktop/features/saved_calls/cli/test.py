"""`test`: runs saved calls and reports which of them went as expected.

All files are read, their order is found and all servers are looked up before any is started: where
one is wrong, nothing is sent. Without files, `--record` makes them of what was called before.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from desktop.base.errors import UsageError
from desktop.base.report_text import MAX_MARKDOWN
from desktop.cli.arguments import add_elicit, read_elicit
from desktop.cli.commands import CASES, COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import add_client, add_server, make_parser
from desktop.cli.output import plain
from desktop.cli.recorder import recording
from desktop.cli.reports import add_reports, refuse_reports, write_reports
from desktop.cli.runner import CommandPlan, connect, run_core
from desktop.features.saved_calls.cli.testing.columns import find_servers, make_columns
from desktop.features.saved_calls.cli.testing.joining import find_cases
from desktop.features.saved_calls.cli.testing.options import TestOptions
from desktop.features.saved_calls.cli.testing.output import (
    make_document,
    print_end,
    print_leftovers,
    print_outcome,
    print_table,
)
from desktop.features.saved_calls.expectations import diff_lines
from desktop.features.saved_calls.leftover_snapshots import find_leftovers, remove_leftovers
from desktop.features.saved_calls.run_reports import RunColumn, to_junit, to_markdown
from desktop.features.saved_calls.saved_call_files import (
    CallFileError,
    find_files,
    list_entries,
    read_calls,
)
from desktop.features.saved_calls.saved_call_plan import plan_calls
from desktop.features.saved_calls.saved_call_runner import SavedCallRun, SavedCallRunner
from desktop.features.saved_calls.side_by_side import find_differing, run_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.saved_calls.cli.testing.columns import ServerColumn
    from desktop.features.saved_calls.cli.testing.joining import Cases
    from desktop.features.saved_calls.saved_call_plan import PlannedCall
    from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome
    from desktop.features.saved_calls.side_by_side import Side
    from desktop.history.records import Outcome
    from desktop.values.tool_types import JsonObject

_NOTES = """\
Each FILE contains saved calls; of a DIR all .json files are read. A file is one call, a list of
calls, or {"calls": [...]}:
  {"name": "adds", "tool": "calculator:calculate",
   "arguments": {"operation": "add", "a": 1, "b": 2}, "timeout": 10,
   "expect": {"equals": {"result": 3}, "seconds": 5}}
With "validate": false a call is sent without validating its arguments.

${{ NAME.path }} in an argument, in contains or in equals is a value of the result of the call NAME,
which is then made before: ${{ create.id }}, ${{ "a name".items[0] }}. If it fails, the calls that
use it are skipped. "after": ["NAME"] only says the order. $${{ is ${{ itself.

expect (default: the call succeeds):
  error     a code (tool_error, invalid_arguments, timeout, ...) or true for any
  contains  text, or a list of texts, in the output
  equals    {"path": value}, in the structured content or else the output as JSON;
            paths: a.b[0].c, or [0]["odd name"]; "" is everything
  matches   a JSON Schema for the same
  snapshot  true: the result is as it was accepted, in FILE.snapshots/NAME.json; or
            {"ignore": ["items[*].id"], "text": false} for what is left out of it
  seconds   the maximum duration
A file of calls is data: a server that is off is started only where you name it (--server NAME), and
the built-in shell not at all. Calls run one at a time.
Requests from servers are shown on the terminal and declined without one; --elicit answers forms.

--against runs all calls on each of these servers, each in place of the one that the calls name, and
shows them side by side; a result that differs from that of the first is shown, and with --same it
counts as failed.

Snapshots that no saved call uses any more are listed, and deleted with --remove-leftover-snapshots.

--record FILE with saved calls records the messages, for replay and compare. Alone, it makes saved
calls of what was called: in a recording (--from), or in the history (--server NAME, --last N).

exit codes:
  0 all passed   1 some failed   2 wrong usage, or a file that cannot be read (nothing sent)
  3 a server could not be reached   4 time limit   130 interrupted
  5 a case is undecided, or was not measured

An entry with "ask" in place of "tool" is a case: a model is asked, as often as it takes. The flags
from --model on are for cases.

examples:
  mcp-desktop test tests/calls
  mcp-desktop test smoke.json --junit report.xml --markdown summary.md
  mcp-desktop test tests/calls --server 'notes=python server.py'
  mcp-desktop test tests/calls --server 'v1=uvx notes==1' --server 'v2=uvx notes==2' \\
    --against v1 --against v2
  mcp-desktop test tests/calls --update-snapshots
  mcp-desktop test --record calls.json --from session.jsonl"""
_FROM = (
    "--from takes calls of a recording: use it with --record FILE alone; or, for a file of cases, "
    "runs of their transcripts."
)
_EXITS: dict[Outcome, Exit] = {
    "unreachable": Exit.UNREACHABLE,
    "timeout": Exit.TIMEOUT,
    "failed": Exit.TOOL_ERROR,
    "skipped": Exit.TOOL_ERROR,
}
"""What a run ends with: the first of these that happened."""


def run(args: list[str], console: Console, command: str = "test") -> int:
    """Run the command; `command` is the name that it was called by."""
    options = _read(args, command)
    if options.record is not None and not options.places:
        from desktop.features.saved_calls.cli.testing.recorded import record_calls

        return record_calls(options, options.record, console)
    return run_core(options, _plan(options, console))


def _plan(options: TestOptions, console: Console) -> CommandPlan:
    paths = dict.fromkeys(path for place in options.places for path in find_files(place))
    files = [read_calls(path) for path in paths]
    entries = [entry for file in files for entry in list_entries(file)]
    cases = find_cases().plan(options, files, console) if any(f.asked for f in files) else None
    if not entries and cases is None:
        raise UsageError(f"No saved calls in {', '.join(map(str, options.places))}.")
    if options.origin is not None:
        if cases is None:
            raise UsageError(_FROM)
        entries = []  # runs of cases are judged again, and nothing is called
    plan = plan_calls(entries)
    if problems := [
        f"{each.place[0]}: {each.place[1]!r}: {each.problem}" for each in plan if each.problem
    ]:
        raise UsageError("\n".join(problems))
    used = [entry.call.tool.partition(":")[0] for entry in entries]
    used = list(dict.fromkeys([*used, *(cases.servers if cases is not None else ())]))
    columns = make_columns(options.against or [], used)
    if options.update_snapshots and len(columns) > 1:
        raise UsageError("Snapshots are of one server: --update-snapshots takes one --against.")
    test = _Test(options, plan, columns, console, read_elicit(options.elicit), cases)
    typed = [*options.server_names, *(text.rpartition("=")[2] for text in options.against or [])]

    def choose(store: ConfigStore) -> list[ServerConfig]:
        if cases is not None:
            cases.choose(store)
        return find_servers(store, columns, used, typed)

    return CommandPlan(choose, test.run)


def _read(args: list[str], command: str) -> TestOptions:
    parser = make_parser(command, COMMANDS[command], _NOTES)
    add = parser.add_argument
    add("places", metavar="FILE|DIR", nargs="*", type=Path, help="saved calls")
    add("--timeout", metavar="S", type=float, help="seconds for calls without a time limit")
    add_server(parser)
    add_client(parser)
    add(
        "--against",
        metavar="[NAME=]SERVER",
        action="append",
        help="call this server in place of NAME; once for each to be compared",
    )
    add("--same", action="store_true", help="with --against, a result that differs is a failure")
    add("--update-snapshots", action="store_true", help="write snapshots that are new or differ")
    add(
        "--remove-leftover-snapshots",
        action="store_true",
        help="delete snapshots that no saved call uses any more",
    )
    add_reports(parser)
    add(
        "--record",
        metavar="FILE",
        type=Path,
        help="record the messages of the test; without saved calls: make some of earlier calls",
    )
    add(
        "--from", dest="origin", metavar="RECORDING", type=Path, help="a recording to take calls of"
    )
    add("--last", metavar="N", type=int, default=50, help="calls of the history to take (50)")
    add(
        "--expect",
        choices=("shape", "result", "snapshot"),
        default="shape",
        help="what recorded calls expect: the types of the result (default), all of it, a snapshot",
    )
    add_elicit(parser)
    options = TestOptions()
    if CASES:
        options = find_cases().add_flags(parser)
    options = parser.parse(args, options)
    _refuse(options)
    return options


def _refuse(options: TestOptions) -> None:
    limit = options.timeout
    if limit is not None and not (math.isfinite(limit) and limit > 0):
        raise UsageError("--timeout must be more than 0 seconds.")
    if not options.places and options.record is None:
        raise UsageError("Name a file or folder of saved calls, or --record FILE to make some.")
    if options.origin is not None and bool(options.places) == (options.record is not None):
        raise UsageError(_FROM)
    if not 1 <= options.last <= MAX_LAST:
        raise UsageError(f"--last must be 1 to {MAX_LAST}.")
    refuse_reports(options)
    changes = options.update_snapshots or options.remove_leftover_snapshots
    if changes and os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise UsageError(
            "Snapshots are not written or removed where CI is set: nobody could review that.",
            remedy="Do it on your machine, and commit what changed.",
        )


MAX_LAST = 500


class _Test(Struct):
    """One run of the command."""

    options: TestOptions
    plan: list[PlannedCall]
    servers: Sequence[ServerColumn]
    console: Console
    elicit: JsonObject | None
    cases: Cases | None = None
    columns: list[RunColumn] = field(default_factory=list[RunColumn])

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        from desktop.cli.keyboard import find_keyboard
        from desktop.cli.request_terminal import open_terminal

        began = time.monotonic()
        keyboard = find_keyboard(self.console)
        person = open_terminal(self.console, core, keyboard, self.elicit)
        try:
            with recording(core, self.options.record, self.console):
                await self._run_calls(core, chosen)
                if self.cases is not None:
                    await self.cases.run(core, self.servers)
        finally:
            await person.close()
        seconds = time.monotonic() - began
        try:
            leftovers = await asyncio.to_thread(self._take_leftovers)
        except CallFileError as error:  # the calls were made: what came of them is printed
            self.console.note(plain(str(error)))
            leftovers = []
        self._conclude(seconds, leftovers)
        is_reported = self._report(seconds)
        if person.misfit is not None:
            self.console.note(plain(str(person.misfit)))
            return Exit.USAGE
        return self._exit() if is_reported else Exit.USAGE

    async def _run_calls(self, core: Core, chosen: list[ServerConfig]) -> None:
        await connect(core, chosen, self.console)
        if not self.plan:
            return
        runner = SavedCallRunner(core.service, core.executor)
        first: Side | None = None
        for column in self.servers:
            side = await self._run_column(runner, column)
            first = first or side
            found = {} if side is first else await asyncio.to_thread(find_differing, first, side)
            differs = {place: diff_lines(part.lines) for place, part in found.items()}
            self.columns.append(RunColumn(column.title, side.outcomes, differs))

    async def _run_column(self, runner: SavedCallRunner, column: ServerColumn) -> Side:
        run = SavedCallRun(
            runner,
            self.plan,
            "terminal",
            self.options.timeout,
            column.servers,
            writes_snapshots=self.options.update_snapshots,
        )
        numbers = count(1)

        def begin(planned: PlannedCall) -> None:
            title = f" on {column.title}" if column.title else ""
            where = f"{next(numbers)} of {len(self.plan)}{title}"
            self.console.status(f"{where}: {planned.entry.call.name}")

        def end(_: PlannedCall, outcome: SavedCallOutcome) -> None:
            self.console.clear_status()
            if not self.console.as_json:
                server = outcome.call.tool.partition(":")[0]
                print_outcome(self.console, outcome, column.servers.get(server, ""))

        try:
            return await run_side(run, begin, end)
        finally:
            self.console.clear_status()

    def _take_leftovers(self) -> list[Path]:
        """The snapshots that no call uses; gone where that was asked for."""
        places = self.options.places
        found = {place: find_leftovers(place) for place in places}
        if self.options.remove_leftover_snapshots:
            found = {place: remove_leftovers(place, paths) for place, paths in found.items()}
        return list(dict.fromkeys(path for paths in found.values() for path in paths))

    def _conclude(self, seconds: float, leftovers: list[Path]) -> None:
        are_removed = self.options.remove_leftover_snapshots
        if self.console.as_json:
            document = make_document(self.columns, seconds)
            if self.cases is not None:
                document |= {"success": self._exit() is Exit.DONE, "cases": self.cases.document()}
            key = "removed_snapshots" if are_removed else "leftover_snapshots"
            self.console.document(document | {key: [str(path) for path in leftovers]})
            return
        if len(self.columns) > 1:
            print_table(self.console, self.columns)
        if self.cases is not None:
            self.cases.print_end()
        if self.columns:
            print_end(self.console, self.columns, seconds)
        print_leftovers(self.console, leftovers, are_removed=are_removed)

    def _report(self, seconds: float) -> bool:
        """Whether all reports are written that are wanted."""
        return write_reports(
            self.options,
            self.console,
            lambda: to_junit(self.columns, self.cases.suites() if self.cases is not None else ()),
            lambda: self._markdown(seconds),
        )

    def _markdown(self, seconds: float) -> str:
        calls = to_markdown(self.columns, seconds) if self.columns or self.cases is None else ""
        if self.cases is None:
            return calls
        return f"{calls}\n{self.cases.markdown(MAX_MARKDOWN - len(calls) - 1)}"

    def _exit(self) -> Exit:
        outcomes = {each.outcome for column in self.columns for each in column.outcomes.values()}
        for outcome, code in _EXITS.items():
            if outcome in outcomes:
                return code
        if self.options.same and any(column.differs for column in self.columns):
            return Exit.TOOL_ERROR
        return self.cases.exit() if self.cases is not None else Exit.DONE
