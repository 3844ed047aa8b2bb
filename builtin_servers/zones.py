"""Finds a time zone by its IANA name, and near names for one that does not exist."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from builtin_servers.call import ToolError

_SHOWN = 60


def find_zone(name: str) -> ZoneInfo:
    """The zone called `name`.

    Raises:
        ToolError: There is none; names what was probably meant.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # a folder's name is an OSError
        raise ToolError(_explain(name)) from error


def find_near(name: str, known: set[str]) -> list[str]:
    """At most three zones that `name` may stand for: other case, a city alone, a slip."""
    wanted = "_".join(name.strip().casefold().split())
    same = [zone for zone in known if zone.casefold() == wanted]
    city = [zone for zone in known if zone.casefold().rpartition("/")[2] == wanted]
    if same or city:
        return sorted({*same, *city})[:3]
    from difflib import get_close_matches

    folded = {zone.casefold(): zone for zone in sorted(known)}
    cities = {zone.rpartition("/")[2]: folded[zone] for zone in folded}
    candidates = cities | folded
    return list(dict.fromkeys(candidates[near] for near in get_close_matches(wanted, candidates)))


def _explain(name: str) -> str:
    known = available_timezones()
    if not known:
        return "This computer has no time zone database"
    shown = repr(name[:_SHOWN])
    near = find_near(name[:_SHOWN], known)
    if near:
        return f"There is no time zone {shown}. Did you mean {' or '.join(near)}?"
    return f"There is no time zone {shown}. Use an IANA name such as Europe/Paris or UTC"
