"""Messages name what is asked for in plain words, and never the value that was given."""

from __future__ import annotations

from typing import Any

from desktop.tools.validation.messages import format_value, layer_of, message_of, noun_of


def test_what_a_value_is_in_words() -> None:
    values: list[Any] = [None, True, "x", 3, 1.5, [], {}]
    assert [noun_of(each) for each in values] == [
        "null", "true", "text", "a whole number", "a number", "a list", "an object",
    ]  # fmt: skip


def test_a_keyword_that_is_not_known_keeps_the_validator_s_words_short() -> None:
    assert len(message_of("strange", 1, 2, "x" * 9000)) < 300
    assert layer_of("strange") == "rule"


def test_a_value_that_is_given_never_appears() -> None:
    assert "hunter2" not in message_of("pattern", "^x", "hunter2", "")
    assert "hunter2" not in message_of("minLength", 9, "hunter2", "")


def test_empty_text_is_shown_with_quotes() -> None:
    assert [format_value(each) for each in ("", "a", 1, None)] == ['""', "a", "1", "null"]
