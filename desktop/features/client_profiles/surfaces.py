"""What a server is judged by: what it declares now or did in a recording, and what it answered.

Calls no tool. Must not judge: see `verdicts`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from desktop.base.errors import UsageError
from desktop.features.client_profiles.verdicts import EarlierResult, Surface
from desktop.history.records import Query
from desktop.values.json_schema import object_of
from desktop.values.tool_types import Metadata, ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.history.store import HistoryStore
    from desktop.servers.connection import ServerConnection
    from desktop.servers.recording import Exchange, RecordedServer

MAX_RESULTS: Final = 200
"""Earlier results of a server that are looked at."""


def surface_of(connection: ServerConnection, results: Sequence[EarlierResult] = ()) -> Surface:
    """What a connected server declares, with its earlier results."""
    return Surface(
        connection.name,
        connection.listed,
        results,
        connection.about.instructions,
        connection.config.transport,
        connection.capabilities.tool_changes,
    )


async def earlier_results(
    history: HistoryStore, server: str, count: int, tool: str = ""
) -> list[EarlierResult]:
    """The latest results of a server, or of one tool of it, that are whole; `count` at most.

    Raises:
        HistoryError: the history cannot be read.
    """
    if count < 1:
        return []
    wanted = Query(server=server, key=f"{server}:{tool}" if tool else "")
    page = await history.page(wanted, count=min(count, MAX_RESULTS))
    found: list[EarlierResult] = []
    for summary in page.calls:
        record = await history.get(summary.id) if summary.kind == "tool" else None
        # What was not kept whole says nothing about what a model would have got.
        if (
            record is not None
            and not record.cut.keys() - {"arguments"}
            and _answered(record.result)
        ):
            found.append(EarlierResult(summary.key.partition(":")[2], record.result))
    return found


def _answered(result: Any) -> bool:
    """Whether the tool itself said something."""
    return result.error is None or bool(result.content)


def recorded_surface(place: str) -> Surface | None:
    """The surface of `FILE` or `FILE#SERVER`; None where this is no file.

    Raises:
        UsageError: it is no recording, or not of one server.
    """
    file, _, server = place.partition("#")
    if not Path(file).is_file():
        return None
    from desktop.servers.recording import read_recording

    recording = read_recording(Path(file))
    names = [server] if server else list(recording.servers)
    chosen = recording.servers.get(names[0]) if len(names) == 1 else None
    if chosen is None:
        known = ", ".join(f"{file}#{name}" for name in recording.servers) or "none"
        raise UsageError(f"{place} is not one recorded server.", remedy=f"Recorded: {known}.")
    return _surface_in(chosen)


def _surface_in(server: RecordedServer) -> Surface:
    said = server.introduction
    tools = [_definition(server.name, entry) for entry in server.entries("tools/list", "tools")]
    results = (_called(exchange) for exchange in server.of("tools/call"))
    offers = object_of(object_of(said.get("capabilities")).get("tools"))
    return Surface(
        server.name,
        tools,
        [each for each in results if each is not None],
        str(said.get("instructions") or ""),
        tells_changes=offers.get("listChanged") is True,
    )


def _definition(server: str, entry: dict[str, Any]) -> ToolDefinition:
    output: object = entry.get("outputSchema")
    return ToolDefinition(
        server,
        str(entry.get("name") or ""),
        str(entry.get("title") or ""),
        str(entry.get("description") or ""),
        input_schema=object_of(entry.get("inputSchema")),
        output_schema=object_of(output) if isinstance(output, dict) else None,
        metadata=Metadata(raw=object_of(entry.get("_meta"))),
    )


def _called(exchange: Exchange) -> EarlierResult | None:
    if exchange.result is None:
        return None
    from desktop.servers.content import from_json  # brings the SDK

    result = from_json(exchange.result)
    if result is None:
        return None
    name = str(exchange.params.get("name") or "")
    return EarlierResult(name, replace(result, execution_time=exchange.seconds))
