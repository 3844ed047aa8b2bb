"""Runs the official suite: `python -m tests.conformance [client] [SERVER ...]`; all without a name.

`client` are the client scenarios, a built-in server's name the server scenarios against it. Exit
code 1 where a check that applies failed, 2 where the suite is not installed (`make conformance`).
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from builtin_servers.catalog import CATALOG
from tests.conformance import client_scenarios, server_scenarios
from tests.conformance.suite import Suite, find_suite

CLIENT = "client"


async def main(suite: Suite, subjects: list[str]) -> int:
    failures = await client_scenarios.main(suite) if CLIENT in subjects else 0
    if servers := [subject for subject in subjects if subject != CLIENT]:
        print()
        failures += await server_scenarios.main(suite, servers)
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    everything = [CLIENT, server_scenarios.EXAMPLES, *CATALOG]
    parser.add_argument("subjects", nargs="*", default=everything, metavar="client|SERVER")
    options = parser.parse_args()
    if (suite := find_suite()) is None:
        sys.exit("The suite is not installed: make conformance")
    sys.exit(asyncio.run(main(suite, options.subjects)))
