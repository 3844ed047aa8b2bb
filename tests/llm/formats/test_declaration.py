"""One tool as a provider is told of it."""

from __future__ import annotations

from desktop.llm.formats.api_format import ApiFormat
from desktop.llm.formats.declaration import Declaration, Verdict


def test_a_declaration_starts_empty_and_says_its_verdict() -> None:
    made = Declaration("s:t", "mcp__s__t", ApiFormat.GEMINI, Verdict.REJECTED)
    assert (made.body, made.changes, made.tokens, str(made.verdict)) == ({}, (), 0, "rejected")
