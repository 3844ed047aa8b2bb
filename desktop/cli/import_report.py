"""What an import found and would do, printed and as JSON documents.

Decides and changes nothing. All that would be used is printed, never cut: the terminal wraps it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.cli.output import layout, plain
from desktop.config.imports.warnings import finding_words

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.cli.output import Colour, Console
    from desktop.config.imports.plan import ImportPlan, PlannedServer
    from desktop.config.imports.reader import DetectedClient


_HEADER: Final = ("APP", "SERVERS", "NEW", "FILE")
_COLOURS: dict[str, Colour] = {
    "new": "green",
    "same": "dim",
    "different": "yellow",
    "invalid": "red",
}


def print_found(
    found: Sequence[DetectedClient], plans: Sequence[ImportPlan], console: Console
) -> None:
    """A table of the clients that have servers here, and how to go on."""
    if not found:
        console.write(
            "No servers of other clients were found. Import a file: mcp-desktop import FILE"
        )
        return
    counts = {id(plan.source): _count_new(plan) for plan in plans}
    rows = [
        [
            client.source.app.key if client.source.app is not None else "",
            str(client.count) if client.read is not None else "-",
            str(counts[id(client.read.source)]) if client.read is not None else "-",
            plain(str(client.source.path)),
        ]
        for client in found
    ]
    header, *lines = layout(_HEADER, rows, console.width)
    console.write(console.paint(header, "bold"))
    console.write("\n".join(lines))
    for error in (client.error for client in found if client.error):
        console.note("\n" + plain(error))
    console.note("\nTo review and import one: mcp-desktop import APP")


def found_to_json(
    found: Sequence[DetectedClient], plans: Sequence[ImportPlan]
) -> list[dict[str, Any]]:
    counts = {id(plan.source): _count_new(plan) for plan in plans}
    return [
        {
            "app": client.source.app.key if client.source.app is not None else None,
            "file": str(client.source.path),
            "servers": client.count,
            "new": counts.get(id(client.read.source), 0) if client.read is not None else 0,
            "error": client.error or None,
        }
        for client in found
    ]


def print_plan(plan: ImportPlan, targets: Collection[str], console: Console) -> None:
    """Each server with its state, and what a person should know of it, indented below."""
    title = plan.source.label
    if plan.source.path is not None:
        title += f"  {plan.source.path}"
    console.write(console.paint(plain(title), "bold"))
    for notice in plan.notices:
        console.write(f"  {notice}")
    for server in plan.servers:
        mark = "+" if server.can_be_imported and server.target in targets else " "
        state = console.paint(_state_label(server), _COLOURS[server.status])
        name = plain(server.name).replace("\n", " ")
        console.write(f"{mark} {name}  {state}  {plain(_command_label(server))}".rstrip())
        for line in _detail_lines(server):
            console.write(f"      {plain(line)}")
    console.write("")


def plan_to_json(plan: ImportPlan, targets: Collection[str]) -> dict[str, Any]:
    source = plan.source
    return {
        "app": source.app.key if source.app is not None else None,
        "file": str(source.path) if source.path is not None else None,
        "notices": list(plan.notices),
        "servers": [_server_to_json(server, server.target in targets) for server in plan.servers],
    }


def _server_to_json(server: PlannedServer, is_chosen: bool) -> dict[str, Any]:
    config = server.config
    return {
        "name": server.name,
        "target": server.target if server.can_be_imported else None,
        "status": server.status,
        "chosen": is_chosen and server.can_be_imported,
        "sameAs": server.ours or None,
        "project": server.scope or None,
        "reason": server.reason or None,
        "transport": config.transport if config is not None else None,
        "runs": _command_label(server) or None,
        "uses": [{"place": detail.place, "value": detail.value} for detail in server.details],
        "differences": [
            {"place": difference.place, "ours": difference.ours, "theirs": difference.theirs}
            for difference in server.differences
        ],
        "findings": [
            {"kind": finding.kind, "place": finding.place, "message": finding_words(finding)}
            for finding in server.findings
        ],
    }


def _state_label(server: PlannedServer) -> str:
    if server.status == "same":
        return (
            "there already"
            if server.ours == server.name
            else f"already added as {plain(server.ours)}"
        )
    if server.status == "different":
        return f"differs from yours (would be added as {plain(server.target)})"
    return (
        server.status
        if server.target == server.name or server.status == "invalid"
        else f"new, as {plain(server.target)}"
    )


def _detail_lines(server: PlannedServer) -> list[str]:
    lines = [server.reason] if server.reason else []
    if server.scope:
        lines.append(f"for the project {server.scope}")
    for difference in server.differences:
        what = (
            "another value"
            if difference.is_secret
            else f"{difference.ours or '(nothing)'} -> {difference.theirs or '(nothing)'}"
        )
        lines.append(f"{difference.place}: {what}")
    if server.status != "same":
        lines += [f"{detail.place}: {detail.value}" for detail in server.details[1:]]
        lines += [
            f"{'! ' if finding.is_warning else ''}{finding_words(finding)}"
            for finding in server.findings
        ]
    return [line.replace("\n", " ") for line in lines]


def _command_label(server: PlannedServer) -> str:
    """How it is started or reached, in full."""
    return server.details[0].value if server.details else ""


def _count_new(plan: ImportPlan) -> int:
    return sum(server.status == "new" for server in plan.servers)
