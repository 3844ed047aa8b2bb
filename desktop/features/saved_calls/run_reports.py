"""What came of saved calls, for build servers (JUnit XML) and for pull requests (Markdown).

Nothing that a server said becomes markup, and the Markdown stays within what a comment may have.
Sources: the schema of Jenkins' xunit plug-in, `junit-10.xsd`; GitHub Flavored Markdown, 6.1 and
4.5; GitHub's limit for a comment, 65,536 characters. Pure: writes no file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from desktop.features.saved_calls.expectations import diff_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from xml.etree.ElementTree import Element

    from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome
    from desktop.history.records import Outcome, SavedCallPlace

MAX_MARKDOWN: Final = 60_000
_MAX_CELL: Final = 120
_MAX_MESSAGE: Final = 500
_MAX_BLOCK: Final = 4_000

# What XML 1.0 cannot have, not even escaped (section 2.2).
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class RunColumn:
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


def to_junit(columns: Sequence[RunColumn]) -> str:
    """One suite a file and server. A server that is away is an error."""
    # Here and not above: every run of the app imports this module, few write XML.
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    root = Element("testsuites", name="mcp-desktop")
    every: list[SavedCallOutcome] = []
    for column in columns:
        for name, outcomes in _by_file(column).items():
            title = f"{name} ({column.title})" if column.title else name
            suite = SubElement(root, "testsuite", {"name": _legal(title)} | _counts(outcomes))
            suite.attrib["skipped"] = str(sum(each.outcome == "skipped" for each in outcomes))
            every += outcomes
            for outcome in outcomes:
                _add_case(suite, outcome)
    root.attrib |= _counts(every)
    indent(root)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(root, encoding='unicode')}\n"


def _by_file(column: RunColumn) -> dict[str, list[SavedCallOutcome]]:
    files: dict[str, list[SavedCallOutcome]] = {}
    for (file, _), outcome in column.outcomes.items():
        files.setdefault(file, []).append(outcome)
    return files


def _counts(verdicts: Sequence[SavedCallOutcome]) -> dict[str, str]:
    outcomes = [verdict.outcome for verdict in verdicts]
    failures, well = outcomes.count("failed"), outcomes.count("passed") + outcomes.count("skipped")
    return {
        "tests": str(len(outcomes)),
        "failures": str(failures),
        "errors": str(len(outcomes) - failures - well),
        "time": _seconds(sum(verdict.result.execution_time for verdict in verdicts)),
    }


def _add_case(suite: Element, verdict: SavedCallOutcome) -> None:
    call, result = verdict.call, verdict.result
    from xml.etree.ElementTree import SubElement

    case = SubElement(
        suite,
        "testcase",
        name=_legal(call.name),
        classname=_legal(call.tool),
        time=_seconds(result.execution_time),
    )
    if verdict.skipped:
        SubElement(case, "skipped", message=_legal(verdict.skipped))
    elif verdict.differences:
        kind = "failure" if verdict.outcome == "failed" else "error"
        first = verdict.differences[0]
        problem = SubElement(case, kind, message=_legal(first.message), type=first.kind)
        lines = [[each.message, *diff_lines(each.diff)] for each in verdict.differences]
        problem.text = _legal("\n".join(line for told in lines for line in told))


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def _legal(text: str) -> str:
    """Control characters as they are written in JSON, so that they can still be told."""
    return _ILLEGAL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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
        titles = [_escaped(column.title) or "outcome" for column in self._columns]
        first = ["call", "tool", *titles]
        lines = [_row(first), _row(["---"] * len(first))]
        self._left -= sum(map(len, lines))
        for number, place in enumerate(self._places):
            line = _row(
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
        return [_escaped(place[1]), _escaped(tools[0])]

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
        where = f" on {_escaped(column.title)}" if column.title else ""
        told = "".join(f"- {_escaped(line, _MAX_MESSAGE)}\n" for line in lines)
        return f"\n**{_escaped(place[1])}**{where}\n{told}" + (_fenced(block) if block else "")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


_PUNCTUATION: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|~^$:=])")
_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;", "\u2028": " "}


def _escaped(text: str, most: int = _MAX_CELL) -> str:
    """One line of plain text: no markup, no link, nobody mentioned."""
    line = " ".join(_legal(text[: 4 * most]).split())
    line = line if len(line) <= most else f"{line[:most]}…"
    line = _PUNCTUATION.sub(r"\\\1", line)
    return "".join(_ENTITIES.get(character, character) for character in line)


def _fenced(lines: Sequence[str]) -> str:
    text = _legal("\n".join(lines))
    text = text if len(text) <= _MAX_BLOCK else f"{text[:_MAX_BLOCK]}\n…"
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"\n{fence}diff\n{text}\n{fence}\n"
