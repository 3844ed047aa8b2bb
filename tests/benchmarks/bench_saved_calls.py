"""*Run all* of 500 saved calls in the window, against the same calls by `mcp-desktop test`.

CPU of the window's process while they run, against all of the command and its server. A call of
500 is compared with one of 50, too: more than that is a cost that grows with the list.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.benchmarks.harness import Row, compare, cpu_seconds, environment, python
from tests.benchmarks.real_window import look_at_window
from tests.server_commands import command

if TYPE_CHECKING:
    from desktop.app import WindowApp
    from desktop.core import Core

CALLS, FEW, IN_A_FILE, TURNS = 500, 50, 10, 3
_LIMIT: Final = 120.0
"""Seconds in which all of them have run."""


def _write(folder: Path, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, count, IN_A_FILE):
        calls = [
            {"name": f"call {number}", "tool": "plain:echo", "arguments": {"message": "hello"}}
            for number in range(first, first + IN_A_FILE)
        ]
        (folder / f"file-{first:03}.json").write_text(json.dumps(calls))


async def _run_all(count: int, app: WindowApp, core: Core) -> dict[str, float]:
    from desktop.features.saved_calls.gui.saved_calls_view import SavedCallsView
    from desktop.gui.activity.page import ActivityPage

    _write(core.paths.saved_calls, count)
    app.window.show_page("activity")
    await asyncio.sleep(0.5)  # the tabs are added a moment after the page
    page = app.window.page("activity")
    if not isinstance(page, ActivityPage):
        raise TypeError("the page Activity is not there")
    view = page.findChild(SavedCallsView)
    if view is None:
        raise RuntimeError("the saved calls are not there")
    page.tabs.setCurrentWidget(view)
    await view.calls.load()
    began = time.process_time()
    view.run_all.trigger()
    if view.running is None:
        raise RuntimeError("nothing runs")
    await asyncio.wait_for(view.running, _LIMIT)
    cpu = time.process_time() - began
    if [run.outcome for run in view.calls.last.values()] != ["passed"] * count:
        raise RuntimeError("not all have passed")
    return {"cpu": cpu}


def _window(count: int) -> float:
    done = subprocess.run(
        python("-m", "tests.benchmarks.bench_saved_calls", str(count)),
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=_LIMIT,
    )
    return json.loads(done.stdout)["cpu"]


def _command() -> float:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _write(folder / "calls", CALLS)
        program, args = command("plain")
        servers = {"plain": {"command": program, "args": args}}
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
        places = ("--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data"))
        began = cpu_seconds()
        subprocess.run(
            python("-m", "desktop", "test", str(folder / "calls"), *places),
            env=environment(),
            stdout=subprocess.DEVNULL,
            check=True,
            timeout=_LIMIT,
        )
        return cpu_seconds() - began


def measure() -> list[Row]:
    name = f"Run all of {CALLS} saved calls, CPU"
    many = compare(TURNS, partial(_window, CALLS), _command)
    each = compare(TURNS, lambda: _window(CALLS) / CALLS, lambda: _window(FEW) / FEW)
    return [
        many.row(f"{name}: window, x test", "<= 1.5 x", "s"),
        each.row(f"{name}: one of them, x one of {FEW}", "<= 1.3 x"),
    ]


if __name__ == "__main__":
    program, args = command("plain")
    look = partial(_run_all, int(sys.argv[1]))
    sys.stdout.write(json.dumps(look_at_window("plain", {"command": program, "args": args}, look)))
