"""Lines and messages: limits, faults and their codes."""

from __future__ import annotations

import json
import os
import threading
from typing import TYPE_CHECKING

import pytest

from builtin_servers.rpc import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Outbox,
    RpcError,
    parse,
    read_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def read(chunks: Sequence[bytes], limit: int = 10) -> list[bytes | None]:
    reader, writer = os.pipe()

    def write() -> None:
        for chunk in chunks:
            os.write(writer, chunk)
        os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        return list(read_lines(reader, limit))
    finally:
        thread.join()
        os.close(reader)


def code_of(line: bytes) -> int:
    with pytest.raises(RpcError) as caught:
        parse(line)
    return caught.value.code


def test_lines_are_found_wherever_the_chunks_end() -> None:
    assert read([b"one\ntw", b"o\n", b"\nthree"]) == [b"one", b"two", b"", b"three"]


def test_a_line_of_exactly_the_limit_passes() -> None:
    assert read([b"0123456789\n"]) == [b"0123456789"]


def test_a_line_over_the_limit_is_reported_once_and_the_next_is_read() -> None:
    assert read([b"0123456789x\nnext\n"]) == [None, b"next"]
    assert read([b"x" * 1_000_000 + b"\nnext\n"]) == [None, b"next"]
    assert read([b"x" * 1_000_000]) == [None]


@pytest.mark.parametrize(
    "line",
    [b"{", b"nonsense", b"\xff\xfe", b'{"jsonrpc": NaN}', b"[" * 100_000, b"9" * 10_000],
)
def test_what_is_no_json_is_a_parse_error(line: bytes) -> None:
    assert code_of(line) == PARSE_ERROR


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"7",
        b'{"id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1}',
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": true, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": 5}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}',
    ],
)
def test_what_is_no_message_is_an_invalid_request(line: bytes) -> None:
    assert code_of(line) == INVALID_REQUEST


def test_an_empty_line_and_a_response_are_passed_over() -> None:
    assert parse(b"  \r") is None
    assert parse(b'{"jsonrpc": "2.0", "id": 1, "result": {}}') is None


def test_a_request_keeps_its_id_method_and_params() -> None:
    request = parse(b'{"jsonrpc": "2.0", "id": "a", "method": "m", "params": {"x": 1}}')
    assert request is not None
    assert (request.id, request.method, request.params) == ("a", "m", {"x": 1})


def test_a_meta_that_is_no_object_counts_as_none() -> None:
    request = parse(b'{"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"_meta": [1]}}')
    assert request is not None
    assert request.meta == {}


def test_a_message_is_one_line_of_ascii_even_with_a_lone_surrogate() -> None:
    reader, writer = os.pipe()
    Outbox(writer).send({"text": "\ud800 \n ü"})
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        line = source.read()
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"text": "\ud800 \n ü"}
