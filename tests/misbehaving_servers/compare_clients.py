"""Runs other clients on the same faults: `python -m tests.misbehaving_servers.compare_clients`.

Not a test: it needs Node and the clients, whose folder is its argument (`npm i node@22
@modelcontextprotocol/inspector@2.12.0 mcporter@0.12.3` makes one). Prints a row a fault: what each
lists, whether the call of `t` works, and how ours does against each of the others.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import psutil

from desktop.base.tasks import spawn
from tests.misbehaving_servers.faults import STDIO, Fault
from tests.misbehaving_servers.http_faults import HTTP, HttpFault
from tests.misbehaving_servers.sloppy_http import SloppyWebServer
from tests.server_commands import command

Json: TypeAlias = dict[str, Any]

IDLE_LIMIT = 6.0
"""Seconds in which a command, with what it started, uses no CPU; that is a time-out.

Not seconds since its start: those tell more of the other programs on the machine.
"""
LIMIT = 90.0
"""Seconds for one command, whatever it does."""
TOO_LATE = "time-out"
CLIENTS = ("ours", "inspector", "mcporter")
STANDINGS = ("better", "same", "worse")


@dataclass(frozen=True)
class Outcome:
    """Tools listed, and whether the call came to the tool's answer."""

    tools: int
    call: str

    def is_worse_than(self, other: Outcome) -> bool:
        return self.tools < other.tools or self._call_rank < other._call_rank

    @property
    def _call_rank(self) -> int:
        """An answer is best; an error that is said is better than one waited for in vain."""
        return {"ok": 2, TOO_LATE: 0}.get(self.call, 1)

    def __str__(self) -> str:
        return f"{self.tools} {self.call}"


class Comparison:
    """The clients, run as their commands side by side: most of the time goes into waiting."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._bin = programs / "node_modules" / ".bin"
        self._folder = folder
        self._environment = os.environ | {
            "PATH": f"{self._bin}{os.pathsep}{os.environ['PATH']}",
            "MCP_DESKTOP_DATA": str(folder / "data"),
        }

    async def outcomes(self, entry: Json, tool: str) -> dict[str, Outcome]:
        file = self._folder / "mcp.json"
        file.write_text(json.dumps({"mcpServers": {"q": entry}}), "utf-8")
        found = await asyncio.gather(*(self._outcome(client, file, tool) for client in CLIENTS))
        return dict(zip(CLIENTS, found, strict=True))

    async def _outcome(self, client: str, file: Path, tool: str) -> Outcome:
        ours = [sys.executable, "-m", "desktop"]
        inspector = [
            *(str(self._bin / "node"), str(self._bin / "mcp-inspector"), "--cli"),
            *("--config", str(file), "--server", "q", "--method"),
        ]
        porter = [str(self._bin / "node"), str(self._bin / "mcporter"), "--config", str(file)]
        lists = {
            "ours": [*ours, "tools", "--json", "--config", str(file)],
            "inspector": [*inspector, "tools/list"],
            "mcporter": [*porter, "list", "q", "--json"],
        }
        calls = {
            "ours": [*ours, "call", f"q:{tool}", "a=x", "--config", str(file)],
            "inspector": [*inspector, "tools/call", "--tool-name", tool, "--tool-arg", "a=x"],
            "mcporter": [*porter, "call", f"q.{tool}", "a=x"],
        }
        _, listed = await self._run(lists[client])
        code, _ = await self._run(calls[client])
        return Outcome(_count(listed), {0: "ok", None: TOO_LATE}.get(code, f"exit {code}"))

    async def _run(self, argv: list[str]) -> tuple[int | None, str]:
        """Exit code, None for a time-out, and what was written."""
        process = await asyncio.create_subprocess_exec(
            *argv,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        answer = spawn(process.communicate(), "client")
        if await _has_ended(process.pid, answer):
            return process.returncode, answer.result()[0].decode("utf-8", "replace")
        process.kill()
        await process.wait()
        answer.cancel()
        return None, ""


async def _has_ended(pid: int, answer: asyncio.Task[tuple[bytes, bytes]]) -> bool:
    """Wait for the answer as long as somebody works on it."""
    used, began = 0.0, time.monotonic()
    idle_since = began
    while not answer.done():
        await asyncio.wait({answer}, timeout=0.5)
        now = time.monotonic()
        if (more := _cpu_seconds(pid)) > used:
            used, idle_since = more, now
        if now - idle_since > IDLE_LIMIT or now - began > LIMIT:
            return answer.done()
    return True


def _cpu_seconds(pid: int) -> float:
    """What the process and all below it have used, to the tenth: a timer alone uses less."""
    seconds = 0.0
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        for member in [process, *process.children(recursive=True)]:
            with contextlib.suppress(psutil.Error):
                times = member.cpu_times()
                seconds += sum(times[:4])  # with the children that have ended
    return round(seconds, 1)


def _count(written: str) -> int:
    """The tools in a JSON document of any of the clients; of those with one name only one counts.

    No call could say which of them it means.
    """
    try:
        document: Json = json.loads(written[written.index("{") :])
    except ValueError:
        return 0
    result: Json = document.get("result", document)
    tools: list[Json] = result.get("tools") or []
    return len({str(tool.get("name")) for tool in tools})


async def compare(programs: Path, only: list[str]) -> None:
    rows: list[tuple[str, dict[str, Outcome]]] = []
    faults: list[Fault | HttpFault] = [*STDIO, *HTTP]
    with tempfile.TemporaryDirectory() as folder:
        async with SloppyWebServer() as web:
            comparison = Comparison(programs, Path(folder))
            for fault in faults:
                if only and fault.name not in only and fault.group not in only:
                    continue
                row = await comparison.outcomes(*_entry(fault, web))
                rows.append((fault.name, row))
                print(_line(fault.name, row), flush=True)
    print(f"\n{len(rows)} faults, ours against each")
    for other in CLIENTS[1:]:
        standings = [_standing(row["ours"], row[other]) for _, row in rows]
        counts = ", ".join(f"{standing} in {standings.count(standing)}" for standing in STANDINGS)
        worse = [name for name, row in rows if _standing(row["ours"], row[other]) == "worse"]
        print(f"{other}: {counts} {', '.join(worse)}".rstrip())


def _entry(fault: Fault | HttpFault, web: SloppyWebServer) -> tuple[Json, str]:
    if isinstance(fault, HttpFault):
        return {"type": "http", "url": web.url(fault.name), "timeout": 10}, "good"
    program, arguments = command("sloppy", "--fault", fault.name)
    return {"command": program, "args": arguments}, "t"


def _standing(ours: Outcome, other: Outcome) -> str:
    if ours.is_worse_than(other):
        return "worse"
    return "better" if other.is_worse_than(ours) else "same"


def _line(name: str, row: dict[str, Outcome]) -> str:
    standings = (_standing(row["ours"], row[other]) for other in CLIENTS[1:])
    return f"| {name} | {' | '.join(map(str, row.values()))} | {', '.join(standings)} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="run the faults in other clients, too")
    parser.add_argument("programs", type=Path, help="the folder where the clients were installed")
    parser.add_argument("only", nargs="*", help="names or groups of faults")
    options = parser.parse_args()
    print(f"| fault | {' | '.join(CLIENTS)} | |\n|---|---|---|---|---|")
    asyncio.run(compare(options.programs.resolve(), options.only))
