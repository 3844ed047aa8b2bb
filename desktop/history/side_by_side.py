"""Holds what two servers answered to the same saved calls against each other.

Compared is what a snapshot would have of a result, without what the call ignores. A value that a
later call takes, such as an id, may be another on each server: it counts by where it came from.
Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from desktop.history.diff import compare_texts
from desktop.history.expectations import diff_lines
from desktop.history.saved_call import SnapshotOptions
from desktop.history.snapshots import as_text, normalized
from desktop.json_schema import same_json

if TYPE_CHECKING:
    from desktop.history.records import SavedCallPlace
    from desktop.history.saved_call_runner import SavedCallOutcome


def find_differing(
    first: Mapping[SavedCallPlace, SavedCallOutcome],
    other: Mapping[SavedCallPlace, SavedCallOutcome],
    taken: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> dict[SavedCallPlace, list[str]]:
    """The lines that differ, by the call; only of those that went as expected on both.

    Args: taken: of each of the two, the texts that calls took from results, with their placeholder.
    """
    found: dict[SavedCallPlace, list[str]] = {}
    for place, left in first.items():
        right = other.get(place)
        if right is None or left.outcome != "passed" or right.outcome != "passed":
            continue
        if lines := _differing(left, right, taken):
            found[place] = lines
    return found


def _differing(
    left: SavedCallOutcome,
    right: SavedCallOutcome,
    taken: tuple[Mapping[str, str], Mapping[str, str]],
) -> list[str]:
    options = left.call.expect.snapshot or SnapshotOptions()
    secrets = left.secrets | right.secrets
    try:
        one, two = (
            _by_source(normalized(each.result, options, secrets), values)
            for each, values in zip((left, right), taken, strict=True)
        )
        if same_json(one, two):
            return []
        return diff_lines(compare_texts(as_text(one), as_text(two)).lines)
    except (RecursionError, ValueError):
        return ["nested too deeply to be compared"]


def _by_source(value: Any, taken: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for text, placeholder in taken.items():
            value = value.replace(text, placeholder)
        return value
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        return {name: _by_source(member, taken) for name, member in members.items()}
    if isinstance(value, list):
        return [_by_source(item, taken) for item in cast("list[Any]", value)]
    return value
