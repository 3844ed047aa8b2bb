"""`mcp-desktop call`, cold, against a bare script on the SDK that does the same."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path

from desktop.paths import builtin_command
from tests.benchmarks.harness import Row, alternate, environment, python
from tests.server_commands import command

RUNS = 9
BARE = str(Path(__file__).parent / "bare_sdk_call.py")


def _seconds(argv: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(argv, env=environment(), capture_output=True, check=True, timeout=60)
    return time.perf_counter() - began


def _row(name: str, tool: str, arguments: str, server: tuple[str, list[str]]) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "mcp.json")
        entry = {"command": server[0], "args": server[1]}
        config.write_text(json.dumps({"mcpServers": {"server": entry}}), encoding="utf-8")
        places = ("--config", str(config), "--data-dir", folder)
        call = ("-m", "desktop", "call", f"server:{tool}", "--args", arguments, *places)
        ours, bare = alternate(
            RUNS,
            lambda: _seconds(python(*call)),
            lambda: _seconds(python(BARE, tool, arguments, server[0], *server[1])),
        )
    return Row(name, ours * 1e3, bare * 1e3, "ms", "<= 0.8 x")


def measure() -> list[Row]:
    calculator = builtin_command("calculator")
    return [
        _row("call, cold, a raw server", "add", '{"a": 1, "b": 2}', command("plain")),
        _row(
            "call, cold, the built-in calculator", "evaluate", '{"expression": "1+2"}', calculator
        ),
    ]
