"""The estimate of what a text costs."""

from __future__ import annotations

from desktop.llm.formats.tokens import estimate_tokens


def test_four_bytes_are_a_token() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcd") == 1
    assert estimate_tokens("abcde") == 2
    assert estimate_tokens("工具名称") == 3
    assert estimate_tokens({"a": [1, 2]}) == 3
    assert estimate_tokens("\ud800") == 1
