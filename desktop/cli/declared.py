"""`tools --format`: the tools as a provider is sent them, with what was changed and what it costs.

Imports the converters, which the plain list does without. Must not reach a provider.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desktop.cli.screen import plain
from desktop.cli.table import layout
from desktop.llm.formats import ApiFormat, Verdict, make_wire_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.cli.screen import Colour, Console
    from desktop.llm.formats import Declaration, WireTools
    from desktop.tool_types import ToolDefinition

_COLOURS: dict[str, Colour] = {
    Verdict.OK: "green",
    Verdict.REPAIRED: "yellow",
    Verdict.REJECTED: "red",
}


def show_declared(
    definitions: Sequence[ToolDefinition], name: str, failed: Mapping[str, str], screen: Console
) -> None:
    """Print them in the format `name`; `failed` says why a server has none, for the document."""
    made = make_wire_tools(definitions, ApiFormat(name))
    if screen.as_json:
        screen.document(_document(made, failed))
    else:
        _print_format_table(made, screen)


def _document(made: WireTools, failed: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": made.api_format,
        "tools": made.tools,
        "report": [_report(each) for each in _all(made)],
        "tokens": made.tokens,
        "warnings": made.warnings,
        "failed": dict(failed),
    }


def _report(made: Declaration) -> dict[str, Any]:
    return {
        "key": made.key,
        "name": made.wire_name,
        "verdict": made.verdict,
        "reason": made.reason,
        "tokens": made.tokens,
        "changes": [asdict(change) for change in made.changes],
    }


def _print_format_table(made: WireTools, screen: Console) -> None:
    rows = [[each.wire_name, f"{each.tokens:>6,}", _verdict(each)] for each in _all(made)]
    if rows:
        header, *lines = layout(
            ("NAME FOR THE MODEL", "TOKENS", "VERDICT"), rows, screen.width, _tint(screen)
        )
        screen.write(screen.paint(header, "bold"))
        screen.write("\n".join(lines))
    count = len(made.declarations)
    tools = "1 tool" if count == 1 else f"{count} tools"
    screen.write(f"{tools}, about {made.tokens:,} tokens in every request (an estimate).")
    told = {each.reason for each in made.quarantined}
    for warning in made.warnings:
        if warning not in told:
            screen.note(plain(warning))


def _verdict(made: Declaration) -> str:
    """The last cell of a row: the verdict, and of a name that says too little, whose it is."""
    if made.verdict is Verdict.REJECTED:
        return f"{made.verdict}: {_format_line(made.reason)}"
    changes = "1 change" if len(made.changes) == 1 else f"{len(made.changes)} changes"
    words = f"{made.verdict} ({changes})" if made.changes else str(made.verdict)
    is_plain = made.wire_name.endswith(made.key.replace(":", "__", 1))
    return words if is_plain else f"{words} {_format_line(made.key)}"


def _format_line(text: str) -> str:
    return plain(text).replace("\n", " ").replace("\t", " ")


def _tint(screen: Console) -> Callable[[str], str]:
    def tint(cell: str) -> str:
        word = cell.partition(" ")[0].rstrip(":…")
        return screen.paint(cell, _COLOURS[word]) if word in _COLOURS else cell

    return tint


def _all(made: WireTools) -> tuple[Declaration, ...]:
    return made.declarations + made.quarantined
