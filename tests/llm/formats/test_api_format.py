"""The formats and what holds for each of them."""

from __future__ import annotations

import pytest

from desktop.llm.formats.api_format import MOST_TOOLS, PROVIDERS, WIRE_NAME, ApiFormat


def test_each_format_has_the_name_of_the_terminal_and_a_provider() -> None:
    assert [str(each) for each in ApiFormat] == [
        "openai",
        "openai-responses",
        "anthropic",
        "gemini",
    ]
    assert set(PROVIDERS) == set(ApiFormat)
    assert MOST_TOOLS[ApiFormat.GEMINI] == 512


@pytest.mark.parametrize("name", ["a", "mcp__s__t-1", "_x", "a" * 63])
def test_names_that_all_providers_take(name: str) -> None:
    assert WIRE_NAME.fullmatch(name)


@pytest.mark.parametrize("name", ["", "1a", "a.b", "a b", "名", "a" * 64, "a\n"])
def test_names_that_some_provider_refuses(name: str) -> None:
    assert WIRE_NAME.fullmatch(name) is None
