"""What `test` prints: a line a call and what differs below it, a table of servers, a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.cli.output import layout, plain
from desktop.features.saved_calls.expectations import diff_lines
from desktop.features.saved_calls.run_reports import DIFFERS, WORDS, cell_words, counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop.cli.output import Colour, Console
    from desktop.features.saved_calls.run_reports import RunColumn
    from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome
    from desktop.history.records import Outcome

_COLOURS: dict[Outcome, Colour] = {
    "passed": "green",
    "failed": "red",
    "unreachable": "red",
    "timeout": "red",
    "skipped": "yellow",
}
_INDENT = " " * 10
_MAX_LEFTOVERS = 20


def print_outcome(console: Console, outcome: SavedCallOutcome, server: str = "") -> None:
    """One call; `server` is who was called, where that is not the one of the call."""
    call, result, paint = outcome.call, outcome.result, console.paint
    word = f"{WORDS[outcome.outcome]:<9}"
    took = "" if outcome.skipped else paint(f"{result.execution_time * 1000:.0f} ms", "dim")
    named, _, name = call.tool.partition(":")
    tool = _line(f"{server or named}:{name}")
    about = f"{tool}, not validated" if result.is_unchecked else tool
    line = f"{paint(word, _COLOURS[outcome.outcome])} {_line(call.name)}  ({about})  {took}"
    console.write(line.rstrip())
    for message in outcome.messages:
        console.write("\n".join(f"{_INDENT}{line}" for line in plain(message).splitlines()))
    for difference in outcome.differences:
        _print_diff(console, diff_lines(difference.diff))
    if outcome.is_written and outcome.snapshot is not None:
        _print_written(console, outcome)


def _print_written(console: Console, outcome: SavedCallOutcome) -> None:
    """What was accepted, as it can be reviewed."""
    from desktop.features.saved_calls.snapshots import shown_path

    snapshot = outcome.snapshot
    if snapshot is None:
        return
    words = "written" if snapshot.status == "missing" else "updated"
    console.write(f"{_INDENT}snapshot {words}: {plain(shown_path(snapshot.path))}")
    if snapshot.status == "differs":
        _print_diff(console, diff_lines(snapshot.part.lines))


def _print_diff(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        shown = plain(line)
        colour: Colour = "red" if line[:1] == "-" else "green" if line[:1] == "+" else "dim"
        console.write(_INDENT + console.paint(shown, colour))


def print_table(console: Console, columns: Sequence[RunColumn]) -> None:
    """Call by server: passed, failed or differs; below it what differs."""
    places = list(dict.fromkeys(place for column in columns for place in column.outcomes))
    rows = [
        [_line(name), *(cell_words(each, (file, name)) for each in columns)]
        for file, name in places
    ]
    titles = [plain(column.title) for column in columns]
    console.write("")
    for line in layout(["call", *titles], rows, None):
        console.write(line)
    for column in columns[1:]:
        for place, lines in column.differs.items():
            words = f"{_line(place[1])}: {plain(column.title)} {DIFFERS} from {titles[0]}"
            console.write(f"\n{words}")
            _print_diff(console, lines)


def print_end(console: Console, columns: Sequence[RunColumn], seconds: float) -> None:
    """The counts of it all."""
    outcomes = [each for column in columns for each in column.outcomes.values()]
    is_well = all(each.outcome == "passed" for each in outcomes)
    words = counted(outcomes)
    differing = sum(len(column.differs) for column in columns)
    words += f", {differing} differ" if differing else ""
    written = sum(each.is_written for each in outcomes)
    noted = f"; snapshots written: {written}" if written else ""
    painted = console.paint(words, "green" if is_well else "red")
    console.write(f"\n{painted} of {len(outcomes)} in {seconds:.1f} s{noted}")


def print_leftovers(console: Console, paths: Sequence[Path], *, are_removed: bool) -> None:
    """The snapshots that no call uses any more, and how they go; nothing where there are none."""
    if not paths:
        return
    from desktop.features.saved_calls.snapshots import shown_path

    count = "1 snapshot" if len(paths) == 1 else f"{len(paths)} snapshots"
    words = "removed" if are_removed else "used by no saved call any more"
    console.write(f"{count} {words}:")
    for path in paths[:_MAX_LEFTOVERS]:
        console.write(f"  {_line(shown_path(path))}")
    if (more := len(paths) - _MAX_LEFTOVERS) > 0:
        console.write(f"  … {more} more")
    if not are_removed:
        console.write("Delete with --remove-leftover-snapshots.")


def make_document(columns: Sequence[RunColumn], seconds: float) -> dict[str, Any]:
    """Each count by its outcome; each call with its file, and its server if there are several."""
    outcomes = [each.outcome for column in columns for each in column.outcomes.values()]
    tests = [
        {
            "file": place[0],
            **({"server": column.title} if column.title else {}),
            **outcome.to_json(),
        }
        | ({"differs": list(column.differs[place])} if place in column.differs else {})
        for column in columns
        for place, outcome in column.outcomes.items()
    ]
    counts = {outcome: outcomes.count(outcome) for outcome in WORDS}
    if len(columns) > 1:
        counts |= {DIFFERS: sum(len(column.differs) for column in columns)}
    is_well = set(outcomes) == {"passed"}
    return {"success": is_well, **counts, "seconds": round(seconds, 3), "tests": tests}


def _line(text: str) -> str:
    return plain(text).replace("\n", " ")
