"""In which order saved calls are made: after those whose values they use or name in `after`.

Otherwise in the order of their files. What cannot be made, because of a cycle, a name that nobody
has or a placeholder that cannot be read, has a `problem`, found before anything is sent. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.did_you_mean import nearest_names
from desktop.base.translatable import translatable
from desktop.features.saved_calls.variables import VariableError, find_references

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.features.saved_calls.saved_call import SavedCall
    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.variables import Reference
    from desktop.history.records import SavedCallPlace

_MAX_TOLD: Final = 8
"""Calls of a cycle that are named."""


class PlannedCall(Struct, frozen=True):
    """One call with the places of those whose results it uses, by the name that it has for each.

    `references` are all of its placeholders; `before` are the calls that come first.
    """

    entry: SavedEntry
    sources: Mapping[str, SavedCallPlace] = field(default_factory=dict[str, "SavedCallPlace"])
    references: tuple[Reference, ...] = ()
    before: tuple[SavedCallPlace, ...] = ()
    problem: str = ""

    @property
    def place(self) -> SavedCallPlace:
        return self.entry.place


def plan_calls(
    entries: Sequence[SavedEntry], wanted: Iterable[SavedEntry] | None = None
) -> list[PlannedCall]:
    """All calls in an order in which they can be made, each once.

    Args:
        entries: what names can mean; a name means the call of the same file first.
        wanted: these alone, and those whose values they need; None for all.
    """
    by_place = {entry.place: entry for entry in entries}
    by_name: defaultdict[str, list[SavedEntry]] = defaultdict(list)
    for entry in by_place.values():
        by_name[entry.call.name].append(entry)
    linked = {place: _linked(entry, by_name) for place, entry in by_place.items()}
    if wanted is not None:
        linked = _needed(linked, [entry.place for entry in wanted])
    return _ordered(linked)


def _linked(entry: SavedEntry, by_name: Mapping[str, list[SavedEntry]]) -> PlannedCall:
    try:
        references = find_references(_texts(entry.call))
        sources = {
            reference.name: _meant(reference.name, entry, by_name).place for reference in references
        }
        later = [_meant(name, entry, by_name).place for name in entry.call.after]
    except VariableError as error:
        return PlannedCall(entry, problem=str(error))
    before = tuple(dict.fromkeys((*sources.values(), *later)))
    return PlannedCall(entry, sources, tuple(references), before)


def _texts(call: SavedCall) -> dict[str, object]:
    """Where placeholders are looked for."""
    return {
        "arguments": call.arguments,
        "contains": list(call.expect.contains),
        "equals": call.expect.equals,
    }


def _meant(name: str, user: SavedEntry, by_name: Mapping[str, list[SavedEntry]]) -> SavedEntry:
    """The call that `user` means by `name`.

    Raises:
        VariableError: there is none, or more than one in other files.
    """
    found = by_name.get(name, [])
    here = [entry for entry in found if entry.file.path == user.file.path] or found
    if len(here) == 1:
        return here[0]
    if here:
        files = ", ".join(str(entry.file.path) for entry in here[:_MAX_TOLD])
        raise VariableError(
            translatable("more than one call is named {name!r}: {files}", name=name, files=files)
        )
    dotted = [other for other in by_name if other.startswith((f"{name}.", f"{name}["))]
    if dotted:
        hint = translatable('put the name in quotes: ${{{{ "{name}".path }}}}', name=dotted[0])
    elif near := nearest_names(name, by_name, 1):
        hint = translatable("did you mean {name!r}?", name=near[0])
    else:
        hint = translatable("its file has to be among those that run")
    raise VariableError(
        translatable("no saved call is named {name!r}; {hint}", name=name, hint=hint)
    )


def _needed(
    linked: dict[SavedCallPlace, PlannedCall], wanted: Iterable[SavedCallPlace]
) -> dict[SavedCallPlace, PlannedCall]:
    found: set[SavedCallPlace] = set()
    waiting = list(wanted)
    while waiting:
        place = waiting.pop()
        if place not in found and place in linked:
            found.add(place)
            waiting += linked[place].sources.values()
    return {place: planned for place, planned in linked.items() if place in found}


def _ordered(linked: dict[SavedCallPlace, PlannedCall]) -> list[PlannedCall]:
    """Depth first, by hand: a chain may be longer than Python's stack."""
    done: dict[SavedCallPlace, PlannedCall] = {}
    for start in linked:
        path: dict[SavedCallPlace, list[SavedCallPlace]] = {}
        _enter(start, path, linked)
        while path:
            place, left = next(reversed(path.items()))
            if not left:
                del path[place]
                done.setdefault(place, linked[place])
                continue
            following = left.pop()
            if following in path:
                if linked[place].problem and linked[following].problem:
                    continue  # said already, of this circle or another
                _mark_cycle([*path][[*path].index(following) :], linked)
            elif following not in done and following in linked:
                _enter(following, path, linked)
    return [linked[place] for place in done]


def _enter(
    place: SavedCallPlace,
    path: dict[SavedCallPlace, list[SavedCallPlace]],
    linked: Mapping[SavedCallPlace, PlannedCall],
) -> None:
    path[place] = [*reversed(linked[place].before)]


def _mark_cycle(members: list[SavedCallPlace], linked: dict[SavedCallPlace, PlannedCall]) -> None:
    names = [repr(place[1]) for place in members[:_MAX_TOLD]]
    names += ["…"] if len(members) > _MAX_TOLD else []
    words = names[0]
    for name in reversed(names):
        words = translatable("{name} needs {other}", name=name, other=words)
    for place in members:
        if not linked[place].problem:
            linked[place] = replace(
                linked[place],
                problem=translatable("the calls wait for each other: {names}", names=words),
            )
