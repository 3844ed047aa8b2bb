"""The cases of a folder with how they did in one kept run, and in another beside it.

For the window; runs them through the bench. Files are read in a thread. Must not import Qt.
"""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.base.errors import UsageError
from desktop.base.signals import Signal
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.agent.session_info import SessionInfo, make_title
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.features.evals.bench import EvalBench, usual_model
from desktop.features.evals.eval_case import EvalCase, plan_cases
from desktop.features.evals.eval_run import make_cells, take_earlier, with_clients
from desktop.features.evals.models import find_model
from desktop.features.evals.transcript import TranscriptFile, folder_of, messages_of, new_file
from desktop.features.evals.trial import EvalColumn
from desktop.features.saved_calls.saved_call_files import (
    CallFile,
    CallFileError,
    add_file,
    find_files,
    read_calls,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.core import Core
    from desktop.features.evals.eval_case import PlannedCase
    from desktop.features.evals.eval_run import EvalCell
    from desktop.features.evals.transcript import RunTranscript

MAX_KEPT = 200
"""Kept runs that are offered, the newest first."""


class EvalBoard:
    """`cells` of the run that is shown; `earlier` has those of the one that it is compared with."""

    def __init__(self, core: Core, folder: Callable[[], Path]) -> None:
        """Reads nothing yet. Args: folder: where the cases are, now."""
        self._core, self._folder = core, folder
        self.cells: list[EvalCell] = []
        self.earlier: dict[tuple[str, str, str], EvalCell] = {}
        self.kept: list[Path] = []
        self.shown: Path | None = None
        self.compared: Path | None = None
        self.problem = ""
        self.bench: EvalBench | None = None
        """Of the run that goes on."""
        self.changed: Signal[[]] = Signal()
        self.told: Signal[[EvalCell]] = Signal()

    @property
    def folder(self) -> Path:
        return self._folder()

    @property
    def questions(self) -> int:
        """How many runs it takes at first, if nothing is decided earlier."""
        return sum(cell.bar.runs for cell in self.cells)

    async def load(self) -> None:
        """Read the cases and the run that is shown, the newest where none was chosen."""
        self.kept = await asyncio.to_thread(_kept, folder_of(self._core.paths.data))
        if self.shown not in self.kept:
            self.shown = self.kept[0] if self.kept else None
        await self.show(self.shown, self.compared)

    async def show(self, shown: Path | None, compared: Path | None = None) -> None:
        """Show how the cases did in this run, beside another one."""
        self.shown, self.compared = shown, compared
        model = usual_model(self._core.store.providers)
        self.cells, self.problem = await asyncio.to_thread(_read, self.folder, shown, model)
        earlier = await asyncio.to_thread(_read, self.folder, compared, model) if compared else None
        cells = earlier[0] if earlier is not None else []
        self.earlier = {cell.key[1:]: cell for cell in cells if cell.runs}
        self.changed.send()

    async def run(self) -> None:
        """Ask all of it anew, into a file of its own. Raises `UsageError`."""
        self.shown = new_file(self._core.paths.data)
        model = usual_model(self._core.store.providers)
        self.cells, self.problem = await asyncio.to_thread(_read, self.folder, None, model)
        planned = {id(cell.planned): cell.planned for cell in self.cells}
        self.bench = EvalBench(self._core, with_clients([EvalColumn()], planned.values()))
        try:
            able = self.bench.check(self.cells)
            self.changed.send()
            await self.bench.run(able, TranscriptFile(self.shown), self.told.send)
        finally:
            self.bench = None
            self.changed.send()
        await self.load()

    async def transcripts(self, cell: EvalCell) -> list[RunTranscript]:
        """The runs of a cell in the file that is shown."""
        if self.shown is None or not self.shown.exists():
            return []
        every = TranscriptFile(self.shown).read()
        return await asyncio.to_thread(
            lambda: [run for run in every if (run.case, run.model, run.column) == cell.key[1:]]
        )

    async def keep_as_chat(self, cell: EvalCell, run: RunTranscript, number: int) -> str:
        """Store a run of the file that is shown as a conversation, once. Returns: its id.

        Args: number: of the run, from 1. Raises `ConfigError` where it cannot be written.
        """
        try:
            provider, model = find_model(self._core.store.providers, cell.model)
        except UsageError:  # it is gone, and the run can be read all the same
            provider, _, model = cell.model.partition("/")
        about = _about(self.shown, cell, number, provider, model)
        await self._core.part(Agent).sessions.store.add(about, messages_of(run))
        return about.id

    async def add(self, raw: dict[str, Any]) -> Path:
        """Write a new file for a case. Raises `CallFileError` where it is none."""
        case = read_case(raw)
        folder = self.folder
        file = await asyncio.to_thread(
            add_file, folder, case.name, lambda path: CallFile(path, (), asked=((0, raw),))
        )
        await self.load()
        return file.path


def _about(
    file: Path | None, cell: EvalCell, number: int, provider: str, model: str
) -> SessionInfo:
    """Of the same run always the same."""
    name = file.stem if file is not None else ""
    try:
        begun = datetime.strptime(name[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:  # a person gave it another name
        begun = datetime(2000, 1, 1, tzinfo=UTC)
    key = "\0".join((name, *cell.key[1:], str(number)))
    mark = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:6]
    case = cell.planned.case
    return SessionInfo(
        f"{begun:%Y%m%d-%H%M%S}-{mark}",
        begun,
        provider,
        model,
        case.system,
        choice=ToolChoice("manual", tuple(cell.planned.servers)),
        title=make_title(f"{case.name} · {number}"),
    )


def read_case(raw: dict[str, Any]) -> EvalCase:
    """The case that a person wrote. Raises `CallFileError`."""
    (planned,) = plan_cases([CallFile(Path("case.json"), (), asked=((0, raw),))])
    return planned.case


def _kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jsonl"), reverse=True)[:MAX_KEPT] if folder.is_dir() else []


def _read(folder: Path, shown: Path | None, model: str) -> tuple[list[EvalCell], str]:
    """The cells, and what is wrong with the files."""
    try:
        files = [read_calls(path) for path in find_files(folder)] if folder.exists() else []
        planned = plan_cases([file for file in files if file.asked or file.calls])
        runs = list(TranscriptFile(shown).read()) if shown is not None and shown.exists() else []
        columns = with_clients([EvalColumn()], planned)
        cells = make_cells(_by_models(planned, runs, model), (), columns)
        take_earlier(cells, runs)
    except (CallFileError, OSError) as error:
        return [], str(error)
    for cell in cells:
        if cell.runs:  # a run in the terminal may have gone on for longer
            cell.bar = cell.bar.once(cell.runs) if cell.runs > cell.bar.most else cell.bar
    return cells, ""


def _by_models(
    planned: Iterable[PlannedCase], runs: Iterable[RunTranscript], usual: str
) -> list[PlannedCase]:
    """Each case by its own models, those that it was run with, or else the usual one."""
    known: dict[str, dict[str, None]] = {}
    for run in runs:
        known.setdefault(run.case, {})[run.model] = None
    found: list[PlannedCase] = []
    for each in planned:
        own = dict.fromkeys(each.case.models) | known.get(each.case.name, {})
        models = tuple(own) or ((usual,) if usual else ())
        found.append(each.by(models))
    return found
