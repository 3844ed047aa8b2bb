"""The official suite's server scenarios against our built-in servers, over a bridge of our own.

Each scenario runs in each of the two last revisions that it belongs to. Must not explain a failure
away that the suite does not say is beyond the server.
"""

from __future__ import annotations

import re
import tempfile
from contextlib import AsyncExitStack, chdir
from typing import TYPE_CHECKING

from tests.builtin_command import builtin, run_code
from tests.conformance.bridge import serving
from tests.conformance.suite import judge

if TYPE_CHECKING:
    from tests.conformance.suite import Outcome, Suite

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


def reason_against(scenario: str) -> str:
    """Why the scenario does not apply; empty where it does."""
    return next((why for start, why in NOT_APPLICABLE.items() if scenario.startswith(start)), "")


async def run(suite: Suite, url: str, scenario: str, revision: str) -> Outcome:
    """One scenario in one revision. Raises RuntimeError: it made no checks."""
    wanted = ("--url", url, "--scenario", scenario, "--spec-version", revision)
    return judge(await suite.checks("server", *wanted), BEYOND)


def command(name: str) -> tuple[str, list[str]]:
    if name == EXAMPLES:
        return run_code("from tests.conformance.example_server import serve; sys.exit(serve())")
    return builtin(name, *ARGUMENTS.get(name, ()))


def is_for(server: str, scenario: str) -> bool:
    """Whether the scenario says something of this server that it does not say of another."""
    if server == EXAMPLES:
        return scenario.startswith((*OF_THE_EXAMPLES, *OF_THE_BRIDGE))
    return not scenario.startswith((*OF_THE_EXAMPLES, *OF_THE_BRIDGE))


async def try_server(suite: Suite, name: str, applicable: dict[str, list[str]]) -> int:
    """Print a line for each scenario; returns how many checks failed."""
    failures = 0
    program, arguments = command(name)
    async with AsyncExitStack() as stack:
        stack.enter_context(chdir(stack.enter_context(tempfile.TemporaryDirectory())))
        url = await stack.enter_async_context(serving([program, *arguments]))
        for scenario, revisions in applicable.items():
            for revision in revisions:
                outcome = await run(suite, url, scenario, revision)
                counts = f"{outcome.passed:6} {len(outcome.failed):6} {outcome.beyond:7}"
                note = "of the bridge" if scenario in OF_THE_BRIDGE else ""
                print(f"{name:12} {scenario:28} {revision} {counts}  {note}".rstrip(), flush=True)
                for words in outcome.failed:
                    print(f"    {words}")
                failures += len(outcome.failed)
    return failures


async def main(suite: Suite, servers: list[str]) -> int:
    """Print the table; how many checks failed."""
    listed = await suite.scenarios("server")
    known = {name: [one for one in REVISIONS if one in each] for name, each in listed.items()}
    applicable = {name: revisions for name, revisions in known.items() if not reason_against(name)}
    print(f"{'server':12} {'scenario':28} {'revision':10} passed failed  beyond")
    failures = 0
    for server in servers:
        own = {name: part for name, part in applicable.items() if is_for(server, name)}
        failures += await try_server(suite, server, own)
    print("\nbeyond: the server has nothing that the check could look at.\n\nnot applicable:")
    for reason in dict.fromkeys(NOT_APPLICABLE.values()):
        names = [name for name in known if reason_against(name) == reason]
        print(f"    {reason} ({len(names)}): {', '.join(names)}")
    return failures
