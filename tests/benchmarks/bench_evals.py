"""A run of a case beside the request that it makes: CPU of `eval` for each run, x a bare client.

Both ask the same stub on this machine, four at a time. Two lengths are subtracted from each other,
so that neither start nor end counts; what is left is the harness.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.harness import Row, compare, cpu_seconds, environment, python
from tests.features.evals.played_model import PlayedModel
from tests.features.models.loopback.script import turn
from tests.features.models.loopback.server import Loopback
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Callable

FEW, MANY, TURNS, AT_ONCE = 20, 320, 5, 4
_LIMIT: Final = 120.0


def _write(folder: Path, provider: dict[str, Any]) -> None:
    program, args = command("plain")
    document = {
        "mcpServers": {"plain": {"command": program, "args": args}},
        "mcpDesktop": {"providers": {"mine": provider}},
    }
    (folder / "mcp.json").write_text(json.dumps(document))
    case = {"name": "a", "ask": "?", "servers": "plain", "expect": {"contains": "right"}}
    for runs in (FEW, MANY):
        (folder / f"{runs}.json").write_text(json.dumps(case | {"runs": runs}))


def _cpu(words: list[str]) -> float:
    began = cpu_seconds()
    subprocess.run(
        python("-m", *words),
        env=environment(MINE_API_KEY="sk-0123456789"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
        timeout=_LIMIT,
    )
    return cpu_seconds() - began


def _of_each(cpu: Callable[[int], float]) -> float:
    return (cpu(MANY) - cpu(FEW)) / (MANY - FEW)


def measure() -> list[Row]:
    with Loopback() as loopback, tempfile.TemporaryDirectory() as place:
        folder, model = Path(place), PlayedModel(loopback)
        model.say = lambda _, __: turn("right")
        _write(folder, model.provider())
        places = ["--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data")]

        def cases(runs: int) -> float:
            return _cpu(["desktop", "eval", str(folder / f"{runs}.json"), *places])

        cases(FEW)
        asked = next(each for each in reversed(loopback.requests) if "messages" in each.body)
        url = f"{model.provider()['baseUrl']}/chat/completions"
        (folder / "body.json").write_text(json.dumps(asked.body))
        bare = ["tests.benchmarks.bench_evals", url, str(folder / "body.json")]
        compared = compare(
            TURNS,
            partial(_of_each, cases),
            lambda: _of_each(lambda count: _cpu([*bare, str(count)])),
        )
    return [compared.row("a run of a case, CPU: eval, x the bare request", "<= 5 x")]


async def _ask(url: str, body: dict[str, Any], count: int) -> None:
    import httpx2

    left = iter(range(count))
    async with httpx2.AsyncClient() as client:

        async def work() -> None:
            for _ in left:
                async with client.stream("POST", url, json=body) as answer:
                    async for line in answer.aiter_lines():
                        if line.startswith("data: {"):
                            json.loads(line[6:])

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))


if __name__ == "__main__":
    asyncio.run(_ask(sys.argv[1], json.loads(Path(sys.argv[2]).read_text()), int(sys.argv[3])))
