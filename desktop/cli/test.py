"""`test`: runs saved calls and reports which of them went as expected.

All files are read and all servers looked up before any is started: where one is wrong, nothing is
sent.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.cli.arguments import add_elicit, read_elicit
from desktop.cli.commands import COMMANDS
from desktop.cli.options import Exit, Options, make_parser
from desktop.cli.output import plain
from desktop.cli.recorder import add_record, recording
from desktop.cli.runner import CommandPlan, connect, named_server, run_core
from desktop.errors import UsageError
from desktop.history.saved_call_files import find_files, read_calls
from desktop.history.saved_calls import SavedCallOutcome, SavedCallRunner, to_junit

if TYPE_CHECKING:
    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.history.records import Outcome
    from desktop.history.saved_call_files import CallFile
    from desktop.tool_types import JsonObject

_NOTES = """\
Each FILE contains saved calls; of a DIR all .json files are read. A file is one call, a list of
calls, or {"calls": [...]}:
  {"name": "adds", "tool": "calculator:calculate",
   "arguments": {"operation": "add", "a": 1, "b": 2}, "timeout": 10,
   "expect": {"equals": {"result": 3}, "seconds": 5}}
With "validate": false a call is sent without validating its arguments.

expect (default: the call succeeds):
  error     a code (tool_error, invalid_arguments, timeout, ...) or true for any
  contains  text, or a list of texts, in the output
  equals    {"path": value}, in the structured content or else the output as JSON;
            paths: a.b[0].c, or [0]["odd name"]; "" is everything
  matches   a JSON Schema for the same
  seconds   the maximum duration
Servers are started even if they are off. Calls run in order, one at a time.
Requests from servers are shown on the terminal and declined without one; --elicit answers forms.

exit codes:
  0 all passed   1 some failed   2 wrong usage, or a file that cannot be read (nothing sent)
  3 a server could not be reached   4 time limit   130 interrupted

examples:
  mcp-desktop test tests/calls
  mcp-desktop test smoke.json --junit report.xml"""
_COLOURS: dict[Outcome, Colour] = {
    "passed": "green",
    "failed": "red",
    "unreachable": "red",
    "timeout": "red",
}
_WORDS: dict[Outcome, str] = {
    "passed": "passed",
    "failed": "failed",
    "unreachable": "no server",
    "timeout": "too slow",
}
_EXITS: dict[Outcome, Exit] = {
    "unreachable": Exit.UNREACHABLE,
    "timeout": Exit.TIMEOUT,
    "failed": Exit.TOOL_ERROR,
}
"""What a run ends with: the first of these that happened."""


class TestOptions(Options):
    """What `test` is told."""

    places: list[Path]
    timeout: float | None = None
    junit: Path | None = None
    record: Path | None = None
    elicit: str | None = None


def run(args: list[str], console: Console) -> int:
    options = _read(args)
    files = [read_calls(path) for place in options.places for path in find_files(place)]
    if not any(file.calls for file in files):
        raise UsageError(f"No saved calls in {', '.join(map(str, options.places))}.")
    test = _Test(options, files, console, read_elicit(options.elicit))
    return run_core(options, CommandPlan(test.choose, test.run))


def _read(args: list[str]) -> TestOptions:
    parser = make_parser("test", COMMANDS["test"], _NOTES)
    parser.add_argument("places", metavar="FILE|DIR", nargs="+", type=Path, help="saved calls")
    parser.add_argument(
        "--timeout", metavar="S", type=float, help="seconds for calls without a time limit"
    )
    parser.add_argument("--junit", metavar="FILE", type=Path, help="also write a JUnit report")
    add_record(parser)
    add_elicit(parser)
    options = parser.parse(args, TestOptions())
    limit = options.timeout
    if limit is not None and not (math.isfinite(limit) and limit > 0):
        raise UsageError("--timeout must be more than 0 seconds.")
    if options.junit is not None and not options.junit.absolute().parent.is_dir():
        raise UsageError(f"No such folder for the report {options.junit}.")
    return options


@dataclass(slots=True)
class _Test:
    """One run of the command."""

    options: TestOptions
    files: list[CallFile]
    console: Console
    elicit: JsonObject | None
    verdicts: list[list[SavedCallOutcome]] = field(default_factory=list[list[SavedCallOutcome]])

    def choose(self, store: ConfigStore) -> list[ServerConfig]:
        calls = [call for file in self.files for call in file.calls]
        names = dict.fromkeys(call.tool.partition(":")[0] for call in calls)
        return [named_server(store, name) for name in names]

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        from desktop.cli.keyboard import find_keyboard
        from desktop.cli.request_terminal import open_terminal

        began = time.monotonic()
        keyboard = find_keyboard(self.console)
        person = open_terminal(self.console, core, keyboard, self.elicit)
        try:
            with recording(core, self.options.record, self.console):
                await self._run_calls(core, chosen)
        finally:
            await person.close()
        self._conclude(time.monotonic() - began)
        is_reported = self._report()
        if person.misfit is not None:
            self.console.note(plain(str(person.misfit)))
            return Exit.USAGE
        return self._exit() if is_reported else Exit.USAGE

    async def _run_calls(self, core: Core, chosen: list[ServerConfig]) -> None:
        await connect(core, chosen, self.console)
        runner = SavedCallRunner(core.service, core.executor)
        for file in self.files:
            verdicts: list[SavedCallOutcome] = []
            self.verdicts.append(verdicts)
            for call in file.calls:
                self.console.status(call.name)
                try:
                    verdict = await runner.run(call, "terminal", self.options.timeout)
                finally:
                    self.console.clear_status()
                verdicts.append(verdict)
                if not self.console.as_json:
                    self._print(verdict)

    @property
    def _all(self) -> list[SavedCallOutcome]:
        return [verdict for verdicts in self.verdicts for verdict in verdicts]

    def _print(self, verdict: SavedCallOutcome) -> None:
        call, result, paint = verdict.call, verdict.result, self.console.paint
        word = f"{_WORDS[verdict.outcome]:<9}"
        took = paint(f"{result.execution_time * 1000:.0f} ms", "dim")
        name = plain(call.name).replace("\n", " ")
        tool = plain(call.tool).replace("\n", " ")
        about = f"{tool}, not validated" if result.is_unchecked else tool
        self.console.write(f"{paint(word, _COLOURS[verdict.outcome])} {name}  ({about})  {took}")
        for difference in verdict.differences:
            lines = plain(difference.message).splitlines()
            self.console.write("\n".join(f"          {line}" for line in lines))

    def _conclude(self, seconds: float) -> None:
        if self.console.as_json:
            self.console.document(self._document(seconds))
            return
        outcomes = [verdict.outcome for verdict in self._all]
        counts = [
            f"{outcomes.count(outcome)} {word}"
            for outcome, word in _WORDS.items()
            if outcome in outcomes
        ]
        is_well = set(outcomes) == {"passed"}
        words = self.console.paint(", ".join(counts), "green" if is_well else "red")
        self.console.write(f"\n{words} of {len(outcomes)} in {seconds:.1f} s")

    def _document(self, seconds: float) -> dict[str, Any]:
        """Each count by its outcome, each call with its file."""
        outcomes = [verdict.outcome for verdict in self._all]
        tests = [
            {"file": str(file.path), **verdict.to_json()}
            for file, verdicts in zip(self.files, self.verdicts, strict=True)
            for verdict in verdicts
        ]
        counts = {outcome: outcomes.count(outcome) for outcome in _WORDS}
        is_well = set(outcomes) == {"passed"}
        return {"success": is_well, **counts, "seconds": round(seconds, 3), "tests": tests}

    def _report(self) -> bool:
        """Whether the report is written, or none is wanted."""
        path = self.options.junit
        if path is None:
            return True
        names = [str(file.path) for file in self.files]
        text = to_junit(zip(names, self.verdicts, strict=True))
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:  # the calls were made: what came of them was printed
            self.console.note(f"The report {path} cannot be written: {error.strerror}.")
            return False
        return True

    def _exit(self) -> Exit:
        outcomes = {verdict.outcome for verdict in self._all}
        for outcome, code in _EXITS.items():
            if outcome in outcomes:
                return code
        return Exit.DONE
