"""Lines come out whole, however their bytes come in."""

from __future__ import annotations

import pytest

from desktop.servers.lines import LineBuffer, LineTooLongError

TEXT = "one\n\ntwo\r\n\u00e4\u20ac\n".encode()


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_lines_are_whole_wherever_the_stream_is_cut(size: int) -> None:
    buffer = LineBuffer()
    chunks = [TEXT[start : start + size] for start in range(0, len(TEXT), size)]
    lines = [line for chunk in chunks for line in buffer.feed(chunk)]
    assert lines == TEXT.split(b"\n")[:-1]


def test_the_rest_waits_for_its_end() -> None:
    buffer = LineBuffer()
    assert buffer.feed(b"a") == []
    assert buffer.feed(b"b") == []
    assert buffer.feed(b"c\nd") == [b"abc"]
    assert buffer.feed(b"\n") == [b"d"]


@pytest.mark.parametrize("chunks", [[b"x" * 11], [b"x" * 10, b"x"], [b"a\n" + b"x" * 11 + b"\n"]])
def test_a_line_over_the_limit_is_refused_and_let_go(chunks: list[bytes]) -> None:
    buffer = LineBuffer(10)

    def feed() -> None:
        for chunk in chunks:
            buffer.feed(chunk)

    with pytest.raises(LineTooLongError):
        feed()
    assert buffer.feed(b"\n") == [b""]


def test_a_line_at_the_limit_is_a_line() -> None:
    assert LineBuffer(10).feed(b"x" * 10 + b"\n") == [b"x" * 10]


def test_many_chunks_of_one_line_are_each_touched_once() -> None:
    """Linear, not quadratic: 20 MB in chunks of 64 bytes would take minutes otherwise."""
    buffer = LineBuffer()
    chunk = b"x" * 64
    for _ in range(20 * 1024 * 1024 // 64):
        buffer.feed(chunk)
    assert len(buffer.feed(b"\n")[0]) == 20 * 1024 * 1024
