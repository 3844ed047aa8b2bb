"""Reads what the standard library reads, and lets the loop run meanwhile."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from desktop.base.tasks import spawn
from desktop.servers.transport import sliced_json

VALUES: list[Any] = [
    {},
    [],
    0,
    -1.5e10,
    'a \u20ac "quoted" \\ \n',
    None,
    True,
    {"a": [], "b": {}, "c": [[], [{}], [[[[1]]]]]},
    {"result": {"tools": [{"name": str(n), "x": {"y": [n, None]}} for n in range(50)]}},
    [1, [2, [3, [4, [5, [6]]]]]],
    {"": {"": {"": {"": ""}}}},
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
@pytest.mark.parametrize("indent", [None, 2])
async def test_every_value_is_what_the_library_makes_of_it(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    assert await sliced_json.loads(f" {text}\r\n") == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "[",
        "[1,]",
        "[1 2]",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        "{a:1}",
        "{1:1}",
        '{"a":1 "b":2}',
        "[1]]",
        "{} {}",
        "nul",
        '"open',
        "[[[[",
        "\x00",
    ],
)
async def test_what_is_no_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        await sliced_json.loads(text)


async def test_depth_beyond_reason_is_an_error_and_no_crash() -> None:
    with pytest.raises((ValueError, RecursionError)):
        await sliced_json.loads("[" * 200_000)


async def test_of_a_key_that_stands_twice_the_last_one_counts() -> None:
    assert await sliced_json.loads('{"a": 1, "a": 2}') == {"a": 2}


async def test_the_loop_runs_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced_json, "SLICE", 0.0)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = spawn(count(), "count")
    await sliced_json.loads(json.dumps({"result": {"tools": [{"n": n} for n in range(100)]}}))
    counting.cancel()
    assert turns >= 100


LONG = "a" * (sliced_json.PIECE + 10)
TEXTS = [
    LONG,
    LONG + '"\\' * 3 + LONG,
    '\\"' * sliced_json.PIECE,
    "\\" * (sliced_json.PIECE + 1),
    "x" + "\U0001f600" * (sliced_json.PIECE // 8),
    "\n" + LONG + "\n",
    "é\x7f\ud800" * (sliced_json.PIECE // 2),
]


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
async def test_a_long_text_is_what_the_library_makes_of_it(text: str, ascii_only: bool) -> None:
    message = {"result": {"contents": [{"uri": "a", "text": text, "b": 1}, {"resource": text}]}}
    written = json.dumps(message, ensure_ascii=ascii_only)
    assert await sliced_json.loads(written) == message


async def test_bytes_are_cut_within_no_letter() -> None:
    text = "a\u20ac\U0001f600" * (sliced_json.PIECE // 4)
    written = json.dumps([text], ensure_ascii=False)
    assert await sliced_json.loads(written.encode()) == [text]


async def test_bytes_that_are_no_text_are_replaced() -> None:
    broken = b'["' + b"a" * (sliced_json.PIECE - 4) + b'\xe2\x82", "\xff"]'
    assert await sliced_json.loads(broken) == json.loads(broken.decode("utf-8", "replace"))


@pytest.mark.parametrize("end", ["", "\\", "\\u12", '\x01"}', '"', '"]'])
async def test_a_long_text_without_its_end_is_a_value_error(end: str) -> None:
    with pytest.raises(ValueError):
        await sliced_json.loads('{"text": "' + LONG + end)


async def test_the_loop_runs_while_a_long_text_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced_json, "SLICE", 0.0)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = spawn(count(), "count")
    try:
        await sliced_json.loads(json.dumps({"result": {"contents": [{"text": LONG * 20}]}}))
    finally:
        counting.cancel()
    assert turns >= 20
