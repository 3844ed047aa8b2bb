"""Which words of a question are a mention, and what of the servers fits them."""

from __future__ import annotations

import pytest

from desktop.features.mentions.mentions import (
    MAX_LENGTH,
    MAX_SHOWN,
    Mention,
    best_offers,
    find_mention,
)
from desktop.values.prompt_types import Prompt
from desktop.values.resource_types import Resource, ResourceTemplate


@pytest.mark.parametrize(
    ("before", "mention"),
    [
        ("/", Mention("/", "")),
        ("/rev", Mention("/", "rev")),
        ("  /rev", Mention("/", "rev")),
        ("@", Mention("@", "")),
        ("look at @read", Mention("@", "read")),
        ("look at (@read", Mention("@", "read")),
        ("看@文件", Mention("@", "文件")),
        ("/review @read", Mention("@", "read")),
    ],
)
def test_a_mention_is_the_word_behind_its_sign(before: str, mention: Mention) -> None:
    assert find_mention(before, is_first=True) == mention


@pytest.mark.parametrize(
    "before",
    ["", "a/b", "see /rev", "/rev more", "me@example.com", "a.b+c@d", "@read ", f"@{'x' * 101}"],
)
def test_other_words_are_none(before: str) -> None:
    assert find_mention(before, is_first=True) is None


def test_a_prompt_is_mentioned_in_the_first_paragraph_alone() -> None:
    assert find_mention("/rev", is_first=False) is None
    assert find_mention("@rev", is_first=False) == Mention("@", "rev")


def test_a_long_paragraph_is_looked_at_from_its_end() -> None:
    long = "word " * 100_000
    assert find_mention(f"{long}@{'y' * MAX_LENGTH}", is_first=False) is not None


PROMPTS = (
    Prompt("s", "summary", description="of a review"),
    Prompt("s", "pre-review"),
    Prompt("other", "review", "Review code"),
)


def test_names_that_begin_with_the_words_come_first_and_descriptions_last() -> None:
    found = [offer.name for offer in best_offers(PROMPTS, "REVIEW")]
    assert found == ["review", "pre-review", "summary"]


def test_a_server_can_be_named() -> None:
    assert [offer.name for offer in best_offers(PROMPTS, "other:")] == ["review"]


def test_resources_and_templates_are_found_by_their_address() -> None:
    offers = (
        Resource("s", "file:///notes/today.md", "Today"),
        ResourceTemplate("s", "file:///{path}", "Files"),
    )
    assert best_offers(offers, "today.md") == [offers[0]]
    assert best_offers(offers, "{path") == [offers[1]]


def test_no_words_are_all_and_no_more_than_can_be_read() -> None:
    assert best_offers(PROMPTS, "") == list(PROMPTS)
    many = [Prompt("s", f"p{number}") for number in range(2 * MAX_SHOWN)]
    assert best_offers(many, "") == many[:MAX_SHOWN]
