"""`doctor`: examines all enabled servers, or one, and prints what to do about what is wrong.

A server is examined the way a person would who has to find out why it does not work: from the
config over the program to the running server and its tools, up to the first step that cannot work.
Asks the programs that start servers, such as node or uvx, for their version. Changes nothing.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.doctor_report import DoctorReport
from desktop.cli.exit_codes import Exit
from desktop.cli.options import ServerOptions, add_server, make_parser
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, enabled_servers, find_server, run_core
from desktop.config.containers import makes_container, may_touch
from desktop.redaction.redactor import Redaction
from desktop.servers.refusals import refusals_in
from desktop.servers.transport.launch import (
    find_command,
    server_environment,
    withheld_variables,
)
from desktop.servers.transport.stderr_log import NOISE_MARK, is_divider, names_an_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.cli.doctor_report import DoctorVerdict
    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection

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


# --- how one server is examined -------------------------------------------------------------------


VERSION_TIMEOUT = 10.0
_OUTPUT = 4096
_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # Windows alone has it
_RUNNERS = {
    "npx": ("npx", "node"),
    "node": ("node",),
    "npm": ("npm", "node"),
    "uvx": ("uvx",),
    "uv": ("uv",),
    "bunx": ("bunx",),
    "bun": ("bun",),
    "deno": ("deno",),
    "docker": ("docker",),
}


def runtimes_of(command: str) -> tuple[str, ...]:
    """The programs whose version tells something about a server started with `command`."""
    stem = Path(command).name.lower().removesuffix(".exe").removesuffix(".cmd")
    return _RUNNERS.get(stem, ())


async def read_version(
    command: str, environment: Mapping[str, str], limit: float = VERSION_TIMEOUT
) -> str:
    """The first line that `command --version` prints; empty when it prints none in time."""
    try:
        process = await asyncio.create_subprocess_exec(
            command,
            "--version",
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            creationflags=_NO_WINDOW,
        )
    except (OSError, ValueError):
        return ""
    try:
        async with asyncio.timeout(limit):
            return await _first_line(process)
    except TimeoutError:
        return ""
    finally:
        await _end(process)


async def _first_line(process: asyncio.subprocess.Process) -> str:
    output = await process.stdout.read(_OUTPUT) if process.stdout is not None else b""
    return output.decode("utf-8", "replace").strip().partition("\n")[0].strip()


async def _end(process: asyncio.subprocess.Process) -> None:
    """It was only asked: what is still there of it goes."""
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


MAX_LINES_SHOWN: Final = 5
_MAX_SCHEMAS_SHOWN: Final = 20


async def examine(core: Core, config: ServerConfig) -> DoctorReport:
    """Everything that can be found out about a configured server; it is started, and stays up."""
    report = DoctorReport(config.name, config.enabled, Redaction(core.launcher.secrets(config)))
    _look_at_config(core, config, report)
    if (refusal := core.store.refusal(config)) is not None:  # not even its program is asked
        report.add("trust", "failed", _without_remedy(refusal), refusal.remedy)
        return report
    try:
        await core.launcher.load_secrets(config)
        report.redaction = Redaction(core.launcher.secrets(config))
        expanded = core.launcher.expanded(config)
    except DesktopError as error:
        report.add("variables", "failed", _without_remedy(error), error.remedy)
        return report
    if config.transport == "stdio":
        if not await _look_at_command(core, expanded, report):
            return report
    else:
        from desktop.cli.address_diagnosis import look_at_address  # not for programs

        if not await look_at_address(expanded, report):
            return report
    await _look_at_start(core, config, report)
    return report


def _look_at_config(core: Core, config: ServerConfig, report: DoctorReport) -> None:
    problem = core.store.problems.get(config.name)
    if problem is not None:
        report.add("config", "warning", _without_remedy(problem), problem.remedy)
    else:
        state = "on" if config.enabled else "off"
        given = config.source == "given"
        origin = "given for this run" if given else f"from the {config.source}"
        report.add("config", "ok", f"{config.transport}, {origin}, {state}")
    for remark in core.store.remarks.get(config.name, ()):
        report.add("config", "warning", remark)


async def _look_at_command(core: Core, config: ServerConfig, report: DoctorReport) -> bool:
    """Where the program is; whether it is anywhere."""
    own = core.launcher.environ.get("PATH", "")
    shell = await core.launcher.shell_path.get()
    in_own = _look_up(core, config, own)
    in_shell = _look_up(core, config, shell)
    # Arguments can be secrets: only their number is shown.
    words = f"{config.command} with {_count(len(config.args), 'argument')}"
    if isinstance(in_shell, DesktopError):
        report.add("command", "failed", f"{words}: {_without_remedy(in_shell)}", in_shell.remedy)
        return False
    if isinstance(in_own, DesktopError):
        report.add("command", "ok", f"{words}: {in_shell}, found only in the login shell's PATH")
    elif in_own == in_shell:
        report.add("command", "ok", f"{words}: {in_own}")
    else:
        report.add(
            "command",
            "warning",
            f"{words}: this terminal finds {in_own}, the login shell {in_shell}",
            f"If the window and the terminal differ, use the full path of {config.command}.",
        )
    if withheld := withheld_variables(core.launcher.environ, config.env):
        names = ", ".join(withheld[:_MAX_SCHEMAS_SHOWN])
        more = f" and {len(withheld) - _MAX_SCHEMAS_SHOWN} more" * (
            len(withheld) > _MAX_SCHEMAS_SHOWN
        )
        report.add(
            "withheld",
            "note",
            f"not passed on to it, as they may be secrets: {names}{more}; what it needs of them "
            'is named in "env", as {"NAME": "${NAME}"}',
            is_ours=True,
        )
    used = shell if isinstance(in_own, DesktopError) else own
    await _look_at_versions(core, config, used, report)
    return await _look_at_sandbox(core, config, report)


async def _look_at_sandbox(core: Core, config: ServerConfig, report: DoctorReport) -> bool:
    """What it may touch and use; whether its sandbox and limits can be made."""
    sandbox = core.launcher.sandbox or config.sandbox
    limits, has_walls = config.limits.words, sandbox.is_on or makes_container(config.command)
    if not has_walls and not limits:
        return True
    try:
        await core.launcher.prepare(core.launcher.expanded(config))
    except DesktopError as error:
        report.add("sandbox", "failed", _without_remedy(error), error.remedy)
        return False
    if has_walls:
        report.add("sandbox", "ok", f"{sandbox.preset}: may touch {may_touch(config, sandbox)}")
    if limits:
        report.add("limits", "ok", f"may use {limits}")
    return True


def _look_up(core: Core, config: ServerConfig, path: str) -> str | DesktopError:
    environment = server_environment(core.launcher.environ, path, config.env)
    search = config.env.get("PATH", path) if path else environment.get("PATH", "")
    try:
        return find_command(config.command, search, config.cwd, server=config.name)
    except DesktopError as error:
        return error


async def _look_at_versions(
    core: Core, config: ServerConfig, path: str, report: DoctorReport
) -> None:
    environment = server_environment(core.launcher.environ, path, config.env)
    for program in runtimes_of(config.command):
        try:
            file = find_command(program, environment.get("PATH", os.defpath))
        except DesktopError as error:
            report.add("version", "warning", f"{program} was not found", error.remedy)
            continue
        version = await read_version(file, environment)
        if version:
            report.add("version", "ok", f"{program} {version}")
        else:
            report.add("version", "warning", f"{file} --version prints nothing")


async def _look_at_start(core: Core, config: ServerConfig, report: DoctorReport) -> None:
    connection = core.service.add_server(config)
    await connection.connect()
    session = connection.session
    if session is not None and session.client is not None:
        protocol = session.client.protocol_version
        took = connection.state.connect_seconds or 0.0
        report.add(
            "start",
            "ok",
            f"ready in {took:.2f} s, protocol {protocol}, {_count(len(connection.listed), 'tool')}",
        )
    else:
        message, _, advice = connection.state.error.rpartition("\n")
        report.add("start", "failed", message or advice, advice)
    refused = refusals_in(connection.output.recent(), core.launcher.sandbox or config.sandbox)
    if refused:
        report.add(
            "refused",
            "warning",
            f"as far as its output tells: {', '.join(each.words for each in refused)}",
            'What it needs of them is named in "sandbox", as "network", "read" or "write".',
        )
    _look_at_output(connection, report)
    _look_at_tools(connection, report)


def _look_at_output(connection: ServerConnection, report: DoctorReport) -> None:
    # A server may have been started twice, once for each era, and say the same again.
    written = dict.fromkeys(connection.output.lines)
    lines = [line for line in written if line.strip() and not is_divider(line)]
    noise = [line.removeprefix(NOISE_MARK) for line in lines if line.startswith(NOISE_MARK)]
    messages = [line for line in lines if not line.startswith(NOISE_MARK)]
    if messages:
        # Before the start as a whole, where it failed, its reason has been told.
        is_ill = any(map(names_an_error, messages)) and connection.is_connected
        report.add("stderr", "warning" if is_ill else "note", _first_lines(messages))
    if noise:
        report.add(
            "stdout",
            "warning",
            f"{_count(len(noise), 'line')} that are not messages:\n{_first_lines(noise)}",
            "Only messages belong on stdout. Tell the server's author, or send its log to stderr.",
        )


def _look_at_tools(connection: ServerConnection, report: DoctorReport) -> None:
    from desktop.tools.validation import validate

    odd: list[str] = []
    for tool in connection.listed:
        issues = validate(tool.input_schema, {})
        odd += [f"{tool.name}: {issue.message}" for issue in issues if issue.severity == "warning"]
    if odd:
        report.add(
            "schemas",
            "warning",
            "\n".join(odd[:_MAX_SCHEMAS_SHOWN]),
            "The tools can still be called. Report the schemas to the server's author.",
        )
    elif connection.listed:
        report.add("schemas", "ok", "all tool schemas are valid")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _first_lines(lines: list[str]) -> str:
    more = [f"... and {len(lines) - MAX_LINES_SHOWN} more"] if len(lines) > MAX_LINES_SHOWN else []
    return "\n".join([*lines[:MAX_LINES_SHOWN], *more])


def _without_remedy(error: DesktopError) -> str:
    """What happened, without what to do about it."""
    return str(error.args[0])
