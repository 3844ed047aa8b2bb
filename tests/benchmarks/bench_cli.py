"""`mcp-desktop call`, cold, against a bare script on the SDK that does the same."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path

from desktop.base.paths import builtin_command
from tests.benchmarks.harness import Compared, Row, compare, environment, python
from tests.server_commands import command

RUNS = 9
BARE = str(Path(__file__).parent / "bare_sdk_call.py")


def _seconds(argv: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(argv, env=environment(), capture_output=True, check=True, timeout=60)
    return time.perf_counter() - began


def compare_cold_calls(
    runs: int = RUNS,
    tool: str = "add",
    arguments: str = '{"a": 1, "b": 2}',
    server: tuple[str, list[str]] | None = None,
) -> Compared:
    """Ours and the SDK's, each with a process and a server of its own."""
    program, words = server or command("plain")
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "mcp.json")
        entry = {"command": program, "args": words}
        config.write_text(json.dumps({"mcpServers": {"server": entry}}), encoding="utf-8")
        places = ("--config", str(config), "--data-dir", folder)
        call = ("-m", "desktop", "call", f"server:{tool}", "--args", arguments, *places)
        return compare(
            runs,
            lambda: _seconds(python(*call)),
            lambda: _seconds(python(BARE, tool, arguments, program, *words)),
        )


def measure() -> list[Row]:
    built_in = compare_cold_calls(
        RUNS, "evaluate", '{"expression": "1+2"}', builtin_command("calculator")
    )
    return [
        compare_cold_calls().row("call, cold, a raw server", "<= 0.8 x"),
        built_in.row("call, cold, the built-in calculator", "<= 0.8 x"),
    ]
