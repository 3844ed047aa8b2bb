"""`make wild`: tools of published servers, listed by ours, the bare SDK and the Inspector's CLI.

Installs the servers of `tests/wild/servers.toml` one by one from npm and PyPI into build/wild,
tries each with all clients and removes it. An interrupted run goes on where it was; `--fresh`
forgets what earlier runs found. Runs programs of strangers, in a home of their own and nothing
more: use a machine that holds no secrets. Exit code 1 if ours lists less than another client, or
leaves a process.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.wild.published import InstallError, install, read_servers, run
from tests.wild.report import Report
from tests.wild.trials import CLIENTS, Results, Trial, try_server

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.wild.published import PublishedServer

ROOT = Path(__file__).parents[2]
SERVERS = Path(__file__).with_name("servers.toml")
CACHE = ROOT / "build" / "wild"
TOOLS = CACHE / "tools"
UV = ROOT / "build" / "uv" / "bin" / "uv"
INSPECTOR = ("node@22", "@modelcontextprotocol/inspector@2")
INSTALL_LIMIT = 240.0


def install_inspector() -> None:
    """The Inspector's CLI and the Node that it needs, once."""
    if not (TOOLS / "node_modules" / ".bin" / "mcp-inspector").exists():
        print(f"installing {' '.join(INSPECTOR)}", flush=True)
        options = ("--no-audit", "--no-fund", "--loglevel=error", "--prefix", TOOLS)
        TOOLS.mkdir(parents=True, exist_ok=True)
        run("npm", "install", *options, *INSPECTOR, limit=2 * INSTALL_LIMIT)


def try_one(server: PublishedServer, number: int, limit: float, *, keep: bool) -> Trial:
    """Install the server, try it with each client, remove it."""
    folder = CACHE / "servers" / server.name
    try:
        shutil.rmtree(folder, ignore_errors=True)
        version = install(server, folder, UV, limit)
        # Who comes second finds the files in memory: by turns.
        order = CLIENTS if number % 2 else ("sdk", "ours", "inspector")
        outcomes = try_server(server, folder, TOOLS, order)
        return Trial(server.name, server.package, version, "", outcomes, server.needs)
    except InstallError as error:
        return Trial(server.name, server.package, problem=str(error))
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def try_all(
    servers: Sequence[PublishedServer], results: Results, wanted: argparse.Namespace
) -> Report:
    """Try each server that has no result yet, with a line for each, until the time is over."""
    report = Report()
    over = time.monotonic() + wanted.minutes * 60
    for number, server in enumerate(servers, 1):
        trial = results.find(server)
        if trial is None:
            if time.monotonic() > over:
                continue
            trial = try_one(server, number, wanted.install_limit, keep=wanted.keep)
            results.add(trial)
            print(f"{number}/{len(servers)} {describe(trial)}", flush=True)
        report.trials.append(trial)
    return report


def describe(trial: Trial) -> str:
    if trial.problem:
        return f"{trial.name}: {trial.problem}"
    words = [
        f"{client} {outcome.error.splitlines()[0] if outcome.error else len(outcome.names)}"
        for client, outcome in trial.outcomes.items()
    ]
    return f"{trial.name} {trial.version}: {'; '.join(words)}"


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make wild", description=__doc__)
    parser.add_argument("names", nargs="*", help="servers of the list; all without")
    parser.add_argument("--fresh", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--keep", action="store_true", help="leave installed what was tried")
    parser.add_argument("--minutes", type=float, default=240, help="begin no other after these")
    parser.add_argument("--install-limit", type=float, default=INSTALL_LIMIT, help="seconds")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    wanted = _parse(arguments)
    servers = read_servers(SERVERS)
    if unknown := set(wanted.names) - {server.name for server in servers}:
        print(f"not in {SERVERS.name}: {', '.join(sorted(unknown))}")
        return 2
    if not shutil.which("npm") or not UV.exists():
        print("This needs npm and uv, on Linux or macOS.")
        return 2
    file = CACHE / "results.jsonl"
    if wanted.fresh:
        file.unlink(missing_ok=True)
    chosen = [server for server in servers if not wanted.names or server.name in wanted.names]
    try:
        install_inspector()
    except (InstallError, subprocess.SubprocessError) as error:
        print(error)
        return 1
    report = try_all(chosen, Results(file), wanted)
    print(report)
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
