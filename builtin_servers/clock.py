"""The time server: the time now in a zone, and one day's time moved to another zone.

Tool names, parameters and results are those of the reference `mcp-server-time`. The zone database
is the system's and is opened with the first call.
"""

from __future__ import annotations

import json

from builtin_servers.call import Reply, ToolError
from builtin_servers.declaration import Server, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from builtin_servers.call import Call


def get_current_time(call: Call) -> Reply:
    from datetime import datetime

    from builtin_servers.zones import find_zone

    return _reply(_describe(datetime.now(find_zone(call.arguments["timezone"]))))


def convert_time(call: Call) -> Reply:
    from datetime import UTC, datetime

    arguments = call.arguments
    return _reply(
        convert(
            arguments["source_timezone"],
            arguments["time"],
            arguments["target_timezone"],
            datetime.now(UTC),
        )
    )


def convert(source: str, time: str, target: str, now: datetime) -> dict[str, object]:
    """Where `time`, on the day that `now` is in `source`, falls in `target`."""
    from datetime import UTC

    from builtin_servers.zones import find_zone

    source_zone, target_zone = find_zone(source), find_zone(target)
    hour, minute = parse_time(time)
    day = now.astimezone(source_zone)
    at = day.replace(hour=hour, minute=minute, second=0, microsecond=0, fold=0)
    if at.astimezone(UTC).astimezone(source_zone).replace(tzinfo=None) != at.replace(tzinfo=None):
        raise ToolError(f"{time} does not exist on {at:%Y-%m-%d} in {source}: clocks skip it")
    there = at.astimezone(target_zone)
    return {
        "source": _describe(at),
        "target": _describe(there),
        "time_difference": _difference(at, there),
    }


def parse_time(text: str) -> tuple[int, int]:
    """Hour and minute of a 24-hour `HH:MM`."""
    hour, _, minute = text.partition(":")
    shaped = len(hour) in {1, 2} and len(minute) == 2 and text.isascii()
    if shaped and hour.isdigit() and minute.isdigit() and int(hour) < 24 and int(minute) < 60:
        return int(hour), int(minute)
    raise ToolError(f"{text[:60]!r} is not a time: write HH:MM, 24 hours, such as 16:30")


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


def _reply(structured: dict[str, object]) -> Reply:
    return Reply(json.dumps(structured, indent=2), structured)


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MOMENT = {
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


def _zone(description: str) -> dict[str, object]:
    examples = ["Europe/Paris", "America/New_York", "Asia/Shanghai", "UTC"]
    return {"type": "string", "description": description, "examples": examples}


SERVER = Server(
    "time",
    title="Time",
    version="1.0.0",
    instructions="Time zones are IANA names such as Europe/Paris.",
    tools=[
        Tool(
            "get_current_time",
            get_current_time,
            title="Current time",
            description="The current date and time in a time zone.",
            input_schema={
                "type": "object",
                "properties": {"timezone": _zone("IANA name of the time zone.")},
                "required": ["timezone"],
                "additionalProperties": False,
            },
            output_schema=_MOMENT,
            annotations={"readOnlyHint": True, "idempotentHint": False, "openWorldHint": False},
            meta=_META,
        ),
        Tool(
            "convert_time",
            convert_time,
            title="Convert time",
            description="What a time of today in one time zone is in another.",
            input_schema={
                "type": "object",
                "properties": {
                    "source_timezone": _zone("IANA name of the zone the time is given in."),
                    "time": {
                        "type": "string",
                        "description": "Time of day, 24 hours, HH:MM.",
                        "examples": ["16:30"],
                    },
                    "target_timezone": _zone("IANA name of the zone to convert to."),
                },
                "required": ["source_timezone", "time", "target_timezone"],
                "additionalProperties": False,
            },
            output_schema={
                "type": "object",
                "properties": {
                    "source": _MOMENT,
                    "target": _MOMENT,
                    "time_difference": {"type": "string"},
                },
                "required": ["source", "target", "time_difference"],
            },
            annotations={"readOnlyHint": True, "idempotentHint": False, "openWorldHint": False},
            meta=_META,
        ),
    ],
)
