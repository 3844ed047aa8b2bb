"""A built-in server in each sandbox: time to answer `initialize`, and the memory beside it.

Bare is the same server without a sandbox.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from desktop.base.paths import Paths, builtin_command
from desktop.config.models import ServerConfig
from desktop.features.sandbox.bubblewrap import confine, find
from desktop.processes.process import LaunchSpec
from tests.benchmarks.bench_builtins import start
from tests.benchmarks.harness import Row, alternate, megabytes

if TYPE_CHECKING:
    from collections.abc import Mapping

RUNS = 15
SANDBOXES: Mapping[str, object] = {
    "folders": "folders",
    "no-network": "no-network",
    "strict": "strict",
    "a list of hosts": {"preset": "folders", "network": ["api.example.com"]},
}


def argv_of(sandbox: object, folder: Path) -> list[str]:
    """The command line of the calculator in a sandbox."""
    command, args = builtin_command("calculator")
    config = ServerConfig.checked(name="bench", command=command, args=args, sandbox=sandbox)
    environment = {"HOME": str(Path.home()), "PATH": os.defpath}
    launch = LaunchSpec(command, tuple(args), environment, str(Path.home()))
    confined = confine(config, launch, Paths(folder / "config/mcp.json", folder / "data"))
    return [confined.command, *confined.args]


def memory_around(argv: list[str]) -> float:
    """MB of all processes but the server, which is the one without children."""
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        first.stdin.flush()
        first.stdout.readline()
        top = psutil.Process(first.pid)
        tree = [top, *top.children(recursive=True)]
        around = sum(megabytes(each) for each in tree if each.children())
        first.stdin.close()
    return around


def measure() -> list[Row]:
    if find() is None:
        return []
    rows: list[Row] = []
    command, args = builtin_command("calculator")
    with tempfile.TemporaryDirectory(dir=Path.home()) as name:
        for words, sandbox in SANDBOXES.items():
            argv = argv_of(sandbox, Path(name))
            inside, outside = alternate(
                RUNS,
                lambda argv=argv: start(argv, is_server=True)[0],
                lambda: start([command, *args], is_server=True)[0],
            )
            goal = "<= 60 ms more" if "hosts" in words else "<= 15 ms more"
            rows.append(
                Row(f"{words}: initialize answered", inside * 1e3, outside * 1e3, "ms", goal)
            )
            rows.append(Row(f"{words}: PSS beside it", memory_around(argv), None, "MB", "<= 3 MB"))
    return rows
