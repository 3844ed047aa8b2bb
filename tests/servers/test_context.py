"""A few servers start at a time; who only waits makes room.

Which servers must be greeted the old way is remembered by what they are, not by their name.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.base.tasks import spawn
from desktop.config.models import ServerConfig
from desktop.servers.context import ASK_AGAIN, ProtocolEraCache, StartLimiter
from tests.live_servers import surroundings
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs

ONE = ServerConfig(name="one", transport="stdio", command="uvx", args=("a",))


def test_what_was_learned_is_known_to_the_next_run(tmp_path: Path) -> None:
    file = tmp_path / "new" / "eras.json"
    ProtocolEraCache(file).remember_legacy(ONE)
    memory = ProtocolEraCache(file)
    assert memory.mode(ONE) == "legacy"
    assert memory.mode(ONE.changed(name="renamed")) == "legacy"
    assert memory.mode(ONE.changed(args=("b",))) == "auto"


def test_a_server_that_answered_in_the_old_way_is_probed_again_after_a_month(
    tmp_path: Path,
) -> None:
    day, file = 86_400.0, tmp_path / "eras.json"
    ProtocolEraCache(file, clock=lambda: 100 * day).remember_legacy(ONE, for_good=False)
    stalls = ONE.changed(args=("stalls",))
    ProtocolEraCache(file, clock=lambda: 100 * day).remember_legacy(stalls)
    soon = ProtocolEraCache(file, clock=lambda: (100 + ASK_AGAIN) * day)
    assert [soon.mode(each) for each in (ONE, stalls)] == ["legacy", "legacy"]
    later = ProtocolEraCache(file, clock=lambda: (101 + ASK_AGAIN) * day)
    assert [later.mode(each) for each in (ONE, stalls)] == ["auto", "legacy"]
    later.remember_legacy(ONE.changed(args=("b",)))
    entries = json.loads(file.read_text("utf-8"))["legacy"]
    assert [each for each in entries if " " in each] == [], "what does not hold is written again"


def test_what_an_earlier_version_learned_holds(tmp_path: Path) -> None:
    file = tmp_path / "eras.json"
    ProtocolEraCache(file).remember_legacy(ONE)
    (key,) = json.loads(file.read_text("utf-8"))["legacy"]
    file.write_text(json.dumps([key]), "utf-8")
    assert ProtocolEraCache(file).mode(ONE) == "legacy"


@pytest.mark.parametrize("day", ["x", "-1", "9" * 5_000, "१२"])
def test_an_odd_day_costs_no_more_than_a_probe_less(tmp_path: Path, day: str) -> None:
    file = tmp_path / "eras.json"
    ProtocolEraCache(file).remember_legacy(ONE)
    (key,) = json.loads(file.read_text("utf-8"))["legacy"]
    file.write_text(json.dumps({"legacy": [f"{key} {day}"]}), "utf-8")
    assert ProtocolEraCache(file).mode(ONE) == "legacy"


def test_what_the_person_set_wins() -> None:
    memory = ProtocolEraCache()
    memory.remember_legacy(ONE)
    assert memory.mode(ONE.changed(era="2026-07-28")) == "2026-07-28"
    memory.remember_legacy(ONE.changed(era="2026-07-28", args=("b",)))
    assert memory.mode(ONE.changed(args=("b",))) == "auto"


@pytest.mark.parametrize("content", ["", "{}", "[1, null]", "[" * 100_000, "\x00", "nonsense"])
def test_a_broken_file_costs_one_slow_connect(
    tmp_path: Path, content: str, expected_logs: ExpectedLogs
) -> None:
    if content != "[1, null]":
        expected_logs.expect(r"eras\.json is damaged")
    file = tmp_path / "eras.json"
    file.write_text(content, "utf-8")
    memory = ProtocolEraCache(file)
    assert memory.mode(ONE) == "auto"
    memory.remember_legacy(ONE)
    assert ProtocolEraCache(file).mode(ONE) == "legacy"


def test_a_file_that_cannot_be_written_is_reported_and_no_more(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("generation is not remembered")
    (tmp_path / "file").write_text("", "utf-8")
    memory = ProtocolEraCache(tmp_path / "file" / "eras.json")
    memory.remember_legacy(ONE)
    assert memory.mode(ONE) == "legacy"


def test_the_file_holds_no_argument_of_a_server(tmp_path: Path) -> None:
    file = tmp_path / "eras.json"
    ProtocolEraCache(file).remember_legacy(ONE.changed(args=("--token=secret",)))
    assert "secret" not in file.read_text("utf-8")


async def entered(gate: StartLimiter) -> bool:
    """Whether there is a place at once."""
    task = spawn(gate.enter(), "enter")
    await asyncio.sleep(0)
    if task.done():
        return True
    task.cancel()
    await asyncio.wait({task})
    return False


async def test_there_are_so_many_places_and_no_more() -> None:
    gate = StartLimiter(2)
    first = await gate.enter()
    await gate.enter()
    assert not await entered(gate)
    first.leave()
    first.leave()
    assert await entered(gate)
    assert not await entered(gate)


async def test_places_are_given_in_the_order_they_were_asked_for() -> None:
    gate = StartLimiter(1)
    order: list[int] = []

    async def start(number: int) -> None:
        place = await gate.enter()
        order.append(number)
        place.leave()

    held = await gate.enter()
    tasks = [spawn(start(number), str(number)) for number in range(5)]
    await asyncio.sleep(0)
    held.leave()
    await asyncio.wait(tasks)
    assert order == list(range(5))


async def test_a_cancelled_wait_takes_no_place() -> None:
    gate = StartLimiter(1)
    held = await gate.enter()
    waiting = spawn(gate.enter(), "waiting")
    await asyncio.sleep(0)
    held.leave()
    waiting.cancel()
    await asyncio.wait({waiting})
    assert await entered(gate)


async def test_a_server_that_does_nothing_makes_room() -> None:
    gate = StartLimiter(1)
    sleeper = await asyncio.create_subprocess_exec("sleep", "60")
    try:
        (await gate.enter()).watch(psutil.Process(sleeper.pid))
        assert not await entered(gate)
        (await asyncio.wait_for(gate.enter(), 10)).leave()
    finally:
        sleeper.kill()
        await sleeper.wait()


async def test_a_server_without_a_process_or_one_that_is_gone_makes_room() -> None:
    gate = StartLimiter(1)
    (await gate.enter()).watch(None)
    place = await asyncio.wait_for(gate.enter(), LIMIT)
    ended = await asyncio.create_subprocess_exec("cat", stdin=PIPE)
    process = psutil.Process(ended.pid)
    await ended.communicate(b"")
    place.watch(process)
    (await asyncio.wait_for(gate.enter(), 10)).leave()


async def test_a_server_that_works_on_its_start_keeps_its_place() -> None:
    gate = StartLimiter(1)
    place = await gate.enter()
    place.watch(psutil.Process())
    loop = asyncio.get_running_loop()
    end = loop.time() + 0.35
    while loop.time() < end:  # noqa: ASYNC110 - this process is the one that is to be busy
        await asyncio.sleep(0)
    assert not await entered(gate)
    place.leave()
    assert await entered(gate)


def test_servers_of_a_session_ask_in_the_same_queue_as_all_others() -> None:
    shared = surroundings()
    assert shared.for_session().requests is shared.requests
