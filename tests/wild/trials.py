"""Tries one installed server with each client, and remembers the outcomes of a run.

Each client runs in a process of its own with a limit; what is left of the server afterwards is
counted against the client, and killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import psutil
from pydantic import TypeAdapter

from tests.wild.bounded import run_bounded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.wild.published import PublishedServer

Client: TypeAlias = Literal["ours", "sdk", "inspector"]
CLIENTS: tuple[Client, ...] = get_args(Client)
LIMIT = 60.0
"""Seconds of a client for one server, its own start included."""
LEAVING = 3.0
"""Seconds that a server has to end after its client has."""
MAX_ERROR = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one client got of one server: tools by name, or why none. `left` counts processes."""

    names: tuple[str, ...] = ()
    seconds: float = 0.0
    error: str = ""
    left: int = 0


@dataclass(frozen=True, slots=True)
class Trial:
    """One server with all clients; `problem` says why it could not be installed.

    `needs` is what it lacks here, so that it may fail with all of them.
    """

    name: str
    package: str
    version: str = ""
    problem: str = ""
    outcomes: dict[Client, Outcome] = field(default_factory=dict["Client", Outcome])
    needs: str = ""

    @property
    def missed(self) -> list[str]:
        """Tools that another client lists and ours does not."""
        if not self.outcomes:
            return []
        others = {*self.outcomes["sdk"].names, *self.outcomes["inspector"].names}
        return sorted(others - set(self.outcomes["ours"].names))

    @property
    def is_worse(self) -> bool:
        """Whether ours lists less than another client, or does not connect where one does."""
        errors = {client: bool(outcome.error) for client, outcome in self.outcomes.items()}
        return bool(self.missed) or (errors.pop("ours", False) and not all(errors.values()))


_TRIAL = TypeAdapter(Trial)


class Results:
    """The trials so far, in a file: an interrupted run goes on where it was."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._trials: dict[str, Trial] = {}
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                trial = _TRIAL.validate_json(line)
                self._trials[trial.name] = trial

    def find(self, server: PublishedServer) -> Trial | None:
        trial = self._trials.get(server.name)
        return trial if trial and trial.package == server.package else None

    def add(self, trial: Trial) -> None:
        self._trials[trial.name] = trial
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(trial)) + "\n")


def try_server(
    server: PublishedServer, installed: Path, tools: Path, order: Iterable[Client] = CLIENTS
) -> dict[Client, Outcome]:
    """The server with each client in this order. `tools` is where node and the Inspector are."""
    return {client: _try_client(client, server, installed, tools) for client in order}


def _try_client(client: Client, server: PublishedServer, installed: Path, tools: Path) -> Outcome:
    """One client, on a home of its own, so that nobody finds what another one's server wrote."""
    with tempfile.TemporaryDirectory(prefix="wild-", ignore_cleanup_errors=True) as place:
        home = Path(place)
        (home / "files").mkdir()
        entry = server.entry(installed, home / "files")
        path = f"{tools / 'node_modules' / 'node' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        mine = {"PATH": path, "HOME": place}
        config = home / "mcp.json"
        entry["env"] = mine | entry["env"]
        config.write_text(json.dumps({"mcpServers": {"one": entry}}), encoding="utf-8")
        began = time.monotonic()
        try:
            done = run_bounded(_command(client, config, tools), LIMIT, os.environ | mine)
        except subprocess.TimeoutExpired:
            return Outcome((), LIMIT, f"no answer within {LIMIT:.0f} s", _end_left(place))
        seconds = time.monotonic() - began
        names, error = _read(client, done)
        return Outcome(names, seconds, error[:MAX_ERROR], _end_left(place))


def _command(client: Client, config: Path, tools: Path) -> list[str]:
    match client:
        case "ours":
            options = ["--config", str(config), "--data-dir", str(config.parent / "data")]
            return [sys.executable, "-m", "desktop", "tools", "--json", "--trust", *options]
        case "sdk":
            return [sys.executable, "-m", "tests.wild.bare_sdk", str(config)]
        case "inspector":
            program = str(tools / "node_modules" / ".bin" / "mcp-inspector")
            options = ["--config", str(config), "--server", "one", "--method", "tools/list"]
            return [program, "--cli", *options]


def _read(client: Client, done: subprocess.CompletedProcess[str]) -> tuple[tuple[str, ...], str]:
    """The names that a client prints, or why there are none."""
    try:
        if client == "sdk":
            # A server may print to the client's standard output, too: the answer is the last line.
            answer = json.loads(done.stdout.splitlines()[-1])
            return tuple(answer.get("names", ())), answer.get("error", "")
        answer = json.loads(done.stdout)
        error = " ".join(answer.get("failed", {}).values())
        return tuple(tool["name"] for tool in answer["tools"]), error
    except (ValueError, LookupError, TypeError):
        said = (line for line in done.stderr.splitlines() if not line.startswith("[mcp-inspector]"))
        lines = [line for line in said if line.strip()] or ["no words"]
        reason = next((line for line in lines if "rror" in line), lines[-1])
        return (), f"exit {done.returncode}: {reason.strip()}"


def _end_left(home: str) -> int:
    """Kill the processes that were started on this home and are still there; how many."""
    left: list[psutil.Process] = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("HOME") == home:
                left.append(process)
        except psutil.Error:
            continue  # gone, or another person's
    _, alive = psutil.wait_procs(left, LEAVING)
    for process in alive:
        process.kill()
    psutil.wait_procs(alive, LEAVING)
    return len(alive)
