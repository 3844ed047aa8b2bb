"""What is kept of a long output."""

from __future__ import annotations

import pytest

from builtin_servers.output import Output


@pytest.mark.parametrize("step", [1, 7, 100_000])
def test_head_and_tail_are_kept_and_the_true_size_is_said(step: int) -> None:
    output = Output(20)
    content = b"".join(b"%04d" % n for n in range(1000))
    for start in range(0, len(content), step):
        output.feed(content[start : start + step])
    assert output.text == "0000000100\n[… 3980 of 4000 bytes left out …]\n9709980999"
    assert output.size == 4000


def test_what_fits_is_whole() -> None:
    output = Output(8)
    output.feed(b"1234")
    output.feed(b"5678")
    assert (output.text, output.is_cut) == ("12345678", False)
    output.feed(b"9")
    assert output.is_cut


def test_broken_characters_at_the_cut_are_dropped() -> None:
    output = Output(6)
    output.feed("ééééé".encode())
    assert output.text == "é\n[… 4 of 10 bytes left out …]\né"
