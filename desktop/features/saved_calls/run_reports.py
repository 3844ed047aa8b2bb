"""What came of saved calls, for build servers (JUnit XML) and for pull requests (Markdown).

The Markdown stays within what a comment may have; the form of both is that of
`desktop.base.report_text`. Pure: writes no file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from desktop.base import report_text
from desktop.base.report_text import (
    MAX_MARKDOWN,
    MAX_MESSAGE,
    JunitCase,
    markdown_diff,
    markdown_line,
    markdown_row,
)
from desktop.features.saved_calls.expectations import diff_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome
    from desktop.history.records import Outcome, SavedCallPlace


class RunColumn(Struct, frozen=True):
    """All outcomes on one server, in the order of the run.

    `title` is the server or version, empty where there is only one column. `differs` has, for a
    call whose result is not that of the first column, in which way.
    """

    title: str
    outcomes: Mapping[SavedCallPlace, SavedCallOutcome]
    differs: Mapping[SavedCallPlace, Sequence[str]] = field(
        default_factory=dict["SavedCallPlace", "Sequence[str]"]
    )


WORDS: Final[dict[Outcome, str]] = {
    "passed": "passed",
    "failed": "failed",
    "unreachable": "no server",
    "timeout": "too slow",
    "skipped": "skipped",
}
"""Each outcome as terminal and reports say it."""
DIFFERS: Final = "differs"
_MARKS: Final = {"passed": "✅", "skipped": "⏭️", DIFFERS: "🔶"}


def cell_words(column: RunColumn, place: SavedCallPlace) -> str:
    """What a table says of one call on one server; a dash where it is not known."""
    outcome = column.outcomes.get(place)
    if outcome is None:
        return "–"
    if outcome.outcome == "passed" and place in column.differs:
        return DIFFERS
    return WORDS[outcome.outcome]


def counted(outcomes: Iterable[SavedCallOutcome]) -> str:
    """`2 passed, 1 failed`."""
    found = [outcome.outcome for outcome in outcomes]
    return ", ".join(f"{found.count(each)} {word}" for each, word in WORDS.items() if each in found)


def to_junit(columns: Sequence[RunColumn], more: Sequence[report_text.JunitSuite] = ()) -> str:
    """One suite a file and server, then those of others. A server that is away is an error."""
    return report_text.to_junit(
        [
            report_text.JunitSuite(
                f"{name} ({column.title})" if column.title else name, [*map(_case, outcomes)]
            )
            for column in columns
            for name, outcomes in _by_file(column).items()
        ]
        + [*more]
    )


def _by_file(column: RunColumn) -> dict[str, list[SavedCallOutcome]]:
    files: dict[str, list[SavedCallOutcome]] = {}
    for (file, _), outcome in column.outcomes.items():
        files.setdefault(file, []).append(outcome)
    return files


def _case(verdict: SavedCallOutcome) -> JunitCase:
    call, seconds = verdict.call, verdict.result.execution_time
    if verdict.skipped:
        return JunitCase(call.name, call.tool, "skipped", [verdict.skipped], seconds=seconds)
    if not verdict.differences:
        return JunitCase(call.name, call.tool, seconds=seconds)
    lines = [
        line for each in verdict.differences for line in (each.message, *diff_lines(each.diff))
    ]
    end = "failure" if verdict.outcome == "failed" else "error"
    kind = verdict.differences[0].kind
    return JunitCase(call.name, call.tool, end, lines, kind, seconds)


def to_markdown(columns: Sequence[RunColumn], seconds: float) -> str:
    """A summary: how many went well, a table of call by server, and what is wrong with each.

    At most `MAX_MARKDOWN` characters; what is left out is counted. What failed comes first.
    """
    writer = _Markdown(columns)
    return writer.write(seconds)


class _Markdown:
    def __init__(self, columns: Sequence[RunColumn]) -> None:
        self._columns = columns
        places = dict.fromkeys(place for column in columns for place in column.outcomes)
        self._places = sorted(places, key=self._is_well)
        self._left = MAX_MARKDOWN - 500  # for the sentences about what is left out

    def write(self, seconds: float) -> str:
        every = [each for column in self._columns for each in column.outcomes.values()]
        is_well = all(each.outcome == "passed" for each in every)
        mark = "✅" if is_well else "❌"
        head = f"### {mark} Saved calls: {counted(every) or 'none'} in {seconds:.1f} s\n"
        parts = [head, "\n", *self._table()]
        for place in self._places:
            parts += self._details(place)
        return "".join(parts)

    def _is_well(self, place: SavedCallPlace) -> bool:
        return all(cell_words(column, place) == "passed" for column in self._columns)

    def _table(self) -> list[str]:
        titles = [markdown_line(column.title) or "outcome" for column in self._columns]
        first = ["call", "tool", *titles]
        lines = [markdown_row(first), markdown_row(["---"] * len(first))]
        self._left -= sum(map(len, lines))
        for number, place in enumerate(self._places):
            line = markdown_row(
                [*self._names(place), *(self._cell(column, place) for column in self._columns)]
            )
            # Half of the room is for what is wrong.
            if self._left - len(line) < MAX_MARKDOWN // 2:
                lines.append(f"\n{len(self._places) - number} more calls are left out here.\n")
                break
            self._left -= len(line)
            lines.append(line)
        return lines

    def _names(self, place: SavedCallPlace) -> list[str]:
        tools = [
            column.outcomes[place].call.tool for column in self._columns if place in column.outcomes
        ]
        return [markdown_line(place[1]), markdown_line(tools[0])]

    def _cell(self, column: RunColumn, place: SavedCallPlace) -> str:
        words = cell_words(column, place)
        outcome = column.outcomes.get(place)
        if outcome is None:
            return words
        took = "" if outcome.skipped else f" {outcome.result.execution_time * 1000:.0f} ms"
        return f"{_MARKS.get(words, '❌')} {words}{took}"

    def _details(self, place: SavedCallPlace) -> list[str]:
        parts: list[str] = []
        for column in self._columns:
            outcome = column.outcomes.get(place)
            if outcome is None:
                continue
            lines = outcome.messages
            block = [line for each in outcome.differences for line in diff_lines(each.diff)]
            if not lines and (differs := column.differs.get(place)):
                lines, block = ["The result differs from that of the first server."], list(differs)
            if lines:
                parts.append(self._told(place, column, lines, block))
        text = "".join(parts)
        if len(text) > self._left:
            is_first, self._left = self._left > 0, 0
            return (
                ["\nMore is left out here; the JUnit report has all of it.\n"] if is_first else []
            )
        self._left -= len(text)
        return [text]

    def _told(
        self, place: SavedCallPlace, column: RunColumn, lines: list[str], block: list[str]
    ) -> str:
        where = f" on {markdown_line(column.title)}" if column.title else ""
        told = "".join(f"- {markdown_line(line, MAX_MESSAGE)}\n" for line in lines)
        return f"\n**{markdown_line(place[1])}**{where}\n{told}{markdown_diff(block)}"
