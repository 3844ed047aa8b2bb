"""What a session is can be written and read, and a built-in is named as in a shell."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop.base.errors import UsageError
from desktop.features.chat.agent.session_info import (
    MAX_TITLE_LENGTH,
    Builtin,
    SessionInfo,
    SessionTerms,
    make_title,
    title_of,
)
from desktop.features.chat.llm.tool_choice import ToolChoice

ABOUT = SessionInfo(
    "20261120-120000-abcdef",
    datetime(2026, 11, 20, 12, tzinfo=UTC),
    "openai",
    "gpt",
    "Be brief.",
    (Builtin("time"), Builtin("filesystem", ("--read-only", "my folder"))),
    ToolChoice("manual", ("one", "two")),
    "A title",
    SessionTerms("high", "each", 5, 60.0),
)


def test_it_comes_back_from_json_as_it_was() -> None:
    assert SessionInfo.from_json(ABOUT.to_json()) == ABOUT


def test_a_built_in_is_read_as_a_shell_would() -> None:
    assert Builtin.read("filesystem --read-only 'my folder'") == ABOUT.builtins[1]
    assert str(ABOUT.builtins[1]) == "filesystem --read-only 'my folder'"
    typed = r'sqlite C:\a.db "C:\my books"'
    assert Builtin.read(typed, "win32") == Builtin("sqlite", (r"C:\a.db", r"C:\my books"))


@pytest.mark.parametrize("text", ["", "  ", "filesystem 'my"])
def test_what_names_no_built_in_is_said(text: str) -> None:
    with pytest.raises(UsageError, match="names no built-in server"):
        Builtin.read(text)


@pytest.mark.parametrize(
    "change",
    [
        {"created": "x"},
        {"tools": {"mode": "some", "servers": []}},
        {"terms": {"effort": "none"}},
        {"terms": {"approving": "all"}},
        {"terms": {"seconds": float("inf")}},
        {"terms": {"turns": -1}},
    ],
)
def test_what_is_no_session_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        SessionInfo.from_json(ABOUT.to_json() | change)


def test_a_title_is_one_short_line() -> None:
    assert make_title("What\n is  this?") == "What is this?"
    assert len(make_title("word " * 100)) <= MAX_TITLE_LENGTH
    assert make_title("word " * 100).endswith("…")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("What\n is  this?", "What"),
        ("what is 6*7? Use the tool.", "what is 6*7?"),
        ("Hi there, can you please list my **open** issues.", "List my open issues"),
        ("Hello!\n\nPlease summarise README.md", "Summarise README.md"),
        ("# Weekly report\n- a\n- b", "Weekly report"),
        ("```python\nprint(1)\n```\nWhy does this print 1?", "Why does this print 1?"),
        ("```\nonly code\n```", "only code"),
        ("Hit the road", "Hit the road"),
        ("你好，请把 notes.txt 翻译成英文。谢谢！", "把 notes.txt 翻译成英文"),
        ("See [the docs](https://example.org/x)", "See the docs"),
        ("Hi!", ""),
        ("  \n", ""),
        ("word " * 100, "word word word word word word word word word word word…"),
        ("x" * 100, "x" * 59 + "…"),
    ],
)
def test_a_title_says_what_a_text_is_about(text: str, title: str) -> None:
    assert title_of(text) == title
    assert len(title) <= MAX_TITLE_LENGTH
