"""Runs the official suite's server scenarios: `python -m tests.conformance FOLDER [SERVER ...]`.

FOLDER holds the suite and the Node that it needs, installed by a person: `npm install --prefix
FOLDER node@22 @modelcontextprotocol/conformance@0.2.0-alpha.12`. Each scenario runs in each of the
two last revisions that it belongs to. Exit code 1 where a check that applies failed. Downloads
nothing; must not explain a failure away that the suite does not say is beyond the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
from contextlib import AsyncExitStack, chdir
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builtin_servers.catalog import CATALOG
from tests.builtin_command import builtin, run_code
from tests.conformance.bridge import serving

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT = 60.0
REVISIONS = ("2025-11-25", "2026-07-28")
TOOLS_ALONE = "built-in servers have tools alone"
MORE_THAN_TOOLS = "a tool that asks the client back, or logs: ours do neither"
NOT_APPLICABLE = {
    "completion-": TOOLS_ALONE,
    "logging-": TOOLS_ALONE,
    "prompts-": TOOLS_ALONE,
    "resources-": TOOLS_ALONE,
    "sep-2164-": TOOLS_ALONE,
    "sep-2640-": "an extension: skills",
    "tasks-": "an extension: tasks",
    "elicitation-": MORE_THAN_TOOLS,
    "input-required-result-": MORE_THAN_TOOLS,
    "tools-call-elicitation": MORE_THAN_TOOLS,
    "tools-call-sampling": MORE_THAN_TOOLS,
    "tools-call-with-logging": MORE_THAN_TOOLS,
    "http-custom-header-": "judges headers of tools, which stdio does not have",
    "server-sse-": "judges HTTP streams, which stdio does not have",
}
"""Why a scenario is not run, by the beginning of its name."""
BEYOND = re.compile(r"Not testable: |method not found: (prompts|resources)/|was not exercised")
"""What the suite says of a check inside a scenario for which the server has nothing to show."""
ARGUMENTS = {"filesystem": (".",), "sqlite": ("--write", "a.db"), "memory": ("--file", "memory.db")}
"""What servers are started with, in a folder of their own."""
EXAMPLES = "examples"
"""The server with the example tools that the suite calls."""
OF_THE_EXAMPLES = ("json-schema-", "tools-call-")
OF_THE_BRIDGE = ("dns-rebinding-protection", "http-header-validation", "server-session-lifecycle")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the checks of one scenario in one revision."""

    passed: int
    beyond: int
    failed: tuple[str, ...]


def reason_against(scenario: str) -> str:
    """Why the scenario does not apply; empty where it does."""
    return next((why for start, why in NOT_APPLICABLE.items() if scenario.startswith(start)), "")


def judge(checks: Iterable[dict[str, Any]]) -> Outcome:
    """Count the checks by what came of them; notes and warnings are neither passed nor failed."""
    passed, beyond, failed = 0, 0, list[str]()
    for check in checks:
        words = str(check.get("errorMessage") or "")
        if check["status"] == "SUCCESS":
            passed += 1
        elif check["status"] == "SKIPPED" or (
            check["status"] == "FAILURE" and BEYOND.search(words)
        ):
            beyond += 1
        elif check["status"] == "FAILURE":
            failed.append(f"{check['id']}: {words}")
    return Outcome(passed, beyond, tuple(failed))


async def suite(folder: Path, *arguments: str) -> str:
    """Run the suite; what it printed."""
    node = folder / "node_modules" / "node" / "bin" / "node"
    script = folder / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        str(node), str(script), *arguments, stdout=pipe, stderr=asyncio.subprocess.STDOUT
    )
    try:
        out, _ = await asyncio.wait_for(process.communicate(), LIMIT)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return out.decode(errors="replace")


async def scenarios(folder: Path) -> dict[str, list[str]]:
    """The revisions of each server scenario that the suite has."""
    listed = re.findall(r"^ +- (\S+) \[(.*)\]$", await suite(folder, "list", "--server"), re.M)
    return {name: [one for one in REVISIONS if one in revisions] for name, revisions in listed}


async def run(folder: Path, url: str, scenario: str, revision: str) -> Outcome:
    """One scenario in one revision. Raises RuntimeError: it made no checks."""
    with tempfile.TemporaryDirectory() as results:
        wanted = ("--url", url, "--scenario", scenario, "--spec-version", revision, "-o", results)
        said = await suite(folder, "server", *wanted)
        checks = read_checks(Path(results))
    if not checks:
        raise RuntimeError(f"{scenario} made no checks:\n{said}")
    return judge(checks)


def read_checks(results: Path) -> list[dict[str, Any]]:
    return [
        check
        for file in results.glob("*/checks.json")
        for check in json.loads(file.read_text("utf-8"))
    ]


def command(name: str) -> tuple[str, list[str]]:
    if name == EXAMPLES:
        return run_code("from tests.conformance.example_server import serve; sys.exit(serve())")
    return builtin(name, *ARGUMENTS.get(name, ()))


def is_for(server: str, scenario: str) -> bool:
    """Whether the scenario says something of this server that it does not say of another."""
    if server == EXAMPLES:
        return scenario.startswith((*OF_THE_EXAMPLES, *OF_THE_BRIDGE))
    return not scenario.startswith((*OF_THE_EXAMPLES, *OF_THE_BRIDGE))


async def try_server(folder: Path, name: str, applicable: dict[str, list[str]]) -> int:
    """Print a line for each scenario; returns how many checks failed."""
    failures = 0
    program, arguments = command(name)
    async with AsyncExitStack() as stack:
        stack.enter_context(chdir(stack.enter_context(tempfile.TemporaryDirectory())))
        url = await stack.enter_async_context(serving([program, *arguments]))
        for scenario, revisions in applicable.items():
            for revision in revisions:
                outcome = await run(folder, url, scenario, revision)
                counts = f"{outcome.passed:6} {len(outcome.failed):6} {outcome.beyond:7}"
                note = "of the bridge" if scenario in OF_THE_BRIDGE else ""
                print(f"{name:12} {scenario:28} {revision} {counts}  {note}".rstrip(), flush=True)
                for words in outcome.failed:
                    print(f"    {words}")
                failures += len(outcome.failed)
    return failures


async def main(folder: Path, servers: list[str]) -> int:
    known = await scenarios(folder)
    if not known:
        print(f"{folder} does not hold the suite and its Node: see --help", file=sys.stderr)
        return 2
    applicable = {name: revisions for name, revisions in known.items() if not reason_against(name)}
    print(f"{'server':12} {'scenario':28} {'revision':10} passed failed  beyond")
    failures = 0
    for server in servers:
        own = {name: part for name, part in applicable.items() if is_for(server, name)}
        failures += await try_server(folder, server, own)
    print("\nbeyond: the server has nothing that the check could look at.\n\nnot applicable:")
    for reason in dict.fromkeys(NOT_APPLICABLE.values()):
        names = [name for name in known if reason_against(name) == reason]
        print(f"    {reason} ({len(names)}): {', '.join(names)}")
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    parser.add_argument("servers", nargs="*", default=[EXAMPLES, *CATALOG])
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.folder.resolve(), options.servers)))
