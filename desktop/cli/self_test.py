"""`self-test`: checks whether this installation works, from the sources and in the bundle alike.

Works in temporary files of its own: nothing of the person's is read or written. Must not know how a
check is made: see `self_checks`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from msgspec import Struct, field

from desktop import __version__
from desktop.base.paths import APP
from desktop.cli.commands import CHECKS, COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, run_core
from desktop.cli.self_checks import processes, servers, storage
from desktop.cli.self_checks.check import CheckFailedError, CheckResult, run_check
from desktop.cli.self_checks.servers import builtin_trials, serve_on_loopback
from desktop.cli.self_checks.window import WindowRun
from desktop.config.models import ServerConfig

if TYPE_CHECKING:
    from desktop.cli.output import Colour, Console
    from desktop.cli.self_checks.check import Check, Outcome
    from desktop.core import Core

_COLOURS: dict[Outcome, Colour] = {"ok": "green", "failed": "red", "skipped": "yellow"}
_NOTES = """\
Opens a window (offscreen without a display) and starts servers with temporary files; your
configuration and data are not touched.

exit codes:
  0 each check is ok or skipped   1 a check failed

examples:
  mcp-desktop self-test
  mcp-desktop self-test --json"""


class SelfTestOptions(Options):
    """What `self-test` is told; `be_stubborn` is how it starts its own misbehaving server."""

    be_stubborn: int | None = None


def run(args: list[str], console: Console) -> int:
    parser = make_parser("self-test", COMMANDS["self-test"], _NOTES)
    parser.add_argument(processes.FLAG, metavar="DEPTH", type=int, help=argparse.SUPPRESS)
    options = parser.parse(args, SelfTestOptions())
    if options.be_stubborn is not None:
        return processes.run_stubborn_server(options.be_stubborn)
    os.environ.pop("MCP_SERVERS", None)  # a person's own servers are not the installation
    os.environ["NO_PROXY"] = "127.0.0.1"
    prefix = f"{APP}-self-test-"
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        return _SelfTest(Path(folder), console).run(options)


class _SelfTest(Struct):
    """One run of all checks in `folder`."""

    folder: Path
    console: Console
    findings: list[CheckResult] = field(default_factory=list[CheckResult])

    def run(self, options: Options) -> int:
        options.config, options.data_dir = str(self.folder / "mcp.json"), str(self.folder / "data")
        storage.prepare_config(self.folder / "mcp.json")
        work = CommandPlan(lambda _: (), lambda core, _: self._check_all(core), starts_early=False)
        code = run_core(options, work)
        if code == Exit.INTERRUPTED:
            return code
        self._report()
        failed = any(finding.outcome == "failed" for finding in self.findings)
        return Exit.TOOL_ERROR if failed else Exit.DONE

    async def _check_all(self, core: Core) -> int:
        window = WindowRun(core.tracker, self.folder / "window")
        try:
            await self._check("window", window.show)
            await self._check("event loop", window.turn)
            await self._check("quit", window.end)
        finally:
            await window.close()
        await self._check_servers(core)
        await self._check("long tool list", servers.read_long_list)
        for module in CHECKS:
            for name, check in import_module(module).CHECKS.items():
                await self._check(name, check)
        await self._check("process tracker", partial(processes.kill_stubborn_server, core.tracker))
        await core.close()
        await self._check("nothing left", _count_left)
        return Exit.DONE

    async def _check_servers(self, core: Core) -> None:
        await self._check("config file", partial(storage.write_and_read_config, core))
        with serve_on_loopback() as address:
            for name, trial in builtin_trials(self.folder / "builtins", address).items():
                own = core.store.servers[name]
                config = own.model_copy(update={"args": (*own.args, *trial.arguments)})
                use = partial(servers.call_server, core, config, trial.call)
                await self._check(f"built-in {name}", use)
            await self._check("stdio server", partial(_use_own, core))
            config = ServerConfig.checked(name="loopback", transport="http", url=f"{address}/mcp")
            await self._check(
                "http server", partial(servers.call_server, core, config, servers.SUM)
            )
            await core.service.remove_server(config.name)

    async def _check(self, name: str, check: Check) -> None:
        self.console.status(f"{name} ...")
        finding = await run_check(name, check)
        self.findings.append(finding)
        if not self.console.as_json:
            self.console.clear_status()
            mark = self.console.paint(f"{finding.outcome:<8}", _COLOURS[finding.outcome])
            words = plain(finding.words).replace("\n", "\n" + " " * 36)
            self.console.write(
                f"{mark}{name:<20}{finding.milliseconds:>5} ms{words:>{len(words) + 1}}"
            )

    def _report(self) -> None:
        if self.console.as_json:
            self.console.document(
                {
                    "version": __version__,
                    "frozen": bool(getattr(sys, "frozen", False)),
                    "ok": all(finding.outcome != "failed" for finding in self.findings),
                    "checks": [finding.to_json() for finding in self.findings],
                }
            )
            return
        outcomes = [finding.outcome for finding in self.findings]
        counts = [
            f"{outcomes.count(outcome)} {outcome}" for outcome in _COLOURS if outcome in outcomes
        ]
        self.console.write(f"\n{', '.join(counts)}")


async def _use_own(core: Core) -> str:
    """The server that `write_and_read_config` added, as a person would have."""
    config = core.store.servers.get(storage.NAME)
    if config is None:
        raise CheckFailedError("not in the config file")
    return await servers.call_server(core, config, servers.SUM)


async def _count_left() -> str:
    """Of this process, after the core was closed."""
    left = psutil.Process().children(recursive=True)
    if left:
        raise CheckFailedError(f"still running: {', '.join(str(process) for process in left)}")
    return "0 processes"
