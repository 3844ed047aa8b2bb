"""Answers that are too deep to be read, and tool lists whose names are too long to be shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.servers.lists import MAX_LABEL_LENGTH
from desktop.servers.repair.message_repair import TOO_DEEP, load_json, refuse
from tests.attacks.measure import MB, loop_blocks
from tests.http_stub import EVENTS, JSON, Answer, Request, serving
from tests.live_servers import connected, error_of, names, stdio

if TYPE_CHECKING:
    from collections.abc import Callable

DEEP = "[" * 10_000 + "]" * 10_000
SAID = "its answer is nested too deeply"


@pytest.mark.parametrize("depth", [5_000, 10_000, 600_000])
async def test_a_deep_answer_of_a_process_says_so_at_once(depth: int) -> None:
    async with connected(stdio("deep_answer", "--depth", depth)) as connection:
        _, words = error_of(await connection.call_tool("deep", {}, timeout=1_000))
        again = await connection.call_tool("echo", {"message": "still there"})
    # How deep Python itself reads depends on its version: 3.13 reads 5,000, and it is no object.
    assert SAID in words or (depth == 5_000 and "its result is not an object" in words)
    assert again.output == "still there"


@pytest.mark.parametrize("kind", [JSON, EVENTS])
async def test_a_deep_answer_at_a_url_says_so_at_once(kind: str) -> None:
    def answer(request: Request) -> Answer | None:
        if request.rpc != "tools/call":
            return None
        text = f'{{"jsonrpc": "2.0", "id": {request.message["id"]}, "result": {DEEP}}}'
        return Answer(200, (f"data: {text}\n\n" if kind == EVENTS else text).encode(), kind)

    async with serving() as stub, connected(stub.config()) as connection:
        stub.refuse = answer
        _, words = error_of(await connection.call_tool("echo", {}, timeout=1_000))
    assert SAID in words


@pytest.mark.parametrize(
    "text",
    [
        f'{{"jsonrpc": "2.0", "method": "x", "params": {DEEP}}}',
        f'{{"jsonrpc": "2.0", "id": true, "result": {DEEP}}}',
        f'{{"log": {DEEP}}}',
        DEEP,
    ],
    ids=["notification", "id of no request", "log", "list"],
)
def test_what_is_deep_and_no_answer_is_answered_for_nobody(text: str) -> None:
    with pytest.raises(RecursionError):
        load_json(text)
    assert refuse(text.encode(), TOO_DEEP) == []


def listing(tools: list[dict[str, Any]]) -> Callable[[Request], Answer | None]:
    def answer(request: Request) -> Answer | None:
        if request.rpc != "tools/list":
            return None
        reply = {"jsonrpc": "2.0", "id": request.message["id"], "result": {"tools": tools}}
        return Answer(200, json.dumps(reply).encode())

    return answer


SCHEMA = {"type": "object"}


async def test_a_tool_with_a_name_of_5_mb_is_left_out_and_said() -> None:
    long, good = (
        {"name": "n" * 5 * MB, "inputSchema": SCHEMA},
        {"name": "good", "inputSchema": SCHEMA},
    )
    async with serving() as stub:
        stub.refuse = listing([long, good])
        async with loop_blocks() as cost, connected(stub.config()) as connection:
            listed, said = names(connection), connection.oddities
    assert listed == ["good"]
    assert any("its name has 5000000 characters" in text for text in said)
    assert cost.longest_block < 0.5


async def test_titles_categories_and_tags_of_5_mb_are_cut() -> None:
    text = "t" * 5 * MB
    tool = {
        "name": "a",
        "title": text,
        "inputSchema": SCHEMA,
        "_meta": {"category": text, "tags": [text] * 2 + ["x"] * 1_000},
    }
    async with serving() as stub:
        stub.refuse = listing([tool])
        async with connected(stub.config()) as connection:
            (found,) = connection.tools
    assert found.label.startswith("ttt")
    assert (
        max(map(len, (found.title, found.category, *found.metadata.tags))) == MAX_LABEL_LENGTH + 1
    )
    assert len(found.metadata.tags) == 100
