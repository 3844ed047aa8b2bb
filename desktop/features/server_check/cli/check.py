"""`check`: examines servers and prints what is wrong with them, for people and build servers.

Calls no tool. Must not judge: see `desktop.features.server_check.check`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import asdict

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.listing import asked_servers
from desktop.cli.options import add_server, make_parser
from desktop.cli.output import plain
from desktop.cli.reports import ReportOptions, add_reports, refuse_reports, write_reports
from desktop.cli.runner import CommandPlan, connect, run_core

if TYPE_CHECKING:
    from desktop.base.report_text import CaseEnd, JunitCase, JunitSuite
    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.server_check.check import Finding, Level, ServerReport

_NOTES = """\
Starts each server, lists its tools, resources and prompts, and checks each tool: its schemas are
valid, its name and schema are accepted by OpenAI, Anthropic and Gemini, its annotations do not
contradict each other. Nothing is called, and no test has to be written.
An error fails the check; a warning does with --strict.

exit codes:
  0 no errors   1 errors   2 wrong usage or config (nothing started)
  3 a server could not be reached   130 interrupted

examples:
  mcp-desktop check --server 'notes=python server.py'
  mcp-desktop check --server 'notes=https://example.com/mcp' --junit report.xml
  mcp-desktop check --server 'notes=uvx my-server' --strict --max-tokens 5000"""
_COLOURS: Final[dict[Level, Colour]] = {"error": "red", "warning": "yellow"}
_START: Final = "starts and lists"


class CheckOptions(ReportOptions):
    """What `check` is told."""

    strict: bool = False
    max_tokens: int | None = None


def run(args: list[str], console: Console) -> int:
    parser = make_parser("check", COMMANDS["check"], _NOTES)
    add_server(parser)
    parser.add_argument("--strict", action="store_true", help="a warning fails the check, too")
    parser.add_argument(
        "--max-tokens", metavar="N", type=int, help="fail if the tools take more of each request"
    )
    add_reports(parser)
    options = parser.parse(args, CheckOptions())
    if options.max_tokens is not None and options.max_tokens < 1:
        raise UsageError("--max-tokens must be 1 or more.")
    refuse_reports(options)

    def choose(store: ConfigStore) -> list[ServerConfig]:
        if not (chosen := asked_servers(store, options.server_names)):
            raise UsageError(
                "No server is switched on.", remedy="Name one: --server 'NAME=COMMAND or URL'."
            )
        return chosen

    async def check_all(core: Core, chosen: list[ServerConfig]) -> int:
        from desktop.features.server_check.check import check_server

        await connect(core, chosen, console)
        connections = core.service.connections.values()
        reports = await asyncio.gather(
            *(check_server(each, options.max_tokens) for each in connections)
        )
        return _conclude(options, reports, console)

    return run_core(options, CommandPlan(choose, check_all))


def _conclude(options: CheckOptions, reports: list[ServerReport], console: Console) -> int:
    code = _exit(options, reports)
    if console.as_json:
        document = [_document(report) for report in reports]
        console.document({"ok": code == Exit.DONE, "servers": document})
    else:
        for report in reports:
            _print(report, console)
    is_reported = write_reports(
        options, console, lambda: _junit(options, reports), lambda: _markdown(options, reports)
    )
    return code if is_reported else Exit.USAGE


def _exit(options: CheckOptions, reports: list[ServerReport]) -> Exit:
    if any(not report.is_connected for report in reports):
        return Exit.UNREACHABLE
    is_well = not any(_failures(options, report.findings) for report in reports)
    return Exit.DONE if is_well else Exit.TOOL_ERROR


def _failures(options: CheckOptions, findings: list[Finding]) -> list[Finding]:
    return [each for each in findings if options.strict or each.level == "error"]


def _document(report: ServerReport) -> dict[str, Any]:
    return {
        "server": report.server,
        "connected": report.is_connected,
        "tools": list(report.tools),
        "resources": report.resources,
        "prompts": report.prompts,
        "tokens": report.tokens,
        "findings": [asdict(finding) for finding in report.findings],
    }


def _print(report: ServerReport, console: Console) -> None:
    console.write(console.paint(plain(report.server), "bold") + f"  {_summary(report)}")
    for finding in report.findings:
        mark = console.paint(f"{finding.level:<7}", _COLOURS[finding.level])
        tool = f"{plain(finding.tool)} " if finding.tool else ""
        first, *more = plain(finding.message).splitlines() or [""]
        console.write(f"  {mark} {tool}{finding.subject}: {first}")
        for line in more:
            console.write(f"          {line}")


def _summary(report: ServerReport) -> str:
    if not report.is_connected:
        return "could not be reached"
    tokens = max(report.tokens.values(), default=0)
    has = [
        _count(len(report.tools), "tool"),
        _count(report.resources, "resource"),
        _count(report.prompts, "prompt"),
    ]
    wrong = [_count(len(report.errors), "error"), _count(len(report.warnings), "warning")]
    return f"{', '.join(has)}, about {tokens:,} tokens; {', '.join(wrong)}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _junit(options: CheckOptions, reports: list[ServerReport]) -> str:
    from desktop.base.report_text import to_junit

    return to_junit([_suite(options, report) for report in reports])


def _suite(options: CheckOptions, report: ServerReport) -> JunitSuite:
    """A test for the server itself, and one for each tool."""
    from desktop.base.report_text import JunitSuite

    own = _case(options, report, _START, report.of(""))
    tools = (_case(options, report, name, report.of(name)) for name in report.tools)
    return JunitSuite(report.server, [own, *tools])


def _case(
    options: CheckOptions, report: ServerReport, name: str, findings: list[Finding]
) -> JunitCase:
    from desktop.base.report_text import JunitCase

    failures = _failures(options, findings)
    if not failures:
        return JunitCase(name, report.server)
    end: CaseEnd = "failure" if report.is_connected else "error"
    lines = [f"{each.subject}: {each.message}" for each in failures]
    return JunitCase(name, report.server, end, lines, failures[0].subject)


def _markdown(options: CheckOptions, reports: list[ServerReport]) -> str:
    from desktop.base.report_text import MAX_MARKDOWN, MAX_MESSAGE, markdown_line, markdown_row

    mark = "✅" if _exit(options, reports) == Exit.DONE else "❌"
    names = ", ".join(markdown_line(each.server) for each in reports)
    parts = [f"### {mark} Check of {names}\n\n"]
    parts += [f"- **{markdown_line(each.server)}**: {_summary(each)}\n" for each in reports]
    found = [(report, each) for report in reports for each in report.findings]
    if found:
        parts += ["\n", markdown_row(["where", "level", "what"]), markdown_row(["---"] * 3)]
    for at, (report, each) in enumerate(found):
        where = f"{report.server}:{each.tool}" if each.tool else report.server
        what = markdown_line(f"{each.subject}: {each.message}", MAX_MESSAGE)
        row = markdown_row([markdown_line(where), each.level, what])
        if sum(map(len, parts)) + len(row) > MAX_MARKDOWN:
            parts.append(f"\n{len(found) - at} more are left out here.\n")
            break
        parts.append(row)
    return "".join(parts)
