"""The cases of `test`: its flags, what is found wrong before anything is paid, and what is printed.

Made by `desktop.features.saved_calls.cli.testing.joining`, which says what each part is for.
"""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.base.errors import UsageError
from desktop.cli.exit_codes import Exit
from desktop.cli.output import plain
from desktop.features.evals.bench import EvalBench, usual_model
from desktop.features.evals.eval_case import MAX_RUNS, plan_cases
from desktop.features.evals.eval_run import make_cells, take_earlier, with_clients
from desktop.features.evals.models import find_model
from desktop.features.evals.transcript import TranscriptFile, new_file
from desktop.features.evals.trial import EvalColumn
from desktop.features.saved_calls.cli.testing.options import TestOptions
from desktop.features.saved_calls.saved_call_files import CallFile, write_calls

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.base.report_text import JunitSuite
    from desktop.cli.options import Parser
    from desktop.cli.output import Colour, Console
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.evals.eval_case import PlannedCase
    from desktop.features.evals.eval_reports import Difference, Whole
    from desktop.features.evals.eval_run import CellKey, EvalCell
    from desktop.features.evals.rates import Verdict
    from desktop.features.saved_calls.cli.testing.columns import ServerColumn

MAX_PARALLEL = 32
_COLOURS: dict[Verdict, Colour] = {
    "passed": "green",
    "failed": "red",
    "undecided": "yellow",
    "not measured": "yellow",
}


class EvalOptions(TestOptions):
    """What `test` is told of cases."""

    model: list[str] | None = None
    judge: str | None = None
    runs: int | None = None
    max_runs: int | None = None
    max_cost: float | None = None
    parallel: int = 4
    transcripts: Path | None = None
    html: Path | None = None
    yes: bool = False


def add_flags(parser: Parser) -> TestOptions:
    """The flags of cases."""
    add = parser.add_argument
    add(
        "--model",
        metavar="P/M",
        action="append",
        help="ask this model of a provider in place of those of the cases; repeatable",
    )
    add("--judge", metavar="P/M", help="the model that decides what cases say of answers")
    add("--runs", metavar="N", type=int, help="how often each case is run")
    add("--max-runs", metavar="N", type=int, help="up to how often, while it is undecided")
    add("--max-cost", metavar="X", type=float, help="spend no more, in the currency of the prices")
    add("--parallel", metavar="N", type=int, default=4, help="runs at a time of each provider (4)")
    add(
        "--transcripts",
        metavar="FILE",
        type=Path,
        help="keep each run there, and go on with what it has; --from FILE judges it again",
    )
    add("--html", metavar="FILE", type=Path, help="also write a page with every transcript")
    add("--yes", action="store_true", help="let the model call tools that no case expects")
    return EvalOptions()


def plan(options: TestOptions, files: Sequence[CallFile], console: Console) -> EvalCases:
    """Read the cases. Raises `UsageError`."""
    if not isinstance(options, EvalOptions):
        raise TypeError("the options are those of add_flags")
    _refuse(options)
    return EvalCases(options, files, console)


def convert(suite: Path, file: Path, console: Console) -> int:
    """Write the cases of a suite of MCPJam into a new file, once they can be read."""
    from desktop.features.evals.suite_import import read_suite

    made = read_suite(suite)
    asked = tuple(enumerate(made.cases))
    written = CallFile(file, (), made.document, asked)
    plan_cases([written])
    write_calls(written)
    for note in made.notes:
        console.note(plain(note))
    if console.as_json:
        console.document({"file": str(file), "cases": len(asked), "notes": made.notes})
    else:
        console.write(f"{len(asked)} cases written to {plain(str(file))}.")
    return Exit.DONE


def _refuse(options: EvalOptions) -> None:
    for name, number in (("--runs", options.runs), ("--max-runs", options.max_runs)):
        if number is not None and not 1 <= number <= MAX_RUNS:
            raise UsageError(f"{name} must be 1 to {MAX_RUNS:,}.")
    if not 1 <= options.parallel <= MAX_PARALLEL:
        raise UsageError(f"--parallel must be 1 to {MAX_PARALLEL}.")
    most = options.max_cost
    if most is not None and not (math.isfinite(most) and most > 0):
        raise UsageError("--max-cost must be more than 0.")
    if options.html is not None and not options.html.absolute().parent.is_dir():
        raise UsageError(f"No such folder for the page {options.html}.")
    if options.origin is not None and options.transcripts is not None:
        raise UsageError("--from judges runs that there are; --transcripts makes new ones.")


class EvalCases:
    """The cases of one run of the command."""

    def __init__(self, options: EvalOptions, files: Sequence[CallFile], console: Console) -> None:
        """Raises `CallFileError`."""
        self._options, self._console = options, console
        self._planned: list[PlannedCase] = plan_cases(files)
        self._cells: list[EvalCell] = []
        self._columns: list[EvalColumn] = []
        self._default: list[str] = []
        self._unreachable: set[str] = set()
        self._decided: set[CellKey] = set()
        self._spent = 0.0
        self._file = TranscriptFile(options.origin or options.transcripts or _new_file(options))

    @property
    def servers(self) -> Sequence[str]:
        """Those that cases name; where one names none, those of `--server`."""
        if self._options.origin is not None:
            return ()
        self._planned = [each.on(self._options.server_names) for each in self._planned]
        return list(dict.fromkeys(name for each in self._planned for name in each.servers))

    def choose(self, store: ConfigStore) -> None:
        """Find the models. Raises `UsageError`."""
        default = usual_model(store.providers)
        wanted = self._options.model or ([default] if default else [])
        if self._options.model:
            self._planned = [each.by(()) for each in self._planned]
        names = [name for each in self._planned for name in each.case.models or wanted]
        if not names and self._options.origin is None:
            known = ", ".join(store.providers)
            raise UsageError(
                "No model is chosen for the cases.",
                remedy=f"Choose with --model PROVIDER/MODEL. Available: {known}.",
            )
        if self._options.origin is None:
            judges = [self._options.judge] if self._options.judge else []
            for name in dict.fromkeys((*names, *judges)):
                find_model(store.providers, name)
        self._default = wanted

    async def run(self, core: Core, columns: Sequence[ServerColumn]) -> None:
        """Run them, or judge what there is. Raises `UsageError`."""
        options = self._options
        if options.origin is not None:
            self._judge_again()
            return
        compared = [EvalColumn(each.title, each.servers) for each in columns]
        self._columns = with_clients(compared, self._planned)
        self._cells = make_cells(
            self._planned, self._default, self._columns, options.runs, options.max_runs
        )
        bench = EvalBench(
            core,
            self._columns,
            options.judge or "",
            options.max_cost,
            options.parallel,
            options.yes,
        )
        cells = bench.check(self._cells)
        self._unreachable = bench.unreachable
        if self._file.path.exists():
            taken, other = take_earlier(self._cells, self._file.read())
            self._console.note(f"{taken} runs are taken from {plain(str(self._file.path))}.")
            if other:
                self._console.note(f"{other} runs in it are of other questions or models.")
        await self._ask(bench, cells)

    def _judge_again(self) -> None:
        """Score the transcripts; nothing is asked, nothing is called."""
        runs = list({(r.model, r.column): None for r in self._file.read()})
        models = list(dict.fromkeys(model for model, _ in runs))
        self._columns = [EvalColumn(title) for title in dict.fromkeys(title for _, title in runs)]
        planned = [each.by(()).by_any_client() for each in self._planned]
        self._cells = make_cells(planned, models, self._columns, None, MAX_RUNS)
        _, other = take_earlier(self._cells, self._file.read())
        self._cells = [cell for cell in self._cells if cell.tried]
        for cell in self._cells:
            cell.bar = cell.bar.once(cell.runs)
        if other:
            self._console.note(f"{other} runs are of other questions and are left out.")
        if not self._cells:
            raise UsageError(f"{self._file.path} has no runs of these cases.")

    async def _ask(self, bench: EvalBench, cells: Sequence[EvalCell]) -> None:
        shown = plain(str(self._file.path))
        self._decided = {cell.key for cell in self._cells if not cell.wanted()}
        try:
            await bench.run(cells, self._file, self._tell)
        except asyncio.CancelledError:
            self._console.clear_status()
            self._console.note(f"Each run that ended is in {shown}; --transcripts goes on with it.")
            raise
        finally:
            self._spent = bench.budget.spent
            self._console.clear_status()

    def _tell(self, cell: EvalCell) -> None:
        if not cell.wanted():
            self._decided.add(cell.key)
        name = plain(cell.planned.case.name)
        done = f"{len(self._decided)} of {len(self._cells)}"
        self._console.status(f"{done}: {name}: {cell.passed}/{cell.runs}")

    # --- what came of it --------------------------------------------------------------------------

    def print_end(self) -> None:
        """A line a case, why it is not well below it, and the counts."""
        from desktop.features.evals import eval_reports as reports

        console = self._console
        for cell in self._cells:
            word = console.paint(f"{cell.verdict:<12}", _COLOURS[cell.verdict])
            where = plain(" ".join(filter(None, (cell.model, cell.column))))
            name = plain(cell.planned.case.name)
            console.write(f"{word} {name}  ({where})  {reports.rate_words(cell)}")
            if cell.verdict != "passed":
                for line in "\n".join(reports.reasons(cell)).splitlines():
                    console.write(f"{' ' * 13}{plain(line)}")
        told = reports.differences_of(self._cells, self._titles)
        for each in told:
            if each.change:
                console.write(plain(reports.difference_words(each)))
        for whole in reports.wholes_of(told):
            console.write(plain(str(whole)))
        runs = sum(cell.tried for cell in self._cells)
        cost = f", cost {self._spent:.4g}" if self._spent else ""
        words = f"{reports.counted(self._cells)} of {len(self._cells)} cases; {runs} runs{cost}"
        console.write(f"\n{console.paint(words, 'green' if self.exit() is Exit.DONE else 'red')}")
        if self._options.origin is None and self._file.path.exists():
            console.note(f"Transcripts: {plain(str(self._file.path))}")
        self._write_page()

    @property
    def _titles(self) -> list[str]:
        """Of the servers that are compared."""
        return [column.title for column in self._columns if not column.client]

    def _write_page(self) -> None:
        if (path := self._options.html) is None:
            return
        from desktop.features.evals.eval_reports import to_html

        runs = self._file.read() if self._file.path.exists() else ()
        try:
            path.write_text(to_html(self._cells, self._titles, runs), encoding="utf-8")
        except OSError as error:
            self._console.note(f"The page {path} cannot be written: {error.strerror}.")

    def document(self) -> dict[str, Any]:
        """Each case with its counts, its interval and its reasons; what differs; what it cost."""
        from desktop.features.evals import eval_reports as reports

        self._write_page()
        clients = {column.client for column in self._columns if column.client}
        told = reports.differences_of(self._cells, self._titles)
        return {
            "transcripts": str(self._file.path),
            "cost": self._spent,
            "cases": [
                {
                    "file": cell.planned.file,
                    "name": cell.planned.case.name,
                    "model": cell.model,
                    "server": "" if cell.column in clients else cell.column,
                    "client": cell.column if cell.column in clients else "",
                    "outcome": cell.verdict,
                    "passed": cell.passed,
                    "runs": cell.runs,
                    "not_measured": cell.unmeasured.total(),
                    "interval": [round(end, 4) for end in cell.interval],
                    "pass": cell.bar.share,
                    "tokens": cell.tokens,
                    "cost": cell.cost,
                    "seconds": round(cell.seconds, 3),
                    "reasons": reports.reasons(cell),
                }
                for cell in self._cells
            ],
            "differences": [
                {
                    "case": each.case,
                    "model": each.model,
                    "server": each.second.column,
                    **_change(each),
                }
                for each in told
            ],
            "together": [
                {"server": whole.columns[1], **_change(whole)} for whole in reports.wholes_of(told)
            ],
        }

    def suites(self) -> Sequence[JunitSuite]:
        """For JUnit."""
        from desktop.features.evals.eval_reports import to_suites

        return to_suites(self._cells)

    def markdown(self, room: int) -> str:
        """For a pull request."""
        from desktop.features.evals.eval_reports import to_markdown

        return to_markdown(self._cells, self._titles, room)

    def exit(self) -> Exit:
        """The worst of them; with several columns, cases that fell count as failed."""
        from desktop.features.evals.eval_reports import differences_of, has_fallen

        verdicts = {cell.verdict for cell in self._cells}
        if self._unreachable:
            return Exit.UNREACHABLE
        if "failed" in verdicts or has_fallen(differences_of(self._cells, self._titles)):
            return Exit.TOOL_ERROR
        return Exit.DONE if verdicts <= {"passed"} else Exit.UNDECIDED


def _change(each: Difference | Whole) -> dict[str, Any]:
    return {
        "change": round(each.change, 4),
        "interval": [round(end, 4) for end in each.interval],
        "outcome": each.word,
    }


def _new_file(options: EvalOptions) -> Path:
    return new_file(options.paths.data)
