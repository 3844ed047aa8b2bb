"""The time server: the current time in a zone, and a time of today converted to another zone.

Tool names, parameters and results are those of the reference `mcp-server-time`. Where a call names
no zone, the one of `--local-timezone` is meant, else this computer's. The zone database is the
system's and is opened with the first call. Windows has none and names zones in its own way: there
both come from the packages tzdata and tzlocal, which the app brings.
"""

from __future__ import annotations

import json
import os
import sys

from builtin_servers.framework.arguments import parse_arguments
from builtin_servers.framework.tool import (
    ArgumentError,
    BuiltinServer,
    BuiltinTool,
    ToolCallError,
    ToolReply,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from builtin_servers.framework.tool import CallContext

_MAX_SHOWN_CHARS = 60
_DATABASE = "/usr/share/zoneinfo"


class TimeTools:
    """The handlers; `local` is the zone that is meant where a call names none."""

    def __init__(self, local: str) -> None:
        self._local = local

    def get_current_time(self, call: CallContext) -> ToolReply:
        from datetime import datetime

        zone = find_zone(call.arguments.get("timezone", self._local))
        return _reply(_describe(datetime.now(zone)))

    def convert_time(self, call: CallContext) -> ToolReply:
        from datetime import UTC, datetime

        arguments = call.arguments
        return _reply(
            convert_between_zones(
                arguments.get("source_timezone", self._local),
                arguments["time"],
                arguments.get("target_timezone", self._local),
                datetime.now(UTC),
            )
        )


def reach_packages(executable: str = sys.executable) -> None:
    """Let tzdata and tzlocal be imported: a built-in server is started without site-packages."""
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # those of a wheel
    scripts = os.path.dirname(executable)
    beside = [os.path.join(each, "Lib", "site-packages") for each in (scripts, f"{scripts}/..")]
    for folder in (above, *beside):
        if os.path.isdir(os.path.join(folder, "tzlocal")) and folder not in sys.path:
            sys.path.append(folder)
            return


def find_windows_zone() -> str:
    """The name of this computer's zone on Windows; UTC where it cannot be told."""
    try:
        from tzlocal import get_localzone_name

        return get_localzone_name() or "UTC"
    except (ImportError, LookupError, OSError):
        return "UTC"


def find_local_zone(localtime: str = "/etc/localtime") -> str:
    """The name of this computer's zone; UTC where it cannot be told. Opens no database."""
    if sys.platform == "win32":
        return find_windows_zone()
    named = os.environ.get("TZ", "").removeprefix(":")
    if named and os.path.isfile(os.path.join(_DATABASE, named)):
        return named  # and not `CET-1CEST`, which TZ may be as well
    _, _, linked = os.path.realpath(localtime).partition("/zoneinfo/")
    return linked or "UTC"


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


def find_zone(name: str) -> tzinfo:
    """The zone called `name`.

    Raises:
        ToolCallError: There is none; the message names what was probably meant.
    """
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: the name of a folder
        if name == "UTC":  # known without a database, which Windows has not
            from datetime import UTC

            return UTC
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
        return "This computer has no time zone database: only UTC is known"
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
_HINTS = {"readOnlyHint": True, "idempotentHint": False, "openWorldHint": False}
_META = {"version": "1.0.0", "author": "mcp-desktop", "category": "time", "tags": ["time", "zones"]}


def _zone_schema(description: str, local: str) -> dict[str, object]:
    examples = ["Europe/Paris", "America/New_York", "Asia/Shanghai", "UTC"]
    return {"type": "string", "description": description, "examples": examples, "default": local}


def make_server(arguments: Sequence[str]) -> BuiltinServer:
    """Arguments: `[--local-timezone ZONE]`. Raises `ArgumentError`."""
    parsed = parse_arguments(arguments, options=["--local-timezone"], max_rest=0)
    if sys.platform == "win32":
        reach_packages()
    local = parsed.options.get("--local-timezone", "")
    if local:
        try:
            find_zone(local)
        except ToolCallError as error:
            raise ArgumentError(str(error)) from error
    local = local or find_local_zone()
    tools = TimeTools(local)
    return BuiltinServer(
        "time",
        title="Time",
        version="1.0.0",
        instructions="Time zones are IANA names such as Europe/Paris. "
        f"Where none is named, {local} is meant.",
        tools=[_current_time_tool(tools, local), _convert_time_tool(tools, local)],
    )


def _current_time_tool(tools: TimeTools, local: str) -> BuiltinTool:
    return BuiltinTool(
        "get_current_time",
        tools.get_current_time,
        title="Current time",
        description="The current date and time in a time zone.",
        input_schema={
            "type": "object",
            "properties": {"timezone": _zone_schema("IANA name of the time zone.", local)},
            "additionalProperties": False,
        },
        output_schema=_MOMENT_SCHEMA,
        annotations=_HINTS,
        meta=_META,
    )


def _convert_time_tool(tools: TimeTools, local: str) -> BuiltinTool:
    source = _zone_schema("IANA name of the zone the time is given in.", local)
    target = _zone_schema("IANA name of the zone to convert to.", local)
    time = {"type": "string", "description": "Time of day, 24 hours, HH:MM.", "examples": ["16:30"]}
    return BuiltinTool(
        "convert_time",
        tools.convert_time,
        title="Convert time",
        description="What a time of today in one time zone is in another.",
        input_schema={
            "type": "object",
            "properties": {"source_timezone": source, "time": time, "target_timezone": target},
            "required": ["time"],
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
        annotations=_HINTS,
        meta=_META,
    )
