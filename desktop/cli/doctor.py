"""`doctor`: examines all enabled servers, or one, and prints what to do about what is wrong.

Must not know how a server is examined: see `diagnosis`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from desktop.base.visible_text import mark_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import ServerOptions, add_server, make_parser
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, enabled_servers, find_server, run_core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.cli.doctor_report import DoctorReport, DoctorVerdict
    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core

_NOTES = """\
Checks the config, the program and its version, starts the server and checks its answers. For a
server at a URL it checks each step: DNS, connection, TLS, proxy, redirects, clock, sign-in.
Exit code 0 if all is well, 3 if a server fails.

examples:
  mcp-desktop doctor
  mcp-desktop doctor everything --json
  mcp-desktop doctor --server 'notes=python server.py'"""
_COLOURS: Final[dict[DoctorVerdict, Colour]] = {
    "ok": "green",
    "note": "dim",
    "warning": "yellow",
    "failed": "red",
}


class DoctorOptions(ServerOptions):
    """What `doctor` is told."""

    name: str | None = None


def run(args: list[str], console: Console) -> int:
    parser = make_parser("doctor", COMMANDS["doctor"], _NOTES)
    parser.add_argument(
        "name", metavar="SERVER", nargs="?", help="only this server, even if it is off"
    )
    add_server(parser)
    options = parser.parse(args, DoctorOptions())
    own = [options.name] if options.name else []
    names = list(dict.fromkeys((*own, *options.server_names)))

    def choose(store: ConfigStore) -> list[ServerConfig]:
        if not names:
            return enabled_servers(store)
        return [find_server(store, name) for name in names if not _is_unusable(store, name)]

    async def examine_all(core: Core, chosen: list[ServerConfig]) -> int:
        from desktop.cli.diagnosis import examine

        console.status(f"examining {', '.join(config.name for config in chosen)}")
        examined = await asyncio.gather(*(examine(core, config) for config in chosen))
        console.clear_status()
        reports = [*_unusable(core.store, names), *examined]
        (_print_json if console.as_json else _print)(core, reports, console)
        return Exit.DONE if all(report.is_well for report in reports) else Exit.UNREACHABLE

    return run_core(options, CommandPlan(choose, examine_all, starts_early=False))


def _is_unusable(store: ConfigStore, name: str) -> bool:
    return name in store.problems and name not in store.servers


def _unusable(store: ConfigStore, names: Sequence[str]) -> list[DoctorReport]:
    """The servers whose configuration cannot be understood: there is nothing to start."""
    from desktop.cli.doctor_report import DoctorReport

    unusable: list[DoctorReport] = []
    for server, error in store.problems.items():
        if _is_unusable(store, server) and (not names or server in names):
            report = DoctorReport(server)
            report.add("config", "failed", str(error.args[0]), error.remedy)
            unusable.append(report)
    return unusable


def _print_json(core: Core, reports: list[DoctorReport], console: Console) -> None:
    console.document(
        {
            "ok": all(report.is_well for report in reports),
            "config": str(core.store.path),
            "notices": [str(notice) for notice in core.store.notices],
            "servers": [report.to_json() for report in reports],
        }
    )


def _print(core: Core, reports: list[DoctorReport], console: Console) -> None:
    exists = "" if core.store.path.exists() else " (not there yet)"
    console.write(f"config: {core.store.path}{exists}")
    for notice in core.store.notices:
        console.write(console.paint("warning", "yellow") + f"  {plain(str(notice))}")
    for report in reports:
        _print_report(report, console)
    console.write("\n" + _conclusion(reports, has_notices=bool(core.store.notices)))


def _print_report(report: DoctorReport, console: Console) -> None:
    console.write("\n" + console.paint(mark_hidden(report.server), "bold"))
    for finding in report.findings:
        first, *more = plain(finding.text).splitlines() or [""]
        verdict = console.paint(f"{finding.verdict:<8}", _COLOURS[finding.verdict])
        console.write(f"  {verdict} {finding.check:<10} {first}")
        for line in more:
            console.write(f"  {'':<8} {'':<10} {line}")
    for advice in report.advice:
        console.write(f"  {console.paint('to do', 'bold')}    {plain(advice)}")


def _conclusion(reports: list[DoctorReport], *, has_notices: bool) -> str:
    if not reports:
        return "No server is switched on; nothing to examine."
    ill = [plain(report.server) for report in reports if not report.is_well]
    if not ill:
        told = {finding.verdict for each in reports for finding in each.findings}
        if "warning" in told or has_notices:
            return "All servers work; see the warnings."
        return "All servers work; see the notes." if "note" in told else "All is well."
    return f"{len(ill)} of {len(reports)} servers do not work: {', '.join(ill)}."
