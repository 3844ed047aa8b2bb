"""What was found, and what an import would do, as text and as JSON. Prints; decides nothing.

Nothing of it holds a secret: values are covered, or not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.cli.screen import plain
from desktop.cli.table import layout
from desktop.config.imports.warnings import finding_words
from desktop.redaction.detect import covered_command, covered_text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from desktop.cli.screen import Colour, Console
    from desktop.config.imports.plan import ImportPlan, PlannedServer
    from desktop.config.imports.reader import DetectedClient
    from desktop.config.models import ServerConfig

_HEADER: Final = ("APP", "SERVERS", "NEW", "FILE")
_COLOURS: dict[str, Colour] = {
    "new": "green",
    "same": "dim",
    "different": "yellow",
    "invalid": "red",
}


def show_found(
    found: Sequence[DetectedClient], plans: Sequence[ImportPlan], screen: Console
) -> None:
    """A table of the clients that have servers here, and how to go on."""
    if not found:
        screen.write("No other client's servers were found. A file: mcp-desktop import FILE")
        return
    counts = {id(plan.source): _new(plan) for plan in plans}
    rows = [
        [
            one.source.app.key if one.source.app is not None else "",
            str(one.count) if one.read is not None else "-",
            str(counts[id(one.read.source)]) if one.read is not None else "-",
            plain(str(one.source.path)),
        ]
        for one in found
    ]
    header, *lines = layout(_HEADER, rows, screen.width)
    screen.write(screen.paint(header, "bold"))
    screen.write("\n".join(lines))
    for error in (one.error for one in found if one.error):
        screen.note("\n" + plain(error))
    screen.note("\nTo see one and take it over: mcp-desktop import APP")


def described_found(
    found: Sequence[DetectedClient], plans: Sequence[ImportPlan]
) -> list[dict[str, Any]]:
    counts = {id(plan.source): _new(plan) for plan in plans}
    return [
        {
            "app": one.source.app.key if one.source.app is not None else None,
            "file": str(one.source.path),
            "servers": one.count,
            "new": counts.get(id(one.read.source), 0) if one.read is not None else 0,
            "error": one.error or None,
        }
        for one in found
    ]


def show_plan(plan: ImportPlan, targets: Collection[str], screen: Console) -> None:
    """Each server with its state, and what a person should know of it, indented below."""
    title = plan.source.label
    if plan.source.path is not None:
        title += f"  {plan.source.path}"
    screen.write(screen.paint(plain(title), "bold"))
    for notice in plan.notices:
        screen.write(f"  {notice}")
    for one in plan.servers:
        mark = "+" if one.can_be_imported and one.target in targets else " "
        state = screen.paint(_state(one), _COLOURS[one.status])
        name = plain(one.name).replace("\n", " ")
        screen.write(f"{mark} {name}  {state}  {plain(_way(one.config))}".rstrip())
        for line in _lines(one):
            screen.write(f"      {plain(line)}")
    screen.write("")


def described_plan(plan: ImportPlan, targets: Collection[str]) -> dict[str, Any]:
    source = plan.source
    return {
        "app": source.app.key if source.app is not None else None,
        "file": str(source.path) if source.path is not None else None,
        "notices": list(plan.notices),
        "servers": [_described(one, one.target in targets) for one in plan.servers],
    }


def _described(one: PlannedServer, is_chosen: bool) -> dict[str, Any]:
    config = one.config
    return {
        "name": one.name,
        "target": one.target if one.can_be_imported else None,
        "status": one.status,
        "chosen": is_chosen and one.can_be_imported,
        "sameAs": one.ours or None,
        "project": one.scope or None,
        "reason": one.reason or None,
        "transport": config.transport if config is not None else None,
        "runs": _way(config) or None,
        "differences": [
            {"place": two.place, "ours": two.ours, "theirs": two.theirs} for two in one.differences
        ],
        "findings": [
            {"kind": two.kind, "place": two.place, "message": finding_words(two)}
            for two in one.findings
        ],
    }


def _state(one: PlannedServer) -> str:
    if one.status == "same":
        return "there already" if one.ours == one.name else f"there already as {plain(one.ours)}"
    if one.status == "different":
        return f"differs from yours (would be {plain(one.target)})"
    return (
        one.status
        if one.target == one.name or one.status == "invalid"
        else f"new, as {plain(one.target)}"
    )


def _lines(one: PlannedServer) -> list[str]:
    lines = [one.reason] if one.reason else []
    if one.scope:
        lines.append(f"for the project {one.scope}")
    for two in one.differences:
        what = (
            "another value"
            if two.is_secret
            else f"{two.ours or '(nothing)'} -> {two.theirs or '(nothing)'}"
        )
        lines.append(f"{two.place}: {what}")
    if one.status != "same":
        lines += [
            f"{'! ' if finding.is_warning else ''}{finding_words(finding)}"
            for finding in one.findings
        ]
    return [line.replace("\n", " ") for line in lines]


def _way(config: ServerConfig | None) -> str:
    """How it is started or reached."""
    if config is None:
        return ""
    if config.transport == "stdio":
        return covered_command((config.command, *config.args))[:300]
    return covered_text(config.url)[:300]


def _new(plan: ImportPlan) -> int:
    return sum(one.status == "new" for one in plan.servers)
