"""What came of cases: for a build server, a pull request, and a browser with every transcript.

The forms of the first two are those of `desktop.base.report_text`. The page has no script, loads
nothing, and what a model or a server said stands in it as text.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from desktop.base.report_text import JunitCase, JunitSuite, markdown_line, markdown_row
from desktop.base.translatable import join_list, translatable
from desktop.features.evals.rates import newcombe
from desktop.features.evals.scoring import reasons_of
from desktop.features.evals.transcript import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.base.report_text import CaseEnd
    from desktop.features.evals.eval_case import PlannedCase
    from desktop.features.evals.eval_run import EvalCell
    from desktop.features.evals.rates import Interval, Verdict
    from desktop.features.evals.transcript import RunTranscript

MAX_HTML: Final = 50_000_000
"""Characters of a page; what is left out is said."""
_MARKS: Final[dict[Verdict, str]] = {
    "passed": "✅",
    "failed": "❌",
    "undecided": "🔶",
    "not measured": "⏭️",
}
_ENDS: Final[dict[Verdict, CaseEnd]] = {
    "passed": "passed",
    "failed": "failure",
    "undecided": "error",
    "not measured": "error",
}


class Difference(NamedTuple):
    """How a case does on the second of two columns, less how it does on the first."""

    case: str
    model: str
    first: EvalCell
    second: EvalCell
    interval: Interval

    @property
    def change(self) -> float:
        return self.second.passed / self.second.runs - self.first.passed / self.first.runs

    @property
    def word(self) -> str:
        return _word(self.interval)


class Whole(NamedTuple):
    """All cases of a column together beside those of the first: passed, and of how many runs."""

    columns: tuple[str, str]
    first: tuple[int, int]
    second: tuple[int, int]

    @property
    def change(self) -> float:
        return self.second[0] / self.second[1] - self.first[0] / self.first[1]

    @property
    def interval(self) -> Interval:
        return newcombe(self.first, self.second)

    @property
    def word(self) -> str:
        return _word(self.interval)

    def __str__(self) -> str:
        """`all cases: 10 of 12 with v1, 5 of 12 with v2: fell by 42 points (-67 to -3)`."""
        sums = (
            f"{passed} of {runs} with {column}"
            for column, (passed, runs) in zip(self.columns, (self.first, self.second), strict=True)
        )
        return f"all cases: {', '.join(sums)}: {_change_words(self.change, self.interval)}"


def _word(interval: Interval) -> str:
    """`fell` and `rose` where chance alone does not explain it."""
    return "fell" if interval.high < 0 else "rose" if interval.low > 0 else "same"


def _change_words(change: float, interval: Interval, beside: str = "") -> str:
    word = _word(interval)
    low, high = (100 * end for end in interval)
    verb = {"fell": "fell by", "rose": "rose by", "same": "differs by"}[word]
    note = "" if word != "same" else ", which chance alone explains"
    return f"{verb} {abs(100 * change):.0f} points{beside} ({low:+.0f} to {high:+.0f}){note}"


def counted(cells: Iterable[EvalCell]) -> str:
    """`2 passed, 1 undecided`."""
    found = [cell.verdict for cell in cells]
    return ", ".join(f"{found.count(each)} {each}" for each in _MARKS if each in found)


def rate_words(cell: EvalCell) -> str:
    """`9 of 10 (60 to 98 %)`."""
    if not cell.runs:
        return "no run was measured"
    low, high = cell.interval
    return f"{cell.passed} of {cell.runs} ({100 * low:.0f} to {100 * high:.0f} %)"


def reasons(cell: EvalCell) -> list[str]:
    """Why runs failed or say nothing, the most frequent first, with how often."""
    found: list[str] = [
        translatable("{times}x {message}", times=times, message=message)
        for (_, message), times in cell.findings.most_common()
    ]
    return found + [
        translatable("{times}x not measured: {message}", times=times, message=message)
        for message, times in cell.unmeasured.most_common()
    ]


def differences_of(cells: Sequence[EvalCell], columns: Sequence[str]) -> list[Difference]:
    """Each later column beside the first, case by case, the deepest fall first."""
    by_key = {cell.key: cell for cell in cells}
    found: list[Difference] = []
    for cell in cells:
        first = by_key.get((*cell.key[:3], columns[0])) if cell.column != columns[0] else None
        if first is not None and first.runs and cell.runs:
            both = (first.passed, first.runs), (cell.passed, cell.runs)
            name = cell.planned.case.name
            found.append(Difference(name, cell.model, first, cell, newcombe(*both)))
    return sorted(found, key=lambda each: each.change)


def difference_words(each: Difference) -> str:
    """`reads it: v2 fell by 60 points beside v1 (-81 to -17)`."""
    words = _change_words(each.change, each.interval, f" beside {each.first.column}")
    return f"{each.case} ({each.model}): {each.second.column} {words}"


def wholes_of(differences: Sequence[Difference]) -> list[Whole]:
    """For each later column of several cases."""
    found: dict[str, list[Difference]] = {}
    for each in differences:
        found.setdefault(each.second.column, []).append(each)
    return [
        Whole(
            (each[0].first.column, column),
            (sum(d.first.passed for d in each), sum(d.first.runs for d in each)),
            (sum(d.second.passed for d in each), sum(d.second.runs for d in each)),
        )
        for column, each in found.items()
        if len(each) > 1
    ]


def has_fallen(differences: Sequence[Difference]) -> bool:
    """Whether a case fell, or all of them together."""
    return any(each.word == "fell" for each in (*differences, *wholes_of(differences)))


def to_suites(cells: Iterable[EvalCell]) -> list[JunitSuite]:
    """A suite for each file, model and column."""
    found: dict[str, list[JunitCase]] = {}
    for cell in cells:
        name = " ".join(filter(None, (cell.planned.file, f"({cell.model})", cell.column)))
        verdict = cell.verdict
        lines = [f"{verdict}: {rate_words(cell)}", *reasons(cell)]
        case = JunitCase(
            cell.planned.case.name,
            cell.model,
            _ENDS[verdict],
            lines if verdict != "passed" else (),
            verdict.replace(" ", "_"),
            cell.seconds,
        )
        found.setdefault(name, []).append(case)
    return [JunitSuite(name, cases) for name, cases in found.items()]


def to_markdown(cells: Sequence[EvalCell], columns: Sequence[str], room: int) -> str:
    """A table of cases, the worst first, and why. At most `room` characters."""
    is_well = all(cell.verdict == "passed" for cell in cells)
    head = f"### {'✅' if is_well else '❌'} Cases: {counted(cells) or 'none'}\n\n"
    titles = ["case", "model", *(["server"] if len(columns) > 1 else []), "outcome"]
    lines = [head, markdown_row(titles), markdown_row(["---"] * len(titles))]
    order = ("failed", "undecided", "not measured", "passed")
    ordered = sorted(cells, key=lambda cell: order.index(cell.verdict))
    lines += [_row(cell, is_titled=len(columns) > 1) for cell in ordered]
    told = differences_of(cells, columns)
    for each in told:
        if each.word != "same":
            lines.append(f"\n- {markdown_line(difference_words(each), 300)}")
    lines += [f"\n- {markdown_line(str(whole), 300)}" for whole in wholes_of(told)]
    for cell in ordered:
        if cell.verdict != "passed" and (why := reasons(cell)):
            lines.append(f"\n\n**{markdown_line(cell.planned.case.name)}**\n")
            lines += [f"- {markdown_line(line, 500)}\n" for line in why]
    return _within(lines, room)


def _row(cell: EvalCell, *, is_titled: bool) -> str:
    verdict = cell.verdict
    titles = [markdown_line(cell.column)] if is_titled else []
    name, model = markdown_line(cell.planned.case.name), markdown_line(cell.model)
    return markdown_row([name, model, *titles, f"{_MARKS[verdict]} {verdict}: {rate_words(cell)}"])


def _within(lines: Sequence[str], room: int) -> str:
    kept: list[str] = []
    left = room - 100
    for number, line in enumerate(lines):
        if len(line) > left:
            return "".join([*kept, f"\n{len(lines) - number} more lines are left out here.\n"])
        left -= len(line)
        kept.append(line)
    return "".join(kept)


_HEAD: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Cases</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0 .8rem; }
summary { cursor: pointer; } details { margin: .3rem 0; }
.who { font-weight: 600; }
</style></head><body>
"""


def to_html(
    cells: Sequence[EvalCell], columns: Sequence[str], runs: Iterable[RunTranscript]
) -> str:
    """One page: the table, what differs, and each run to be opened."""
    parts = [_HEAD, f"<h1>Cases: {escape(counted(cells))}</h1>\n<table>"]
    for cell in cells:
        row = (cell.planned.case.name, cell.model, cell.column, cell.verdict, rate_words(cell))
        parts.append("<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>\n")
        parts += [f'<tr><td colspan="5">{escape(line)}</td></tr>\n' for line in reasons(cell)]
    parts.append("</table>\n")
    told = differences_of(cells, columns)
    parts += [f"<p>{escape(str(whole))}</p>\n" for whole in wholes_of(told)]
    parts += [f"<p>{escape(difference_words(each))}</p>\n" for each in told if each.change]
    parts.append("<h2>Runs</h2>\n")
    left = MAX_HTML - sum(map(len, parts))
    planned = {cell.key[1:]: cell.planned for cell in cells}
    for number, run in enumerate(runs, 1):
        text = "".join(_run(run, number, planned.get((run.case, run.model, run.column))))
        if (left := left - len(text)) < 0:
            parts.append("<p>More runs are left out here; the transcripts have all of them.</p>\n")
            break
        parts.append(text)
    return "".join([*parts, "</body></html>\n"])


def _run(run: RunTranscript, number: int, planned: PlannedCase | None) -> Iterator[str]:
    word, why = reasons_of(planned, run) if planned is not None else ("of another question", [])
    names = " · ".join(filter(None, (run.case, run.model, run.column)))
    yield f"<details><summary>{number}. {escape(names)}: {escape(word)}</summary>"
    yield from (f"<p>{escape(each)}</p>" for each in why)
    for who, text in transcript_lines(run):
        yield f'<p class="who">{escape(who)}</p><pre>{escape(text)}</pre>'
    yield "</details>\n"


def transcript_lines(run: RunTranscript) -> list[tuple[str, str]]:
    """Who said or called what, one after the other, and how it ended."""
    lines: list[tuple[str, str]] = []
    for part in run.parts:
        if isinstance(part, Said):
            who = translatable("person") if part.who == "person" else translatable("model")
            lines.append((who, part.text))
        else:
            call = translatable("calls {tool}", tool=part.tool)
            if part.asked:
                call = translatable("calls {tool}, and the server asked back", tool=part.tool)
            failed = f"{part.error}: " if part.error else ""
            lines.append((call, _json(part.arguments)))
            lines.append((translatable("result"), f"{failed}{part.output}"))
    yes, no = translatable("yes"), translatable("no")
    for says, said in run.judged.items():
        lines.append((translatable("judge: {says}", says=says), yes if said else no))
    figures = translatable(
        "{requests} requests, {tokens} tokens, {seconds} s",
        requests=run.turns,
        tokens=f"{run.tokens:,}",
        seconds=f"{run.seconds:.1f}",
    )
    if run.cost is not None:
        cost = translatable("cost {cost}", cost=f"{run.cost:.4g}")
        figures = join_list((figures, cost))
    return [*lines, (run.problem or run.error or run.end, figures)]


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, default=str, indent=1)
