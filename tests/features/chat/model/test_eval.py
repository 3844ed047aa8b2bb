"""Cases that the small model is asked: which of the tools of three built-in servers it chooses.

How many it gets right is a small model's; that each is measured, kept and counted has to be right.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.features.chat.model.engine import NAME, running
from tests.features.chat.model.forcing import Forcing

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]
EXPECTED: Final = {
    "calculator:evaluate": (
        "Evaluate the expression 6*7.",
        "Evaluate (3 + 4) * 5.",
        "Evaluate the expression 2 ** 10.",
        "What is sqrt(16) + 1? Evaluate the expression.",
    ),
    "calculator:calculate": (
        "Calculate 12 plus 30.",
        "Calculate 100 divided by 8.",
        "How much is 9 times 7?",
    ),
    "time:get_current_time": (
        "What time is it now in Asia/Tokyo?",
        "Tell me the current time.",
        "Get the current time in Europe/Paris.",
    ),
    "time:convert_time": (
        "Convert 10:00 in Europe/Berlin to the time in America/New_York.",
        "Convert the time 18:30 from UTC to Asia/Tokyo.",
        "If it is 09:00 in London, which time is it in Sydney? Convert it.",
    ),
    "memory:search_nodes": (
        "Search the memory for milk.",
        "Search what you remember about Anna.",
        "Find the note about the invoice.",
        "Search for the word garden.",
    ),
    "memory:add_note": (
        "Add a note: the door code is green.",
        "Keep a note that Anna likes tea.",
        "Add the note that the meeting is on Monday.",
    ),
}


def _cases() -> list[dict[str, Any]]:
    servers = ["calculator", "time", "memory"]
    return [
        {"name": question, "ask": question, "servers": servers, "expect": {"first": tool}}
        for tool, questions in EXPECTED.items()
        for question in questions
    ]


async def test_twenty_cases_are_measured_and_kept(terminal: Terminal, figures: list[str]) -> None:
    async with running(4_096) as engine:
        with Forcing(engine.url, chooses=True) as proxy:
            mine = {"kind": "openai", "baseUrl": f"{proxy.url}/v1", "model": NAME}
            names = ("calculator", "time", "memory")
            servers: dict[str, Any] = {name: {"builtin": name} for name in names}
            servers["memory"] |= {"args": ["--file", str(terminal.folder / "memory.db")]}
            document = {"mcpServers": servers, "mcpDesktop": {"providers": {"small": mine}}}
            terminal.config.write_text(json.dumps(document), "utf-8")
            cases = terminal.folder / "cases.json"
            shared = {"runs": 2, "pass": 1.0}
            cases.write_text(json.dumps({"calls": _cases(), **shared}), "utf-8")
            process = terminal.start("eval", str(cases), "--yes", "--json", "--parallel", "1")
            out, err = await asyncio.to_thread(process.communicate, None, 800)
    assert process.returncode in {0, 1}, err
    found = json.loads(out)["cases"]["cases"]
    assert len(found) == 20
    assert [case["name"] for case in found if case["not_measured"]] == []
    right = [case for case in found if case["outcome"] == "passed"]
    seconds = sum(case["seconds"] for case in found)
    figures.append(f"{len(right)} of {len(found)} cases right; the model took {seconds:.0f} s")
    assert right
