"""A run over cases: the true rate is in its intervals, and many cases stay small."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any, cast

import pytest

from desktop.features.evals.eval_case import plan_cases
from desktop.features.evals.eval_run import EvalRun, make_cells, take_earlier
from desktop.features.evals.models import EvalModel
from desktop.features.evals.transcript import RunTranscript, TranscriptFile
from desktop.features.evals.trial import EvalColumn, digest_of
from desktop.features.saved_calls.saved_call_files import CallFileError, read_calls
from tests.features.chat.agent.scripted import Scripted

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.evals.eval_case import PlannedCase
    from desktop.features.evals.eval_run import EvalCell


class Chance:
    """A model that is right with a known probability, without the time that one takes."""

    def __init__(self, rate: float, seed: int) -> None:
        self.rate, self.drawn = rate, random.Random(seed)
        self.at_once = self.most_at_once = 0

    async def run(
        self, planned: PlannedCase, model: EvalModel, column: EvalColumn
    ) -> RunTranscript:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        answer = "right" if self.drawn.random() < self.rate else "wrong"
        self.at_once -= 1
        return RunTranscript(
            planned.case.name, model.name, column.title, digest_of(planned), answer=answer
        )


def cells_of(folder: Path, count: int, **more: Any) -> list[EvalCell]:
    cases = [
        {"name": f"case {n}", "ask": "?", "servers": "s", "expect": {"contains": "right"}}
        for n in range(count)
    ]
    path = folder / "cases.json"
    path.write_text(json.dumps({"calls": cases}), encoding="utf-8")
    return make_cells(plan_cases([read_calls(path)]), ["m"], [EvalColumn()], **more)


async def run(cells: list[EvalCell], trials: Chance, file: TranscriptFile) -> None:
    models = {"m": EvalModel("m", "m", Scripted([]))}
    await EvalRun(cells, models, {"": EvalColumn()}, cast("Any", trials), file).run()


@pytest.mark.parametrize(("rate", "seed"), [(0.35, 1), (0.6, 2), (0.75, 3), (0.9, 4)])
async def test_the_true_rate_is_in_at_least_93_of_100_intervals(
    tmp_path: Path, rate: float, seed: int
) -> None:
    cells = cells_of(tmp_path, 100, most=40)
    await run(cells, Chance(rate, seed), TranscriptFile(tmp_path / "runs.jsonl"))
    inside = sum(cell.interval.low <= rate <= cell.interval.high for cell in cells)
    assert inside >= 93
    assert all(cell.runs in (10, 20, 40) for cell in cells)


async def test_ten_thousand_cases_are_run_few_at_a_time_and_gone_on_with(tmp_path: Path) -> None:
    cells = cells_of(tmp_path, 500, runs=9)
    trials, file = Chance(1, 0), TranscriptFile(tmp_path / "runs.jsonl")
    await run(cells, trials, file)
    assert trials.most_at_once <= 4
    assert {cell.verdict for cell in cells} == {"passed"}
    again = cells_of(tmp_path, 500, runs=9)
    assert take_earlier(again, file.read()) == (4500, 0)
    assert {cell.verdict for cell in again} == {"passed"}
    with pytest.raises(CallFileError, match=r"more than 10,000 cases"):
        cells_of(tmp_path, 10_001)


async def test_a_line_that_was_cut_off_costs_that_run_alone(tmp_path: Path) -> None:
    file = TranscriptFile(tmp_path / "runs.jsonl")
    file.add(RunTranscript("a", "m", answer="1"))
    file.add(RunTranscript("b", "m", answer="2"))
    whole = file.path.read_bytes()
    file.path.write_bytes(whole[:-20])
    again = TranscriptFile(file.path)
    again.add(RunTranscript("c", "m"))
    assert [each.case for each in again.read()] == ["a", "c"]
    file.path.write_text('{"kind": "mcp-desktop/evals", "version": 2}\n', encoding="utf-8")
    with pytest.raises(CallFileError, match="version 1"):
        list(file.read())


async def test_a_run_that_cannot_be_written_ends_all_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cells = cells_of(tmp_path, 3, runs=9)
    with pytest.raises(CallFileError, match="cannot be written"):
        await run(cells, Chance(1, 0), TranscriptFile(tmp_path / "file" / "runs.jsonl"))
