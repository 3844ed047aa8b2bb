"""What every provider has in common: an error that says what to do, and events that end."""

from __future__ import annotations

from desktop.llm.completion import CompletionError, CompletionRequest


def test_an_error_says_what_happened_and_what_to_do_and_has_a_kind() -> None:
    error = CompletionError("key", "Anthropic refused the key.", remedy="Set another in Settings.")
    assert (error.kind, str(error)) == (
        "key",
        "Anthropic refused the key.\nSet another in Settings.",
    )


def test_a_request_without_tools_has_none() -> None:
    assert CompletionRequest("model", []).load_tools is None
