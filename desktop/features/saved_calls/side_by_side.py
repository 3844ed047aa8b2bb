"""Runs the same saved calls on two servers, or recordings, and holds what they answered together.

Compared is what a snapshot would have of a result, without what the call ignores. A value that a
later call takes, such as an id, may be another on each server: it counts by where it came from.
Writes nothing, and keeps nothing of how the calls went.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.features.saved_calls.saved_call import SnapshotOptions
from desktop.features.saved_calls.snapshots import as_text, normalized
from desktop.history.diff import DiffLine, Part, compare_texts
from desktop.values.json_schema import same_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.saved_call_plan import PlannedCall
    from desktop.features.saved_calls.saved_call_runner import SavedCallOutcome, SavedCallRun
    from desktop.history.records import SavedCallPlace


class Side(Struct, frozen=True):
    """What came of all calls on one of the two.

    `taken` are the texts that calls took from results, with their placeholder. `server` is who was
    called in place of whom, by name.
    """

    outcomes: Mapping[SavedCallPlace, SavedCallOutcome]
    taken: Mapping[str, str]
    servers: Mapping[str, str]


def group_calls(entries: Iterable[SavedEntry]) -> dict[str, list[SavedEntry]]:
    """The saved calls by the server that they name: those of one are made on both sides."""
    found: dict[str, list[SavedEntry]] = {}
    for entry in entries:
        found.setdefault(entry.call.tool.partition(":")[0], []).append(entry)
    return found


async def run_side(
    run: SavedCallRun,
    begun: Callable[[PlannedCall], None] = lambda _: None,
    ended: Callable[[PlannedCall, SavedCallOutcome], None] = lambda _, __: None,
) -> Side:
    """Make all calls of one side, one at a time; cancelled, the one that runs is cancelled, too.

    Args: begun, ended: told before and after each call.
    """
    outcomes: dict[SavedCallPlace, SavedCallOutcome] = {}
    async with aclosing(run.outcomes(begun)) as made:
        async for planned, outcome in made:
            outcomes[planned.place] = outcome
            ended(planned, outcome)
    # A secret may have been recognised only after the first call that showed it.
    hidden = {place: outcome.hiding(run.secrets) for place, outcome in outcomes.items()}
    return Side(hidden, run.taken, run.servers)


def find_differing(
    first: Side, other: Side, *, only_passed: bool = True
) -> dict[SavedCallPlace, Part]:
    """The lines that differ, by the call. Takes its time: for a thread.

    Args: only_passed: leave out what did not go as expected on both; else what was not answered.
    """
    found: dict[SavedCallPlace, Part] = {}
    for place, left in first.outcomes.items():
        right = other.outcomes.get(place)
        if right is None or not all(_counts(each, only_passed) for each in (left, right)):
            continue
        part = _differing((left, right), (first, other))
        if not part.is_same:
            found[place] = part
    return found


def _counts(outcome: SavedCallOutcome, only_passed: bool) -> bool:
    return outcome.outcome == "passed" if only_passed else outcome.is_answered


def _differing(
    results: tuple[SavedCallOutcome, SavedCallOutcome], sides: tuple[Side, Side]
) -> Part:
    left, right = results
    options = left.call.expect.snapshot or SnapshotOptions()
    secrets = left.secrets | right.secrets
    try:
        one, two = (
            _by_source(normalized(each.result, options, secrets), side, each.call.tool)
            for each, side in zip(results, sides, strict=True)
        )
        if same_json(one, two):
            return Part(())
        return compare_texts(as_text(one), as_text(two))
    except (RecursionError, ValueError):
        return Part((DiffLine("gap", translatable("nested too deeply to be compared")),))


def _by_source(value: Any, side: Side, tool: str) -> Any:
    """What was taken from results by where it came from, and an error without its server's name."""
    replaced = _replacing(value, side.taken)
    named, _, name = tool.partition(":")
    called = f"{side.servers.get(named, named)}:{name}: "
    error = cast("dict[str, Any]", replaced).get("error")
    if isinstance(error, dict):
        lines = cast("dict[str, list[str]]", error)["message"]
        lines[0] = lines[0].removeprefix(called)
    return replaced


def _replacing(value: Any, taken: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for text, placeholder in taken.items():
            value = value.replace(text, placeholder)
        return value
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {name: _replacing(member, taken) for name, member in members.items()}
    if isinstance(value, list):
        return [_replacing(item, taken) for item in cast("list[Any]", value)]
    return value
