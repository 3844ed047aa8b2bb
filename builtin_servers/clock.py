"""The time server: the current time in a zone, and a time of today converted to another zone.

Tool names, parameters and results are those of the reference `mcp-server-time`. The zone database
is the system's and is opened with the first call.
"""

from __future__ import annotations

import json

from builtin_servers.framework.tool import BuiltinServer, BuiltinTool, ToolCallError, ToolReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from builtin_servers.framework.tool import CallContext

_MAX_SHOWN_CHARS = 60


def get_current_time(call: CallContext) -> ToolReply:
    from datetime import datetime

    return _reply(_describe(datetime.now(find_zone(call.arguments["timezone"]))))


def convert_time(call: CallContext) -> ToolReply:
    from datetime import UTC, datetime

    arguments = call.arguments
    return _reply(
        convert_between_zones(
            arguments["source_timezone"],
            arguments["time"],
            arguments["target_timezone"],
            datetime.now(UTC),
        )
    )


def convert_between_zones(source: str, time: str, target: str, now: datetime) -> dict[str, object]:
    """Convert `time`, on the day that `now` is in `source`. Raises `ToolCallError`."""
    from datetime import UTC

    source_zone, target_zone = find_zone(source), find_zone(target)
    hour, minute = parse_time(time)
    day = now.astimezone(source_zone)
    at = day.replace(hour=hour, minute=minute, second=0, microsecond=0, fold=0)
    if at.astimezone(UTC).astimezone(source_zone).replace(tzinfo=None) != at.replace(tzinfo=None):
        raise ToolCallError(f"{time} does not exist on {at:%Y-%m-%d} in {source}: clocks skip it")
    there = at.astimezone(target_zone)
    return {
        "source": _describe(at),
        "target": _describe(there),
        "time_difference": _difference(at, there),
    }


def parse_time(text: str) -> tuple[int, int]:
    """Hour and minute of a 24-hour `HH:MM`. Raises `ToolCallError`."""
    hour, _, minute = text.partition(":")
    shaped = len(hour) in {1, 2} and len(minute) == 2 and text.isascii()
    if shaped and hour.isdigit() and minute.isdigit() and int(hour) < 24 and int(minute) < 60:
        return int(hour), int(minute)
    raise ToolCallError(f"{text[:60]!r} is not a time: write HH:MM, 24 hours, such as 16:30")


def find_zone(name: str) -> ZoneInfo:
    """The zone called `name`.

    Raises:
        ToolCallError: There is none; the message names what was probably meant.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: the name of a folder
        raise ToolCallError(_explain_unknown_zone(name)) from error


def find_similar_zones(name: str, known: set[str]) -> list[str]:
    """At most three zones that `name` may mean: another case, only a city, or a typo."""
    wanted = "_".join(name.strip().casefold().split())
    same_name = [zone for zone in known if zone.casefold() == wanted]
    same_city = [zone for zone in known if zone.casefold().rpartition("/")[2] == wanted]
    if same_name or same_city:
        return sorted({*same_name, *same_city})[:3]
    from difflib import get_close_matches

    folded = {zone.casefold(): zone for zone in sorted(known)}
    cities = {zone.rpartition("/")[2]: folded[zone] for zone in folded}
    candidates = cities | folded
    return list(dict.fromkeys(candidates[near] for near in get_close_matches(wanted, candidates)))


def _explain_unknown_zone(name: str) -> str:
    from zoneinfo import available_timezones

    known = available_timezones()
    if not known:
        return "This computer has no time zone database"
    quoted = repr(name[:_MAX_SHOWN_CHARS])
    near = find_similar_zones(name[:_MAX_SHOWN_CHARS], known)
    if near:
        return f"There is no time zone {quoted}. Did you mean {' or '.join(near)}?"
    return f"There is no time zone {quoted}. Use an IANA name such as Europe/Paris or UTC"


def _describe(moment: datetime) -> dict[str, object]:
    return {
        "timezone": str(moment.tzinfo),
        "datetime": moment.isoformat(timespec="seconds"),
        "day_of_week": _DAYS[moment.weekday()],  # strftime("%A") follows the locale
        "is_dst": bool(moment.dst()),
    }


def _difference(source: datetime, target: datetime) -> str:
    offsets = (target.utcoffset(), source.utcoffset())
    seconds = [0.0 if offset is None else offset.total_seconds() for offset in offsets]
    hours = (seconds[0] - seconds[1]) / 3600
    if hours.is_integer():
        return f"{hours:+.1f}h"
    return f"{hours:+.2f}".rstrip("0").rstrip(".") + "h"


def _reply(structured: dict[str, object]) -> ToolReply:
    return ToolReply(json.dumps(structured, indent=2), structured)


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MOMENT_SCHEMA = {
    "type": "object",
    "properties": {
        "timezone": {"type": "string"},
        "datetime": {"type": "string", "format": "date-time"},
        "day_of_week": {"type": "string", "enum": list(_DAYS)},
        "is_dst": {"type": "boolean"},
    },
    "required": ["timezone", "datetime", "day_of_week", "is_dst"],
}
_META = {"version": "1.0.0", "author": "mcp-desktop", "category": "time", "tags": ["time", "zones"]}


def _zone_schema(description: str) -> dict[str, object]:
    examples = ["Europe/Paris", "America/New_York", "Asia/Shanghai", "UTC"]
    return {"type": "string", "description": description, "examples": examples}


SERVER = BuiltinServer(
    "time",
    title="Time",
    version="1.0.0",
    instructions="Time zones are IANA names such as Europe/Paris.",
    tools=[
        BuiltinTool(
            "get_current_time",
            get_current_time,
            title="Current time",
            description="The current date and time in a time zone.",
            input_schema={
                "type": "object",
                "properties": {"timezone": _zone_schema("IANA name of the time zone.")},
                "required": ["timezone"],
                "additionalProperties": False,
            },
            output_schema=_MOMENT_SCHEMA,
            annotations={"readOnlyHint": True, "idempotentHint": False, "openWorldHint": False},
            meta=_META,
        ),
        BuiltinTool(
            "convert_time",
            convert_time,
            title="Convert time",
            description="What a time of today in one time zone is in another.",
            input_schema={
                "type": "object",
                "properties": {
                    "source_timezone": _zone_schema("IANA name of the zone the time is given in."),
                    "time": {
                        "type": "string",
                        "description": "Time of day, 24 hours, HH:MM.",
                        "examples": ["16:30"],
                    },
                    "target_timezone": _zone_schema("IANA name of the zone to convert to."),
                },
                "required": ["source_timezone", "time", "target_timezone"],
                "additionalProperties": False,
            },
            output_schema={
                "type": "object",
                "properties": {
                    "source": _MOMENT_SCHEMA,
                    "target": _MOMENT_SCHEMA,
                    "time_difference": {"type": "string"},
                },
                "required": ["source", "target", "time_difference"],
            },
            annotations={"readOnlyHint": True, "idempotentHint": False, "openWorldHint": False},
            meta=_META,
        ),
    ],
)
