"""`doctor`: examines all enabled servers, or one, and says what to do about what is wrong.

Asks the programs that start servers, such as node, npx and uvx, for their version.

Within a limit, and whatever they do. Must not start a server.

What `doctor` found out about one server, as values. Holds; decides nothing.

Looks at one server the way a person would who has to find out why it does not work.

From the config over the program to the running server and its tools; stops where the next step
cannot work. Must not print, must not change anything.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from desktop.cli.commands import COMMANDS
from desktop.cli.options import Exit, Options, make_parser
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, enabled_servers, named_server, run_core
from desktop.errors import DesktopError
from desktop.servers.launch import find_command, server_environment
from desktop.servers.stdio_transport import NOISE_MARK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection

LIMIT = 10.0
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


def programs_behind(command: str) -> tuple[str, ...]:
    """The programs whose version tells something about a server started with `command`."""
    stem = Path(command).name.lower().removesuffix(".exe").removesuffix(".cmd")
    return _RUNNERS.get(stem, ())


async def version(command: str, environment: Mapping[str, str], limit: float = LIMIT) -> str:
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


Verdict: TypeAlias = Literal["ok", "note", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at; `advice` says what to do about it, where there is something."""

    check: str
    verdict: Verdict
    text: str
    advice: str = ""


@dataclass(slots=True)
class DoctorReport:
    """All that was found out about one server, in the order it was looked at."""

    server: str
    enabled: bool = True
    found: list[DoctorFinding] = field(default_factory=list[DoctorFinding])

    @property
    def is_well(self) -> bool:
        return all(one.verdict != "failed" for one in self.found)

    @property
    def advice(self) -> list[str]:
        return list(dict.fromkeys(one.advice for one in self.found if one.advice))

    def add(self, check: str, verdict: Verdict, text: str, advice: str = "") -> None:
        self.found.append(DoctorFinding(check, verdict, text, advice))

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.server,
            "enabled": self.enabled,
            "ok": self.is_well,
            "checks": [
                {"check": one.check, "verdict": one.verdict, "text": one.text} for one in self.found
            ],
            "advice": self.advice,
        }


LINES_SHOWN: Final = 5
_SCHEMAS_SHOWN: Final = 20


async def examine(core: Core, config: ServerConfig) -> DoctorReport:
    """Everything that can be found out about a configured server; it is started, and stays up."""
    findings = DoctorReport(config.name, config.enabled)
    _look_at_config(core, config, findings)
    try:
        expanded = core.launcher.expanded(config)
    except DesktopError as error:
        findings.add("variables", "failed", _what(error), error.remedy)
        return findings
    if config.transport == "stdio":
        if not await _look_at_command(core, expanded, findings):
            return findings
    else:
        findings.add("address", "note", expanded.url)
    await _look_at_start(core, config, findings)
    return findings


def _look_at_config(core: Core, config: ServerConfig, findings: DoctorReport) -> None:
    problem = core.store.problems.get(config.name)
    if problem is not None:
        findings.add("config", "warning", _what(problem), problem.remedy)
    else:
        state = "on" if config.enabled else "off"
        findings.add("config", "ok", f"{config.transport}, from the {config.source}, {state}")


async def _look_at_command(core: Core, config: ServerConfig, findings: DoctorReport) -> bool:
    """Where the program is; whether it is anywhere."""
    own = core.launcher.environ.get("PATH", "")
    shell = await core.launcher.shell_path.get()
    in_own = _found(core, config, own)
    in_shell = _found(core, config, shell)
    # Arguments can be secrets: only their number is shown.
    words = f"{config.command} with {_count(len(config.args), 'argument')}"
    if isinstance(in_shell, DesktopError):
        findings.add("command", "failed", f"{words}: {_what(in_shell)}", in_shell.remedy)
        return False
    if isinstance(in_own, DesktopError):
        findings.add("command", "ok", f"{words}: {in_shell}, found in the login shell's PATH alone")
    elif in_own == in_shell:
        findings.add("command", "ok", f"{words}: {in_own}")
    else:
        findings.add(
            "command",
            "warning",
            f"{words}: this terminal finds {in_own}, the login shell {in_shell}",
            f"If the window and the terminal differ, give the whole path of {config.command}.",
        )
    used = shell if isinstance(in_own, DesktopError) else own
    await _look_at_versions(core, config, used, findings)
    return True


def _found(core: Core, config: ServerConfig, path: str) -> str | DesktopError:
    environment = server_environment(core.launcher.environ, path, config.env)
    search = config.env.get("PATH", path) if path else environment.get("PATH", "")
    try:
        return find_command(config.command, search, config.cwd, server=config.name)
    except DesktopError as error:
        return error


async def _look_at_versions(
    core: Core, config: ServerConfig, path: str, findings: DoctorReport
) -> None:
    environment = server_environment(core.launcher.environ, path, config.env)
    for program in programs_behind(config.command):
        try:
            file = find_command(program, environment.get("PATH", os.defpath))
        except DesktopError as error:
            findings.add("version", "warning", f"{program} is not found", error.remedy)
            continue
        said = await version(file, environment)
        if said:
            findings.add("version", "ok", f"{program} {said}")
        else:
            findings.add("version", "warning", f"{file} --version prints nothing")


async def _look_at_start(core: Core, config: ServerConfig, findings: DoctorReport) -> None:
    connection = core.service.add_server(config)
    await connection.connect()
    session = connection.session
    if session is not None and session.client is not None:
        protocol = session.client.protocol_version
        took = connection.state.connect_seconds or 0.0
        findings.add(
            "start",
            "ok",
            f"ready in {took:.2f} s, protocol {protocol}, {_count(len(connection.listed), 'tool')}",
        )
    else:
        message, _, advice = connection.state.error.rpartition("\n")
        findings.add("start", "failed", message or advice, advice)
    _look_at_output(connection, findings)
    _look_at_tools(connection, findings)


def _look_at_output(connection: ServerConnection, findings: DoctorReport) -> None:
    # A server may have been started twice, once for each era, and say the same again.
    lines = [line for line in dict.fromkeys(connection.output.lines) if line.strip()]
    noise = [line.removeprefix(NOISE_MARK) for line in lines if line.startswith(NOISE_MARK)]
    said = [line for line in lines if not line.startswith(NOISE_MARK)]
    if said:
        findings.add("stderr", "note", _first_lines(said))
    if noise:
        findings.add(
            "stdout",
            "warning",
            f"{_count(len(noise), 'line')} that should not be there:\n{_first_lines(noise)}",
            "Only messages belong on stdout: tell the server's author, or send its log to stderr.",
        )


def _look_at_tools(connection: ServerConnection, findings: DoctorReport) -> None:
    from desktop.tools.validation import validate

    odd: list[str] = []
    for tool in connection.listed:
        issues = validate(tool.input_schema, {})
        odd += [f"{tool.name}: {one.message}" for one in issues if one.severity == "warning"]
    if odd:
        findings.add(
            "schemas",
            "warning",
            "\n".join(odd[:_SCHEMAS_SHOWN]),
            "The tools can still be called; tell the server's author of their schemas.",
        )
    elif connection.listed:
        findings.add("schemas", "ok", "all tool schemas can be checked")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _first_lines(lines: list[str]) -> str:
    more = [f"... and {len(lines) - LINES_SHOWN} more"] if len(lines) > LINES_SHOWN else []
    return "\n".join([*lines[:LINES_SHOWN], *more])


def _what(error: DesktopError) -> str:
    """What happened, without what to do about it."""
    return str(error.args[0])


_NOTES = """\
Looks at the config, the program and its version, starts the server, and looks at what it says.
Exit 0 when all is well, 3 when a server fails.

examples:
  mcp-desktop doctor
  mcp-desktop doctor everything --json"""
_COLOURS: Final[dict[Verdict, Colour]] = {
    "ok": "green",
    "note": "dim",
    "warning": "yellow",
    "failed": "red",
}


class DoctorOptions(Options):
    """What `doctor` is told."""

    server: str | None = None


def run(args: list[str], screen: Console) -> int:
    parser = make_parser("doctor", COMMANDS["doctor"], _NOTES)
    parser.add_argument("server", metavar="SERVER", nargs="?", help="this one, also if it is off")
    options = parser.parse(args, DoctorOptions())
    name = options.server

    def choose(store: ConfigStore) -> list[ServerConfig]:
        if name is None:
            return enabled_servers(store)
        return [] if _is_unusable(store, name) else [named_server(store, name)]

    async def examine_all(core: Core, chosen: list[ServerConfig]) -> int:

        screen.status(f"examining {', '.join(config.name for config in chosen)}")
        examined = await asyncio.gather(*(examine(core, config) for config in chosen))
        screen.clear_status()
        findings = [*_unusable(core.store, name), *examined]
        (_print_json if screen.as_json else _print)(core, findings, screen)
        return Exit.DONE if all(one.is_well for one in findings) else Exit.UNREACHABLE

    return run_core(options, CommandPlan(choose, examine_all, starts_early=False))


def _is_unusable(store: ConfigStore, name: str) -> bool:
    return name in store.problems and name not in store.servers


def _unusable(store: ConfigStore, name: str | None) -> list[DoctorReport]:
    """The servers whose configuration cannot be understood: there is nothing to start."""
    unusable: list[DoctorReport] = []
    for server, error in store.problems.items():
        if _is_unusable(store, server) and name in {None, server}:
            findings = DoctorReport(server)
            findings.add("config", "failed", str(error.args[0]), error.remedy)
            unusable.append(findings)
    return unusable


def _print_json(core: Core, findings: list[DoctorReport], screen: Console) -> None:
    screen.document(
        {
            "ok": all(one.is_well for one in findings),
            "config": str(core.store.path),
            "notices": [str(notice) for notice in core.store.notices],
            "servers": [one.to_json() for one in findings],
        }
    )


def _print(core: Core, findings: list[DoctorReport], screen: Console) -> None:
    exists = "" if core.store.path.exists() else " (not there yet)"
    screen.write(f"config: {core.store.path}{exists}")
    for notice in core.store.notices:
        screen.write(screen.paint("warning", "yellow") + f"  {plain(str(notice))}")
    for one in findings:
        _print_one(one, screen)
    screen.write("\n" + _conclusion(findings))


def _print_one(findings: DoctorReport, screen: Console) -> None:
    screen.write("\n" + screen.paint(plain(findings.server), "bold"))
    for one in findings.found:
        first, *more = plain(one.text).splitlines() or [""]
        verdict = screen.paint(f"{one.verdict:<8}", _COLOURS[one.verdict])
        screen.write(f"  {verdict} {one.check:<10} {first}")
        for line in more:
            screen.write(f"  {'':<8} {'':<10} {line}")
    for advice in findings.advice:
        screen.write(f"  {screen.paint('to do', 'bold')}    {plain(advice)}")


def _conclusion(findings: list[DoctorReport]) -> str:
    if not findings:
        return "No server is switched on: there is nothing to examine."
    ill = [plain(one.server) for one in findings if not one.is_well]
    if not ill:
        return "All is well."
    return f"{len(ill)} of {len(findings)} servers do not work: {', '.join(ill)}."
