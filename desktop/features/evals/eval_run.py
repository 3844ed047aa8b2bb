"""Runs cases as often as it takes: each for each model and column, until it is decided.

Several go on at once. A run that could not be measured is counted apart and made again, a few
times. Nothing new begins where it could cost more than was said. Each run is kept when it ends, and
what a file has already is not paid for again. Reads no option and prints nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from msgspec import Struct, field

from desktop.base.translatable import translatable
from desktop.features.evals.rates import Bar
from desktop.features.evals.scoring import NotMeasuredError, expected, score
from desktop.features.evals.trial import EvalColumn, digest_of
from desktop.features.saved_calls.saved_call_files import CallFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence

    from desktop.features.evals.eval_case import PlannedCase
    from desktop.features.evals.models import EvalModel, JudgePanel
    from desktop.features.evals.rates import Interval, Verdict
    from desktop.features.evals.transcript import RunTranscript, TranscriptFile
    from desktop.features.evals.trial import Trials

MAX_CELLS = 20_000
MAX_REASONS = 10
ReasonT = TypeVar("ReasonT")
CellKey: TypeAlias = tuple[str, str, str, str]
"""File, case, model and column."""


class EvalCell(Struct):
    """One case with one model on one column, and how it went so far.

    `findings` are the reasons of the runs that failed, `unmeasured` those of runs that say nothing;
    each with how often. `cost` is that of all of them.
    """

    planned: PlannedCase
    model: str
    column: str
    bar: Bar
    passed: int = 0
    runs: int = 0
    tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    findings: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    unmeasured: Counter[str] = field(default_factory=Counter[str])

    @property
    def key(self) -> CellKey:
        return *self.planned.place, self.model, self.column

    @property
    def verdict(self) -> Verdict:
        return self.bar.verdict(self.passed, self.runs)

    @property
    def interval(self) -> Interval:
        return self.bar.interval(self.passed, self.runs)

    @property
    def tried(self) -> int:
        return self.runs + self.unmeasured.total()

    def wanted(self) -> int:
        """How many more runs have to be measured before the next look; 0 where it is decided."""
        for look in self.bar.looks:
            if self.runs < look:
                return 0 if self.bar.share >= 1 and self.verdict == "failed" else look - self.runs
            if self.runs == look and self.verdict != "undecided":
                return 0
        return 0

    def take(self, run: RunTranscript) -> None:
        """Count a run that was made, now or earlier."""
        self.tokens += run.tokens
        self.seconds += run.seconds
        self.cost += run.cost or 0.0
        try:
            found = score(expected(self.planned, run), run)
        except NotMeasuredError as error:
            _count(self.unmeasured, str(error), "other reasons")
            return
        self.runs += 1
        self.passed += not found
        for finding in found:
            _count(self.findings, (finding.kind, finding.message), ("", "other reasons"))


def _count(counter: Counter[ReasonT], reason: ReasonT, other: ReasonT) -> None:
    """Bounded: each run may fail in words of its own."""
    is_known = reason in counter or len(counter) < MAX_REASONS
    counter[reason if is_known else other] += 1


class CostLimitError(Exception):
    """Another run could cost more than was said."""


class Budget(Struct):
    """What may be spent; `most` is None for as much as it takes."""

    most: float | None = None
    spent: float = 0.0
    _made: int = 0
    _open: int = 0

    def begin(self) -> None:
        """Raises `CostLimitError` where one more run, of what one costs, would be too much."""
        average = self.spent / self._made if self._made else 0.0
        is_first = self._made == 0 and self._open > 0 and self.most is not None
        if self.most is not None and (
            is_first or self.spent + average * (self._open + 1) > self.most
        ):
            raise CostLimitError
        self._open += 1

    @property
    def knows_cost(self) -> bool:
        """Whether a run has ended, or none is under way that would say what one costs."""
        return bool(self._made) or not self._open

    def end(self, cost: float) -> None:
        self._open -= 1
        self._made += 1
        self.spent += cost


class EvalRun(Struct):
    """A pass over cells. `told` is called whenever one has changed."""

    cells: Sequence[EvalCell]
    models: Mapping[str, EvalModel]
    columns: Mapping[str, EvalColumn]
    trials: Trials
    file: TranscriptFile
    judge: JudgePanel | None = None
    budget: Budget = field(default_factory=Budget)
    parallel: int = 4
    told: Callable[[EvalCell], None] = lambda _: None
    stopped: str = ""
    """Why no more runs are begun."""
    _seats: dict[str, asyncio.Semaphore] = field(default_factory=dict[str, asyncio.Semaphore])
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Run them all. Being cancelled leaves what has ended in the file.

        Raises:
            CallFileError: a run could not be written; the others are cancelled.
        """
        for model in self.models.values():
            self._seats.setdefault(model.service.name, asyncio.Semaphore(self.parallel))
        waiting = deque(cell for cell in self.cells if cell.wanted())
        await _together(self._work(waiting) for _ in range(min(self.parallel, len(waiting))))

    async def _work(self, waiting: deque[EvalCell]) -> None:
        while waiting:
            await self._decide(waiting.popleft())

    async def _decide(self, cell: EvalCell) -> None:
        """Make runs until the cell is decided, or too many say nothing."""
        if (why := await self._why_unfit(cell)) and cell.wanted():
            cell.unmeasured[why] += 1
            self.told(cell)
            return
        most = cell.tried + 2 * cell.wanted() + 1
        while (number := cell.wanted()) and not self._ends(cell):
            if cell.tried >= max(most, 2 * cell.runs + 1):
                return
            if cell.bar.share >= 1:
                number = min(number, self.parallel)
            await _together(self._one(cell) for _ in range(number))

    def _ends(self, cell: EvalCell) -> bool:
        why = self.models[cell.model].given_up or self.stopped
        if why and not cell.runs:
            cell.unmeasured[why] += 1
            self.told(cell)
        return bool(why)

    async def _why_unfit(self, cell: EvalCell) -> str:
        judge = cell.planned.case.expect.judge
        if judge is None or self.judge is None:
            return ""
        before = self.judge.spent
        why = await self.judge.why_unfit(judge)
        self.budget.spent += self.judge.spent - before
        return why

    async def _one(self, cell: EvalCell) -> None:
        model = self.models[cell.model]
        async with self._seats[model.service.name]:
            if self.stopped or model.given_up:
                return
            while True:
                try:
                    self.budget.begin()
                    break
                except CostLimitError:
                    if self.budget.knows_cost:
                        self.stopped = self.stopped or translatable("the cost limit is reached")
                        return
                    await self._changed.wait()  # the first one says what one costs
            cost = 0.0
            try:
                run = await self.trials.run(cell.planned, model, self.columns[cell.column])
                cost = run.cost or 0.0
                if self.judge is not None:
                    before = self.judge.spent
                    run = await judged(run, cell.planned, self.judge)
                    cost += self.judge.spent - before
            finally:
                self.budget.end(cost)
                self._changed.set()
            self.file.add(run)
            cell.take(run)
            self.told(cell)


async def _together(work: Iterable[Coroutine[None, None, None]]) -> None:
    """Wait for all; where one fails, the others are cancelled and its own error is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def judged(run: RunTranscript, planned: PlannedCase, panel: JudgePanel) -> RunTranscript:
    """The run with what the judge says of it, where it is needed and not known."""
    judge = planned.case.expect.judge
    if judge is None or run.problem or judge.says in run.judged:
        return run
    says = expected(planned, run).judge or judge
    return run.judge(says.says, is_true=await panel.decide(says.says, run.answer))


def make_cells(
    planned: Iterable[PlannedCase],
    models: Sequence[str],
    columns: Iterable[EvalColumn],
    runs: int | None = None,
    most: int | None = None,
) -> list[EvalCell]:
    """A cell for each case, model and column.

    Args:
        planned: the cases.
        models: for cases that name none.
        columns: the servers.
        runs: in place of what the cases say.
        most: up to how many runs an undecided one goes on; None: no further.

    Raises:
        CallFileError: there are too many, or one could not pass by so many runs.
    """
    columns = list(columns)
    cells: list[EvalCell] = []
    for each in planned:
        case = each.case
        first = runs or case.runs
        bar = Bar(case.share, first, max(most or first, first))
        if bar.needed() > bar.most:
            raise CallFileError(
                f"{each.file}: {case.name!r} could not pass: {bar.most} runs cannot show that "
                f"{case.share:.0%} of all go well, not even if each of them does.",
                remedy=f"Make at least {_enough(bar)} (runs, --runs or --max-runs), or lower pass.",
            )
        named, clients = case.models or tuple(models), case.clients or ("",)
        fit = [column.title for column in columns if column.client in clients]
        cells += [EvalCell(each, model, title, bar) for title in fit for model in named]
        if len(cells) > MAX_CELLS:
            raise CallFileError(f"These are more than {MAX_CELLS:,} cases by models and servers.")
    return cells


def with_clients(columns: Sequence[EvalColumn], planned: Iterable[PlannedCase]) -> list[EvalColumn]:
    """The columns, and one for each client that a case names.

    Raises:
        CallFileError: a case names clients while servers are compared.
    """
    clients = dict.fromkeys(name for each in planned for name in each.case.clients)
    if clients and len(columns) > 1:
        raise CallFileError(
            "Cases that name clients cannot be compared on two servers.",
            remedy="Leave out --against, or the clients.",
        )
    return [*columns, *(EvalColumn(name, columns[0].servers, name) for name in clients)]


def _enough(bar: Bar) -> int:
    """How many runs in one go can show it."""
    return Bar(bar.share, bar.runs, bar.runs).needed()


def take_earlier(cells: Iterable[EvalCell], runs: Iterable[RunTranscript]) -> tuple[int, int]:
    """Count runs that a file has. Returns: how many were of these cells, and how many were not."""
    by_name = {cell.key[1:]: cell for cell in cells}
    digests = {id(cell): digest_of(cell.planned) for cell in by_name.values()}
    taken = other = 0
    for run in runs:
        cell = by_name.get((run.case, run.model, run.column))
        if cell is None or digests[id(cell)] != run.digest:
            other += 1
        elif not run.problem:
            cell.take(run)
            taken += 1
    return taken, other
