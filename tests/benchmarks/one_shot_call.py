"""Measures `mcp-desktop call`, cold, against the same call by a bare script on the SDK.

Both are run in turns, so that a busy machine slows both; prints medians and their ratio.
Usage: python -m tests.benchmarks.one_shot_call [ROUNDS]
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from desktop.paths import builtin_command
from tests.server_commands import command

FOLDER = Path(__file__).parent
GOAL = 1.1


def seconds(argv: list[str], environment: dict[str, str]) -> float:
    began = time.perf_counter()
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    if done.returncode != 0:
        raise SystemExit(f"{argv} ended with {done.returncode}:\n{done.stderr}")
    return took


def compare(
    name: str, tool: str, arguments: str, server: tuple[str, list[str]], rounds: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "mcp.json")
        entry = {"command": server[0], "args": server[1]}
        config.write_text(json.dumps({"mcpServers": {"server": entry}}), encoding="utf-8")
        environment = {**os.environ, "MCP_DESKTOP_CONFIG": str(config)}
        environment["MCP_DESKTOP_DATA"] = folder
        bare = [sys.executable, str(FOLDER / "bare_sdk_call.py"), tool, arguments]
        bare += [server[0], *server[1]]
        ours = [sys.executable, "-m", "desktop", "call", f"server:{tool}", "--args", arguments]
        times = [(seconds(bare, environment), seconds(ours, environment)) for _ in range(rounds)]
    floor, mine = (statistics.median(column) for column in zip(*times[1:], strict=True))
    best = min(mine for _, mine in times) / min(floor for floor, _ in times)
    print(
        f"{name}: SDK {floor:.3f} s, mcp-desktop {mine:.3f} s, "
        f"median ratio {mine / floor:.2f}, of the best {best:.2f} (goal {GOAL})"
    )


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    compare("raw Python server", "add", '{"a": 1, "b": 2}', command("plain"), rounds)
    calculator = builtin_command("calculator")
    compare("built-in calculator", "evaluate", '{"expression": "1+2"}', calculator, rounds)
    everything = shutil.which("mcp-server-everything") or os.environ.get("MCP_EVERYTHING")
    if everything:
        node = (everything, ["stdio"])
        compare("server-everything (node)", "echo", '{"message": "hi"}', node, rounds)


if __name__ == "__main__":
    main()
